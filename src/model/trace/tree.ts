/** The spans of traces in the order of answers, with everything that follows from the traces alone. */
import type { SpanColumns } from "../../core/spans.ts";
import { distinctSpans } from "./distinct.ts";
import { type Places, placesOf } from "./places.ts";
import { criticalTimes, type Extents, selfTimes } from "./times.ts";

/** Columns by place: a parent precedes its children, a subtree is one stretch of `size` places. */
export interface TraceTree extends Omit<Places, "span">, Extents {
  count: number;
  /** Row in the table of spans. */
  row: Uint32Array;
  id: BigUint64Array;
  traceHigh: BigUint64Array;
  traceLow: BigUint64Array;
  /** A string of the store; a span without an instance that is no entry into a process has its parent's. */
  instance: Uint32Array;
  self: BigInt64Array;
  critical: BigInt64Array;
}

/** Strings of the store that are kinds of spans that enter a process. */
export type EntryKinds = ReadonlySet<number>;

/** The tree of `rows` of a table, which are in the order of reading. */
export function traceTree(columns: SpanColumns, rows: Uint32Array, entries: EntryKinds): TraceTree {
  const spans = distinctSpans(columns, rows);
  const { span, ...places } = placesOf(columns, spans);
  const count = span.length;
  const row = span.map((each) => spans.row[each] ?? 0);
  const times = { start: picked(columns.start, row), end: picked(columns.end, row) };
  const id = picked(columns.id, row);
  return {
    ...places,
    ...times,
    count,
    row,
    id,
    traceHigh: BigUint64Array.from(span, (each) => spans.traceHigh[spans.trace[each] ?? 0] ?? 0n),
    traceLow: picked(columns.traceLow, row),
    instance: instances(columns, row, places.up, entries),
    self: selfTimes(times, { span, ...places }),
    critical: criticalTimes(times, { span, ...places }, id),
  };
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
