/**
 * The hot path of a selection in application code, the states of its threads, and how other requests of its endpoint
 * compare: the parts of the first sentence of Why (sentence.ts).
 */
import type { Accepts } from "../../core/answers/function-names.ts";
import type { Views } from "../../core/answers/views.ts";
import type { Held } from "../../core/held.ts";
import { isOfKind } from "../../core/tables/kinds.ts";
import { observationsOf } from "../../core/tables/quantities.ts";
import type {
  Filter,
  ProfileKind,
  ProfileSummary,
  RankRow,
  Selection,
  SelectionTotals,
  TopRow,
} from "../../core/types.ts";
import { likelyShare } from "../lists/confidence.ts";
import { ENDPOINT_KEYS, OPERATION_KEYS } from "../lists/request-keys.ts";
import { recordedState, type SpanState, STATE_KEY } from "../span-time/states.ts";
import { stateFilters, type ThreadState, threadState } from "../span-time/thread-states.ts";
import type { Code } from "./application.ts";
import { callerOf, hottestOf, type Path } from "./causes.ts";
import { idleThreads, withoutThreads } from "./idle-threads.ts";
import type { Stated } from "./pools.ts";

export interface StoryPart extends Path {
  state: ThreadState;
  /** Of the profile's value in the selection, 0 to 1. */
  share: number;
}

/** Requests with the endpoint or operation of the selected one, without it. */
export interface Peers {
  key: string;
  value: string;
  requests: number;
  /** Median of their extents, from first to last sample; null for fewer than three requests. */
  medianNanos: number | null;
  /** The function whose share differs most, beyond chance. */
  difference: { name: string; share: number; otherShare: number } | null;
}

export interface Story {
  /** The profile that the shares are of. */
  profile: number;
  kind: ProfileKind;
  /** Its samples are of threads on a processor. "running" of others is running or ready to run. */
  isOnCpu: boolean;
  /** The hottest function of the application by CPU samples of the selection; null without them. */
  onCpu: Path | null;
  /** Observations; null if their number is unknown. */
  samples: number | null;
  /** Of the profile in the selection, without what is set aside. */
  totals: SelectionTotals;
  /** Samples of idle threads, which no share is of: 0 where the selection is of requests. */
  aside: SelectionTotals;
  /** Time of the samples, in ns; null if they are none. */
  nanos: number | null;
  /** Hottest first, by the nearest function of the application on each stack. */
  parts: StoryPart[];
  /** The hottest part of each state, where the selection is of requests. */
  ofStates: StoryPart[];
  /** Hardly anything is in application code: the parts are of libraries. */
  inLibraries: boolean;
  states: { state: ThreadState; share: number }[];
  peers: Peers | null;
  /** Selects the peers; null without peers. */
  peerFilter: Filter | null;
}

const PARTS = 4;
/** Functions of a state that are compared. */
const FUNCTIONS = 20;
const MOST_ROOTS = 64;
const MOST_PEERS = 5000;
const LEAST_PEERS = 3;
/** Where application code has less than this, libraries are told of. */
const LEAST_OWN = 0.05;
/** A smaller difference of shares is not told. */
const LEAST_DIFFERENCE = 0.1;
/** The part of a request's samples that carry its name: an operation is often that of one span. */
const LEAST_NAMED = 0.8;
const ROOT = { kind: "local-root" } as const;

/** Profiles of threads that were seen at a place. */
const timed = isOfKind("cpu", "wall", "native");
const isCpu = isOfKind("cpu");
/** Profiles with stacks of threads that wait. */
const hasWaits = isOfKind("wall", "native", "block", "off-cpu");

/** The selection is of whole requests, so that the time of these is its time. Those of an endpoint are whole. */
export function isOfRequests({
  span,
  localRoot,
  spans,
  attributes,
  rootFrames,
  rawNames: _,
  ...others
}: Filter): boolean {
  const ids = [span, localRoot, spans].filter((each) => each !== undefined);
  const endpoints = [
    ...(attributes ?? []).map(({ key, exclude }) => exclude !== true && ENDPOINT_KEYS.includes(key)),
    ...(rootFrames ?? []).map(
      ({ keys, exclude }) => exclude !== true && keys.every((key) => ENDPOINT_KEYS.includes(key)),
    ),
  ];
  return Object.keys(others).length === 0 && ids.length + endpoints.length > 0 && endpoints.every((is) => is);
}

