/**
 * The diagnostics of a session: the rows that the core keeps (assembly/store/diagnostics.ts), and those of its host.
 */
import * as DiagnosticRow from "../../../assembly/abi/rows/diagnostic-row.ts";
import type { Wording } from "../diagnostics/wording.ts";
import { INPUT_FORMATS } from "../inputs/formats.ts";
import type { Access, Opened } from "../instance/access.ts";
import type { Diagnostic, FileSummary } from "../types.ts";
import { FirstOfKind } from "./first-of-kind.ts";

/** Diagnostics of one code that are kept with their words; the others are counted. */
const KEPT = { perFile: 1000, overall: 10_000 };

/** How far reading had come: the next of what it adds. Files are read one after the other. */
export interface Mark {
  files: number;
  rows: number;
  host: number;
  samples: number;
  incidents: number;
  measurements: number;
}

/** Before the first file. The first row of a table that interns is no row. */
export const START: Mark = { files: 0, rows: 0, host: 0, samples: 1, incidents: 1, measurements: 1 };

export class KeptDiagnostics {
  private readonly core: Pick<Access, "wasm" | "memory" | "opened" | "files">;
  private readonly host: Diagnostic[] = [];
  private readonly kept = new FirstOfKind(KEPT);
  private errorCount = 0;
  /** Rows of the core that are in `errorCount`. */
  private counted = 0;
  /** Messages by number; null until the first is needed. */
  wordings: Readonly<Record<number, Wording>> | null = null;

  constructor(core: Pick<Access, "wasm" | "memory" | "opened" | "files">) {
    this.core = core;
  }

  reset(): void {
    this.host.length = 0;
    this.kept.reset();
    this.errorCount = 0;
    this.counted = 0;
  }

  /** Loads the messages if any is needed. */
  async words(): Promise<void> {
    if (this.wordings !== null || this.core.wasm.diagnosticCount.value === 0) return;
    this.wordings = (await import("../inputs/words.ts")).WORDINGS;
  }

  /** Adds a diagnostic of the host. */
  note(diagnostic: Diagnostic): void {
    if (this.kept.takes(diagnostic)) this.host.push(diagnostic);
    if (diagnostic.severity === "error") this.errorCount++;
  }

  /**
   * How many diagnostics are errors, after `words`. Each row is inspected once, so that asking after every input takes
   * linear time.
   */
  errors(): number {
    const rows = this.core.wasm.diagnosticCount.value;
    for (; this.counted < rows; this.counted++) {
      if (this.wordingAt(this.counted).severity === "error") this.errorCount++;
    }
    return this.errorCount;
  }

  mark(): Mark {
    const { wasm, files } = this.core;
    return {
      files: files.length,
      rows: wasm.diagnosticCount.value,
      host: this.host.length,
      samples: wasm.sampleCount.value,
      incidents: wasm.incidentCount(),
      measurements: wasm.measurementCount(),
    };
  }

  /**
   * Diagnostics of the core (of a file that is still being read, only after `words`), then those of the host: those
   * after `since`. `CODE.more` counts those of a code that are not in the list.
   */
  list(since: Mark): Diagnostic[] {
    const kept = new FirstOfKind(KEPT);
    const list: Diagnostic[] = [];
    const rows = this.wordings === null ? 0 : this.core.wasm.diagnosticCount.value;
    for (let row = since.rows; row < rows; row++) {
      const { code, severity } = this.wordingAt(row);
      if (kept.takes({ code, severity, file: this.fileOf(row).name })) list.push(this.ofCore(row));
    }
    const ofHost = since === START ? this.kept.leftOut() : [];
    const more = [...kept.leftOut(), ...ofHost].map(({ code, severity, file, count }) => ({
      code: `${code}.more`,
      severity,
      message: `${count} more of ${code}, the first of them in this file`,
      file,
      chunk: null,
      offset: null,
    }));
    return [...list, ...this.host.slice(since.host), ...more];
  }

  private wordingAt(row: number): Wording {
    const { wasm, memory } = this.core;
    const wording = this.wordings?.[memory.u32(wasm.diagnosticRows() + row * DiagnosticRow.BYTES + DiagnosticRow.CODE)];
    if (wording === undefined) throw new RangeError("core: unknown diagnostic");
    return wording;
  }

  private openedAt(row: number): Opened | undefined {
    const { wasm, memory } = this.core;
    return this.core.opened[memory.u32(wasm.diagnosticRows() + row * DiagnosticRow.BYTES + DiagnosticRow.CHUNK)];
  }

  private fileOf(row: number): FileSummary {
    const file = this.core.files[this.openedAt(row)?.file ?? -1];
    if (file === undefined) throw new RangeError("core: a diagnostic without a file");
    return file;
  }

  private ofCore(row: number): Diagnostic {
    const { wasm, memory } = this.core;
    const p = wasm.diagnosticRows() + row * DiagnosticRow.BYTES;
    const wording = this.wordingAt(row);
    const file = this.fileOf(row);
    const { index, offset: start } = this.openedAt(row)!;
    const isChunk = file.format === "jfr";
    const offset = start + Number(memory.u64(p + DiagnosticRow.OFFSET));
    const text = wording.text(memory.i64(p + DiagnosticRow.VALUE), memory.u32(p + DiagnosticRow.COUNT));
    const format = wording.code.slice(0, wording.code.indexOf("."));
    const where = `${INPUT_FORMATS[file.format].unit} ${index}`;
    return {
      code: wording.code,
      severity: wording.severity,
      message: `${format}: ${text} (${where}, offset ${offset})`,
      file: file.name,
      chunk: isChunk ? index : null,
      offset,
    };
  }
}
