/** Requests of a selection: which they are, where their time went, and the filter that has their samples. */
import { countedRequests } from "../../core/answers/uploads.ts";
import { linkValues } from "../../core/samples/link-values.ts";
import { openSamples } from "../../core/samples/sample-reader.ts";
import type { Filter, SpanChoice } from "../../core/types.ts";
import { wholeOf } from "../../model/query/span-choice.ts";
import { spread } from "../../model/span-time/peers.ts";
import {
  haveId,
  MOST_REQUESTS,
  outermost,
  requestTimes,
  restOf,
  samplesWithin,
} from "../../model/span-time/request-time.ts";
import {
  entriesOf,
  type PlacedSamples,
  placedSamples,
  placesOf,
  withSamples,
} from "../../model/span-time/selected-requests.ts";
import { idsOf, slowestOfEach } from "../../model/trace/chosen-spans.ts";
import { durationsAt, placesByName } from "../../model/trace/operations.ts";
import { numbersOf } from "../../model/trace/point-numbers.ts";
import { codeOf } from "../../model/why/application.ts";
import { MOST_FILTERS } from "../../model/words/hash-text.ts";
import type {
  ChoiceTime,
  EndpointRow,
  EndpointTimes,
  ListedRequest,
  OtherRequest,
  OtherRequests,
  SlowRequest,
} from "../api/operations-api.ts";
import type { HeldCore } from "../held-core.ts";
import { endpointsAt, type NamedPoints, sampledPoints, sourceOf, spanAt } from "./root-points.ts";
import { factsOfSamples } from "./sample-facts.ts";

/** Resolves choices of spans among the points. */
interface Chooser {
  places(choice: SpanChoice): Uint32Array;
  /** The filter with the ids of its spans. */
  filter(filter: Filter): Filter;
}

interface Selected extends Pick<ChoiceTime, "shown" | "isWhole" | "unknownRoots"> {
  points: NamedPoints;
  /** Outermost places. */
  places: Uint32Array;
  rest: { places: Uint32Array; of: OtherRequests };
}

/** Requests with the samples that decided on them. */
interface Passing {
  points: NamedPoints;
  places: Uint32Array;
  unknownRoots: number;
}

/** All samples by the places of the points. */
interface Whole {
  placed: PlacedSamples;
  /** Of the request at each place; 0 where no sample states it. */
  endpoints: Uint32Array;
}

/** Requests in the list of the longest. */
const MOST_LISTED = 50;
const END_OF_TIME = 2n ** 63n - 1n;

export class SelectedRequests {
  private readonly held: HeldCore;
  private readonly points: NamedPoints;
  private readonly chooser: Chooser;
  private readonly entries = new WeakMap<NamedPoints, Uint32Array>();
  private sampledSpans: Promise<NamedPoints> | null = null;
  private readonly wholes = new Map<NamedPoints, Whole>();
  private timed: Promise<Map<number, EndpointTimes>> | null = null;

  constructor(held: HeldCore, points: NamedPoints, chooser: Chooser) {
    this.held = held;
    this.points = points;
    this.chooser = chooser;
  }

  /** The samples were counted before, of other files or under other names. */
  forget(): void {
    this.sampledSpans = null;
    this.wholes.clear();
    this.timed = null;
  }

  async time(choice: SpanChoice, filter: Filter): Promise<ChoiceTime | null> {
    const { points, places, rest, shown, isWhole, unknownRoots } = await this.selected(choice, filter);
    if (places.length === 0) return null;
    const groups = [places, rest.places].map((all) => Uint32Array.from(spread([...all], MOST_REQUESTS)));
    const found = idsOf(points, Uint32Array.from(groups.flatMap((group) => [...group])).sort());
    const reader = await openSamples(this.held);
    const question = { points, offset: (place: number) => points.offset(place), ...factsOfSamples(this.held.core) };
    const { times, opened, links } = requestTimes(reader, { ...question, groups, found });
    const [own, others] = times;
    const [counted = places] = groups;
    if (own === undefined || others === undefined) return null;
    const { breakdown } = own;
    const within = () =>
      shown === null ? [] : samplesWithin(reader, question, { places: counted, breakdown }, this.chooser.filter(shown));
    const isCounted = isWhole || (shown !== null && haveId(reader, links, shown));
    return {
      ...own,
      ...{ pause: opened.pause, wait: opened.wait },
      opens: isCounted ? opened.opens : within(),
      requests: places.length,
      source: sourceOf(points, places),
      ...{ shown, isWhole, unknownRoots },
      longest: longestOf(points, places, MOST_LISTED).map((place) => spanAt(points, place)),
      rest:
        rest.places.length === 0
          ? null
          : { ...others, requests: rest.places.length, of: rest.of, median: this.medianOf(points, places, rest) },
    };
  }

