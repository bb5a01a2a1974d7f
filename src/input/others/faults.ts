/** What a converter left out, counted by fact with the first place. */
import type { Severity } from "../../core/types.ts";

export type NoteOther = (code: OtherCode, severity: Severity, message: string, offset: number | null) => void;
export type OtherCode = "other.damaged" | "other.left-out" | "other.large" | "other.clock" | "other.unread";

export class Faults {
  private readonly counts = new Map<string, { count: number; first: string }>();

  /** `fact` follows a number of samples: "with a frame that does not exist". */
  add(fact: string, place: string): void {
    const known = this.counts.get(fact);
    if (known === undefined) this.counts.set(fact, { count: 1, first: place });
    else known.count++;
  }

  report(format: string, note: NoteOther): void {
    for (const [fact, { count, first }] of this.counts) {
      const entries = count === 1 ? "1 entry" : `${count.toLocaleString("en")} entries`;
      note("other.left-out", "error", `${format}: ${entries} ${fact} (first: ${first})`, null);
    }
    this.counts.clear();
  }
}

/** Frames of a stack. A deeper one loses its callers. */
export const MOST_DEEP = 4096;

/** Stacks as a tree of frames: a node is a frame with the node of its caller. */
export class StackTree {
  private readonly frames: number[] = [];
  private readonly callers: number[] = [];
  private readonly children = new Map<number, number>();
  private readonly width: number;

  constructor(frames: number) {
    this.width = frames + 1;
  }

  /** The node of a frame that `caller` calls; −1 is above all frames. */
  child(caller: number, frame: number): number {
    const key = (caller + 1) * this.width + frame;
    const known = this.children.get(key);
    if (known !== undefined) return known;
    this.children.set(key, this.frames.length);
    this.callers.push(caller);
    return this.frames.push(frame) - 1;
  }

  readonly framesOf = (node: number): number[] => {
    const frames: number[] = [];
    for (let at = node; at >= 0 && frames.length < MOST_DEEP; at = this.callers[at] ?? -1)
      frames.push(this.frames[at] ?? 0);
    return frames;
  };

  callerOf(node: number): number {
    return this.callers[node] ?? -1;
  }

  frameAt(node: number): number {
    return this.frames[node] ?? -1;
  }
}

/** The language of a frame by its file; "" if that states none. */
export function frameTypeOf(file: string): string {
  const [, ending = ""] = /\.(\w+)$/.exec(file) ?? [];
  if (file.startsWith("node:") || /^https?:|^evalmachine|^wasm:/.test(file)) return "v8js";
  if (file.startsWith("<frozen ")) return "cpython";
  return TYPES.get(ending.toLowerCase()) ?? "";
}

const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ py: "cpython", pyx: "cpython", rb: "ruby", php: "php", pl: "perl", go: "go", rs: "rust", lua: "luajit" },
    ...{ js: "v8js", mjs: "v8js", cjs: "v8js", ts: "v8js", tsx: "v8js", mts: "v8js", cs: "dotnet", fs: "dotnet" },
    ...{ java: "jvm", kt: "jvm", scala: "jvm", c: "native", cc: "native", cpp: "native", h: "native", hpp: "native" },
    ...{ ex: "beam", erl: "beam" },
  }),
);
