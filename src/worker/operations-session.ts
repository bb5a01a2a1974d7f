/** Requests about operations: their table, the map of their spans, and the spans of a region or of a filter. */
import type { Core } from "../core/core.ts";
import { linkValues } from "../core/link-values.ts";
import { openSamples } from "../core/sample-reader.ts";
import { openSpans } from "../core/spans.ts";
import type { Filter, FoundSpans, ProfileSummary, SpanChoice } from "../core/types.ts";
import { ENDPOINT_KEYS, OPERATION_KEYS } from "../model/lists/explorer.ts";
import { filterKey, type OperationSort } from "../model/query/query.ts";
import { spread } from "../model/span-time/peers.ts";
import { MOST_REQUESTS, outermost, requestTimes, restOf } from "../model/span-time/request-time.ts";
import { chosenPlaces, idsOf } from "../model/trace/chosen-spans.ts";
import { IdIndex } from "../model/trace/id-index.ts";
import {
  type OperationRow,
  operationTable,
  requestValues,
  type SpanPoints,
  sortedOperations,
} from "../model/trace/operations.ts";
import { numbersOf } from "../model/trace/point-numbers.ts";
import { wholeOf } from "../model/trace/span-choice.ts";
import { densityOf } from "../model/trace/span-map.ts";
import { CROSSING_CAP, cut } from "../model/words/text.ts";
import type {
  ChoiceTime,
  OperationPage,
  OperationSource,
  RegionQuestion,
  RegionSpan,
  RegionSpanPage,
  SpanMap,
} from "./operations-api.ts";
import { factsOfSamples, profilesOf } from "./sample-facts.ts";
import { Steps } from "./steps.ts";

/** Cells of a map at most, so that no question takes memory without end. */
const MOST_COLUMNS = 4096;
const MOST_ROWS = 512;
/** Filters whose ids are kept. */
const MOST_FOUND = 8;

/** Spans as points, with their texts. */
export interface NamedPoints extends SpanPoints {
  source: OperationSource;
  /** Name of a key. */
  text(name: number): string;
  /** 32 hex digits. */
  trace(place: number): string;
  service(place: number): string;
  /** What to add to the time of a place for one of the recording. */
  offset(place: number): bigint;
}

export class Operations {
  private readonly points: NamedPoints;
  private readonly select: () => Core;
  /** All rows, in the order in which the operations first occur. */
  readonly rows: Steps<OperationRow[]>;
  private sorted: { key: string; rows: OperationRow[] } | null = null;
  private readonly found = new Map<string, FoundSpans>();
  private listed: { key: string; places: Uint32Array } | null = null;
  private readonly keys = new Map<string, number>();

  /** `select`: the core, for requests that select by themselves. */
  constructor(select: () => Core, points: NamedPoints) {
    this.points = points;
    this.select = select;
    for (const key of new Set(points.name)) this.keys.set(points.text(key), key);
    this.rows = new Steps(() => rowsOf(select, points));
  }

  /** The samples were counted before, of other files or under other names. */
  forget(): void {
    this.rows.forget();
    this.sorted = null;
  }

  page(sort: OperationSort, reversed: boolean, offset: number, limit: number): OperationPage {
    const key = `${sort} ${reversed}`;
    const known = this.sorted?.key === key ? this.sorted.rows : sortedOperations(this.rows.value, sort, reversed);
    this.sorted = { key, rows: known };
    const { source, count } = this.points;
    return {
      source,
      spans: count,
      count: known.length,
      offset,
      least: known.reduce((least, { p50 }) => (p50 > 0 && p50 < least ? p50 : least), Number.POSITIVE_INFINITY),
      most: known.reduce((most, { max }) => Math.max(most, max), 0),
      rows: known.slice(offset, offset + limit).map((row) => ({ ...row, operation: cut(row.operation, CROSSING_CAP) })),
    };
  }

