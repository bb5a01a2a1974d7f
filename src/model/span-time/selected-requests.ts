/**
 * The requests that a filter selects: those with a sample that passes it. A sample is of the request that is its local
 * root; without one, of the outermost span above its span in the same service.
 */
import { IdIndex, indexOfIds } from "../trace/id-index.ts";
import type { SpanPoints } from "../trace/operations.ts";

type Forest = Pick<SpanPoints, "count" | "size">;

/** Ids of the links of samples: halves of 64 bits, the low one first. Row 0 is unused. */
export interface LinkedSamples {
  span: Uint32Array;
  root: Uint32Array;
  samples: Float64Array;
}

/** Samples by the places of spans. */
export interface PlacedSamples {
  /** Places of the requests, ascending. */
  requests: Uint32Array;
  /** 1 for places whose span, or whose local root, has a sample. */
  ofSpan: Uint8Array;
  ofRoot: Uint8Array;
  /** Local roots of samples that are at no place. */
  unknownRoots: number;
}

/** Outermost span above each span of the same service. */
export function entriesOf({ count, size }: Forest, serviceOf: (place: number) => string): Uint32Array {
  const entry = new Uint32Array(count);
  /** The spans around the place, outermost first, and the ends of their subtrees. */
  const open: { place: number; end: number; service: string }[] = [];
  for (let place = 0; place < count; place++) {
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= place) open.pop();
    const up = open.at(-1);
    const service = serviceOf(place);
    entry[place] = up !== undefined && up.service === service ? (entry[up.place] ?? place) : place;
    if ((size[place] ?? 1) > 1) open.push({ place, end: place + (size[place] ?? 1), service });
  }
  return entry;
}

/** `entries` is asked for when a sample has a span and no known root. */
export function placedSamples(
  { count, id }: Pick<SpanPoints, "count" | "id">,
  { span, root, samples }: LinkedSamples,
  entries: () => Uint32Array,
): PlacedSamples {
  const index = indexOfIds(id);
  const [ofSpan, ofRoot, isRequest] = [new Uint8Array(count), new Uint8Array(count), new Uint8Array(count)];
  const unknown = new Set<number>();
  const rootIndex = new IdIndex(new BigUint64Array(root.buffer, root.byteOffset, root.length >> 1));
  const has = (ids: Uint32Array, row: number) => ids[2 * row] !== 0 || ids[2 * row + 1] !== 0;
  for (let row = 1; row < samples.length; row++) {
    if ((samples[row] ?? 0) === 0) continue;
    const atSpan = has(span, row) ? index.firstOf(span, row) : -1;
    const atRoot = has(root, row) ? index.firstOf(root, row) : -1;
    if (atSpan >= 0) ofSpan[atSpan] = 1;
    if (atRoot >= 0) ofRoot[atRoot] = 1;
    const entry = atRoot < 0 && atSpan >= 0 ? (entries()[atSpan] ?? -1) : -1;
    const request = Math.max(atRoot, entry);
    if (request >= 0) isRequest[request] = 1;
    else if (has(root, row)) unknown.add(rootIndex.firstOf(root, row));
  }
  return { requests: placesWith(isRequest), ofSpan, ofRoot, unknownRoots: unknown.size };
}

/** Those of some places that have a sample: of themselves, of a span below them, or with their id as local root. */
export function withSamples(
  { count, size }: Forest,
  places: Uint32Array,
  { ofSpan, ofRoot }: Pick<PlacedSamples, "ofSpan" | "ofRoot">,
): Uint32Array {
  const before = new Uint32Array(count + 1);
  for (let place = 0; place < count; place++) before[place + 1] = (before[place] ?? 0) + (ofSpan[place] ?? 0);
  return places.filter((place) => {
    const end = place + (size[place] ?? 1);
    return ofRoot[place] === 1 || (before[end] ?? 0) > (before[place] ?? 0);
  });
}

/** Places of ids, ascending; null if one of them has no place. */
export function placesOf({ id }: Pick<SpanPoints, "id">, ids: readonly bigint[]): Uint32Array | null {
  const wanted = new Set(ids);
  const places = new Map<bigint, number>();
  for (let place = 0; place < id.length && places.size < wanted.size; place++) {
    const own = id[place] ?? 0n;
    if (wanted.has(own) && !places.has(own)) places.set(own, place);
  }
  return places.size < wanted.size ? null : Uint32Array.from(places.values());
}

function placesWith(marks: Uint8Array): Uint32Array {
  let count = 0;
  for (const mark of marks) count += mark;
  const places = new Uint32Array(count);
  let next = 0;
  for (let place = 0; place < marks.length; place++) if (marks[place] === 1) places[next++] = place;
  return places;
}
