/**
 * Spans of trace files and of recordings: rows of abi/rows/span-row.ts in the order of reading. A span id may have
 * several rows, and samples belong to a span by the span id of their link.
 */
import * as Limits from "../abi/limits";
import * as SpanRow from "../abi/rows/span-row";
import { alloc, regrow } from "../memory/arena";
import { onReset } from "../memory/resets";
import { sets } from "./tables";

let rows: usize = 0;
export let spanCount: u32 = 0;
let capacity: u32 = 0;

/** There is no table until the next span. */
onReset((): void => {
  rows = 0;
  spanCount = 0;
  capacity = 0;
});

export function spanRows(): usize {
  return rows;
}

/**
 * Pointer to room for `count` rows after the last one, to be filled before the next call that may allocate. They count
 * from `addSpans` on. 0 if the table is full.
 */
export function spanRoom(count: u32): usize {
  const wanted = spanCount + count;
  if (wanted > <u32>Limits.MAX_SPANS || count > <u32>Limits.MAX_SPANS) return 0;
  if (wanted > capacity) {
    let larger = max<u32>(capacity, 256);
    while (larger < wanted) larger <<= 1;
    const bytes = <usize>capacity * SpanRow.BYTES;
    rows =
      capacity === 0 ? alloc(<usize>larger * SpanRow.BYTES) : regrow(rows, bytes, bytes, <usize>larger * SpanRow.BYTES);
    capacity = larger;
  }
  return rows + <usize>spanCount * SpanRow.BYTES;
}

/** Takes in the rows that were written to the room. */
export function addSpans(count: u32): void {
  spanCount += count;
}

/** Adds a cleared row; its pointer moves when the next one is added. 0 if the table is full. */
export function addSpan(): usize {
  const row = spanRoom(1);
  if (row === 0) return 0;
  memory.fill(row, 0, SpanRow.BYTES);
  spanCount++;
  return row;
}

/** Row of the attribute set of `n` bytes at `p`: ascending u32 attributes with different keys. */
export function spanSet(p: usize, n: u32): u32 {
  return sets.intern(p, n);
}
