/** Facts that tell what an open recording cannot show, from its samples, its measurements and the spans of traces. */
import { jvmCpuNanos } from "../core/answers/series.ts";
import { statedLinks } from "../core/samples/link-values.ts";
import { openSpans, rowsOf } from "../core/samples/spans.ts";
import type { ProfileSummary } from "../core/types.ts";
import { inferredSpans } from "../model/query/inferred-spans.ts";
import { TRUNCATED_PATTERN } from "../model/query/truncated.ts";
import { ANY_FRAME, LOST_FRAMES, type RecordedFacts } from "../model/recording/doubts.ts";
import { reasonFacts, servicesOf } from "../model/trace/beside.ts";
import { contradictionsOf } from "../model/trace/contradictions.ts";
import { canInfer } from "../model/trace/coverage.ts";
import { evidenceOf } from "../model/trace/evidence.ts";
import { reasonOf } from "../model/trace/reasons.ts";
import { settleHalves } from "../model/trace/tree.ts";
import { loadPatterns } from "../pattern/pattern.ts";
import type { HeldCore } from "./held-core.ts";
import { spansOf } from "./read-spans.ts";

/** Samples that state their context themselves. */
const OWN = { attributes: inferredSpans(true) };

/** `stacks`: they were read. */
export async function recordedFacts(
  held: HeldCore,
  profiles: readonly ProfileSummary[],
  stacks = true,
): Promise<RecordedFacts> {
  const { core } = held;
  await loadPatterns([ANY_FRAME, LOST_FRAMES]);
  const traced = await spanFacts(held, profiles);
  const { views } = core;
  const files = core.files();
  const own = stacks ? profiles.filter(({ samples }) => samples > 0) : [];
  const having = (pattern: string) =>
    new Map(own.map(({ id }) => [id, held.totals(id, { frames: [{ pattern }] }).samples]));
  const stacked = having(ANY_FRAME);
  const lost = having(LOST_FRAMES);
  // A profile without any stack is of events that have none.
  for (const { id, samples } of own) {
    const without = samples - (stacked.get(id) ?? 0);
    if (without < samples) lost.set(id, without + (lost.get(id) ?? 0));
  }
  const threads = views.seriesSummary().filter(({ series }) => series === "threads");
  return {
    ...{ profiles, files, cut: having(TRUNCATED_PATTERN), lost, ...traced },
    canInfer: canInfer({ profiles, files, eventTypes: core.eventTypes() }),
    jvmCpuNanos: jvmCpuNanos(views.measured()),
    threads: Math.max(0, ...threads.map(({ most }) => most)),
  };
}

/** What the spans of trace files, or else those of the recordings, tell. */
async function spanFacts(
  held: HeldCore,
  profiles: readonly ProfileSummary[],
): Promise<Pick<RecordedFacts, "clocks" | "trace" | "spans">> {
  const { core } = held;
  if (core.instance.wasm.spanCount.value === 0) return { clocks: [], trace: null, spans: null };
  const table = await openSpans(core);
  const isTrace = rowsOf(table.columns(), "files").length > 0;
  const { tree } = spansOf(table, isTrace ? "files" : "recordings");
  settleHalves(tree, table.columns(), servicesOf(core, table));
  const files = core.files().map(({ resource }, file) => ({
    evidence: evidenceOf(table, tree, file),
    instance: table.text(resource["service.instance.id"] ?? ""),
  }));
  const beside = files.map(({ evidence }) => evidence);
  const facts = reasonFacts(core, table, tree, beside, profiles);
  // What silent spans lack is asked of those that could have samples.
  const spans = { known: 0, short: 0, period: facts.period };
  for (let place = 0; place < tree.count; place++) {
    const hasSamples = beside.some(({ has }) => has[place] === 1);
    const reason = hasSamples ? null : reasonOf(tree, place, facts);
    spans.known += Number(reason !== "other-process" && reason !== "outside");
    spans.short += Number(reason === "short");
  }
  if (!isTrace) return { clocks: [], trace: null, spans };
  held.about(null, OWN);
  return { clocks: facts.recordings, trace: contradictionsOf(tree, files, statedLinks(core.instance)), spans };
}