  map(operation: string | null, columns: number, rows: number): SpanMap {
    const within = (wanted: number, most: number) => Math.max(1, Math.min(most, Math.floor(wanted)));
    const size = { columns: within(columns, MOST_COLUMNS), rows: within(rows, MOST_ROWS) };
    return densityOf(this.points, this.places(operation === null ? {} : { operation }), size);
  }

  region({ choice, sort, reversed }: RegionQuestion, offset: number, limit: number): RegionSpanPage {
    const places = this.ordered(choice, sort, reversed);
    return {
      count: places.length,
      offset,
      rows: Array.from(places.subarray(offset, offset + limit), (place) => this.span(place)),
    };
  }

  /** Where the time of the requests of a choice went, beside the other requests of its operation; null without any. */
  async choiceTime(choice: SpanChoice): Promise<ChoiceTime | null> {
    const { points, select } = this;
    const chosen = outermost(points.size, this.places(choice));
    const rest = restOf(points.size, this.places(wholeOf(choice)), chosen);
    if (chosen.length === 0) return null;
    const groups = [chosen, rest].map((places) => Uint32Array.from(spread([...places], MOST_REQUESTS)));
    const found = idsOf(points, Uint32Array.from(groups.flatMap((places) => [...places])).sort());
    const reader = await openSamples(select());
    const facts = factsOfSamples(select());
    const offset = (place: number) => points.offset(place);
    const [own, others] = requestTimes(reader, { points, groups, found, offset, ...facts });
    if (own === undefined || others === undefined) return null;
    return {
      ...own,
      requests: chosen.length,
      source: points.source,
      rest: rest.length === 0 ? null : { ...others, requests: rest.length },
    };
  }

  /** The filter with the ids of its spans. */
  filter(filter: Filter): Filter {
    if (filter.spans === undefined) return filter;
    return { ...filter, spans: { ...filter.spans, found: this.ids(filter.spans) } };
  }

  private ids(choice: SpanChoice): FoundSpans {
    const key = filterKey({ spans: choice });
    const known = this.found.get(key) ?? idsOf(this.points, this.places(choice));
    this.found.delete(key);
    this.found.set(key, known);
    const [oldest] = this.found.keys();
    if (this.found.size > MOST_FOUND && oldest !== undefined) this.found.delete(oldest);
    return known;
  }

  private places(choice: SpanChoice): Uint32Array {
    const name = choice.operation === undefined ? null : (this.keys.get(choice.operation) ?? null);
    return chosenPlaces(this.points, choice, name);
  }

  private ordered(choice: SpanChoice, sort: RegionQuestion["sort"], reversed: boolean): Uint32Array {
    const key = `${filterKey({ spans: choice })} ${sort} ${reversed}`;
    if (this.listed?.key !== key) {
      const { start, duration } = numbersOf(this.points);
      const places = this.places(choice);
      const figure = sort === "start" ? start : duration.map((nanos) => -nanos);
      places.sort((a, b) => (figure[a] ?? 0) - (figure[b] ?? 0) || a - b);
      if (reversed) places.reverse();
      this.listed = { key, places };
    }
    return this.listed.places;
  }

  private span(place: number): RegionSpan {
    const { id, start, duration, name, source } = this.points;
    return {
      id: id[place] ?? 0n,
      trace: source === "roots" ? "" : this.points.trace(place),
      operation: cut(this.points.text(name[place] ?? 0), CROSSING_CAP),
      service: cut(this.points.service(place), CROSSING_CAP),
      start: start[place] ?? 0n,
      duration: Number(duration[place] ?? 0n),
    };
  }
}

