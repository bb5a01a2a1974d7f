/** Words about a span: its samples, or why it has none. */

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
  "no-context": "No sample of the recording carries a span id, so none can be assigned to this span.",
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