  /** Of the others of the endpoint, or of the operation, of one request. */
  private medianOf(points: NamedPoints, places: Uint32Array, rest: Selected["rest"]): OtherRequest | null {
    if (places.length !== 1 || rest.of === "all") return null;
    const all = longestOf(points, rest.places, rest.places.length);
    // As percentiles by nearest rank.
    const place = all[all.length >> 1] ?? 0;
    const { ofRoot } = this.whole(points).placed;
    const by = ofRoot[place] === 1 ? "root" : "span";
    return { id: points.id[place] ?? 0n, by, duration: Number(points.duration[place] ?? 0n) };
  }

  /** The longest requests with a sample that passes the filter, the longest first, each with where its time went. */
  async slowest({ rawNames: _, ...filter }: Filter, limit: number, own: string): Promise<SlowRequest[]> {
    const { points, places } = await this.passing(filter);
    const slow = longestOf(points, places, limit);
    if (slow.length === 0) return [];
    const { core } = this.held;
    const { placed, endpoints } = this.whole(points);
    const ofEndpoints = await this.timesByEndpoint();
    const rows = await this.listed(points, slow, own);
    // A request without an endpoint is beside those of its operation.
    const others = placed.requests.filter((place) => endpoints[place] === 0);
    const byOperation = placesByName(points.name, others);
    const ofOperation = (place: number) =>
      timesOf(points, byOperation.get(points.name[place] ?? 0) ?? Uint32Array.of(place));
    return rows.map((row, i) => {
      const place = slow[i] ?? 0;
      const endpoint = endpoints[place] ?? 0;
      return {
        ...row,
        endpoint: endpoint === 0 ? "" : core.instance.label(endpoint),
        alike: ofEndpoints.get(endpoint) ?? ofOperation(place),
      };
    });
  }

  /** Requests, each with where its time went. `own`: prefixes of the user's packages. */
  async listed(points: NamedPoints, places: readonly number[], own: string): Promise<ListedRequest[]> {
    const reader = await openSamples(this.held);
    const { application } = codeOf(own);
    const facts = { points, offset: (place: number) => points.offset(place), ...factsOfSamples(this.held.core) };
    const told = new Map<number, Pick<ListedRequest, "breakdown" | "function">>();
    // A request below another one is part of it, and its time is counted separately.
    for (let rest = Uint32Array.from(places).sort(); rest.length > 0; rest = rest.filter((place) => !told.has(place))) {
      const apart = outermost(points.size, rest);
      const groups = Array.from(apart, (place) => Uint32Array.of(place));
      const { times, functions } = requestTimes(reader, { ...facts, groups, found: idsOf(points, apart), application });
      for (const [i, place] of apart.entries())
        told.set(place, { breakdown: times[i]?.breakdown ?? [], function: functions[i] ?? "" });
    }
    const { ofRoot } = this.whole(points).placed;
    return places.map((place) => ({
      ...spanAt(points, place),
      by: ofRoot[place] === 1 ? "root" : "span",
      ...(told.get(place) ?? { breakdown: [], function: "" }),
    }));
  }

  async endpointTimes(): Promise<EndpointRow[]> {
    const { core } = this.held;
    const times = await this.timesByEndpoint();
    const rows = [...times].map(([key, each]) => ({ endpoint: core.instance.label(key), ...each }));
    // Uploads count also the requests without a sample, and those of which no time is known.
    const counted = countedRequests(core, {});
    const known = new Map(rows.map((row) => [row.endpoint, row]));
    for (const [endpoint, requests] of counted ?? []) {
      const row = known.get(endpoint);
      if (row !== undefined) row.requests = Math.max(row.requests, requests);
      else rows.push({ endpoint, source: "roots", requests, p50: 0, p95: 0, max: 0 });
    }
    return rows;
  }

