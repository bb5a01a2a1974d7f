/**
 * Frames of calls added up by the values of their parameters, in a second pass over the trace
 * (assembly/read/cdt/tally.ts).
 */
import * as RunRow from "../../../assembly/abi/rows/run-row.ts";
import * as TallyRow from "../../../assembly/abi/rows/tally-row.ts";
import type { Instance } from "../instance/instance.ts";

export const MOST_TALLIED = TallyRow.MOST_TALLIED;

/** Frames by the names of functions, the root first; not `rooted`: one name, at any depth. */
export interface FramePath {
  names: readonly string[];
  rooted: boolean;
}

/**
 * A row of a tally, times in ms. The first has all frames (`param` null). `any` has all values of a parameter,
 * `other` those for which there was no row.
 */
export interface TalliedRow {
  param: string | null;
  kind: "value" | "any" | "other";
  /** Of the kind `value`. */
  value: string;
  /** Frames; each counts once. */
  invocations: number;
  /** Wall time of the outermost of them. */
  total: bigint;
  self: bigint;
  /** Suspended part of self. */
  suspended: bigint;
}

/** Texts of a run. */
interface Texts {
  word(run: number, id: number): string;
  references: { text(reference: number): string };
}

export class DumpTally {
  private readonly instance: Instance;
  private readonly texts: Texts;

  constructor(instance: Instance, texts: Texts) {
    this.instance = instance;
    this.texts = texts;
  }

  /** Sets the frames that the next tally of a run counts; null: all. `nameOf`: function name of a method. */
  count(run: number, frames: FramePath | null, nameOf: (method: string) => string): void {
    const { memory, wasm } = this.instance;
    const numbers = new Map<string, number>();
    for (const name of frames?.names ?? []) if (!numbers.has(name)) numbers.set(name, numbers.size + 1);
    const words = memory.u32(wasm.runRow(run) + RunRow.WORDS);
    const of = new Uint32Array(words);
    if (numbers.size > 0)
      for (let id = 0; id < words; id++) of[id] = numbers.get(nameOf(this.texts.word(run, id))) ?? 0;
    memory.bytes(wasm.tallyNames(words), of.byteLength).set(new Uint8Array(of.buffer));
    const path = Uint32Array.from(frames?.names ?? [], (name) => numbers.get(name) ?? 0);
    memory
      .bytes(wasm.tallyPath(path.length, frames?.rooted === true), path.byteLength)
      .set(new Uint8Array(path.buffer));
  }

  /** Its rows; references are resolved as far as texts were read. */
  rows(run: number): TalliedRow[] {
    const { memory, wasm } = this.instance;
    const at = wasm.tallyRows();
    return Array.from({ length: wasm.tallyCount() }, (_, i): TalliedRow => {
      const p = at + i * TallyRow.BYTES;
      return {
        param: i === 0 ? null : this.texts.word(run, memory.u32(p + TallyRow.WORD)),
        ...this.valueAt(p),
        invocations: Number(memory.i64(p + TallyRow.INVOCATIONS)),
        total: memory.i64(p + TallyRow.TOTAL),
        self: memory.i64(p + TallyRow.SELF),
        suspended: memory.i64(p + TallyRow.SUSPENDED),
      };
    });
  }

  private valueAt(p: number): Pick<TalliedRow, "kind" | "value"> {
    const stream = this.instance.memory.u32(p + TallyRow.STREAM);
    if (stream === TallyRow.ANY) return { kind: "any", value: "" };
    if (stream === TallyRow.OTHER) return { kind: "other", value: "" };
    const value = this.instance.memory.u32(p + TallyRow.VALUE);
    return {
      kind: "value",
      value: stream === TallyRow.TEXT ? this.instance.string(value - 1) : this.texts.references.text(value),
    };
  }
}
