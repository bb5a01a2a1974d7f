/** The spans of a choice, and the ids by which samples are theirs. */
import type { FoundSpans, SpanChoice, TimeRange } from "../../core/types.ts";
import { slowestCount } from "../calls/call-parts.ts";
import { halves } from "./distinct.ts";
import { isTold, placesByName, type SpanPoints } from "./operations.ts";
import { numbersOf } from "./point-numbers.ts";

/**
 * Places of the spans of a choice, ascending. `name`: key of its operation, null if there is none of that name.
 * `among`: the places that are chosen from, all without them.
 */
export function chosenPlaces(
  points: SpanPoints,
  choice: SpanChoice,
  name: number | null,
  among: Uint32Array<ArrayBufferLike> = allOf(points),
): Uint32Array {
  const { operation, slowest } = choice;
  let places = operation === undefined ? among : among.filter((place) => points.name[place] === name);
  if (slowest !== undefined) places = slowestOfEach(points, places, slowest);
  if (choice.start === undefined && choice.duration === undefined) return places;
  const { zero, start, duration, isExact } = numbersOf(points);
  if (choice.duration !== undefined) places = places.filter((place) => isTold(points, place, duration[place] ?? 0));
  const isExactlyIn = (place: number) =>
    isWithin(choice.start, points.start[place] ?? 0n) && isWithin(choice.duration, points.duration[place] ?? 0n);
  if (!isExact) return places.filter(isExactlyIn);
  const [starts, durations] = [doubles(choice.start, zero), doubles(choice.duration, 0n)];
  return places.filter((place) => {
    const [at, length] = [start[place] ?? 0, duration[place] ?? 0];
    // Longer ones are rounded.
    if (length > Number.MAX_SAFE_INTEGER) return isExactlyIn(place);
    return starts.from <= at && at < starts.to && durations.from <= length && length < durations.to;
  });
}

function allOf({ count }: SpanPoints): Uint32Array {
  const places = new Uint32Array(count);
  for (let place = 0; place < count; place++) places[place] = place;
  return places;
}

function isWithin(range: TimeRange | undefined, at: bigint): boolean {
  return range === undefined || (range.from <= at && at < range.to);
}

/** A limit that is rounded is beyond every exact number. */
function doubles(range: TimeRange | undefined, zero: bigint): { from: number; to: number } {
  if (range === undefined) return { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  return { from: Number(range.from - zero), to: Number(range.to - zero) };
}

/**
 * The longest spans of each name, a percentage of them but at least one; the first of equally long ones. A span that is
 * alone of several names is not slow: nothing is beside it.
 */
export function slowestOfEach(
  points: Pick<SpanPoints, "name" | "start" | "duration">,
  places: Uint32Array,
  percent: number,
): Uint32Array<ArrayBuffer> {
  const rough = numbersOf(points).duration;
  const groups = [...placesByName(points.name, places).values()];
  const compared = groups.length === 1 ? groups : groups.filter(({ length }) => length > 1);
  const slow = compared.flatMap((own) => [
    ...own
      .sort((a, b) => (rough[b] ?? 0) - (rough[a] ?? 0) || a - b)
      .subarray(0, slowestCount({ count: null, percent }, own.length)),
  ]);
  return Uint32Array.from(slow).sort();
}

/** Ids of the spans, and of all below them. */
export function idsOf({ count, id, size }: SpanPoints, places: Uint32Array): FoundSpans {
  const isFound = new Uint8Array(count);
  for (const place of places) isFound.fill(1, place, place + (size[place] ?? 1));
  const below = new Uint32Array(count);
  let found = 0;
  for (let place = 0; place < count; place++) if (isFound[place] === 1) below[found++] = place;
  return new Ids(picked(id, below.subarray(0, found)), picked(id, places));
}

/** Ascending ids without 0. */
function picked(id: BigUint64Array, places: Uint32Array): BigUint64Array {
  const ids = new BigUint64Array(places.length);
  const [from, to] = [halves(id), halves(ids)];
  let count = 0;
  for (const place of places) {
    const [low, high] = [from[2 * place] ?? 0, from[2 * place + 1] ?? 0];
    if (low === 0 && high === 0) continue;
    to[2 * count] = low;
    to[2 * count + 1] = high;
    count++;
  }
  return ids.slice(0, count).sort();
}

/** Keys of questions have the choice that the ids are of, and not the ids. */
class Ids implements FoundSpans {
  readonly spans: BigUint64Array;
  readonly roots: BigUint64Array;

  constructor(spans: BigUint64Array, roots: BigUint64Array) {
    this.spans = spans;
    this.roots = roots;
  }

  toJSON(): undefined {
    return undefined;
  }
}
