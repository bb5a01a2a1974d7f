/**
 * Limits of the recorder's settings in words: "Waits under 10 ms are not recorded." Values come as the recorder wrote
 * them: `10 ms` and `300/s` by the JDK, plain nanoseconds or bytes by ddprof and async-profiler.
 */
import type { PeriodSummary, ProfileSummary, Setting } from "../../core/types.ts";
import { formatBytes, formatCounted, formatNanos } from "../words/format.ts";
import { lossSentence } from "./loss-words.ts";

/** Nouns for events with a threshold: among others of their profile, where all have the same one, where it is off. */
type Nouns = [own: string, shared: string, off: string];

const NOUNS: ReadonlyMap<string, Nouns> = new Map(
  Object.entries({
    "jdk.JavaMonitorEnter": ["waits to enter a monitor", "Waits", "Waiting to enter a monitor"],
    "jdk.JavaMonitorWait": ["Object.wait calls", "Waits", "Object.wait"],
    "jdk.JavaMonitorInflate": ["inflations", "Inflations", "Monitor inflation"],
    "jdk.ThreadPark": ["parks", "Parks", "Parking"],
    "jdk.ThreadSleep": ["sleeps", "Sleeps", "Sleeping"],
    "jdk.VirtualThreadPinned": ["pinned blocks", "Pinned blocks", "Pinning"],
    "jdk.SocketRead": ["reads", "Reads", "Socket reading"],
    "jdk.SocketWrite": ["writes", "Writes", "Socket writing"],
    "jdk.FileRead": ["reads", "Reads", "File reading"],
    "jdk.FileWrite": ["writes", "Writes", "File writing"],
    "jdk.FileForce": ["forced writes", "Forced writes", "Forced writing"],
    "jdk.MethodTrace": ["calls", "Calls", "Method tracing"],
    "jdk.ObjectAllocationInNewTLAB": ["allocations", "Allocations", "Allocation in new TLABs"],
    "jdk.ObjectAllocationOutsideTLAB": ["allocations", "Allocations", "Allocation outside of TLABs"],
    "datadog.QueueTime": ["waits in a queue", "Waits in a queue", "Waiting in a queue"],
  }),
);

const UNKNOWN: Nouns = ["events", "Events", ""];

const NANOS: ReadonlyMap<string, number> = new Map(
  Object.entries({ ns: 1, us: 1e3, ms: 1e6, s: 1e9, m: 60e9, min: 60e9, h: 3600e9, d: 86400e9 }),
);
const RATES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ns: "nanosecond",
    us: "microsecond",
    ms: "millisecond",
    s: "second",
    m: "minute",
    h: "hour",
    d: "day",
  }),
);

/** Sentences on a profile's settings, the telling ones first. */
export function settingSentences(profile: ProfileSummary): string[] {
  const { periodType, periodUnit, period, periods = [] } = profile;
  const off = eventsOff(profile.settings);
  // The other settings of an event that is off hold for nothing.
  const settings = profile.settings.filter(({ event }) => !off.includes(event));
  const every = profile.statedPeriod === undefined ? distances(settings, periodType, periodUnit) : [];
  if (profile.statedPeriod === undefined && every.length === 0) {
    const known = (periods.length === 0 ? [period] : periods.map((each) => each.period)).filter((each) => each > 0n);
    if (periodUnit === "nanoseconds") every.push(...known.map(formatNanos));
    if (periodUnit === "bytes") every.push(...known.map(formatBytes));
  }
  const unit = periodUnit === "bytes" && /alloc/.test(periodType) ? " allocated" : "";
  return [
    ...[lossSentence(profile) ?? []].flat(),
    ...thresholds(settings),
    ...(every.length === 0 ? [] : [`One sample every ${either(every)}${unit}.`]),
    ...tickSentences(profile),
    ...periodWords(profile, periods),
    ...["throttle", "ratelimit"].flatMap((name) => valuesOf(settings, name)).flatMap(throttleWords),
    ...shortWaits(settings),
    ...valuesOf(settings, "cutoff").map((value) => `Reference chains were searched for ${duration(value)} at most.`),
    ...off.map(offWords),
  ];
}

/** Why samples count with another interval than the recording states. */
export function tickSentences(profile: ProfileSummary): string[] {
  const { periods = [profile] } = profile;
  return periods.flatMap(({ period, statedPeriod }) => {
    if (statedPeriod === undefined) return [];
    const tick = formatNanos(period);
    const stated = `The recording states one sample every ${formatNanos(statedPeriod)}`;
    const fact = `hardly any two of a thread are closer than ${tick}: the kernel's timer is coarser`;
    return [`${stated}, but ${fact}. Each counts ${tick} of CPU time.`];
  });
}

/** How samples that were taken with several periods are added up. */
function periodWords({ measures }: ProfileSummary, periods: readonly PeriodSummary[]): string[] {
  const [measure] = measures;
  const time = periods.reduce((sum, { period, value }) => sum + period * value, 0n);
  const unknown = periods.find(({ period }) => period === 0n);
  if (periods.length < 2 || measure === undefined) return [];
  if (unknown === undefined) return measure.value === time ? ["Each sample is weighted by its interval."] : [];
  if (measure.unit !== "samples" && measure.unit !== "count") return [];
  const without = `${formatCounted(unknown.samples, "sample")} without a known interval`;
  return [`Samples are counted, not timed, because of ${without}.`];
}

