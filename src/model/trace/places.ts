/**
 * Places of spans in their trees: parents, and the order of answers. A span whose parent is missing is a root, and so
 * is the first of spans that are each other's ancestors.
 *
 * Order: traces by the start of their first root, then id; roots by start, then id; children below their parent by
 * start, then id, depth first.
 */
import type { SpanColumns } from "../../core/samples/spans.ts";
import { type DistinctSpans, findSpan } from "./distinct.ts";

/** Spans in the order of answers: a parent precedes its children, a subtree is one stretch. */
export interface Places {
  /** Index in the distinct spans. */
  span: Uint32Array;
  /** Place of the parent, −1 for roots. */
  up: Int32Array;
  /** 0 for roots. */
  depth: Uint32Array;
  /** Spans of the subtree, the span itself included. */
  size: Uint32Array;
  /** 1 for a root whose parent is missing, or that was on a circle of parents. */
  orphan: Uint8Array;
}

export function placesOf(columns: SpanColumns, spans: DistinctSpans): Places {
  const { parents, orphan } = parentsOf(columns, spans);
  const order = byStart(columns, spans.row);
  cutCircles(parents, orphan, order);
  return walk(parents, orphan, childrenOf(parents, order), rootsInOrder(columns, spans, parents, order));
}

function parentsOf(columns: SpanColumns, spans: DistinctSpans): { parents: Int32Array; orphan: Uint8Array } {
  const count = spans.row.length;
  const parents = new Int32Array(count).fill(-1);
  const orphan = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const row = spans.row[i] ?? 0;
    // The server's half is below the client's, if that was read.
    if (spans.half[i] === 1 && isHalfOf(columns, spans, i - 1, i)) {
      parents[i] = i - 1;
      continue;
    }
    const parent = columns.parent[row] ?? 0n;
    if (parent === 0n) continue;
    parents[i] = halfAbove(columns, spans, findSpan(columns, spans, columns.traceLow[row] ?? 0n, parent), row);
    if (parents[i] === -1) orphan[i] = 1;
  }
  return { parents, orphan };
}

/** Whether two spans that follow each other are the halves of a shared one. */
function isHalfOf(
  { id, traceLow }: SpanColumns,
  { row, half }: DistinctSpans,
  client: number,
  server: number,
): boolean {
  const [a, b] = [row[client], row[server]];
  if (a === undefined || b === undefined || half[client] === half[server]) return false;
  return id[a] === id[b] && traceLow[a] === traceLow[b];
}

/** Of a shared span the half that a child of it is below: the client's if only that has the child's service. */
function halfAbove(columns: SpanColumns, spans: DistinctSpans, found: number, child: number): number {
  if (found < 0 || !isHalfOf(columns, spans, found, found + 1)) return found;
  const { service } = columns;
  const of = (span: number) => service[spans.row[span] ?? 0];
  const isOfClient = of(found) === service[child] && of(found + 1) !== service[child];
  return isOfClient ? found : found + 1;
}

/** Indices by start, then id. A double decides where it can: it rounds, but keeps the order. */
function byStart({ start, id }: SpanColumns, row: Uint32Array): Uint32Array {
  const count = row.length;
  const rounded = Float64Array.from(row, (at) => Number(start[at] ?? 0n));
  const exact = (a: number, b: number) =>
    compare(start[row[a] ?? 0], start[row[b] ?? 0]) || compare(id[row[a] ?? 0], id[row[b] ?? 0]);
  return Uint32Array.from({ length: count }, (_, i) => i).sort(
    (a, b) => (rounded[a] ?? 0) - (rounded[b] ?? 0) || exact(a, b),
  );
}

