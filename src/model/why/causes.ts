/**
 * What the samples of a story do not tell: the function in which the threads of a selection waited by their events, and
 * the function that allocates most, which is what a collection is for.
 */
import type { Accepts } from "../../core/answers/function-names.ts";
import type { Views } from "../../core/answers/views.ts";
import type { Held } from "../../core/held.ts";
import { EVENT_KEY, MONITOR_WAIT } from "../../core/tables/event-key.ts";
import { isOfKind, profileOfKind } from "../../core/tables/kinds.ts";
import type { AttributeFilter, Filter, ProfileKind, ProfileSummary } from "../../core/types.ts";
import { framesOf } from "../context/stack-states.ts";
import { exactPattern } from "../query/pattern.ts";
import type { SpanState } from "../span-time/states.ts";
import type { ThreadState } from "../span-time/thread-states.ts";
import { TASKS, withoutThreads } from "./idle-threads.ts";

/** A function, and the function of the same code that most of its calls come from; "" where no one did. */
export interface Path {
  name: string;
  caller: string;
}

/** Waits in a state that events state. */
export interface Wait extends Path {
  state: ThreadState;
  /** Of the events. */
  profile: number;
  /** Of the events with the function on their stack. */
  nanos: number;
  /** That waited so. */
  threads: number;
}

export interface Causes {
  /** The longest of each state and function first. */
  waits: Wait[];
  /** Of all waits in the code of `waits`, in ns. */
  waited: number;
  /** Null without allocations in application code. */
  allocates: Path | null;
}

export const NO_CAUSES: Causes = { waits: [], waited: 0, allocates: null };

/** The events of a profile that are told: without waits for the next task, and without idle threads. */
export interface ToldEvents {
  state: ThreadState;
  part: SpanState;
  profile: ProfileSummary;
  filter: Filter;
  /** Nanoseconds of 1 of its value. */
  each: number;
}

const OF_MONITORS: AttributeFilter = { key: EVENT_KEY, value: MONITOR_WAIT };

/** Events that last as long as a thread waits, by the state that it is in. */
const WAITS: readonly { state: ThreadState; part: SpanState; kind: ProfileKind; isSignal?: boolean }[] = [
  { state: "blocked", part: "lock", kind: "lock", isSignal: false },
  { state: "waiting", part: "wait", kind: "lock", isSignal: true },
  { state: "parked", part: "park", kind: "park" },
  { state: "asleep", part: "sleep", kind: "sleep" },
  { state: "io", part: "socket", kind: "socket" },
  { state: "io", part: "file", kind: "file" },
];
/** Functions of a profile that are told apart. */
const FUNCTIONS = 3;
/** Width of the callers' drawing, which leaves rare ones out, and the part of the calls that makes one the caller. */
const CALLERS = 200;
const MOST_CALLS = 0.6;
const THREAD = { kind: "attribute", key: "thread.name" } as const;
/** Threads whose waits are looked at, those that wait longest. */
const THREADS = 100;

/** A thread of a busy program is idle if it waits outside of tasks for nearly all the time, or long and hardly runs. */
const WHOLE = 0.8;
const LONG = 0.3;
const HARDLY = 0.02;
/** Time on processors as a part of the time of the selection, from which waits are not the story of a program. */
const LEAST_BUSY = 0.1;

/** `extent`: from first to last sample, in ns; `ran`: time on processors. */
export function toldEvents(
  held: Held,
  profiles: readonly ProfileSummary[],
  filter: Filter,
  { extent, ran }: { extent: number; ran: number },
): ToldEvents[] {
  const { span, localRoot, spans } = filter;
  const isBusy = ran >= LEAST_BUSY * extent && [span, localRoot, spans].every((each) => each === undefined);
  const cpu = isBusy ? profiles.find(isOfKind("cpu")) : undefined;
  const running = cpu === undefined ? null : byThread(held.about(cpu.id, filter), cpu.meaning.nanos ?? 0);
  const isIdle = (name: string, nanos: number) =>
    nanos >= WHOLE * extent || (nanos >= LONG * extent && (running?.get(name) ?? 0) <= HARDLY * nanos);
  return WAITS.flatMap(({ state, part, kind, isSignal }) =>
    profiles.filter(isOfKind(kind)).flatMap((profile): ToldEvents[] => {
      const each = profile.meaning.nanos;
      const events = withEvents(profile, filter, isSignal);
      if (events === null || each === null) return [];
      const own = withoutIdle(held, profile, events, state, isBusy ? isIdle : null);
      return held.totals(profile.id, own).samples === 0 ? [] : [{ state, part, profile, filter: own, each }];
    }),
  );
}