export function* storyOf(
  held: Held,
  profiles: readonly ProfileSummary[],
  wanted: Selection,
  code: Code,
): Generator<void, Story | null> {
  const found = profileFor(held, profiles, wanted);
  if (found === null) return null;
  const { profile } = found;
  const measure = profile.id === wanted.profile ? wanted.measure : 0;
  const about = (filter: Filter) => held.about(profile.id, filter, measure);
  const { span, localRoot, spans } = wanted.filter;
  const ofRequests = isOfRequests(wanted.filter) || [span, localRoot, spans].some((each) => each !== undefined);
  const states = statesOf(profile, wanted.filter, about);
  yield;
  const { filter, totals } = ofRequests
    ? { filter: wanted.filter, totals: found.totals }
    : busyPart(held, found, wanted.filter, states);
  const { value } = totals;
  const shareOf = (part: bigint) => Number(part) / Math.max(1, Number(value));
  const isTold = ({ state }: State) => ofRequests || state !== "idle";
  const told = (filter === wanted.filter ? states : statesOf(profile, filter, about)).filter(isTold);
  const within = (accepts: Accepts) => stretchesOf(told, about, accepts);
  yield;
  let stretches: Stretch[] = [];
  let accepts = code.application;
  for (accepts of [code.application, code.outsideJdk, code.named]) {
    stretches = yield* within(accepts);
    if (stretches.length === 0) break;
    if (stretches.reduce((sum, { value: all, rest }) => sum + shareOf(all - rest), 0) >= LEAST_OWN) break;
  }
  const inLibraries = accepts !== code.application;
  const peers = peersOf(held, profiles, wanted.filter);
  yield;
  const onCpu = hottestOf(held, profiles.filter(isCpu), wanted.filter, accepts);
  yield;
  const [parts, ofStates]: StoryPart[][] = [[], []];
  for (const [rank, { filter: own, ...part }] of partsOf(stretches, shareOf).entries()) {
    const isFirst = isOfRequests(wanted.filter) && !ofStates.some(({ state }) => state === part.state);
    if (rank >= PARTS && !isFirst) continue;
    const path = { ...part, caller: callerOf(about(own), part.name, accepts) };
    if (rank < PARTS) parts.push(path);
    if (isFirst) ofStates.push(path);
    yield;
  }
  const shares = new Map<ThreadState, number>();
  for (const { state, value: part } of stretches) shares.set(state, (shares.get(state) ?? 0) + shareOf(part));
  return {
    profile: profile.id,
    kind: profile.meaning.kind,
    isOnCpu: isCpu(profile),
    onCpu,
    samples: observationsOf({ ...profile, measure }, totals),
    totals,
    aside: { samples: found.totals.samples - totals.samples, value: found.totals.value - value },
    nanos: measure === 0 && profile.meaning.nanos !== null ? Number(value) * profile.meaning.nanos : null,
    parts,
    ofStates,
    inLibraries,
    states: [...shares]
      .map(([state, share]) => ({ state, share }))
      .filter(({ share }) => share > 0)
      .sort((a, b) => b.share - a.share),
    peers: peers && {
      ...peers.peers,
      difference: difference(about, { ...profile, measure }, wanted.filter, peers.filter, accepts),
    },
    peerFilter: peers?.filter ?? null,
  };
}

/** Samples of one state. */
interface Stretch {
  state: ThreadState;
  part: SpanState;
  filter: Filter;
  value: bigint;
  /** Functions that stacks are in, and the value of the stacks that are in none. */
  rows: TopRow[];
  rest: bigint;
}

type About = (filter: Filter) => Views;

const RUNNING = { state: "running", part: "running" } as const;
const OTHER = { state: "other", part: "unknown" } as const;

type State = Pick<Stretch, "state" | "part" | "filter">;

/** The selection by state; in one piece where the profile knows no waits. */
function statesOf(profile: ProfileSummary, filter: Filter, about: About): State[] {
  const rest = timed(profile) ? RUNNING : OTHER;
  if (!hasWaits(profile)) return [{ ...rest, filter }];
  const known = stateFilters(filter, profile.samplesWithAttribute[STATE_KEY] !== undefined);
  return [...known.kinds, ...restByState(about(known.rest), { ...rest, filter: known.rest }, filter)];
}

