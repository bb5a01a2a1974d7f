/** The trace of a report: waterfall, where the time went, coverage of context, operations. Tables and SVG only. */

import type { InferredBy } from "../core/types.ts";
import type { BreakdownPart } from "../model/span-time/breakdown.ts";
import { intervalWords, PART_WORDS } from "../model/span-time/words.ts";
import { type Coverage, inferredTitle, samplesWithInferred } from "../model/trace/coverage.ts";
import { durationWords, operationName, type SOURCES, sourceWith, sourceWords } from "../model/trace/operation-words.ts";
import type { OperationRow } from "../model/trace/operations.ts";
import { operationWords, rootWords } from "../model/trace/span-words.ts";
import { serviceHue } from "../model/trace/waterfall.ts";
import { formatCount, formatCounted, formatNanos, formatPercent } from "../model/words/format.ts";
import { hexId } from "../model/words/ids.ts";
import { formatMoment } from "../model/words/moments.ts";
import { visible } from "../model/words/text.ts";
import { escapeText } from "./escape.ts";
import { tableSection } from "./table.ts";

/** Spans and operations in the tables. */
export const REPORT_SPANS = 300;
export const REPORT_OPERATIONS = 50;
const NAME_ROOM = 160;
const DEEPEST = 12;
const BAR_WIDTH = 300;
const BAR_HEIGHT = 12;
const NARROWEST = 1;
const INDENT = 10;
const ERROR = 2;

/** Columns of spans, a parent before its children; times are ns after the start. */
export interface ReportTrace {
  trace: string;
  name: string;
  service: string;
  resource: string;
  start: bigint;
  duration: number;
  spans: number;
  errors: number;
  depth: Uint32Array;
  from: Float64Array;
  length: Float64Array;
  self: Float64Array;
  critical: Float64Array;
  /** Indexes in `texts`. */
  nameOf: Uint32Array;
  resourceOf: Uint32Array;
  serviceOf: Uint32Array;
  texts: readonly string[];
  status: Uint8Array;
  /** `inferred`: samples whose context is inferred. */
  profiles: readonly { samples: Float64Array; inferred: Float64Array }[];
}

export interface ReportSpanTime {
  /** Name of the span or request. */
  name: string;
  /** Ns. */
  duration: number;
  /** Wall samples with the context in their events, and with inferred context. */
  samples: number;
  inferredSamples: number;
  breakdown: readonly BreakdownPart[];
}

export interface ReportRequestTime extends ReportSpanTime {
  source: keyof typeof SOURCES;
  requests: number;
  /** Requests whose samples are counted. */
  counted: number;
  rest: { breakdown: readonly BreakdownPart[]; counted: number } | null;
  /** Times are ns since 1970, and ns. */
  longest: readonly { operation: string; service: string; start: bigint; duration: number; id: bigint }[];
}

export interface ReportTraces {
  trace: ReportTrace | null;
  time: ReportSpanTime | null;
  /** Of the requests of the selection together; absent where no requests are selected. */
  requests?: ReportRequestTime | null;
  operations: { of: "requests" | "spans"; source: keyof typeof SOURCES; count: number; rows: readonly OperationRow[] };
  /** Samples with a span, before and after inference. */
  coverage: readonly Coverage[];
  /** Null where context is not inferred. */
  inferredBy: InferredBy | null;
}

export function tracesSection({ trace, requests, operations, coverage, inferredBy }: ReportTraces): string {
  return joined([
    trace && waterfall(trace),
    requests && requestList(requests),
    operationTable(operations),
    coverageTable(coverage, inferredBy),
  ]);
}

/** Where the time of the selection went. */
export function timeSections({ time, requests }: ReportTraces): string {
  return joined([time && timeSection(time), requests && requestSection(requests)]);
}

function joined(sections: readonly (string | null | undefined)[]): string {
  return sections.map((section) => (section ? `${section}\n` : "")).join("");
}

function waterfall(trace: ReportTrace): string {
  const shown = Math.min(trace.depth.length, REPORT_SPANS);
  const rows = Array.from({ length: shown }, (_, place) => spanRow(trace, place));
  const errors = trace.errors === 0 ? "" : `, ${formatCounted(trace.errors, "error")}`;
  const facts = `${visible(rootWords(trace), NAME_ROOM)}: ${formatNanos(trace.duration)}, ${formatCounted(trace.spans, "span")}${errors}, ${formatMoment(trace.start)}, trace ${trace.trace}.`;
  const more = trace.spans > shown ? ` The first ${formatCount(shown)}:` : "";
  return tableSection("trace", "Trace", `${facts}${more} Solid bars are on the critical path.`, [
    ["span", "time", "duration", "self", "samples"],
    ...rows,
  ]);
}

function spanRow(trace: ReportTrace, place: number): string[] {
  const text = (column: Uint32Array) => trace.texts[column[place] ?? 0] ?? "";
  const operation = operationWords(text(trace.nameOf), text(trace.resourceOf)) || "(no name)";
  const depth = trace.depth[place] ?? 0;
  const samples = trace.profiles.reduce((sum, profile) => sum + (profile.samples[place] ?? 0), 0);
  const inferred = trace.profiles.reduce((sum, profile) => sum + (profile.inferred[place] ?? 0), 0);
  const error = trace.status[place] === ERROR ? " (error)" : "";
  const indent = `<svg width="${INDENT * Math.min(depth, DEEPEST)}" height="1" aria-hidden="true"></svg>`;
  return [
    `${depth === 0 ? "" : indent}<bdi>${escapeText(visible(operation, NAME_ROOM))}${error}</bdi>`,
    bar(trace, place),
    formatNanos(trace.length[place] ?? 0),
    formatNanos(trace.self[place] ?? 0),
    samples === 0 ? "" : `${formatCount(samples)}${inferred === 0 ? "" : ` (${formatCount(inferred)} inferred)`}`,
  ];
}

