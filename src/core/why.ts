/** Summary of a selection, computed by a dozen small requests to the core. */

import { isEverything, sameNames } from "./answers/filters.ts";
import { isWithin } from "./answers/uploads.ts";
import type { Views } from "./answers/views.ts";
import type { Held } from "./held.ts";
import { countedRate, type LossFacts, readLosses } from "./reading/losses.ts";
import { standingOut, type ValueCount } from "./standing-out.ts";
import { EVENT_KEY, MONITOR_WAIT } from "./tables/event-key.ts";
import { observationsOf } from "./tables/quantities.ts";
import { usualMeasure } from "./tables/usual-measure.ts";
import type { Filter, ProfileSummary, RankBy, Selection, SelectionTotals, TimeRange } from "./types.ts";
import type { Marks, PauseCover, Why } from "./view-types.ts";

const TOP = 10;
const THREADS = 5;
const STANDING_OUT = 8;
/** Number of values of one attribute that are compared, the heaviest. */
const VALUES = 200;
const THREAD = { kind: "attribute", key: "thread.name" } as const satisfies RankBy;
const STATE = { kind: "attribute", key: "thread.state" } as const satisfies RankBy;
const STATES = 12;

/** Facts of one recording that every summary needs. */
export interface WhyContext {
  profiles: ProfileSummary[];
  marks: Marks;
  /** Values of attributes over the whole of a profile, by profile: filled as profiles are requested. */
  whole: Map<number, { samples: number; values: ValueCount[] }>;
  /** Samples that attributes are compared with: other requests of the endpoint. Without it, all other samples. */
  peers?: Filter | null;
  /** Pattern of functions that are behind others. */
  last?: string;
}

/** For a caller with a single question. */
function contextOf({ core }: Held): WhyContext {
  return { profiles: core.profiles(), marks: core.views.marks(), whole: new Map() };
}

interface Kept {
  cover?: Omit<PauseCover, "samples">;
  losses: Map<string | undefined, LossFacts>;
}

/** Facts of whole recordings by their marks, which are others after more is read. */
const known = new WeakMap<Marks, Kept>();

function kept(marks: Marks): Kept {
  const facts = known.get(marks) ?? { losses: new Map() };
  known.set(marks, facts);
  return facts;
}

/** Nothing is left out but calls of Object.wait, which are no contention. */
function isContention({ attributes = [], ...others }: Filter): boolean {
  const [only, ...more] = attributes;
  const isOnly = only?.key === EVENT_KEY && only.value === MONITOR_WAIT && only.exclude === true && more.length === 0;
  return isOnly && isEverything(others);
}

export function why(held: Held, wanted: Selection, context: WhyContext = contextOf(held)): Why {
  const { profiles, marks, whole, peers, last } = context;
  const everything = isEverything(wanted.filter) || isContention(wanted.filter);
  const cover = everything ? wholeCover(held, marks) : coverOf(held, wanted.filter, marks);
  const own = profiles.filter(({ id }) => id === wanted.profile);
  const others = profiles.filter(({ id }) => id !== wanted.profile);
  const keys = [...Object.keys(own[0]?.samplesWithAttribute ?? {}), THREAD.key];
  const rest = peers == null ? null : restOf(held, wanted, peers, keys);
  if (rest === null && !everything && !whole.has(wanted.profile))
    whole.set(wanted.profile, wholeOf(held, wanted, keys));
  const counted = (totals: SelectionTotals) =>
    (own[0] && observationsOf({ ...own[0], measure: wanted.measure }, totals)) ?? totals.samples;
  const states: Why["states"] = [];
  // The requested profile is last, because the following parts are of its selection: it is made once.
  const found = [...others, ...own].flatMap((each) => {
    const { id, samples, measures, samplesWithAttribute } = each;
    const measure = usualMeasure(each);
    const hasStates = samplesWithAttribute[STATE.key] !== undefined;
    // The totals of whole profiles are known.
    const isKnown = everything && !hasStates && id !== wanted.profile;
    const totals = isKnown
      ? { samples, value: measures[measure]?.value ?? 0n }
      : held.totals(id, wanted.filter, measure);
    if (totals.samples > 0 && hasStates) states.push(...statesOf(held.about(id, wanted.filter, measure), id));
    return totals.samples === 0 ? [] : [{ profile: id, totals }];
  });
  const split = profiles.flatMap(({ id }) => found.filter(({ profile }) => profile === id));
  const views = held.about(wanted.profile, wanted.filter, wanted.measure);
  const totals = views.totals();
  const values = valuesOf(views, keys);
  // The whole recording has no rest to be compared with.
  const all =
    rest === null
      ? (whole.get(wanted.profile) ?? { samples: totals.samples, values })
      : { samples: totals.samples + rest.samples, values: sumOf(values, rest.values) };
  const threads = views.rank(THREAD, 0, THREADS);
  // Attributes in the filter stand out by definition.
  const asked = new Set((wanted.filter.attributes ?? []).map(({ key }) => key));
  // A request has one endpoint, one tenant, its threads: they identify the request, they do not explain its slowness.
  const isRequest = wanted.filter.span !== undefined || wanted.filter.localRoot !== undefined;
  const varies = (key: string) => values.filter((each) => each.key === key && each.samples > 0).length > 1;
  const isNews = ({ key }: ValueCount) => !asked.has(key) && (!isRequest || (key !== THREAD.key && varies(key)));
  return {
    everything,
    totals,
    observations: own[0] === undefined ? null : observationsOf({ ...own[0], measure: wanted.measure }, totals),
    split,
    top: views.top("self", 0, TOP, last === undefined ? {} : { last }).rows,
    threads: threads.rows.map((row) => ({ name: row.label, samples: counted(row) })),
    threadCount: threads.count,
    states,
    pauses: { ...cover, samples: views.pauseCover(marks).samples },
    pausesKnown: marks.pauses.at.length > 0,
    gaps: gapsIn(marks, cover.time),
    standingOut: standingOut(values.filter(isNews), totals.samples, all.values.filter(isNews), all.samples).slice(
      0,
      STANDING_OUT,
    ),
    rates: ratesOf(held, context, wanted.filter, cover.time),
  };
}

