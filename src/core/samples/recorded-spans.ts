/**
 * The spans that recordings know without a trace file: one row for each span id, made of the rows of their scopes and
 * events, and after these one for each span that only samples have, with the times of its samples. A span lasts from
 * the start of its first scope to the end of its last one. Its trace id is that of the recording, or else its local
 * root, as in written Links. Its parent is the one that the recording states, else the span in whose scope it ran on
 * its thread, else its root.
 *
 * datadog.Endpoint says when a local root ended. Where the work of a root goes on after its end, the agent writes the
 * event again when the whole trace is written, up to a second later: the first one counts.
 */
import * as SpanRow from "../../../assembly/abi/rows/span-row.ts";
import * as Origin from "../../../assembly/abi/span-origin.ts";
import { type IdLookup, IdMap } from "../../ids/map.ts";
import type { Instance } from "../instance/instance.ts";
import type { SampledSpan } from "./sampled-spans.ts";
import { nameInTag } from "./span-tag.ts";
import { rowsOf, type SpanColumns, type Spans, type SpanTimes } from "./spans.ts";

const NO_TIME = BigInt.asIntN(64, BigInt(SpanRow.NO_TIME));

interface Recorded {
  id: bigint;
  root: bigint;
  parent: bigint;
  traceHigh: bigint;
  traceLow: bigint;
  /** Null while only its end is known. */
  start: bigint | null;
  /** Of its scopes and events. */
  end: bigint;
  /** What the first datadog.Endpoint says. */
  ended: bigint | null;
  name: number;
  /** Row of its first scope or event. */
  row: number;
}

/**
 * Columns of the spans. A root that only an event at its end states begins with its first sample: not all beginnings
 * are known then.
 */
export function recordedSpans(
  table: Spans,
  sampled: readonly SampledSpan[] = [],
): { columns: SpanColumns; hasStarts: boolean } {
  const columns = table.columns();
  const rows = rowsOf(columns, "recordings");
  const spans = new IdMap<Recorded>();
  for (const row of rows) takeRow(table, columns, row, spans);
  nest(columns, rows, spans);
  for (const span of sampled) takeSampled(span, spans);
  const list = [...spans.values()];
  const ended = new IdMap(list.filter(({ start }) => start === null).map(({ id }) => [id, true]));
  const hasStarts = ended.size === 0;
  return { columns: asColumns(columns, list, hasStarts ? new IdMap() : table.rootTimes(ended)), hasStarts };
}

function takeRow(table: Spans, columns: SpanColumns, row: number, spans: IdMap<Recorded>): void {
  const id = columns.id[row] ?? 0n;
  if (id === 0n) return;
  const isEnd = columns.origin[row] === Origin.Endpoint;
  const [start, end] = [columns.start[row] ?? 0n, columns.end[row] ?? 0n];
  let span = spans.get(id);
  if (span === undefined) {
    span = { id, root: 0n, parent: 0n, traceHigh: 0n, traceLow: 0n, start: null, end, ended: null, name: 0, row };
    spans.set(id, span);
  }
  if (isEnd && (span.ended === null || end < span.ended)) span.ended = end;
  if (!isEnd && (span.start === null || start < span.start)) span.start = start;
  if (end > span.end) span.end = end;
  if (span.root === 0n) span.root = columns.root[row] ?? 0n;
  if (span.parent === 0n) span.parent = columns.parent[row] ?? 0n;
  if (span.traceLow === 0n) {
    span.traceHigh = columns.traceHigh[row] ?? 0n;
    span.traceLow = columns.traceLow[row] ?? 0n;
  }
  if (span.name === 0) span.name = nameOf(table, columns, row);
}

/** A span that only samples have has no row. */
const NO_ROW = -1;

function takeSampled({ id, root, traceHigh, traceLow, times, name }: SampledSpan, spans: IdMap<Recorded>): void {
  const span = spans.get(id);
  if (span === undefined) {
    const [start, end] = [times?.first ?? NO_TIME, times?.last ?? NO_TIME];
    spans.set(id, { id, root, parent: 0n, traceHigh, traceLow, start, end, ended: null, name, row: NO_ROW });
    return;
  }
  if (span.root === 0n) span.root = root;
  if (span.traceLow === 0n) [span.traceHigh, span.traceLow] = [traceHigh, traceLow];
}

/** A profiler's tag has the name of the operation among its ids. */
function nameOf(table: Spans, { name, origin }: SpanColumns, row: number): number {
  const text = name[row] ?? 0;
  return origin[row] === Origin.ProfilerSpan ? table.text(nameInTag(table.string(text))) : text;
}

