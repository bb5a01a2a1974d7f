/** The first diagnostics of each kind: a hostile file has millions, and the first ones show the cause. */
import type { Diagnostic } from "../types.ts";

/** A kind is a code with a severity. */
export interface KindBounds {
  /** Diagnostics of a kind in one file. */
  perFile: number;
  /** Diagnostics of a kind in all files. */
  overall: number;
}

/** How many diagnostics of a kind were left out, and the file of the first of them. */
export interface LeftOut extends Pick<Diagnostic, "code" | "severity" | "file"> {
  count: number;
}

interface Kind {
  takenByFile: Map<string, number>;
  taken: number;
  left: LeftOut;
}

export class FirstOfKind {
  private readonly bounds: KindBounds;
  private readonly kinds = new Map<string, Kind>();

  constructor(bounds: KindBounds) {
    this.bounds = bounds;
  }

  /** Whether the diagnostic is among the first of its kind; if not, it is counted as left out. */
  takes({ code, severity, file }: Pick<Diagnostic, "code" | "severity" | "file">): boolean {
    const key = `${severity} ${code}`;
    const kind = this.kinds.get(key) ?? {
      takenByFile: new Map(),
      taken: 0,
      left: { code, severity, file, count: 0 },
    };
    this.kinds.set(key, kind);
    const inFile = kind.takenByFile.get(file) ?? 0;
    if (inFile < this.bounds.perFile && kind.taken < this.bounds.overall) {
      kind.takenByFile.set(file, inFile + 1);
      kind.taken++;
      return true;
    }
    if (kind.left.count++ === 0) kind.left.file = file;
    return false;
  }

  leftOut(): LeftOut[] {
    return [...this.kinds.values()].map(({ left }) => left).filter(({ count }) => count > 0);
  }

  reset(): void {
    this.kinds.clear();
  }
}