/** The wall samples of threads that do something, by the part of the time. */
export function busySamples(held: Held, wall: ProfileSummary, filter: Filter): Stated[] {
  const about = (of: Filter) => held.about(wall.id, of);
  const each = wall.meaning.nanos;
  if (each === null) return [];
  const totals = held.totals(wall.id, filter);
  const busy = busyPart(held, { profile: wall, totals }, filter, statesOf(wall, filter, about));
  return statesOf(wall, busy.filter, about)
    .filter(({ part }) => part !== "idle")
    .map(({ part, filter: own }) => ({ part, profile: wall, filter: own, each }));
}

/** The selection without idle threads, and without the time in which others are. */
function busyPart(
  held: Held,
  { profile, totals }: { profile: ProfileSummary; totals: SelectionTotals },
  filter: Filter,
  states: readonly State[],
): { filter: Filter; totals: SelectionTotals } {
  if (states.length < 2) return { filter, totals };
  const active = states.filter(({ state }) => state === "running" || state === "blocked");
  const threads = idleThreads(
    held,
    profile,
    filter,
    active.map((each) => each.filter),
  );
  const busy = withoutThreads(filter, threads);
  const all = held.totals(profile.id, busy);
  const idle = states
    .filter(({ state }) => state === "idle")
    .map((each) => held.totals(profile.id, withoutThreads(each.filter, threads)));
  const left = idle.reduce(
    (sum, each) => ({ samples: sum.samples - each.samples, value: sum.value - each.value }),
    all,
  );
  return left.value > 0n ? { filter: busy, totals: left } : { filter, totals };
}

function* stretchesOf(states: readonly State[], about: About, accepts: Accepts): Generator<void, Stretch[]> {
  const stretches: Stretch[] = [];
  for (const each of states) {
    const views = about(each.filter);
    const { samples, value } = views.totals();
    if (samples === 0) continue;
    stretches.push({ ...each, value, ...views.topNearest(accepts, FUNCTIONS) });
    yield;
  }
  return stretches;
}

type Part = Omit<StoryPart, "caller"> & { filter: Filter };

function partsOf(stretches: readonly Stretch[], shareOf: (part: bigint) => number): Part[] {
  const byKey = new Map<string, Part>();
  for (const { state, filter, rows } of stretches) {
    for (const { name, self } of rows) {
      const key = `${state} ${name}`;
      const known = byKey.get(key);
      byKey.set(key, { name, state, filter: known?.filter ?? filter, share: (known?.share ?? 0) + shareOf(self) });
    }
  }
  // Idle threads are no cause, so they come last.
  const isIdle = ({ state }: Part) => Number(state === "idle");
  return [...byKey.values()]
    .filter(({ share }) => share > 0)
    .sort((a, b) => isIdle(a) - isIdle(b) || b.share - a.share);
}

/** Wall samples tell of waits too, so they come first where time is asked about. */
function profileFor(held: Held, profiles: readonly ProfileSummary[], { profile: id, filter, measure }: Selection) {
  const own = profiles.find((each) => each.id === id);
  const walls = own === undefined || timed(own) ? profiles.filter(isOfKind("wall")) : [];
  const [best] = [...walls, ...(own === undefined || walls.includes(own) ? [] : [own])]
    .map((profile) => {
      const totals = held.totals(profile.id, filter, profile.id === id ? measure : 0);
      const samples = observationsOf({ ...profile, measure: profile.id === id ? measure : 0 }, totals);
      return { profile, totals, samples };
    })
    .filter(({ samples, totals }) => samples !== 0 && totals.value > 0n)
    .sort((a, b) => Number(enough(b.samples)) - Number(enough(a.samples)));
  return best ?? null;
}

/** Samples from which shares are told. */
const ENOUGH = 5;

/** Of an unknown number of samples nothing says that they are few. */
export function enough(samples: number | null): boolean {
  return samples === null || samples >= ENOUGH;
}