/** Parents of spans that state none: of the scopes around theirs on the thread, the innermost one of the same root. */
function nest({ id, thread, start, end, origin }: SpanColumns, rows: Uint32Array, spans: IdMap<Recorded>): void {
  const order = rows
    .filter((row) => id[row] !== 0n && origin[row] !== Origin.Endpoint)
    .sort(
      (a, b) => (thread[a] ?? 0) - (thread[b] ?? 0) || before(start[a], start[b]) || before(end[b], end[a]) || a - b,
    );
  let open: number[] = [];
  for (const row of order) {
    if (thread[open[0] ?? row] !== thread[row]) open = [];
    while (open.length > 0 && (end[open.at(-1) ?? 0] ?? 0n) < (end[row] ?? 0n)) open.pop();
    const span = spans.get(id[row] ?? 0n);
    for (let i = open.length - 1; i >= 0 && span?.parent === 0n; i--) {
      const around = spans.get(id[open[i] ?? 0] ?? 0n);
      if (around !== undefined && around !== span && around.root === span.root) span.parent = around.id;
    }
    if (open.length < MOST_OPEN) open.push(row);
  }
}

/** Scopes inside each other that are searched for a parent. */
const MOST_OPEN = 256;

function before(a = 0n, b = 0n): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function asColumns(columns: SpanColumns, spans: Recorded[], times: IdLookup<SpanTimes>): SpanColumns {
  const longs = (of: (span: Recorded) => bigint) => BigUint64Array.from(spans, of);
  const words = (column: Uint32Array) => Uint32Array.from(spans, ({ row }) => column[row] ?? 0);
  const start = BigInt64Array.from(spans, ({ id, start: known, ended, end }) => {
    const [first, last] = [known ?? times.get(id)?.first, ended ?? end];
    return first === undefined || first > last ? last : first;
  });
  return {
    count: spans.length,
    id: longs(({ id }) => id),
    root: longs(({ root }) => root),
    parent: longs(({ id, root, parent }) => (parent !== 0n || root === id ? parent : root)),
    traceHigh: longs(({ traceHigh }) => traceHigh),
    traceLow: longs(({ id, root, traceLow }) => traceLow || root || id),
    start,
    end: BigInt64Array.from(spans, ({ end, ended }) => ended ?? end),
    threadId: BigInt64Array.from(spans, ({ row }) => columns.threadId[row] ?? 0n),
    service: words(columns.service),
    name: Uint32Array.from(spans, ({ name }) => name),
    resource: words(columns.resource),
    kind: words(columns.kind),
    status: words(columns.status),
    threadName: words(columns.threadName),
    thread: words(columns.thread),
    instance: words(columns.instance),
    origin: words(columns.origin),
    source: words(columns.source),
    set: words(columns.set),
    side: words(columns.side),
  };
}

/**
 * The rows of `recordedSpans` that are requests or spans of a known length, where recordings state the ends of some
 * requests alone: those that only samples tell of last to the last one, and those without a sample are none.
 */
export function knownRequests(table: Spans, columns: SpanColumns, sampledFrom: number): (row: number) => boolean {
  const { id, root, origin, start, end } = columns;
  const isEnd = (row: number) => origin[row] === Origin.Endpoint && start[row] === end[row];
  const ended = [...id.keys()].filter(isEnd);
  const sampled = table.rootTimes(new IdMap(ended.map((row) => [id[row] ?? 0n, true])));
  return (row) =>
    row < sampledFrom ? !isEnd(row) || sampled.has(id[row] ?? 0n) : id[row] === root[row] && end[row] !== NO_TIME;
}

export interface StatedSpans {
  count: number;
  span: BigUint64Array;
  start: Float64Array;
  end: Float64Array;
}

/** Spans that are events from their start to their end, of the rows from `first` on; ns from `base` on. */
export function statedSpans({ wasm, memory }: Instance, first: number, base: bigint): StatedSpans {
  const at = wasm.spanRows();
  const rows: number[] = [];
  for (let p = at + first * SpanRow.BYTES; p < at + wasm.spanCount.value * SpanRow.BYTES; p += SpanRow.BYTES) {
    if (memory.u32(p + SpanRow.ORIGIN) === Origin.OtelSpan) rows.push(p);
  }
  return {
    count: rows.length,
    span: BigUint64Array.from(rows, (p) => memory.u64(p + SpanRow.ID)),
    start: Float64Array.from(rows, (p) => Number(memory.i64(p + SpanRow.START) - base)),
    end: Float64Array.from(rows, (p) => Number(memory.i64(p + SpanRow.END) - base)),
  };
}