/** Which of the events a recording without any sample had switched on or off. */
export function switchSentences(events: readonly string[], settings: readonly Setting[]): string[] {
  return events.flatMap((each) => {
    const own = settings.filter(({ event, name }) => event === each && name === "enabled");
    if (own.length === 0) return [];
    if (eventsOff(own).length > 0) return [`${each} was off.`];
    return [`${each} was on, but the recording has no such event.`];
  });
}

/** Why a profile may be missing, as far as settings say. `events` are those it would be made of. */
export function absenceSentences(events: readonly string[], settings: readonly Setting[]): string[] {
  const own = settings.filter(({ event }) => events.includes(event));
  const enabled = valuesOf(own, "enabled");
  if (enabled.length > 0 && enabled.every((value) => value === "false"))
    return ["It was switched off in this recording."];
  const off = eventsOff(own);
  const on = own.filter(({ event, value }) => !off.includes(event) && !/^0( |$)/.test(value));
  return [...thresholds(on), ...off.map(offWords)];
}

/** Events that all settings switch off. */
export function eventsOff(settings: readonly Setting[]): string[] {
  const events = new Set(settings.flatMap(({ event, name }) => (name === "enabled" ? [event] : [])));
  return [...events].filter((each) =>
    settings.every(({ event, name, value }) => event !== each || name !== "enabled" || value === "false"),
  );
}

function offWords(event: string): string {
  const [, , off] = NOUNS.get(event) ?? UNKNOWN;
  return off === "" ? `${event} is off.` : `${off} is not recorded (${event} is off).`;
}

function thresholds(settings: readonly Setting[]): string[] {
  const byEvent = new Map<string, string[]>();
  for (const { event, name, value } of settings) {
    if (name === "threshold") byEvent.set(event, [...(byEvent.get(event) ?? []), duration(value)]);
  }
  const under = (values: string[]) => `under ${either(values)}`;
  const all = [...byEvent].map(([event, values]) => [NOUNS.get(event) ?? UNKNOWN, under(values)] as const);
  if (new Set(all.map(([, limit]) => limit)).size > 1)
    return [`Not recorded: ${all.map(([[own], limit]) => `${own} ${limit}`).join(", ")}.`];
  return [...new Set(all.map(([[, shared], limit]) => `${shared} ${limit} are not recorded.`))];
}

/** Distances of samples. async-profiler states those of all its modes beside each other; the period's type picks. */
function distances(settings: readonly Setting[], periodType: string, periodUnit: string): string[] {
  const plain = (value: string) => (periodUnit === "bytes" ? formatBytes(Number(value)) : formatNanos(Number(value)));
  const other = periodType === "wall" ? "" : "wall";
  return settings.flatMap(({ name, value }) => {
    if (name === "period") return /\d/.test(value) ? duration(value) : [];
    if (!["interval", "wall", "alloc", "nativemem"].includes(name) || name === other || periodUnit === "") return [];
    // 0 is the recorder's default, which is the period if it is known.
    return /^0*[1-9]\d*$/.test(value) ? plain(value) : [];
  });
}

/** `300/s`, or, of jdk.CPUTimeSample, a distance in CPU time: `5ms`. */
function throttleWords(value: string): string[] {
  const [, count, unit = "s"] = /^(\d+)(?:\/([a-z]+))?$/.exec(value) ?? [];
  if (count !== undefined) return [`At most ${count} a ${RATES.get(unit) ?? unit}.`];
  return nanosOf(value) === null ? [] : [`One sample every ${duration(value)} of CPU time.`];
}

/** Older async-profilers take lock=… as a threshold, newer ones as a distance: either way short waits are missing. */
function shortWaits(settings: readonly Setting[]): string[] {
  const named = settings.filter(({ name, value }) => /^(native)?lock$/.test(name) && /^\d+$/.test(value));
  return [
    ...new Set(named.map(({ name, value }) => `Short waits are left out (${name}=${formatNanos(Number(value))}).`)),
  ];
}

function valuesOf(settings: readonly Setting[], name: string): string[] {
  return [...new Set(settings.filter((setting) => setting.name === name).map(({ value }) => value))];
}

/** Files that were recorded with other settings say other values. */
function either(values: readonly string[]): string {
  return [...new Set(values)].join(" or ");
}

/** `100 us` as `100 µs`; other texts stay as they are. */
function duration(value: string): string {
  const nanos = nanosOf(value);
  return nanos === null ? value : formatNanos(nanos);
}

/** Nanoseconds of a duration as the JDK writes it; null for another text. */
export function nanosOf(value: string): number | null {
  const [, number, unit = ""] = /^(\d+) ?([a-z]+)$/.exec(value) ?? [];
  const size = NANOS.get(unit);
  return number === undefined || size === undefined ? null : Number(number) * size;
}
