/**
 * The distinct spans of a table. Rows of one trace and id are one span: the longest counts, of equally long ones the
 * first. The halves of a span that a client and a server share (Zipkin) are two: the client's, and after it the
 * server's. Trace ids are one if their low 64 bits are equal; the largest known id is that of all. A row of span id 0
 * is no span, but may state the id of its trace.
 */
import * as SpanRow from "../../../assembly/abi/rows/span-row.ts";
import type { SpanColumns } from "../../core/samples/spans.ts";
import { IdMap } from "../../ids/map.ts";

export interface DistinctSpans {
  /** Row of each span, ascending by the low half of the trace id, then by id. */
  row: Uint32Array;
  /** Number of the trace of each span; traces ascend by the low half of their id. */
  trace: Uint32Array;
  /** 1 for the server's half of a shared span; the span before it is the client's. */
  half: Uint8Array;
  /** Upper half of the id of each trace. */
  traceHigh: bigint[];
}

/** Halves of 64-bit values, low half first. */
export function halves(column: BigUint64Array): Uint32Array {
  return new Uint32Array(column.buffer, column.byteOffset, 2 * column.length);
}

/** `rows` in the order of reading. */
export function distinctSpans(columns: SpanColumns, rows: Uint32Array): DistinctSpans {
  const { start, end, side, traceHigh } = columns;
  const isShared = sharedIds(columns, rows);
  const halfOf = (row: number) => Number((side[row] ?? 0) >= SpanRow.SIDE_SERVER && isShared(row));
  const trace = halves(columns.traceLow);
  const id = halves(columns.id);
  const stated = statedHighs(columns, rows);
  const order = rows
    .filter((row) => columns.id[row] !== 0n)
    .sort(
      (a, b) =>
        word(trace, 2 * a + 1) - word(trace, 2 * b + 1) ||
        word(trace, 2 * a) - word(trace, 2 * b) ||
        word(id, 2 * a + 1) - word(id, 2 * b + 1) ||
        word(id, 2 * a) - word(id, 2 * b) ||
        halfOf(a) - halfOf(b) ||
        a - b,
    );
  const found = new Uint32Array(order.length);
  const traces = new Uint32Array(order.length);
  const half = new Uint8Array(order.length);
  const highs: bigint[] = [];
  let count = 0;
  for (const row of order) {
    const last = count === 0 ? row : word(found, count - 1);
    const isSameTrace = count > 0 && columns.traceLow[last] === columns.traceLow[row];
    if (!isSameTrace) highs.push(stated.get(columns.traceLow[row] ?? 0n) ?? 0n);
    const known = highs.length - 1;
    const high = traceHigh[row] ?? 0n;
    if (high > (highs[known] ?? 0n)) highs[known] = high;
    if (isSameTrace && columns.id[last] === columns.id[row] && half[count - 1] === halfOf(row)) {
      if (length(start, end, row) > length(start, end, last)) found[count - 1] = row;
      continue;
    }
    found[count] = row;
    half[count] = halfOf(row);
    traces[count++] = known;
  }
  return {
    row: found.subarray(0, count),
    trace: traces.subarray(0, count),
    half: half.subarray(0, count),
    traceHigh: highs,
  };
}

/** Whether the span of a row is shared: its id has rows of a client and of a server, or of a server that says so. */
function sharedIds({ id, traceLow, side }: SpanColumns, rows: Uint32Array): (row: number) => boolean {
  if (!rows.some((row) => side[row] !== UNKNOWN)) return () => false;
  const known = new IdMap<IdMap<number>>();
  for (const row of rows) {
    const trace = traceLow[row] ?? 0n;
    const ids = known.get(trace) ?? new IdMap<number>();
    known.set(trace, ids);
    ids.set(id[row] ?? 0n, (ids.get(id[row] ?? 0n) ?? 0) | bitOf(side[row] ?? 0));
  }
  return (row) => {
    const bits = known.get(traceLow[row] ?? 0n)?.get(id[row] ?? 0n) ?? 0;
    const has = (which: number) => (bits & bitOf(which)) !== 0;
    return has(SpanRow.SIDE_SHARED)
      ? has(SpanRow.SIDE_CLIENT) || has(UNKNOWN)
      : has(SpanRow.SIDE_CLIENT) && has(SpanRow.SIDE_SERVER);
  };
}

const UNKNOWN = 0;
const bitOf = (side: number) => 1 << side;

/** The largest upper half that rows without a span state, by the low half of the trace id. */
function statedHighs({ id, traceHigh, traceLow }: SpanColumns, rows: Uint32Array): IdMap<bigint> {
  const stated = new IdMap<bigint>();
  for (const row of rows) {
    if (id[row] !== 0n) continue;
    const [low, high] = [traceLow[row] ?? 0n, traceHigh[row] ?? 0n];
    if (high > (stated.get(low) ?? 0n)) stated.set(low, high);
  }
  return stated;
}

const word = (words: Uint32Array, at: number) => words[at] ?? 0;

const length = (start: BigInt64Array, end: BigInt64Array, row: number) => (end[row] ?? 0n) - (start[row] ?? 0n);

/** Index of the span with this trace and id in `spans`, of a shared one its client's half; −1 if there is none. */
export function findSpan(columns: SpanColumns, { row }: DistinctSpans, traceLow: bigint, id: bigint): number {
  let low = 0;
  let high = row.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = row[middle] ?? 0;
    const trace = columns.traceLow[at] ?? 0n;
    const isBefore = trace < traceLow || (trace === traceLow && (columns.id[at] ?? 0n) < id);
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  const at = row[low];
  return at !== undefined && columns.traceLow[at] === traceLow && columns.id[at] === id ? low : -1;
}
