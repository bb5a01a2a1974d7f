/** Requests about operations: their table, the map of their spans, and the spans of a region or of a filter. */
import { linkValues } from "../../core/samples/link-values.ts";
import { profileOfKind } from "../../core/tables/kinds.ts";
import type { Filter, FoundSpans, ProfileSummary, RankBy, RankHow, RankPage, SpanChoice } from "../../core/types.ts";
import { ENDPOINT_KEYS } from "../../model/lists/request-keys.ts";
import { filterKey, type OperationSort } from "../../model/query/query.ts";
import { chosenPlaces, idsOf } from "../../model/trace/chosen-spans.ts";
import {
  type OperationRow,
  operationTable,
  requestValues,
  type SpanPoints,
  sortedOperations,
} from "../../model/trace/operations.ts";
import { numbersOf } from "../../model/trace/point-numbers.ts";
import { densityOf } from "../../model/trace/span-map.ts";
import { slowestFirst } from "../../model/trace/stated-rows.ts";
import type {
  ChoiceTime,
  EndpointRow,
  ListedRequest,
  OperationPage,
  RegionQuestion,
  RegionSpanPage,
  RequestPage,
  SlowRequest,
  SpanMap,
} from "../api/operations-api.ts";
import type { HeldCore } from "../held-core.ts";
import { type NamedPoints, spanAt } from "./root-points.ts";
import { profilesOf } from "./sample-facts.ts";
import { SelectedRequests } from "./selected-requests.ts";
import { Steps } from "./steps.ts";

export { byEndpoint, sampledPoints, withRoots } from "./root-points.ts";

/** Cells of a map at most, so that no question takes memory without end. */
const MOST_COLUMNS = 4096;
const MOST_ROWS = 512;
/** Limit of a list of the slowest requests: each of them needs its own account. */
const MOST_SLOW = 100;
/** Requests whose causes are compared at most, those that took longest. */
const MOST_CAUSES = 2000;
/** Filters whose ids are kept. */
const MOST_FOUND = 8;

export class Operations {
  private readonly points: NamedPoints;
  /** All rows of requests and of spans, in the order in which they first occur. */
  readonly rows: Steps<OperationRow[]>;
  private readonly spanRows: Steps<OperationRow[]>;
  private sorted: { key: string; rows: OperationRow[] } | null = null;
  private readonly found = new Map<string, FoundSpans>();
  private byCause: { key: string; rows: ListedRequest[] } | null = null;
  private listed: { key: string; places: Uint32Array } | null = null;
  private readonly keys = new Map<NamedPoints, Map<string, number>>();
  /** All spans by their names; the requests where no spans are known. */
  private readonly spans: NamedPoints;
  private readonly requests: SelectedRequests;

  constructor(held: HeldCore, points: NamedPoints) {
    this.points = points;
    this.spans = points.stated ?? points;
    this.rows = new Steps(() => rowsOf(held, points, this.requestPlaces()));
    this.spanRows = new Steps(() => rowsOf(held, this.spans));
    this.requests = new SelectedRequests(held, points, {
      places: (choice) => this.places(choice),
      filter: (filter) => this.filter(filter),
    });
  }

  /** The samples were counted before, of other files or under other names. */
  forget(): void {
    this.rows.forget();
    this.spanRows.forget();
    this.requests.forget();
    this.sorted = null;
    this.byCause = null;
  }

  /**
   * Rows [offset, offset + limit) of the table: figures descend, names ascend; `reversed`: the last first. Of spans
   * where no request has a sample.
   */
  async operations(
    sort: OperationSort,
    reversed: boolean,
    offset: number,
    limit: number,
    wanted: OperationPage["of"] = "requests",
  ): Promise<OperationPage> {
    const { requests } = this.requests.whole(this.points).placed;
    const of = this.points.count > 0 && requests.length === 0 ? "spans" : wanted;
    const key = `${sort} ${reversed} ${of}`;
    const { value } = of === "spans" ? this.spanRows : this.rows;
    const known = this.sorted?.key === key ? this.sorted.rows : sortedOperations(value, sort, reversed);
    this.sorted = { key, rows: known };
    const sum = (figure: "spans" | "unstated") => known.reduce((all, row) => all + row[figure], 0);
    return {
      of,
      source: this.points.source,
      spans: sum("spans"),
      unstated: sum("unstated"),
      count: known.length,
      offset,
      least: known.reduce((least, { p50 }) => (p50 > 0 && p50 < least ? p50 : least), Number.POSITIVE_INFINITY),
      most: known.reduce((most, { max }) => Math.max(most, max), 0),
      rows: known.slice(offset, offset + limit),
    };
  }