  private timesByEndpoint(): Promise<Map<number, EndpointTimes>> {
    const asked = this.timed ?? this.countEndpoints();
    this.timed = asked;
    // A question that failed is asked again.
    asked.catch(() => {
      if (this.timed === asked) this.timed = null;
    });
    return asked;
  }

  private async countEndpoints(): Promise<Map<number, EndpointTimes>> {
    const { points } = this;
    const { placed, endpoints } = this.whole(points);
    const groups = placesByName(endpoints, placed.requests);
    groups.delete(0);
    return new Map([...groups].map(([endpoint, places]) => [endpoint, timesOf(points, places)]));
  }

  private async selected(choice: SpanChoice, { rawNames: _, ...filter }: Filter): Promise<Selected> {
    const { spans, ...others } = filter;
    const { slowest, requests, ...region } = choice;
    // An operation or a region of the view takes the place of the filter by spans.
    const isRegion = Object.keys(region).length > 0;
    if (Object.keys(others).length === 0) {
      return this.chosen(isRegion || spans === undefined ? choice : { ...spans, ...(slowest && { slowest }) });
    }
    const asked = isRegion ? { ...others, spans: { ...(requests && { requests }), ...region } } : filter;
    const { points, places, unknownRoots } = await this.passing(asked);
    const facts = { points, unknownRoots };
    if (slowest !== undefined) {
      const slow = slowestOfEach(points, places, slowest);
      const rest = { places: restOf(points.size, places, slow), of: "selection" } as const;
      return { ...facts, places: slow, rest, shown: this.slowFilter(asked, points, slow), isWhole: false };
    }
    const [one = 0] = places;
    const isOneSpan = asked.span !== undefined && places.length === 1 && points === this.points;
    const shown = isOneSpan ? { spans: onlyAt(points, one) } : this.filterOf(asked, points, places);
    return { ...facts, places, rest: this.othersThan(points, places), shown, isWhole: isOneSpan };
  }

  /** Of a choice alone: spans that have no samples, too. */
  private chosen(choice: SpanChoice): Selected {
    const { points, chooser } = this;
    const places = outermost(points.size, chooser.places(choice));
    const of = choice.operation === undefined ? "all" : "operation";
    const rest = { places: restOf(points.size, chooser.places(wholeOf(choice)), places), of } as const;
    return { points, places, rest, shown: { spans: choice }, isWhole: true, unknownRoots: 0 };
  }

  /** The requests with samples that pass a filter, which is more than a choice of spans. */
  private async passing(filter: Filter): Promise<Passing> {
    const { points } = this;
    const { spans } = filter;
    const ids = [filter.span ?? filter.localRoot ?? []].flat();
    const named = ids.length === 0 ? null : placesOf(points, ids);
    if (filter.span !== undefined && named === null) {
      this.sampledSpans ??= sampledPoints(this.held, "span");
      const alone = await this.sampledSpans;
      const known = placesOf(alone, ids) ?? new Uint32Array(0);
      return { points: alone, places: known, unknownRoots: 0 };
    }
    // Ids alone need no samples.
    if (named !== null && Object.keys(filter).length === 1) {
      return { points, places: outermost(points.size, named), unknownRoots: 0 };
    }
    const placed = this.placed(points, filter);
    const candidates = spans === undefined ? named : this.chooser.places(spans);
    const found = candidates === null ? placed.requests : withSamples(points, candidates, placed);
    return { points, places: outermost(points.size, found), unknownRoots: placed.unknownRoots };
  }

