/** Coverage of profiles by context: samples whose events carry a span id, and samples with an inferred one. */
import type { EventType, InferredBy, ProfileSummary } from "../../core/types.ts";
import { formatCount, formatCounted, formatPercent, formatProfileValue } from "../words/format.ts";
import type { Weighed } from "../words/measure.ts";

export interface Coverage {
  type: string;
  samples: number;
  /** With a span id in the event. */
  own: number;
  /** With an inferred span. */
  inferred: number;
}

export function coverageOf(profiles: readonly ProfileSummary[]): Coverage[] {
  return profiles
    .filter(({ samples }) => samples > 0)
    .map(({ type, samples, samplesWithSpan, inferredSpan = 0 }) => {
      return { type, samples, own: samplesWithSpan, inferred: inferredSpan };
    });
}

/** Samples of all profiles by the rule of their inferred context. */
export function inferredByRule(profiles: readonly ProfileSummary[]): InferredBy {
  const sum: InferredBy = { scope: 0, trace: 0, neighbours: 0 };
  for (const { inferredBy } of profiles) {
    if (inferredBy === undefined) continue;
    for (const rule of RULES) sum[rule] += inferredBy[rule];
  }
  return sum;
}

/** Whether any sample has inferred context. */
export function hasInferred(profiles: readonly ProfileSummary[]): boolean {
  return Object.values(inferredByRule(profiles)).some((n) => n > 0);
}

/** Why each rule gives an event its context (docs/context.md). */
export const RULE_WORDS: Readonly<Record<keyof InferredBy, string>> = {
  scope: "its thread was in the scope of the span",
  trace: "a span of the trace names its thread, and lasted as long as the event or longer",
  neighbours: "samples of its thread before and after it have this context",
};

/** In the order of their numbers (assembly/abi/context-rule.ts). */
export const RULES = Object.keys(RULE_WORDS) as (keyof InferredBy)[];

/** `12 by scope: its thread was in the scope of the span` for each rule that a profile has samples by. */
export function inferredTitle({ inferredBy }: Pick<ProfileSummary, "inferredBy">): string {
  const used = RULES.filter((rule) => (inferredBy?.[rule] ?? 0) > 0);
  return `Their events carry no span id. By rule: ${used.map((rule) => `${formatCount(inferredBy?.[rule] ?? 0)} by ${rule}: ${RULE_WORDS[rule]}`).join("; ")}.`;
}

/** `412 samples, 130 of them inferred`. */
export function samplesWithInferred(samples: number, inferred: number): string {
  const counted = formatCounted(samples, "sample");
  return inferred === 0 ? counted : `${counted}, ${formatCount(inferred)} of them inferred`;
}

/** `130 samples with inferred context (38 %)` of a frame's total; "" without such samples. */
export function inferredInFrame(inferred: number, total: number, profile: Weighed): string {
  if (inferred === 0) return "";
  return `${formatProfileValue(inferred, profile)} with inferred context (${formatPercent(inferred, total)})`;
}

/** `38 % inferred`: the same beside the name in a row of a table. */
export function inferredShare(inferred: number, total: number): string {
  return `${formatPercent(inferred, total)} inferred`;
}

interface Sources {
  profiles: readonly ProfileSummary[];
  files: readonly { chunks: readonly { events: Readonly<Record<string, number>> }[] }[];
  eventTypes: readonly EventType[];
}

/** Events that state when a thread was in a span. */
const SCOPE_EVENTS = ["datadog.Timeline", "io.opentelemetry.context.Scope", "profiler.Span", "datadog.Endpoint"];

/** Whether a recording has anything from which context can be inferred. */
export function canInfer({ profiles, files, eventTypes }: Sources): boolean {
  return (
    profiles.some(({ samplesWithSpan, samplesWithRoot }) => samplesWithSpan + samplesWithRoot > 0) ||
    eventTypes.some(({ contextFields, count }) => contextFields.length > 0 && count > 0) ||
    files.some(({ chunks }) => chunks.some(({ events }) => SCOPE_EVENTS.some((event) => (events[event] ?? 0) > 0)))
  );
}