  /** The spans of a choice by start and duration, as a grid of so many cells. */
  async spanMap(choice: SpanChoice, columns: number, rows: number): Promise<SpanMap> {
    const within = (wanted: number, most: number) => Math.max(1, Math.min(most, Math.floor(wanted)));
    const size = { columns: within(columns, MOST_COLUMNS), rows: within(rows, MOST_ROWS) };
    return densityOf(this.points, this.places(choice), size);
  }

  /** Rows [offset, offset + limit) of the spans of a choice. */
  async regionSpans(
    { choice, sort, reversed }: RegionQuestion,
    offset: number,
    limit: number,
  ): Promise<RegionSpanPage> {
    const places = this.ordered(choice, sort, reversed);
    return {
      count: places.length,
      offset,
      rows: Array.from(places.subarray(offset, offset + limit), (place) => spanAt(this.points, place)),
    };
  }

  /** Rows [offset, offset + limit) of a choice, each with its cause. `own`: prefixes of the user's packages. */
  async requestList(
    { choice, sort, reversed }: RegionQuestion,
    own: string,
    offset: number,
    limit: number,
  ): Promise<RequestPage> {
    const isByCause = sort === "cause";
    const places = this.ordered(choice, isByCause ? "duration" : sort, !isByCause && reversed);
    const listed = (from: number, to: number) => this.requests.listed(this.points, [...places.subarray(from, to)], own);
    const page = { count: places.length, offset, ordered: isByCause ? MOST_CAUSES : places.length };
    if (!isByCause || offset >= MOST_CAUSES) return { ...page, rows: await listed(offset, offset + limit) };
    const key = `${filterKey({ spans: choice })} ${own}`;
    const known = this.byCause?.key === key ? this.byCause.rows : (await listed(0, MOST_CAUSES)).sort(byCause);
    this.byCause = { key, rows: known };
    return { ...page, rows: (reversed ? known.toReversed() : known).slice(offset, offset + limit) };
  }

  /** Counts all samples by request, which most questions need. */
  count(): void {
    this.requests.whole(this.points);
  }

  /**
   * Where the time of the requests that a filter selects went, and that of others. `choice` narrows them to an
   * operation, a region of the map, or the slowest.
   */
  choiceTime(choice: SpanChoice, filter: Filter): Promise<ChoiceTime | null> {
    return this.requests.time(choice, filter);
  }

  /** How long the requests of each endpoint took, without filters: the figures of every list that has endpoints. */
  endpointTimes(): Promise<EndpointRow[]> {
    return this.requests.endpointTimes();
  }

  /** Endpoints in the order of the durations that the lists state. */
  async slowestFirst(
    by: RankBy,
    how: RankHow,
    range: readonly [number, number],
    rank: (offset: number, limit: number) => RankPage,
  ): Promise<RankPage> {
    if (by.kind !== "attribute" || !ENDPOINT_KEYS.includes(by.key)) return rank(...range);
    return slowestFirst(await this.endpointTimes(), how, range, rank);
  }

