/** The spans of traces in the order of answers, with everything that follows from the traces alone. */
import * as SpanRow from "../../../assembly/abi/rows/span-row.ts";
import type { SpanColumns } from "../../core/samples/spans.ts";
import { type DistinctSpans, distinctSpans, findSpan } from "./distinct.ts";
import { type Places, placesOf } from "./places.ts";
import { criticalTimes, type Extents, selfTimes } from "./times.ts";

const NO_TIME = BigInt.asIntN(64, BigInt(SpanRow.NO_TIME));

/** Columns by place: a parent precedes its children, a subtree is one stretch of `size` places. */
export interface TraceTree extends Omit<Places, "span">, Extents {
  count: number;
  /** Row in the table of spans. */
  row: Uint32Array;
  id: BigUint64Array;
  traceHigh: BigUint64Array;
  traceLow: BigUint64Array;
  /**
   * Place of the other half of a span that a client and a server share (Zipkin), −1 of every other span; and 1 for the
   * half that has none of the samples with the id, because they are of the other one's process.
   */
  half: Int32Array;
  silent: Uint8Array;
  /** 1 for a span that states no time: it is 0 ns long, where its parent, its trace or the first span starts. */
  untimed: Uint8Array;
  /** A string of the store; a span without an instance that is no entry into a process has its parent's. */
  instance: Uint32Array;
  self: BigInt64Array;
  critical: BigInt64Array;
}

/** Strings of the store that are kinds of spans that enter a process. */
export type EntryKinds = ReadonlySet<number>;

/** The tree of `rows` of a table, which are in the order of reading. */
export function traceTree(stated: SpanColumns, rows: Uint32Array, entries: EntryKinds): TraceTree {
  const spans = distinctSpans(stated, rows);
  const columns = timed(stated, spans);
  const { span, ...places } = placesOf(columns, spans);
  const count = span.length;
  const row = span.map((each) => spans.row[each] ?? 0);
  const times = { start: picked(columns.start, row), end: picked(columns.end, row) };
  const id = picked(columns.id, row);
  const half = halvesOf(spans.half, span);
  return {
    ...places,
    ...times,
    half,
    untimed: Uint8Array.from(row, (at) => Number(stated.start[at] === NO_TIME)),
    silent: Uint8Array.from(half, (other, place) => Number(other > place)),
    count,
    row,
    id,
    traceHigh: BigUint64Array.from(span, (each) => spans.traceHigh[spans.trace[each] ?? 0] ?? 0n),
    traceLow: picked(columns.traceLow, row),
    instance: instances(columns, row, places.up, entries),
    self: selfTimes(times, places),
    critical: criticalTimes(times, { span, ...places }, id),
  };
}

/** Gives the spans without a time one inside their trace, so that no list begins in 1970. */
function timed(columns: SpanColumns, spans: DistinctSpans): SpanColumns {
  const { row, trace } = spans;
  const untimed = row.filter((at) => columns.start[at] === NO_TIME);
  if (untimed.length === 0) return columns;
  const [start, end] = [columns.start.slice(), columns.end.slice()];
  const least = (known: bigint | undefined, at: bigint) => (known === undefined || at < known ? at : known);
  const ofTrace = new Map<number, bigint>();
  let ofAll: bigint | undefined;
  for (const [i, at] of row.entries()) {
    const from = columns.start[at] ?? NO_TIME;
    if (from === NO_TIME) continue;
    const number = trace[i] ?? 0;
    ofTrace.set(number, least(ofTrace.get(number), from));
    ofAll = least(ofAll, from);
  }
  for (const [i, at] of row.entries()) {
    if (columns.start[at] !== NO_TIME) continue;
    const parent = row[findSpan(columns, spans, columns.traceLow[at] ?? 0n, columns.parent[at] ?? 0n)] ?? -1;
    const ofParent = columns.start[parent] ?? NO_TIME;
    start[at] = ofParent === NO_TIME ? (ofTrace.get(trace[i] ?? 0) ?? ofAll ?? 0n) : ofParent;
    end[at] = start[at];
  }
  return { ...columns, start, end };
}

/** The server's half is the first child of the client's, or anywhere below it. */
function halvesOf(isHalf: Uint8Array, span: Uint32Array): Int32Array {
  const half = new Int32Array(span.length).fill(-1);
  if (!isHalf.includes(1)) return half;
  const placeOf = new Int32Array(span.length);
  for (const [place, each] of span.entries()) placeOf[each] = place;
  for (const [place, each] of span.entries()) {
    if (isHalf[each] !== 1) continue;
    const other = placeOf[each - 1] ?? -1;
    half[place] = other;
    half[other] = place;
  }
  return half;
}

/**
 * Gives the samples of a shared span to the half whose service is that of a recording, or else to the server's. To be
 * called when the recordings are known.
 */
export function settleHalves(
  { half, silent, row }: TraceTree,
  { service }: SpanColumns,
  services: ReadonlySet<number>,
): void {
  const isHere = (place: number) => services.has(service[row[place] ?? 0] ?? 0);
  for (const [place, other] of half.entries()) {
    if (other < place) continue;
    const isClients = isHere(place) && !isHere(other);
    silent[place] = isClients ? 0 : 1;
    silent[other] = isClients ? 1 : 0;
  }
}

function picked<T extends BigInt64Array | BigUint64Array>(column: T, rows: Uint32Array): T {
  const made = column.slice(0, rows.length) as T;
  for (const [i, row] of rows.entries()) made[i] = column[row] ?? 0n;
  return made;
}

function instances(columns: SpanColumns, row: Uint32Array, up: Int32Array, entries: EntryKinds): Uint32Array {
  const instance = new Uint32Array(row.length);
  for (const [place, at] of row.entries()) {
    const parent = up[place] ?? -1;
    const own = columns.instance[at] ?? 0;
    const inherits = own === 0 && parent >= 0 && !entries.has(columns.kind[at] ?? 0);
    instance[place] = inherits ? (instance[parent] ?? 0) : own;
  }
  return instance;
}
