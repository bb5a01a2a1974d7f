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
import type { ThreadState } from "../span-time/thread-states.ts";

/** A function, and the function of the same code that most of its calls come from; "" where no one did. */
export interface Path {
  name: string;
  caller: string;
}

/** Waits in a state that events state. */
export interface Wait extends Path {
  state: ThreadState;
  /** Of the events with the function on their stack. */
  nanos: number;
}

export interface Causes {
  /** The longest of each state and function first. */
  waits: Wait[];
  /** Null without allocations in application code. */
  allocates: Path | null;
}

export const NO_CAUSES: Causes = { waits: [], allocates: null };

const OF_MONITORS: AttributeFilter = { key: EVENT_KEY, value: MONITOR_WAIT };

/** Events that last as long as a thread waits, by the state that it is in. */
const WAITS: readonly { state: ThreadState; kind: ProfileKind; isSignal?: boolean }[] = [
  { state: "blocked", kind: "lock", isSignal: false },
  { state: "waiting", kind: "lock", isSignal: true },
  { state: "parked", kind: "park" },
  { state: "asleep", kind: "sleep" },
  { state: "io", kind: "socket" },
  { state: "io", kind: "file" },
];
/** Functions of a profile that are told apart. */
const FUNCTIONS = 3;
/** Width of the callers' drawing, which leaves rare ones out, and the part of the calls that makes one the caller. */
const CALLERS = 200;
const MOST_CALLS = 0.6;

export function* causesOf(
  held: Held,
  profiles: readonly ProfileSummary[],
  filter: Filter,
  accepts: Accepts,
): Generator<void, Causes> {
  const waits: Wait[] = [];
  for (const { state, kind, isSignal } of WAITS) {
    for (const profile of profiles.filter(isOfKind(kind))) {
      const own = withEvents(profile, filter, isSignal);
      const each = profile.meaning.nanos;
      if (own === null || each === null) continue;
      const views = held.about(profile.id, own);
      if (views.totals().samples === 0) continue;
      const rows = views.topNearest(accepts, FUNCTIONS).rows.filter(({ self }) => self > 0n);
      waits.push(
        ...rows.map(({ name, self }) => ({
          state,
          name,
          caller: callerOf(views, name, accepts),
          nanos: Number(self) * each,
        })),
      );
      yield;
    }
  }
  const alloc = profileOfKind(profiles, "alloc");
  return {
    waits: waits.sort((a, b) => b.nanos - a.nanos),
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
