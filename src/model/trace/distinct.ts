/**
 * The distinct spans of a table. Rows of one trace and id are one span: the longest counts, of equally long ones the
 * first. A client and its server may report one id: these are two spans, the client's, and after it the
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
        a - b,
    );
  const found = new Uint32Array(order.length);
  const traces = new Uint32Array(order.length);
  const half = new Uint8Array(order.length);
  const highs: bigint[] = [];
  let count = 0;
  for (let from = 0, last = -1; from < order.length; ) {
    const first = word(order, from);
    const traceLow = columns.traceLow[first] ?? 0n;
    const isSame = (row: number) => columns.id[row] === columns.id[first] && columns.traceLow[row] === traceLow;
    let end = from + 1;
    while (end < order.length && isSame(word(order, end))) end++;
    const own = order.subarray(from, end);
    if (last < 0 || columns.traceLow[last] !== traceLow) highs.push(stated.get(traceLow) ?? 0n);
    const known = highs.length - 1;
    for (const row of own)
      if ((columns.traceHigh[row] ?? 0n) > (highs[known] ?? 0n)) highs[known] = columns.traceHigh[row]!;
    for (const [i, rowsOfHalf] of halvesOf(columns, own).entries()) {
      found[count] = longest(columns, rowsOfHalf);
      half[count] = i;
      traces[count++] = known;
    }
    last = first;
    from = end;
  }
  return {
    row: found.subarray(0, count),
    trace: traces.subarray(0, count),
    half: half.subarray(0, count),
    traceHigh: highs,
  };
}

/**
 * The halves of a span, given by the rows of its id: it is shared if a client and a server report it, or a server that
 * knows it. A half without a side is the client's if its service is another one.
 */
function halvesOf({ side, service }: SpanColumns, rows: Uint32Array): Uint32Array[] {
  if (rows.length === 1) return [rows];
  const isServer = (row: number) => (side[row] ?? 0) >= SpanRow.SIDE_SERVER;
  const [server, client] = [rows.filter(isServer), rows.filter((row) => !isServer(row))];
  const isShared = server.some((row) => side[row] === SpanRow.SIDE_SHARED);
  const isOther = (row: number) => service[row] !== 0 && server.every((other) => service[other] !== service[row]);
  const isApart = isShared || client.some((row) => side[row] === SpanRow.SIDE_CLIENT || isOther(row));
  return server.length > 0 && client.length > 0 && isApart ? [client, server] : [rows];
}

/** The first of the longest. */
function longest({ start, end }: SpanColumns, rows: Uint32Array): number {
  const length = (row: number) => (end[row] ?? 0n) - (start[row] ?? 0n);
  return rows.reduce((best, row) => (length(row) > length(best) ? row : best));
}

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
