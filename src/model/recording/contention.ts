/**
 * Contention of a profile of locks: calls of Object.wait wait for a signal, and an idle thread does nothing else. The
 * profile has them, because its recorder's events are of both; views and answers about it leave them out, unless the
 * filter names an event.
 */
import { EVENT_KEY, MONITOR_WAIT } from "../../core/tables/event-key.ts";
import type { Filter, ProfileSummary } from "../../core/types.ts";
import { formatCounted } from "../words/format.ts";

type Facts = Partial<Pick<ProfileSummary, "meaning" | "events">>;

/** The calls of Object.wait that a profile has beside contention; 0 where it is of one of them alone. */
function signalsOf({ meaning, events = {} }: Facts): number {
  const others = Object.keys(events).some((event) => event !== MONITOR_WAIT);
  return meaning?.kind === "lock" && others ? (events[MONITOR_WAIT] ?? 0) : 0;
}

/** The filter of the contention of a profile, and for other profiles the filter itself. */
export function contentionOf(profile: Facts, filter: Filter): Filter {
  const attributes = filter.attributes ?? [];
  if (signalsOf(profile) === 0 || attributes.some(({ key }) => key === EVENT_KEY)) return filter;
  return { ...filter, attributes: [...attributes, { key: EVENT_KEY, value: MONITOR_WAIT, exclude: true }] };
}

/** Of what the shares of contention are: the filter of all contention; null where they are of the whole profile. */
export function wholeContention(profile: Facts, filter: Filter): Filter | null {
  return contentionOf(profile, filter) === filter ? null : contentionOf(profile, {});
}

/** The filter without the condition that `contentionOf` adds: what the user asked for. */
export function askedOf(profile: Facts, filter: Filter): Filter {
  const { attributes = [], ...others } = filter;
  const isDefault = ({ key, value, exclude }: (typeof attributes)[0]) =>
    key === EVENT_KEY && value === MONITOR_WAIT && exclude === true;
  if (signalsOf(profile) === 0 || !attributes.some(isDefault)) return filter;
  const own = attributes.filter((each) => !isDefault(each));
  return own.length === 0 ? others : { ...others, attributes: own };
}

/** The note beside the figures of a profile that has such calls; empty for others. */
export function signalWords(profile: Facts): string[] {
  const signals = signalsOf(profile);
  return signals === 0 ? [] : [wordsOf(signals)];
}

/**
 * Why nothing is left of a profile under a filter of the user that so many samples pass, if all of them are such calls;
 * else null.
 */
export function onlySignals(profile: Facts, filter: Filter, samples: number): string | null {
  return samples === 0 || contentionOf(profile, filter) === filter ? null : wordsOf(samples);
}

function wordsOf(signals: number): string {
  const words = `${formatCounted(signals, "call")} of Object.wait`;
  return `Not contention: ${words}. The filter ${EVENT_KEY}=${MONITOR_WAIT} shows ${signals === 1 ? "it" : "them"}.`;
}
