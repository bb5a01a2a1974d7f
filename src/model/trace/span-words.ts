/** Words about a span: its samples, or why it has none. */

import type { FileSummary, ProfileSummary } from "../../core/types.ts";
import { formatNanos } from "../words/format.ts";
import { samplesWithInferred } from "./coverage.ts";
import type { Reason } from "./reasons.ts";

const REASONS: Readonly<Record<Reason, string>> = {
  "other-process": "no recording",
  outside: "outside the recording",
  "no-context": "samples carry no span id",
  short: "too short to sample",
  unsampled: "no sample",
};

const EXPLAINED: Readonly<Record<Reason, string>> = {
  "other-process": "This span ran in another process than the recording.",
  outside: "The recording does not cover the time of this span.",
  "no-context": "No sample of the recording has a span id, neither recorded nor inferred.",
  short: "Its self time is shorter than the sampling interval of the recording, so most such spans have no sample.",
  unsampled: "No sample was taken while this span was active.",
};

export function reasonWords(reason: Reason): string {
  return REASONS[reason];
}

/** A sentence or two. */
export function reasonSentence(reason: Reason, self: number): string {
  return reason === "short" ? `Self time ${formatNanos(self)}. ${EXPLAINED.short}` : EXPLAINED[reason];
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
