/** Words of the view of operations. */
import type { TimeRange } from "../../core/types.ts";
import type { Outline } from "../../core/view-types.ts";
import type { SpanRegion } from "../query/query.ts";
import { formatCounted, formatNanos } from "../words/format.ts";
import { formatSpan } from "../words/moments.ts";
import { visible } from "../words/text.ts";
import { LEAST_EXTENT } from "./operations.ts";

/** Where durations are from (requests/api/operations-api.ts). */
export const SOURCES = {
  files: "Durations are those of the trace files.",
  recordings: "Durations are those of the spans that the recordings know.",
  ends: "≥: each is counted from its first sample to its end as the recording states it, else to its last sample.",
  roots: "≥: no trace states how long they took. Each is counted from its first sample to its last one.",
} as const;

/** Whether durations are lower bounds: a profiler sees a request no earlier than it begins. */
export function isLeast(source: keyof typeof SOURCES): boolean {
  return source === "roots" || source === "ends";
}

/** Which other requests some are beside. */
export const OTHERS = {
  selection: " of the selection",
  endpoint: " of this endpoint",
  operation: " of this operation",
  all: "",
} as const;

/** In place of a duration that nothing tells. */
export const NO_DURATION = "–";

/** A duration by its source: a local root that only its samples know took at least so long. */
export function durationWords(nanos: number | bigint, source: keyof typeof SOURCES): string {
  if (!isLeast(source)) return formatNanos(nanos);
  return nanos < LEAST_EXTENT ? NO_DURATION : `≥ ${formatNanos(nanos)}`;
}

/** What is known of an id: `GET /books · ≥ 415 ms · 12 samples · 7 spans` */
export function cardWords({ endpoint, operation, stated, time, split, spans }: Outline): string {
  const extent = time === null ? NO_DURATION : durationWords(time.to - time.from, "roots");
  const duration = stated === undefined ? extent : formatNanos(stated.duration);
  const samples = split.reduce((sum, { totals }) => sum + totals.samples, 0);
  const parts = [
    endpoint || operation || (stated?.name ?? ""),
    duration === NO_DURATION ? "" : duration,
    formatCounted(samples, "sample"),
    formatCounted(stated?.spans ?? spans, "span"),
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

/** `unstated`: spans whose duration is not of this source. */
export function sourceWords(source: keyof typeof SOURCES, unstated = 0): string {
  if (unstated === 0 || isLeast(source)) return SOURCES[source];
  return `${SOURCES[source]} ≥: no trace knows ${formatCounted(unstated, "request")}, counted from first to last sample.`;
}

/** Where durations are from, some of which may not be of the source of the others. */
export function sourceWith(source: keyof typeof SOURCES, unstated: number): keyof typeof SOURCES {
  return unstated > 0 ? "roots" : source;
}

/** `3 endpoints, 60 requests.` or `13 operations, 310 spans.` */
export function tableWords(of: "requests" | "spans", operations: number, spans: number): string {
  const [row, item] = of === "requests" ? ["endpoint", "request"] : ["operation", "span"];
  return `${formatCounted(operations, row)}, ${formatCounted(spans, item)}.`;
}

export function operationName(operation: string): string {
  return visible(operation, 200) || "(no name)";
}

/** `start +0:01.2 · 2 s, duration 1 ms – 10 ms`. `zero`: where starts count from. */
export function regionWords({ start, duration }: SpanRegion, zero: bigint): string {
  return `start ${formatSpan(start.from - zero, start.to - zero)}, duration ${rangeWords(duration)}`;
}

function rangeWords({ from, to }: TimeRange): string {
  return from === 0n ? `up to ${formatNanos(to)}` : `${formatNanos(from)} – ${formatNanos(to)}`;
}