/** The policy of a report allows no inline styles: colours are attributes. */
function bar({ duration, from, length, critical, serviceOf }: ReportTrace, place: number): string {
  const scale = duration === 0 ? 0 : BAR_WIDTH / duration;
  const width = Math.max(NARROWEST, (length[place] ?? 0) * scale);
  const x = Math.min(BAR_WIDTH - width, (from[place] ?? 0) * scale);
  const hue = serviceHue(serviceOf[place] ?? 0).toFixed(0);
  const opacity = (critical[place] ?? 0) > 0 ? "1" : "0.45";
  return `<svg width="${BAR_WIDTH}" height="${BAR_HEIGHT}" viewBox="0 0 ${BAR_WIDTH} ${BAR_HEIGHT}" aria-hidden="true"><rect x="${x.toFixed(1)}" y="1" width="${width.toFixed(1)}" height="${BAR_HEIGHT - 2}" fill="oklch(0.6 0.13 ${hue})" fill-opacity="${opacity}"/></svg>`;
}

function timeSection({ name, duration, samples, inferredSamples, breakdown }: ReportSpanTime): string {
  const rows = breakdown.map((row) => [
    escapeText(PART_WORDS[row.part].name),
    formatNanos(Number(row.nano)),
    formatPercent(Number(row.nano), duration),
    intervalWords(row),
    escapeText(PART_WORDS[row.part].about),
  ]);
  const wall = samplesWithInferred(samples + inferredSamples, inferredSamples);
  const about = `${visible(name, NAME_ROOM)}: ${formatNanos(duration)}. Wall has ${wall} of it. The parts add up to it; intervals are at 95 % (Wilson).`;
  return tableSection("time", "Where the time went", about, [["part", "time", "%", "interval", "meaning"], ...rows]);
}

function requestSection(time: ReportRequestTime): string {
  const { name, source, requests, counted, duration, samples, inferredSamples, breakdown, rest } = time;
  const each = (nano: bigint | undefined, of: number) => formatNanos(Number(nano ?? 0n) / of);
  const rows = breakdown.map((row) => [
    escapeText(PART_WORDS[row.part].name),
    formatNanos(Number(row.nano)),
    formatPercent(Number(row.nano), duration),
    intervalWords(row),
    each(row.nano, counted),
    ...(rest === null ? [] : [each(rest.breakdown.find(({ part }) => part === row.part)?.nano, rest.counted)]),
  ]);
  const wall = samplesWithInferred(samples + inferredSamples, inferredSamples);
  const some = counted < requests ? `, of which ${formatCount(counted)}, spread evenly, are counted` : "";
  const others = rest === null ? "" : ` Others: the average of ${formatCounted(rest.counted, "other request")}.`;
  const about = `${visible(name, NAME_ROOM)}: ${formatCounted(requests, "request")}${some}, ${durationWords(duration, source)} together. Wall has ${wall} of them. The parts add up to it; requests at the same time each count in full.${others}`;
  const heads = ["part", "time", "%", "interval", "each", ...(rest === null ? [] : ["others"])];
  return tableSection("requests", "Where the time of the requests went", about, [heads, ...rows]);
}

function requestList({ source, requests, longest }: ReportRequestTime): string {
  const rows = longest.map(({ operation, service, start, duration, id }) => [
    `<bdi>${escapeText(visible(operation, NAME_ROOM) || "(no name)")}</bdi>`,
    `<bdi>${escapeText(visible(service, NAME_ROOM))}</bdi>`,
    escapeText(formatMoment(start)),
    durationWords(duration, source),
    hexId(id),
  ]);
  const which = requests > rows.length ? `The longest ${rows.length} of ${formatCount(requests)}.` : "All of them.";
  return tableSection("request-list", "Requests of the selection", which, [
    ["operation", "service", "start", "duration", "id"],
    ...rows,
  ]);
}

function operationTable({ of, source, count, rows }: ReportTraces["operations"]): string {
  if (rows.length === 0) return "";
  const lines = rows.map(({ operation, spans, unstated, p50, p95, max }) => [
    `<bdi>${escapeText(operationName(operation))}</bdi>`,
    formatCount(spans),
    ...[p50, p95, max].map((nano) => durationWords(nano, sourceWith(source, unstated))),
  ]);
  const which =
    count > rows.length
      ? `The ${rows.length} with the highest p95 of ${formatCount(count)} in all files.`
      : "Those of all files.";
  const [title, row] = of === "requests" ? ["Requests", "endpoint"] : ["Operations", "operation"];
  return tableSection("operations", title, `${which} ${sourceWords(source)}`, [
    [row, of, "p50", "p95", "max"],
    ...lines,
  ]);
}

function coverageTable(coverage: readonly Coverage[], inferredBy: InferredBy | null): string {
  const rows = coverage.map(({ type, samples, own, inferred }) => [
    escapeText(visible(type, 80)),
    formatCount(samples),
    formatPercent(own, samples),
    inferredBy === null ? "" : formatPercent(own + inferred, samples),
  ]);
  const about = inferredBy === null ? "Context is not inferred." : inferredTitle({ inferredBy });
  return tableSection("coverage", "Samples with a span", about, [
    ["profile", "samples", "recorded", "with inferred"],
    ...rows,
  ]);
}
