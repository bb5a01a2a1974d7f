/** `spanflame why --span`: where the time of one span went. */
import type { Core } from "../../core/core.ts";
import { openSamples } from "../../core/samples/sample-reader.ts";
import { openSpans } from "../../core/samples/spans.ts";
import type { BreakdownName } from "../../model/span-time/breakdown.ts";
import { Pauses } from "../../model/span-time/pauses.ts";
import { silenceOf } from "../../model/span-time/silent-spans.ts";
import { spanTime } from "../../model/span-time/span-time.ts";
import { intervalWords, PART_WORDS } from "../../model/span-time/words.ts";
import { factsOf } from "../../model/trace/beside.ts";
import { childTimes, extentOf } from "../../model/trace/span-extent.ts";
import { reasonSentence } from "../../model/trace/span-words.ts";
import { waitedFor } from "../../model/waits/held.ts";
import { formatCounted, formatNanos, formatPercent } from "../../model/words/format.ts";
import { hexId } from "../../model/words/ids.ts";
import { print, printTable } from "../../node/terminal.ts";
import { recordedTraces } from "../../node/trace-files.ts";
import { HeldCore } from "../../requests/held-core.ts";
import { type ReadSpans, statedBy } from "../../requests/read-spans.ts";
import { locksIn } from "../../requests/waits.ts";

type SpanRecord = NonNullable<Awaited<ReturnType<typeof whySpan>>>;
type SpanTime = NonNullable<SpanRecord["time"]>;

/** The record of a span; null if neither the trace nor the recordings know it. */
export async function whySpan(core: Core, span: bigint, traces: ReadSpans | null) {
  const spans = await openSpans(core);
  const times = core.files().map((_, file) => spans.times(file));
  const found = extentOf(traces?.tree ?? null, span, times);
  const isTraced = found?.from === "trace";
  const known = isTraced ? null : namedSpan(await recordedTraces(core, true), span);
  const stated = found === null ? known : { ...found, atLeast: !isTraced };
  if (stated === null) return null;
  // What `spans` and `trace` state of it, where that is more than its samples tell.
  const isMore = found !== null && known?.from === "recording" && known.isTimed;
  const recorded = isMore
    ? { startUnixNano: known.start, durationNano: known.end - known.start, atLeast: known.atLeast }
    : null;
  const { start, end, from, place, atLeast } = stated;
  const row = traces?.tree.row[place] ?? -1;
  const name = row < 0 ? (known?.name ?? null) : spans.string(spans.columns().name[row] ?? 0);
  const held = new HeldCore(core);
  const reader = await openSamples(held);
  const extent = { start, end, from: from === "samples" ? from : ("trace" as const) };
  const children = childTimes(traces?.tree ?? null, place);
  const facts = { profiles: core.profiles(), marks: core.views.marks() };
  const answer = spanTime(reader, { by: "span", span, extent, children, ...facts, name });
  const { operation, root, opens: _, inferredBy: __, pause: ___, ...parts } = answer;
  const about = { id: span, hex: hexId(span), root: root === 0n ? null : root, operation };
  const locksOf = await locksIn(held, facts.profiles);
  const waited = waitedFor(locksOf?.({ span }) ?? []);
  if (stated === known && !known.isTimed)
    return { span: about, time: null, ...parts, parts: [], breakdown: [], waited };
  return {
    span: about,
    time: { startUnixNano: start, durationNano: end - start, from, atLeast, ...(recorded && { recorded }) },
    ...parts,
    waited,
  };
}

/** A span that only its event, or samples without times, tell of. */
function namedSpan(read: ReadSpans, span: bigint) {
  const { tree, columns, spans } = read;
  const place = tree.id.indexOf(span);
  if (place < 0) return null;
  const [start, end] = [tree.start[place] ?? 0n, tree.end[place] ?? 0n];
  const row = tree.row[place] ?? 0;
  const name = spans.string(columns.name[row] ?? 0) || null;
  return { start, end, ...statedBy(read, row), place: -1, name, isTimed: tree.untimed[place] === 0 };
}

/** Why a span of the trace files has no samples; "" if they do not have it. */
export function whySilent(core: Core, { spans, tree }: ReadSpans, span: bigint): string {
  const place = tree.id.indexOf(span);
  const facts = factsOf(core, spans, tree, core.profiles());
  return place < 0 ? "" : reasonSentence(silenceOf(tree, place, facts, new Pauses(core.views.marks())));
}

/** Time around a short span: samples are some milliseconds apart. */
const LEAST_TIME = 20_000_000n;

/** The command that shows what the process did while a span without samples was active. */
export function commandAtThatTime({ startUnixNano, durationNano }: SpanTime, inputs: readonly string[]) {
  const more = durationNano < LEAST_TIME ? (LEAST_TIME - durationNano) / 2n : 0n;
  const [from, until] = [startUnixNano - more, startUnixNano + durationNano + more + 1n];
  return `spanflame why ${inputs.join(" ")} --since ${from} --until ${until}`;
}

const WHERE = {
  trace: "by the trace",
  recording: "by the recording",
  samples: "from its first to its last sample",
} as const;

/** The record for people. */
export function printSpan({
  span,
  time,
  breakdown,
  states,
  others,
  gc,
  queue,
  samples,
  inferredSamples,
}: SpanRecord): void {
  const what = `Span ${span.hex}${span.operation === null ? "" : `, ${span.operation}`}`;
  if (time === null) print(`${what}: its samples have no times`);
  else {
    const lasts = (of: { atLeast: boolean; durationNano: bigint }) =>
      `${of.atLeast ? "≥ " : ""}${formatNanos(Number(of.durationNano))}`;
    const event = time.recorded === undefined ? "" : `, ${lasts(time.recorded)} by the recording's events`;
    print(`${what}: ${lasts(time)} ${WHERE[time.from]}${event}`);
    printTable(
      breakdown.map((row) => [
        formatNanos(Number(row.nano)),
        formatPercent(row.nano, time.durationNano),
        intervalWords(row),
        partWords(row.part),
      ]),
      ["time", "share", "interval (95 %)", "what it is"],
    );
  }
  const of = inferredSamples === 0 ? "" : `, and ${formatCounted(inferredSamples, "inferred one")}`;
  if (states.length > 0) print(`States of ${formatCounted(samples, "wall sample")}${of} (95 % interval):`);
  printTable(
    states.map(({ state, share, low, high }) => [
      formatPercent(share, 1),
      `${formatPercent(low, 1)} – ${formatPercent(high, 1)}`,
      state,
    ]),
  );
  if (gc.pauses > 0)
    print(`GC pauses: ${formatCounted(gc.pauses, "pause")}, ${formatNanos(Number(gc.nano))} in the span`);
  if (queue.events > 0) print(`Before it: ${formatNanos(Number(queue.nano))} in queues`);
  if (others.samples > 0) {
    const shares = others.states.map(({ state, share }) => `${state} ${formatPercent(share, 1)}`).join(", ");
    print(`${formatCounted(others.spans, "other span")} of the operation: ${shares}`);
  }
}

function partWords(part: BreakdownName): string {
  const { name, about } = PART_WORDS[part];
  return `${name}: ${about}`;
}