export function* causesOf(
  held: Held,
  profiles: readonly ProfileSummary[],
  filter: Filter,
  accepts: Accepts,
  told: readonly ToldEvents[],
): Generator<void, Causes> {
  const waits: Wait[] = [];
  let waited = 0;
  for (const { state, profile, filter: own, each } of told) {
    const { rows } = held.about(profile.id, own).topNearest(accepts, FUNCTIONS);
    for (const { name, self } of rows.filter((row) => row.self > 0n)) {
      const ofName = held.about(profile.id, {
        ...own,
        frames: [...(own.frames ?? []), { pattern: exactPattern(name) }],
      });
      const threads = ofName.rank(THREAD, 0, 0).count;
      const path = { name, caller: callerOf(ofName, name, accepts) };
      waits.push({ state, profile: profile.id, ...path, nanos: Number(self) * each, threads });
      waited += Number(self) * each;
    }
    yield;
  }
  const alloc = profileOfKind(profiles, "alloc");
  return {
    waits: waits.sort((a, b) => b.nanos - a.nanos),
    waited,
    allocates: alloc === undefined ? null : hottestOf(held, [alloc], filter, accepts),
  };
}

/** The events of a profile of locks that wait for a monitor, or those that wait for its signal; null without any. */
function withEvents({ events }: ProfileSummary, filter: Filter, isSignal?: boolean): Filter | null {
  const names = Object.keys(events);
  if (isSignal === undefined) return filter;
  if (names.length < 2) return (names[0] === MONITOR_WAIT) === isSignal ? filter : null;
  if (!names.includes(MONITOR_WAIT)) return isSignal ? null : filter;
  return { ...filter, attributes: [...(filter.attributes ?? []), { ...OF_MONITORS, exclude: !isSignal }] };
}

/** Without waits for the next task, and without idle threads where they are to be found. */
function withoutIdle(
  held: Held,
  { id, meaning }: ProfileSummary,
  filter: Filter,
  state: ThreadState,
  isIdle: ((name: string, nanos: number) => boolean) | null,
): Filter {
  const frames = state === "waiting" ? framesOf("wait", ["idle", "wait"]) : framesOf(null, ["idle"]);
  const own = { ...filter, frames: [...(filter.frames ?? []), ...frames] };
  if (state === "blocked" || isIdle === null) return own;
  const outside = { ...own, frames: [...own.frames, { pattern: TASKS, exclude: true }] };
  const threads = [...byThread(held.about(id, outside), meaning.nanos ?? 0)];
  return withoutThreads(
    own,
    threads.flatMap(([name, nanos]) => (name !== "" && isIdle(name, nanos) ? [name] : [])),
  );
}

/** Time of each thread, in ns. */
function byThread(views: Views, each: number): Map<string, number> {
  const { rows } = views.rank(THREAD, 0, THREADS);
  return new Map(rows.map(({ label, value }) => [label, Number(value) * each]));
}

/** The hottest such function of the first profile that has samples of it. */
export function hottestOf(
  held: Held,
  profiles: readonly ProfileSummary[],
  filter: Filter,
  accepts: Accepts,
): Path | null {
  for (const { id } of profiles) {
    const views = held.about(id, filter);
    if (views.totals().samples === 0) continue;
    const [first] = views.topNearest(accepts, 1).rows;
    if (first !== undefined) return { name: first.name, caller: callerOf(views, first.name, accepts) };
  }
  return null;
}

/** The nearest such function that most of the calls of a function come from. */
export function callerOf(views: Views, name: string, accepts: Accepts): string {
  const grouping = { kind: "callers-of", name } as const;
  const { frames } = views.regroup({ grouping, path: [], width: CALLERS });
  const all = frames.total[0] ?? 0;
  for (let row = 0; ; ) {
    let next = -1;
    frames.parent.forEach((parent, i) => {
      if (i > 0 && parent === row && (next < 0 || frames.total[i]! > frames.total[next]!)) next = i;
    });
    if (next < 0 || frames.total[next]! < MOST_CALLS * all) return "";
    const caller = frames.names[frames.name[next]!] ?? "";
    if (caller !== name && accepts(caller, frames.library?.[frames.name[next]!])) return caller;
    row = next;
  }
}
