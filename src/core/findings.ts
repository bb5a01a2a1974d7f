/** Findings of a session: the rows that the core keeps (assembly/store/diagnostics.ts), and those of its host. */
import { type Wording, wordingOf } from "./diagnostics.ts";
import type { Diagnostic, FileSummary } from "./types.ts";
import type { Access } from "./views.ts";

/** Row of assembly/store/diagnostics.ts. */
const DIAGNOSTIC_BYTES = 32;

/** A chunk or a message: the subject of a finding of the core. */
export interface Opened {
  file: number;
  index: number;
  offset: number;
}

export class Findings {
  private readonly core: Pick<Access, "wasm" | "memory">;
  private readonly opened: readonly Opened[];
  private readonly files: readonly FileSummary[];
  private readonly host: Diagnostic[] = [];
  private errorCount = 0;
  /** Rows of the core that are in `errorCount`. */
  private counted = 0;

  constructor(core: Pick<Access, "wasm" | "memory">, opened: readonly Opened[], files: readonly FileSummary[]) {
    this.core = core;
    this.opened = opened;
    this.files = files;
  }

  reset(): void {
    this.host.length = 0;
    this.errorCount = 0;
    this.counted = 0;
  }

  /** Adds a finding of the host. */
  note(finding: Diagnostic): void {
    this.host.push(finding);
    if (finding.severity === "error") this.errorCount++;
  }

  /** How many findings are errors. Each row is inspected once, so that asking after every input takes linear time. */
  errors(): number {
    const rows = this.core.wasm.diagnosticCount.value;
    for (; this.counted < rows; this.counted++) {
      if (this.wordingAt(this.counted).severity === "error") this.errorCount++;
    }
    return this.errorCount;
  }

  list(): Diagnostic[] {
    const rows = Array.from({ length: this.core.wasm.diagnosticCount.value }, (_, row) => this.ofCore(row));
    return [...rows, ...this.host];
  }

  private wordingAt(row: number): Wording {
    const { wasm, memory } = this.core;
    const wording = wordingOf(memory.u32(wasm.diagnosticRows() + row * DIAGNOSTIC_BYTES));
    if (wording === undefined) throw new RangeError("core: unknown finding");
    return wording;
  }

  private ofCore(row: number): Diagnostic {
    const { wasm, memory } = this.core;
    const p = wasm.diagnosticRows() + row * DIAGNOSTIC_BYTES;
    const wording = this.wordingAt(row);
    const opened = this.opened[memory.u32(p + 4)];
    const file = opened && this.files[opened.file];
    if (file === undefined) throw new RangeError("core: a finding without a file");
    const isChunk = file.format === "jfr";
    const offset = opened.offset + Number(memory.u64(p + 16));
    const text = wording.text(memory.i64(p + 24), memory.u32(p + 8));
    const format = wording.code.slice(0, wording.code.indexOf("."));
    const where = isChunk ? `chunk ${opened.index}` : `message ${opened.index}`;
    return {
      code: wording.code,
      severity: wording.severity,
      message: `${format}: ${text} (${where}, offset ${offset})`,
      file: file.name,
      chunk: isChunk ? opened.index : null,
      offset,
    };
  }
}