/** The order of two values of 64 bits. */
export function compare(a = 0n, b = 0n): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Makes the span of a circle that starts first a root. `order` is by start, so that it is the first one on it. */
function cutCircles(parents: Int32Array, orphan: Uint8Array, order: Uint32Array): void {
  const rank = new Uint32Array(order.length);
  for (const [i, span] of order.entries()) rank[span] = i;
  /** The walk that visited a span first, from 1 on. */
  const visited = new Uint32Array(order.length);
  for (let first = 0; first < parents.length; first++) {
    let at = first;
    while (at >= 0 && visited[at] === 0) {
      visited[at] = first + 1;
      at = parents[at] ?? -1;
    }
    if (at < 0 || visited[at] !== first + 1) continue;
    let root = at;
    for (let next = parents[at] ?? -1; next !== at; next = parents[next] ?? -1) {
      if ((rank[next] ?? 0) < (rank[root] ?? 0)) root = next;
    }
    parents[root] = -1;
    orphan[root] = 1;
  }
}

/** Children of each span in the given order: those of span i are [first[i], first[i + 1]) of `list`. */
function childrenOf(parents: Int32Array, order: Uint32Array): { first: Uint32Array; list: Uint32Array } {
  const first = new Uint32Array(parents.length + 1);
  for (const parent of parents) if (parent >= 0) first[parent + 1] = (first[parent + 1] ?? 0) + 1;
  for (let i = 0; i < parents.length; i++) first[i + 1] = (first[i + 1] ?? 0) + (first[i] ?? 0);
  const next = first.slice();
  const list = new Uint32Array(first.at(-1) ?? 0);
  for (const span of order) {
    const parent = parents[span] ?? -1;
    if (parent < 0) continue;
    const at = next[parent] ?? 0;
    list[at] = span;
    next[parent] = at + 1;
  }
  return { first, list };
}

function rootsInOrder(
  { traceLow, start }: SpanColumns,
  { row, trace, traceHigh }: DistinctSpans,
  parents: Int32Array,
  order: Uint32Array,
): number[] {
  const roots = [...order].filter((span) => parents[span] === -1);
  /** Place of the first root of each trace in `roots`. */
  const firstOf = new Map<number, number>();
  for (const [i, span] of roots.entries()) {
    const number = trace[span] ?? 0;
    if (!firstOf.has(number)) firstOf.set(number, i);
  }
  const place = new Map(roots.map((span, i) => [span, i]));
  const firstStart = (span: number) => start[row[roots[firstOf.get(trace[span] ?? 0) ?? 0] ?? 0] ?? 0];
  return roots.sort((a, b) => {
    const [one, other] = [trace[a] ?? 0, trace[b] ?? 0];
    if (one === other) return (place.get(a) ?? 0) - (place.get(b) ?? 0);
    return (
      compare(firstStart(a), firstStart(b)) ||
      compare(traceHigh[one], traceHigh[other]) ||
      compare(traceLow[row[a] ?? 0], traceLow[row[b] ?? 0])
    );
  });
}

/** Depth first from the roots on. */
function walk(
  parents: Int32Array,
  orphan: Uint8Array,
  { first, list }: { first: Uint32Array; list: Uint32Array },
  roots: readonly number[],
): Places {
  const count = parents.length;
  const placeOf = new Uint32Array(count);
  const places: Places = {
    span: new Uint32Array(count),
    up: new Int32Array(count),
    depth: new Uint32Array(count),
    size: new Uint32Array(count).fill(1),
    orphan: new Uint8Array(count),
  };
  const { span, up, depth, size } = places;
  const open = roots.toReversed();
  for (let place = 0, at = open.pop(); at !== undefined; place++, at = open.pop()) {
    const parent = parents[at] ?? -1;
    placeOf[at] = place;
    span[place] = at;
    up[place] = parent < 0 ? -1 : (placeOf[parent] ?? 0);
    depth[place] = parent < 0 ? 0 : (depth[up[place] ?? 0] ?? 0) + 1;
    places.orphan[place] = orphan[at] ?? 0;
    for (let i = (first[at + 1] ?? 0) - 1; i >= (first[at] ?? 0); i--) open.push(list[i] ?? 0);
  }
  for (let place = count - 1; place >= 0; place--) {
    const parent = up[place] ?? -1;
    if (parent >= 0) size[parent] = (size[parent] ?? 0) + (size[place] ?? 0);
  }
  return places;
}
