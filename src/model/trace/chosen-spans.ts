/** The spans of a choice, and the ids by which samples are theirs. */
import type { FoundSpans, SpanChoice } from "../../core/types.ts";
import { slowestCount } from "../calls/call-parts.ts";
import type { SpanPoints } from "./operations.ts";

/** Places of the spans of a choice, ascending. `name`: key of its operation, null if there is none of that name. */
export function chosenPlaces(points: SpanPoints, choice: SpanChoice, name: number | null): Uint32Array {
  const { start, duration } = points;
  const { operation, slowest } = choice;
  const within = (range: SpanChoice["start"], at: bigint) => range === undefined || (range.from <= at && at < range.to);
  let places = new Uint32Array(points.count);
  let count = 0;
  for (let place = 0; place < points.count; place++) {
    if (operation !== undefined && points.name[place] !== name) continue;
    places[count++] = place;
  }
  places = places.slice(0, count);
  if (slowest !== undefined) places = longest(points, places, slowest);
  return places.filter(
    (place) => within(choice.start, start[place] ?? 0n) && within(choice.duration, duration[place] ?? 0n),
  );
}

/** So many of 100 of the places, those of the longest spans; of equally long ones the first. */
function longest({ duration }: SpanPoints, places: Uint32Array, percent: number): Uint32Array<ArrayBuffer> {
  const count = slowestCount({ count: null, percent }, places.length);
  const rough = Float64Array.from(duration, Number);
  return places
    .slice()
    .sort((a, b) => (rough[b] ?? 0) - (rough[a] ?? 0) || a - b)
    .slice(0, count)
    .sort();
}

/** Ids of the spans, and of all below them. */
export function idsOf({ count, id, size }: SpanPoints, places: Uint32Array): FoundSpans {
  const isFound = new Uint8Array(count);
  for (const place of places) isFound.fill(1, place, place + (size[place] ?? 1));
  const own = new BigUint64Array(places.length);
  for (const [i, place] of places.entries()) own[i] = id[place] ?? 0n;
  return new Ids(
    id.filter((each, place) => isFound[place] === 1 && each !== 0n).sort(),
    own.filter((each) => each !== 0n).sort(),
  );
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
