/**
 * Fields of records in the core's memory as columns. No number of 64 bits is made for a row, and no array: a recording
 * has hundreds of thousands of records, whose numbers would take longer to collect than the recording to read.
 */
import type { Memory } from "../instance/memory.ts";

export interface RecordColumns {
  words(field: number): Uint32Array;
  longs(field: number): BigUint64Array;
  /** Ns after the base. */
  times(field: number): Float64Array;
}

const WORD = 2 ** 32;

/** All words of the memory, good until the next call into the core. */
export function wordsOf(memory: Memory): Uint32Array {
  return new Uint32Array(memory.bytes(0, 0).buffer);
}

/** Of the records at some places. */
export function recordColumns(memory: Memory, places: ArrayLike<number>, base = 0n): RecordColumns {
  const [low, high] = [Number(BigInt.asUintN(32, base)), Number(base >> 32n)];
  const filled = <T extends Uint32Array | Float64Array>(column: T, of: (place: number) => number): T => {
    for (let i = 0; i < column.length; i++) column[i] = of(places[i]!);
    return column;
  };
  // Asking for the memory at each row takes longer than to read it.
  const all = wordsOf(memory);
  return {
    words: (field) => filled(new Uint32Array(places.length), (p) => all[(p + field) >>> 2]!),
    times: (field) =>
      filled(new Float64Array(places.length), (p) => {
        const at = (p + field) >>> 2;
        return ((all[at + 1]! | 0) - high) * WORD + (all[at]! - low);
      }),
    longs: (field) => {
      const column = new BigUint64Array(places.length);
      const halves = new Uint32Array(column.buffer);
      for (let i = 0; i < halves.length; i++) halves[i] = all[((places[i >> 1]! + field) >>> 2) + (i & 1)]!;
      return column;
    },
  };
}
