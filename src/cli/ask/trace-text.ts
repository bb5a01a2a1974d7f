/** `spanflame trace` for people: the tree of spans, with durations, the critical path and samples. */

import type { Core } from "../../core/core.ts";
import { profileOfKind } from "../../core/tables/kinds.ts";
import type { ProfileKind, ProfileSummary } from "../../core/types.ts";
import { samplesIn, sharedTypes } from "../../model/trace/span-words.ts";
import { byDuration } from "../../model/waits/waits.ts";
import { formatCounted, formatEstimate, formatNanos, formatProfileValue } from "../../model/words/format.ts";
import { cut } from "../../model/words/text.ts";
import { inputName, print, printTable } from "../../node/terminal.ts";
import type { CriticalRecord, SpanRecord, TraceAnswer } from "./trace-answer.ts";

/** Spans that are printed; --json has all. */
const MOST_SPANS = 500;
const NAME_CAP = 200;
/** Levels that are indented; deeper ones have their number. */
const MOST_LEVELS = 20;
/** Kinds of profiles that are printed beside a span, in this order. */
type Shared = ReturnType<typeof sharedTypes>;

const SHOWN_KINDS: readonly ProfileKind[] = ["cpu", "wall", "lock", "alloc"];

/**
 * Prints the tree. A line has the duration, the self time, `*` on the critical path, the service where it is not the
 * parent's, the name and the samples.
 * `all`: how many spans there are.
 */
export function printTrace(
  { recordings, spans, otherSamples, unmatchedRoots }: TraceAnswer,
  core: Pick<Core, "profiles" | "files">,
  all = spans.length,
): void {
  const profiles = core.profiles();
  const shared = sharedTypes(profiles, core.files());
  for (const { name, clock } of recordings) {
    const offset =
      clock === null
        ? "unknown"
        : `${signed(clock.offsetNano)} (${clock.agree} of ${formatCounted(clock.asked, "span")} agree)`;
    print(`${inputName(name)}: clock of the trace ${offset}`);
  }
  if (recordings.length === 0) print("no recording: the times are those of the trace file");
  if (spans.length > 0)
    print(`duration, self time, * on the critical path, span${recordings.length === 0 ? "" : ", samples"}`);
  const shown = spans.slice(0, MOST_SPANS);
  /** Services of the spans above, by depth. */
  const services: string[] = [];
  const rows = shown.map((span) => {
    const { depth, service } = span;
    const isNamed = service !== services[depth - 1];
    services.length = depth;
    services[depth] = service;
    return {
      numbers: lengthsOf(span),
      text: `${span.critical ? "*" : " "} ${indent(depth)}${nameOf(span, isNamed)}${detail(span, profiles, shared)}`,
    };
  });
  const width = (i: number) => Math.max(0, ...rows.map(({ numbers }) => numbers[i]?.length ?? 0));
  const widths = [width(0), width(1)];
  let trace = "";
  for (const [i, { numbers, text }] of rows.entries()) {
    const span = shown[i];
    if (span !== undefined && span.traceId !== trace) {
      trace = span.traceId;
      print(`trace ${trace}`);
    }
    print(`${numbers.map((each, column) => each.padStart(widths[column] ?? 0)).join("  ")} ${text}`);
  }
  if (all > shown.length) print(`… and ${formatCounted(all - shown.length, "more span")}; --json lists all`);
  const others = new Map<string, number>();
  for (const { profiles: of } of otherSamples)
    for (const { type, samples } of of) others.set(type, (others.get(type) ?? 0) + samples);
  if (others.size > 0) {
    const counts = [...others].map(([type, samples]) => `${type} ${formatCounted(samples, "sample")}`);
    print(`other spans and none: ${counts.join(", ")}`);
  }
  if (unmatchedRoots.length > 0) {
    print(`${formatCounted(unmatchedRoots.length, "local root")} of samples without a span in the trace`);
  }
}

/** Stretches of the critical path that are printed, the longest. */
const MOST_STRETCHES = 10;

/** What the longest stretches of the critical path did, in the order of time. */
export function printPath(path: readonly CriticalRecord[]): void {
  const told = path.filter(({ words }) => words !== "");
  if (told.length === 0) return;
  const longest = new Set(told.toSorted(byDuration).slice(0, MOST_STRETCHES));
  print("critical path, what it did:");
  printTable(
    told
      .filter((each) => longest.has(each))
      .map(({ durationNano, name, words }) => [formatNanos(Number(durationNano)), cut(name, NAME_CAP), words]),
  );
  const more = told.length - longest.size;
  if (more > 0) print(`… and ${formatCounted(more, "shorter stretch", "shorter stretches")}; --json lists all`);
}

function lengthsOf({ atLeast, durationNano, selfNano }: SpanRecord): readonly [string, string] {
  if (durationNano === null) return ["no time", ""];
  return [`${atLeast ? "≥ " : ""}${formatNanos(durationNano)}`, selfNano === null ? "" : formatNanos(selfNano)];
}

function signed(nanos: bigint): string {
  return nanos < 0n ? `−${formatNanos(-nanos)}` : `+${formatNanos(nanos)}`;
}

function indent(depth: number): string {
  return depth <= MOST_LEVELS ? "  ".repeat(depth) : `${"  ".repeat(MOST_LEVELS)}(${depth}) `;
}

function nameOf({ name, service, resource, orphan }: SpanRecord, isNamed: boolean): string {
  const where = isNamed && service !== "" ? `${service}: ` : "";
  const what = resource === null || resource === name ? name : `${name} ${resource}`;
  return cut(`${where}${what}${orphan ? " (parent missing)" : ""}`, NAME_CAP);
}

function detail(
  { profiles: own, reasonText }: SpanRecord,
  profiles: readonly ProfileSummary[],
  shared: Shared,
): string {
  if (reasonText !== null) return `  — ${reasonText}`;
  if (own.length === 0) return "";
  const parts = SHOWN_KINDS.flatMap((kind) => {
    const profile = profileOfKind(profiles, kind);
    const found = own.find((each) => each.type === profile?.type);
    if (profile === undefined || found === undefined) return [];
    const weighed = { ...profile, measure: 0 };
    return [`${profile.type} ${formatEstimate(found.value, weighed) ?? formatProfileValue(found.value, weighed)}`];
  });
  if (parts.length > 0) return `  — ${parts.join(", ")}`;
  const counts = own.map(({ type, samples }) => ({ samples, shares: shared.has(type) }));
  return `  — ${formatCounted(samplesIn(counts), "sample")}`;
}
