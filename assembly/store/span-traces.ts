/**
 * Trace ids of spans, from a trace beside the recordings: writers give them to the Links of these spans. Rows of
 * abi/rows/span-trace-row.ts, from 1 on; row 0 is unused.
 */
import * as SpanTraceRow from "../abi/rows/span-trace-row";
import { alloc, release } from "../memory/arena";
import { KeyTable, newKeyTable } from "../memory/key-table";
import { onReset } from "../memory/resets";

let rows: usize = 0;
let bytes: usize = 0;
/** Rows, with the unused one; 0 while no trace is known. */
export let spanTraceCount: u32 = 0;
let bySpan: KeyTable = changetype<KeyTable>(0);

onReset((): void => {
  rows = 0;
  bytes = 0;
  spanTraceCount = 0;
});

/** Replaces all rows by the `n` rows at `p`. The first row of a span counts; 0 rows: no trace is known. */
export function setSpanTraces(p: usize, n: u32): void {
  if (spanTraceCount !== 0) {
    spanTraceCount = 0;
    bySpan.free();
    release(rows, bytes);
  }
  if (n === 0) return;
  const size = <usize>(n + 1) * SpanTraceRow.BYTES;
  const at = alloc(size);
  memory.fill(at, 0, SpanTraceRow.BYTES);
  memory.copy(at + SpanTraceRow.BYTES, p, size - SpanTraceRow.BYTES);
  bySpan = newKeyTable(n);
  rows = at;
  bytes = size;
  for (let i: u32 = 1; i <= n; i++) {
    const span = load<u64>(rows + <usize>i * SpanTraceRow.BYTES, SpanTraceRow.SPAN);
    if (span !== 0 && bySpan.find(span) === 0) bySpan.add(span, i);
  }
  spanTraceCount = n + 1;
}

/** Row of a span, 0 if its trace is not known. */
export function spanTraceOf(span: u64): u32 {
  return spanTraceCount === 0 ? 0 : bySpan.find(span);
}

export function spanTraceHigh(row: u32): u64 {
  return load<u64>(rows + <usize>row * SpanTraceRow.BYTES, SpanTraceRow.ID_HIGH);
}

export function spanTraceLow(row: u32): u64 {
  return load<u64>(rows + <usize>row * SpanTraceRow.BYTES, SpanTraceRow.ID_LOW);
}