/** What no wait explains, by the state that the recorder noted. */
function restByState(views: Views, of: State, filter: Filter): State[] {
  const { filter: rest } = of;
  const asked = (filter.attributes ?? []).some(({ key, exclude }) => key === STATE_KEY && exclude !== true);
  const { rows } = views.rank({ kind: "attribute", key: STATE_KEY }, 0, 20);
  if (rows.length === 0 || asked) return [of];
  const known = rows.map(({ label }) => ({
    state: threadState(label),
    part: recordedState(label),
    filter: { ...rest, attributes: [...(rest.attributes ?? []), { key: STATE_KEY, value: label }] },
  }));
  const unknown = rows.map(({ label }) => ({ key: STATE_KEY, value: label, exclude: true }));
  const without = {
    ...of,
    filter: { ...rest, attributes: [...(rest.attributes ?? []), ...unknown] },
  };
  return [...known, without];
}

function peersOf(held: Held, profiles: readonly ProfileSummary[], filter: Filter) {
  if (filter.span === undefined && filter.localRoot === undefined) return null;
  const views = held.about(null, filter);
  const { count, rows } = views.rank(ROOT, 0, MOST_ROOTS);
  const named = nameOf(
    views,
    profiles,
    rows.reduce((sum, { samples }) => sum + samples, 0),
  );
  if (named === null || count === 0 || count > MOST_ROOTS) return null;
  const other: Filter = {
    attributes: [named],
    not: { localRoot: rows.map(({ id }) => id) },
    ...(filter.file === undefined ? {} : { file: filter.file }),
    ...(filter.rawNames === true ? { rawNames: true } : {}),
  };
  const page = held.about(null, other).rank(ROOT, 0, MOST_PEERS);
  const peers = { ...named, requests: page.count, medianNanos: medianOf(page.rows), difference: null };
  return page.count === 0 ? null : { peers, filter: other };
}

/** The endpoint that nearly all selected samples have, else their operation. */
function nameOf(views: Views, profiles: readonly ProfileSummary[], all: number): { key: string; value: string } | null {
  for (const key of [...ENDPOINT_KEYS, ...OPERATION_KEYS]) {
    if (!profiles.some(({ samplesWithAttribute }) => Object.hasOwn(samplesWithAttribute, key))) continue;
    const [row] = views.rank({ kind: "attribute", key }, 0, 1, { sort: "samples" }).rows;
    if (row !== undefined && row.samples >= LEAST_NAMED * all) return { key, value: row.label };
  }
  return null;
}

function medianOf(rows: readonly RankRow[]): number | null {
  const nanos = rows.flatMap(({ first, last }) => (last > first ? [Number(last - first)] : [])).sort((a, b) => a - b);
  if (nanos.length < LEAST_PEERS) return null;
  const middle = nanos.length >> 1;
  return nanos.length % 2 === 1 ? nanos[middle]! : (nanos[middle - 1]! + nanos[middle]!) / 2;
}

function difference(
  about: About,
  profile: ProfileSummary & { measure: number },
  filter: Filter,
  other: Filter,
  accepts: Accepts,
): Peers["difference"] {
  const sharesOf = (selected: Filter) => {
    const views = about(selected);
    const totals = views.totals();
    const { value } = totals;
    const { rows } = views.topNearest(accepts, FUNCTIONS);
    return {
      samples: observationsOf(profile, totals) ?? 0,
      shares: new Map(rows.map(({ name, self }) => [name, Number(self) / Math.max(1, Number(value))])),
    };
  };
  const here = sharesOf(filter);
  const there = sharesOf(other);
  if (!enough(here.samples) || !enough(there.samples)) return null;
  const [first] = [...new Set([...here.shares.keys(), ...there.shares.keys()])]
    .map((name) => ({ name, share: here.shares.get(name) ?? 0, otherShare: there.shares.get(name) ?? 0 }))
    .filter(({ share, otherShare }) => {
      const [least, most] = likelyShare(share * here.samples, here.samples);
      const [otherLeast, otherMost] = likelyShare(otherShare * there.samples, there.samples);
      return Math.abs(share - otherShare) >= LEAST_DIFFERENCE && (least > otherMost || most < otherLeast);
    })
    .sort((a, b) => Math.abs(b.share - b.otherShare) - Math.abs(a.share - a.otherShare));
  return first ?? null;
}