/** Local roots as points, where nothing states how long they took: from the first sample of each to its last one. */
export async function rootPoints(core: Core): Promise<NamedPoints> {
  const { first, last } = (await openSpans(core)).linkTimes();
  core.select(null, {});
  const { root: halvesOfRoot, sample, link } = linkValues(core.instance);
  const root = new BigUint64Array(halvesOfRoot.buffer);
  const label = labels(core, sample);
  const index = new IdIndex(root);
  /** Place of each root by its first row. */
  const places = new Map<number, number>();
  const found: { id: bigint; first: bigint; last: bigint; name: number }[] = [];
  for (let row = 1; row < root.length; row++) {
    const [from = 0n, to = 0n] = [first[link[row] ?? 0], last[link[row] ?? 0]];
    if (to === 0n || root[row] === 0n) continue;
    const at = index.firstOf(halvesOfRoot, row);
    const known = found[places.get(at) ?? -1];
    if (known === undefined) {
      places.set(at, found.length);
      found.push({ id: root[row] ?? 0n, first: from, last: to, name: label(row) });
      continue;
    }
    if (from < known.first) known.first = from;
    if (to > known.last) known.last = to;
    if (known.name === 0) known.name = label(row);
  }
  return {
    source: "roots",
    count: found.length,
    name: Uint32Array.from(found, ({ name }) => name),
    id: BigUint64Array.from(found, ({ id }) => id),
    start: BigInt64Array.from(found, (each) => each.first),
    duration: BigInt64Array.from(found, (each) => each.last - each.first),
    size: new Uint32Array(found.length).fill(1),
    text: (name) => (name === 0 ? "" : core.instance.label(name)),
    trace: () => "",
    service: () => "",
    offset: () => 0n,
  };
}

/** The attribute that names the request of a sample, 0 without one. */
function labels(core: Core, sample: Uint32Array): (row: number) => number {
  const { instance } = core;
  const known = new Set(core.attributeKeys());
  const keys = [...ENDPOINT_KEYS, ...OPERATION_KEYS]
    .filter((key) => known.has(key))
    .map((key) => instance.lend(new TextEncoder().encode(key), (p, n) => instance.wasm.findString(p, n) >>> 0));
  return (row) => {
    for (const key of keys) {
      const attribute = instance.wasm.carriedAttribute(sample[row] ?? 0, key);
      if (attribute !== 0) return attribute;
    }
    return 0;
  };
}

/** CPU time and allocated bytes of each request, then the table. */
function* rowsOf(select: () => Core, points: NamedPoints): Generator<void, OperationRow[]> {
  numbersOf(points);
  yield;
  const profiles = profilesOf(select());
  const ofType = (type: string) => profiles.find((each) => each.type === type && hasContext(each));
  const [onCpu, allocated] = [ofType("cpu"), ofType("alloc-samples")];
  const cpu = yield* valuesOf(select, points, onCpu, onCpu === undefined ? null : nanosPerValue(onCpu));
  const allocation = yield* valuesOf(select, points, allocated, allocated?.unit === "bytes" ? 1 : null);
  return operationTable(points, { cpu, allocation }, (key) => points.text(key));
}

/** The value of each request in a profile, times a factor; null if it is not known. */
function* valuesOf(
  select: () => Core,
  points: SpanPoints,
  profile: ProfileSummary | undefined,
  factor: number | null,
): Generator<void, Float64Array | null> {
  if (profile === undefined || factor === null) return null;
  const core = select();
  core.select(profile.id, {});
  const links = linkValues(core.instance);
  yield;
  const values = requestValues(points, links).map((value) => factor * value);
  yield;
  return values;
}

function hasContext({ samplesWithSpan, samplesWithRoot, inferredSpan = 0, inferredRoot = 0 }: ProfileSummary): boolean {
  return samplesWithSpan + samplesWithRoot + inferredSpan + inferredRoot > 0;
}

/** Ns of CPU time that one of a profile's values is; null if no recording states the interval. */
function nanosPerValue({ unit, period, periodUnit }: ProfileSummary): number | null {
  if (unit === "nanoseconds") return 1;
  return unit === "samples" && periodUnit === "nanoseconds" && period > 0n ? Number(period) : null;
}