  /** The longest requests with a sample that passes the filter, the longest first, at most `limit` of them. */
  slowRequests(filter: Filter, limit: number, own = ""): Promise<SlowRequest[]> {
    return this.requests.slowest(filter, Math.max(0, Math.min(MOST_SLOW, Math.floor(limit))), own);
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

  /** Ascending places of all requests with a sample, of all spans where there are none. */
  private requestPlaces(): Uint32Array | undefined {
    const { requests } = this.requests.whole(this.points).placed;
    return requests.length === 0 ? undefined : requests;
  }

  /** Requests have their endpoint as operation, spans their name; in older links each may have the other. */
  private places(choice: SpanChoice): Uint32Array {
    const { operation, requests } = choice;
    const { points, spans } = this;
    const among = requests ? this.requestPlaces() : undefined;
    if (operation === undefined) return chosenPlaces(points, choice, null, among);
    for (const of of requests ? [points, spans] : [spans, points]) {
      const name = this.keyOf(of, operation);
      if (name !== undefined)
        return chosenPlaces(
          of,
          choice,
          name,
          among?.filter((place) => place < of.count),
        );
    }
    return new Uint32Array(0);
  }

  /** Of places: longest first, else ascending. */
  private orderOf(sort: RegionQuestion["sort"], start: Float64Array, duration: Float64Array) {
    const { id, name } = this.points;
    if (sort === "operation") {
      const ranks = new Map([...new Set(name)].map((key) => [key, this.points.text(key)]));
      return (a: number, b: number) => byText(ranks.get(name[a] ?? 0) ?? "", ranks.get(name[b] ?? 0) ?? "") || a - b;
    }
    if (sort === "id") return (a: number, b: number) => Number((id[a] ?? 0n) > (id[b] ?? 0n)) * 2 - 1;
    if (sort === "start") return (a: number, b: number) => (start[a] ?? 0) - (start[b] ?? 0) || a - b;
    return (a: number, b: number) => (duration[b] ?? 0) - (duration[a] ?? 0) || a - b;
  }

  private keyOf(points: NamedPoints, operation: string): number | undefined {
    const known = this.keys.get(points) ?? new Map([...new Set(points.name)].map((key) => [points.text(key), key]));
    this.keys.set(points, known);
    return known.get(operation);
  }

  private ordered(choice: SpanChoice, sort: RegionQuestion["sort"], reversed: boolean): Uint32Array {
    const key = `${filterKey({ spans: choice })} ${sort} ${reversed}`;
    if (this.listed?.key !== key) {
      const { start, duration } = numbersOf(this.points);
      const places = this.places(choice).slice();
      places.sort(this.orderOf(sort, start, duration));
      if (reversed) places.reverse();
      this.listed = { key, places };
    }
    return this.listed.places;
  }
}

/** By part, then by function, the largest share first. */
function byCause(a: ListedRequest, b: ListedRequest): number {
  const [one, other] = [largestOf(a), largestOf(b)];
  return (
    byText(one?.part ?? "", other?.part ?? "") || byText(a.function, b.function) || shareOf(other, b) - shareOf(one, a)
  );
}

const shareOf = (part: ReturnType<typeof largestOf>, { duration }: ListedRequest) =>
  Number(part?.nano ?? 0n) / Math.max(1, duration);

function largestOf({ breakdown }: ListedRequest) {
  return breakdown.toSorted((a, b) => Number(b.nano - a.nano))[0];
}

const byText = (a: string, b: string) => Number(a > b) - Number(a < b);

/** CPU time and allocated bytes of each request, then the table. */
function* rowsOf(held: HeldCore, points: NamedPoints, among?: Iterable<number>): Generator<void, OperationRow[]> {
  numbersOf(points);
  yield;
  const profiles = profilesOf(held.core);
  const [onCpu, allocated] = (["cpu", "alloc"] as const).map((kind) =>
    profileOfKind(profiles.filter(hasContext), kind),
  );
  const cpu = yield* valuesOf(held, points, onCpu, onCpu?.meaning.nanos ?? null);
  const allocation = yield* valuesOf(held, points, allocated, allocated?.unit === "bytes" ? 1 : null);
  return operationTable(points, { cpu, allocation }, (key) => points.text(key), among);
}

/** The value of each request in a profile, times a factor; null if it is not known. */
function* valuesOf(
  held: HeldCore,
  points: SpanPoints,
  profile: ProfileSummary | undefined,
  factor: number | null,
): Generator<void, Float64Array | null> {
  if (profile === undefined || factor === null) return null;
  held.about(profile.id, {});
  const links = linkValues(held.core.instance);
  yield;
  const values = requestValues(points, links).map((value) => factor * value);
  yield;
  return values;
}

function hasContext({ samplesWithSpan, samplesWithRoot, inferredSpan = 0, inferredRoot = 0 }: ProfileSummary): boolean {
  return samplesWithSpan + samplesWithRoot + inferredSpan + inferredRoot > 0;
}
