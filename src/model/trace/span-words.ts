/** Words about a span: its samples, or why it has none. */

import type { FileSummary, ProfileSummary } from "../../core/types.ts";
import { formatNanos } from "../words/format.ts";
import { samplesWithInferred } from "./coverage.ts";
import type { Reason } from "./reasons.ts";

/** A span without samples. Times are ns. */
export interface Silence {
  reason: Reason;
  self: number;
  /** Of its self time within pauses of the collector. */
  paused: number;
  /** Shortest period of the profiles whose samples carry span ids, and of the wall profiles among them; 0 if none. */
  period: number;
  wall: number;
}

/** The columns of a trace that tell of spans without samples. */
interface SilentColumns {
  self: Float64Array;
  reason: Uint8Array;
  reasons: readonly Reason[];
  paused: Float64Array;
  periods: { all: number; wall: number };
}

/** Null for a span with samples. */
export function silenceAt({ self, reason, reasons, paused, periods }: SilentColumns, place: number): Silence | null {
  const why = reasons[(reason[place] ?? 0) - 1];
  const { all: period, wall } = periods;
  return why === undefined ? null : { reason: why, self: self[place] ?? 0, paused: paused[place] ?? 0, period, wall };
}

const HALF = 0.5;
/** A smaller share of the self time explains nothing. */
const NOTABLE = 0.1;

const REASONS: Readonly<Record<Reason, (silence: Silence) => string>> = {
  "other-process": () => "no recording",
  outside: () => "outside the recording",
  "no-context": () => "samples carry no span id",
  short: ({ self }) => `self ${formatNanos(self)}: too short to sample`,
  unsampled: ({ self, paused, wall }) => {
    if (paused >= HALF * self && paused > 0) return `paused for a collection ${formatNanos(paused)}`;
    if (wall === 0) return "no CPU sample";
    return self < wall ? "no sample" : "left out by the sampler";
  },
};

const EXPLAINED: Readonly<Record<Reason, (silence: Silence) => string>> = {
  "other-process": () => "This span ran in another process than the recording.",
  outside: () => "The recording does not cover the time of this span.",
  "no-context": () => "No sample of the recording has a span id, neither recorded nor inferred.",
  short: ({ self, period }) =>
    `Its self time is ${formatNanos(self)}, shorter than the sampling interval of ${formatNanos(period)}, so most such spans have no sample.`,
  unsampled: ({ self, paused, wall }) => {
    const pause = paused >= NOTABLE * self && paused > 0 ? ` A collection paused it for ${formatNanos(paused)}.` : "";
    const time = `self time of ${formatNanos(self)}`;
    if (wall === 0) return `No CPU sample was taken in its ${time}, and no wall sample carries a span id.${pause}`;
    const interval = `${formatNanos(wall)} between wall samples`;
    return self < wall
      ? `No CPU sample was taken in its ${time}, which is shorter than the ${interval}.${pause}`
      : `No sample was taken in its ${time}: with ${interval}, the sampler left its thread out.${pause}`;
  },
};

export function reasonWords(silence: Silence): string {
  return REASONS[silence.reason](silence);
}

/** A sentence or two. */
export function reasonSentence(silence: Silence): string {
  return EXPLAINED[silence.reason](silence);
}

/** Samples of a span in a profile. `shares`: a sample has a value in each of such profiles, as those of pprof have. */
interface Counted {
  samples: number;
  shares: boolean;
}

/** How many samples a span has in all profiles, as far as counts say it. */
export function samplesIn(counts: readonly Counted[]): number {
  const sum = counts.reduce((all, { samples, shares }) => (shares ? all : all + samples), 0);
  return sum + Math.max(0, ...counts.map(({ samples, shares }) => (shares ? samples : 0)));
}

/** Types of profiles of pprof: no event has their samples. */
export function sharedTypes(profiles: readonly ProfileSummary[], files: readonly FileSummary[]): ReadonlySet<string> {
  const isPprof = files.some(({ format }) => format === "pprof");
  const own = profiles.filter(({ events }) => isPprof && Object.keys(events).length === 0);
  return new Set(own.map(({ type }) => type));
}

/** `cpu 31, wall 12`, the largest first. */
export function sampleWords(samples: readonly { label: string; samples: number; inferred: number }[]): string {
  return [...samples]
    .filter(({ samples: n }) => n > 0)
    .sort((a, b) => b.samples - a.samples)
    .map(({ label, samples: n, inferred }) => `${label}: ${samplesWithInferred(n, inferred)}`)
    .join(", ");
}

/** The operation with its resource, where that says more: `servlet.request GET /checkout`. */
export function operationWords(name: string, resource: string): string {
  return resource === "" || resource === name ? name : `${name} ${resource}`;
}

/** The operation after its service. */
export function rootWords({ name, service, resource }: { name: string; service: string; resource: string }): string {
  const operation = operationWords(name, resource);
  return service === "" ? operation : `${service}: ${operation}`;
}