/** Filters that also hold for counters of the whole process. */
const OF_PROCESS = new Set(["time", "file", "rawNames"]);

function ratesOf({ core }: Held, { profiles, marks }: WhyContext, filter: Filter, time: TimeRange | null) {
  const partial = profiles.filter(({ loss }) => (loss?.limited ?? loss?.sampled) !== undefined);
  if (partial.length === 0 || time === null || Object.keys(filter).some((key) => !OF_PROCESS.has(key))) return [];
  const { file } = filter;
  const ofFiles = kept(marks).losses;
  const facts = ofFiles.get(file) ?? readLosses(core.instance, (name) => file === undefined || isWithin(name, file));
  ofFiles.set(file, facts);
  return partial.flatMap(({ id, events }) => {
    const rate = countedRate(facts, Object.keys(events), Number(time.to - time.from), filter.time);
    return rate === null ? [] : [{ ...rate, profile: id }];
  });
}

function restOf(held: Held, { profile, filter }: Selection, peers: Filter, keys: string[]) {
  const views = held.about(profile, sameNames(peers, filter));
  const { samples } = views.totals();
  return samples === 0 ? null : { samples, values: valuesOf(views, keys) };
}

function sumOf(one: readonly ValueCount[], other: readonly ValueCount[]): ValueCount[] {
  const sums = new Map<string, ValueCount>();
  for (const count of [...one, ...other]) {
    const name = JSON.stringify([count.key, count.value]);
    sums.set(name, { ...count, samples: count.samples + (sums.get(name)?.samples ?? 0) });
  }
  return [...sums.values()];
}

/** Extent and pauses of the samples of all profiles. Of a wait that began before the recording the rest counts. */
function coverOf(held: Held, filter: Filter, marks: Marks) {
  const cover = held.about(null, filter).pauseCover(marks);
  const from = held.core.views.timeRows()[0]?.from ?? 0n;
  const { time } = cover;
  return time === null || time.from >= from || time.to < from ? cover : { ...cover, time: { ...time, from } };
}

const NONE = new Float64Array();
const NO_PAUSES: Marks["pauses"] = { at: NONE, nanos: NONE, text: new Uint32Array(), file: new Uint32Array() };

/**
 * Extent and pauses without a filter. Pauses are counted as the timeline counts them: some may be before the first
 * sample or after the last one.
 */
function wholeCover(held: Held, marks: Marks): Omit<PauseCover, "samples"> {
  const facts = kept(marks);
  if (facts.cover !== undefined) return facts.cover;
  // Live objects have the time of their allocation, which may be long before the recording.
  const { time } = coverOf(held, {}, { ...marks, pauses: NO_PAUSES });
  const bounds = time === null ? held.core.views.timeBounds() : null;
  facts.cover = {
    time: bounds === null ? time : { from: bounds.from, to: bounds.to - 1n },
    pauses: marks.pauses.at.length,
    nanos: unitedNanos(marks.pauses),
  };
  return facts.cover;
}

/** Of pauses in the order of time: those of several recordings may overlap. */
function unitedNanos({ at, nanos }: Marks["pauses"]): number {
  let [sum, end] = [0, Number.NEGATIVE_INFINITY];
  for (const [i, from] of at.entries()) {
    const to = from + nanos[i]!;
    sum += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return sum;
}

/** Of all samples, regardless of their weight. */
function wholeOf(held: Held, { profile, filter }: Selection, keys: string[]) {
  const views = held.about(profile, sameNames({}, filter));
  return { samples: views.totals().samples, values: valuesOf(views, keys) };
}

function statesOf(views: Views, profile: number): Why["states"] {
  const { rows } = views.rank(STATE, 0, STATES);
  const of = rows.reduce((sum, { value }) => sum + value, 0n);
  return rows.map(({ label, value }) => ({ profile, state: label, value, of }));
}

function gapsIn({ start, gaps }: Marks, time: TimeRange | null): Why["gaps"] {
  if (time === null) return { count: 0, nanos: 0 };
  const from = Number(time.from - start);
  const to = Number(time.to - start);
  // A gap ends where a sample is, so the selection's first and last one do not cut it.
  const within = gaps.filter(({ at, nanos }) => at >= from && at + nanos <= to);
  return { count: within.length, nanos: within.reduce((sum, { nanos }) => sum + nanos, 0) };
}

function valuesOf(views: Views, keys: string[]): ValueCount[] {
  return keys.flatMap((key) =>
    views
      .rank({ kind: "attribute", key }, 0, VALUES)
      .rows.map(({ label, samples }) => ({ key, value: label, samples })),
  );
}