  /** The other requests of the endpoint, else of the operations, else all others. */
  private othersThan(points: NamedPoints, places: Uint32Array): Selected["rest"] {
    const { endpoints, placed } = this.whole(points);
    const [endpoint = 0, ...more] = new Set(Array.from(places, (place) => endpoints[place] ?? 0));
    if (endpoint !== 0 && more.length === 0) {
      const same = placed.requests.filter((place) => endpoints[place] === endpoint);
      const others = restOf(points.size, same, places);
      if (others.length > 0) return { places: others, of: "endpoint" };
    }
    const names = new Set(Array.from(places, (place) => points.name[place] ?? 0));
    const all = Uint32Array.from(points.name.keys());
    const named = all.filter((place) => names.has(points.name[place] ?? 0));
    const alike = restOf(points.size, named, places);
    if (alike.length > 0) return { places: alike, of: "operation" };
    return { places: restOf(points.size, this.placed(points, {}).requests, places), of: "all" };
  }

  /** Selects the samples of requests that pass the filter by which they were found; null if no filter does. */
  private filterOf(filter: Filter, points: NamedPoints, places: Uint32Array): Filter | null {
    if (filter.span !== undefined || filter.localRoot !== undefined || filter.spans !== undefined) return filter;
    // Samples without a request pass the filter, too.
    return points === this.points ? { ...filter, spans: {} } : filterByIds(filter, points, places);
  }

  /** Selects the samples of the slowest of these requests; null if no filter does. */
  private slowFilter({ spans, ...others }: Filter, points: NamedPoints, slow: Uint32Array): Filter | null {
    const { ofRoot } = this.whole(points).placed;
    const names = new Set(Array.from(slow, (place) => points.name[place] ?? 0));
    if (points !== this.points || names.size > 1) {
      return slow.every((place) => ofRoot[place] === 1) ? filterByIds(others, points, slow) : null;
    }
    const least = slow.reduce((least, place) => {
      const own = points.duration[place] ?? 0n;
      return own < least ? own : least;
    }, END_OF_TIME);
    const [name = 0] = names;
    const operation = spans?.operation ?? points.text(name);
    const duration = { from: least, to: spans?.duration?.to ?? END_OF_TIME };
    return { ...others, spans: { ...(spans ?? { requests: true }), duration, operation } };
  }

  private placed(points: NamedPoints, filter: Filter): PlacedSamples {
    if (Object.keys(filter).length === 0) return this.whole(points).placed;
    this.held.about(null, this.chooser.filter(filter));
    return placedSamples(points, linkValues(this.held.core.instance), () => this.entriesOf(points));
  }

  whole(points: NamedPoints): Whole {
    const known = this.wholes.get(points);
    if (known !== undefined) return known;
    const { core } = this.held;
    this.held.about(null, {});
    const links = linkValues(core.instance);
    const placed = placedSamples(points, links, () => this.entriesOf(points));
    const whole = { placed, endpoints: endpointsAt(core, points, links) };
    this.wholes.set(points, whole);
    return whole;
  }

  private entriesOf(points: NamedPoints): Uint32Array {
    const known = this.entries.get(points) ?? entriesOf(points, (place) => points.service(place));
    this.entries.set(points, known);
    return known;
  }
}

function timesOf(points: NamedPoints, places: Uint32Array): EndpointTimes {
  const { spans, p50, p95, max } = durationsAt(points.duration, places);
  return { source: sourceOf(points, places), requests: spans, p50: Number(p50), p95: Number(p95), max: Number(max) };
}

/** For local roots that no trace knows; null if they are too many for a link. */
function filterByIds(filter: Filter, points: NamedPoints, places: Uint32Array): Filter | null {
  const ids = Array.from(places, (place) => points.id[place] ?? 0n);
  return ids.length > MOST_FILTERS ? null : { ...filter, localRoot: ids };
}

/** The longest of some places, in this order. */
function longestOf(points: NamedPoints, places: Uint32Array, limit: number): number[] {
  const { duration } = numbersOf(points);
  const sorted = [...places].sort((a, b) => (duration[b] ?? 0) - (duration[a] ?? 0) || a - b);
  return sorted.slice(0, limit);
}

/** The choice that has the span of a place alone, but for others of its name at the same time and as long. */
function onlyAt(points: NamedPoints, place: number): SpanChoice {
  const { name, start, duration, text } = place < points.unstated ? (points.stated ?? points) : points;
  const [from, length] = [start[place] ?? 0n, duration[place] ?? 0n];
  const only = (value: bigint) => ({ from: value, to: value + 1n });
  return { operation: text(name[place] ?? 0), start: only(from), duration: only(length) };
}
