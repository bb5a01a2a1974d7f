/** Operations: spans by name, the distribution of their durations, and what each costs per request. */
import type { OperationSort } from "../query/query.ts";
import { halves } from "./distinct.ts";
import { indexOfIds } from "./id-index.ts";

export interface Durations {
  spans: number;
  p50: bigint;
  p95: bigint;
  max: bigint;
}

/** Percentiles by nearest rank: the ⌈p · n⌉-th duration, ascending. `durations` are not empty. */
export function durationsOf(durations: BigInt64Array): Durations {
  const sorted = durations.slice().sort();
  const rank = (percent: number) => sorted[Math.ceil((percent * sorted.length) / 100) - 1] ?? 0n;
  return { spans: sorted.length, p50: rank(50), p95: rank(95), max: sorted.at(-1) ?? 0n };
}

/** Spans as columns by place; a subtree is one stretch of `size` places. Times are ns. */
export interface SpanPoints {
  count: number;
  /** Key of the operation. */
  name: Uint32Array;
  id: BigUint64Array;
  /** Since 1970, on the clock of the trace. */
  start: BigInt64Array;
  duration: BigInt64Array;
  size: Uint32Array;
  /** The first place whose duration nothing states: it is from its first sample to its last one. */
  unstated: number;
  /** All durations begin at a first sample. */
  least?: boolean;
}

/** From the first sample to the last one, one or two samples tell nothing of a duration, in ns. */
export const LEAST_EXTENT = 1_000_000;

/** Whether anything tells how long a span took. */
export function isTold({ unstated, least = false }: SpanPoints, place: number, nanos: number): boolean {
  return (place < unstated && !least) || nanos >= LEAST_EXTENT;
}

/** Ascending places of each name, of some places or of all. */
export function placesByName(
  name: Uint32Array | Int32Array,
  among: Iterable<number> = name.keys(),
): Map<number, Uint32Array<ArrayBuffer>> {
  const groups = new Map<number, number[]>();
  for (const place of among) {
    const own = groups.get(name[place] ?? 0);
    if (own === undefined) groups.set(name[place] ?? 0, [place]);
    else own.push(place);
  }
  return new Map([...groups].map(([each, places]) => [each, Uint32Array.from(places)]));
}

/** How long the spans at some places took. */
export function durationsAt(duration: BigInt64Array, places: Uint32Array): Durations {
  const picked = new BigInt64Array(places.length);
  for (const [i, place] of places.entries()) picked[i] = duration[place] ?? 0n;
  return durationsOf(picked);
}

/** Values of samples with their ids, by link. Ids are halves of 64 bits, the low one first. */
export interface LinkedValues {
  span: Uint32Array;
  root: Uint32Array;
  value: Float64Array;
}

/**
 * The value of each request: of the samples of a span and of those below it. A span that is a local root has all
 * samples of the root, also those of spans that no trace knows.
 */
export function requestValues(
  { count, id, size }: Pick<SpanPoints, "count" | "id" | "size">,
  { span, root, value }: LinkedValues,
): Float64Array {
  const index = indexOfIds(id);
  const ids = halves(id);
  /** By the first place of each id. */
  const [ofSpan, ofRoot] = [new Float64Array(count), new Float64Array(count)];
  for (let link = 0; link < value.length; link++) {
    const own = value[link] ?? 0;
    if (own === 0) continue;
    const [atSpan, atRoot] = [index.firstOf(span, link), index.firstOf(root, link)];
    if (atSpan >= 0) ofSpan[atSpan] = (ofSpan[atSpan] ?? 0) + own;
    if (atRoot >= 0) ofRoot[atRoot] = (ofRoot[atRoot] ?? 0) + own;
  }
  const before = new Float64Array(count + 1);
  for (let place = 0; place < count; place++) {
    before[place + 1] = (before[place] ?? 0) + (ofSpan[index.firstOf(ids, place)] ?? 0);
  }
  const values = new Float64Array(count);
  for (let place = 0; place < count; place++) {
    const below = (before[place + (size[place] ?? 1)] ?? 0) - (before[place] ?? 0);
    values[place] = Math.max(below, ofRoot[index.firstOf(ids, place)] ?? 0);
  }
  return values;
}

/** A row of the table of operations. Times are ns, means are per span. */
export interface OperationRow {
  operation: string;
  spans: number;
  /** Spans whose duration nothing states: theirs are from the first sample to the last one. */
  unstated: number;
  p50: number;
  p95: number;
  max: number;
  /** CPU time; null if no recording has it. */
  cpu: number | null;
  /** Allocated bytes; null if no recording has them. */
  allocation: number | null;
}

/** Values of requests by place; null where no recording has them. */
export interface RequestCosts {
  cpu: Float64Array | null;
  allocation: Float64Array | null;
}

/** The table of operations, in the order in which they first occur, of the spans at some places. */
export function operationTable(
  { name, duration, unstated }: Pick<SpanPoints, "name" | "duration" | "unstated">,
  { cpu, allocation }: RequestCosts,
  text: (name: number) => string,
  among?: Iterable<number>,
): OperationRow[] {
  const mean = (values: Float64Array | null, places: Uint32Array) =>
    values === null ? null : places.reduce((sum, place) => sum + (values[place] ?? 0), 0) / places.length;
  return [...placesByName(name, among)].map(([key, places]) => {
    const { spans, p50, p95, max } = durationsAt(duration, places);
    return {
      operation: text(key),
      spans,
      unstated: places.filter((place) => place >= unstated).length,
      p50: Number(p50),
      p95: Number(p95),
      max: Number(max),
      cpu: mean(cpu, places),
      allocation: mean(allocation, places),
    };
  });
}

/** Figures descend, names ascend; rows without a figure are last in either direction, equal ones by name. */
export function sortedOperations(
  rows: readonly OperationRow[],
  sort: OperationSort,
  reversed: boolean,
): OperationRow[] {
  const sign = reversed ? -1 : 1;
  const byName = (a: OperationRow, b: OperationRow) =>
    Number(a.operation > b.operation) - Number(a.operation < b.operation);
  if (sort === "operation") return [...rows].sort((a, b) => sign * byName(a, b));
  return [...rows].sort((a, b) => {
    const [one, other] = [a[sort], b[sort]];
    if (one === null || other === null) return Number(one === null) - Number(other === null) || byName(a, b);
    return sign * (other - one) || byName(a, b);
  });
}
