/** The samples of the spans of traces, by place: counts for each profile, evidence of the clock, facts for reasons. */
import type { Core } from "../../core/core.ts";
import { type LinkValues, linkValues } from "../../core/samples/link-values.ts";
import type { SampleReader } from "../../core/samples/sample-reader.ts";
import type { Evidence, Spans } from "../../core/samples/spans.ts";
import type { Filter, ProfileSummary } from "../../core/types.ts";
import { inferredSpans } from "../../model/query/inferred-spans.ts";
import { type OperationStates, operationStates } from "../../model/span-time/operation-states.ts";
import { reasonFacts, servicesOf } from "../../model/trace/beside.ts";
import { clockOf } from "../../model/trace/clock.ts";
import { evidenceOf, idsOf } from "../../model/trace/evidence.ts";
import type { ReasonFacts } from "../../model/trace/reasons.ts";
import { settleHalves, type TraceTree } from "../../model/trace/tree.ts";
import { factsOfSamples, profilesOf } from "./sample-facts.ts";

/** Samples with the id of each place, in a profile. */
export interface PlaceCounts {
  type: string;
  samples: Float64Array;
  value: Float64Array;
}

export interface TraceSamples {
  evidence: readonly Evidence[];
  facts: ReasonFacts;
  counts: readonly PlaceCounts[];
  /** Those whose context is inferred, by profile type. */
  inferred: ReadonlyMap<string, Float64Array>;
}

/** Steps to the samples of a tree. Each selects by itself. */
export function* traceSamples(select: () => Core, spans: Spans, tree: TraceTree): Generator<void, TraceSamples> {
  idsOf(tree);
  settleHalves(tree, spans.columns(), servicesOf(select(), spans));
  yield;
  const evidence: Evidence[] = [];
  for (let file = 0; file < select().files().length; file++) {
    const found = evidenceOf(spans, tree, file);
    evidence.push(found);
    yield;
    clockOf(tree, found);
    yield;
  }
  const profiles = profilesOf(select());
  yield;
  const facts = reasonFacts(select(), spans, tree, evidence, profiles);
  yield;
  const counts: PlaceCounts[] = [];
  const inferred = new Map<string, Float64Array>();
  for (const profile of profiles.filter(hasSpans)) {
    counts.push(yield* countsOf(select, tree, profile, {}));
    if (profile.inferredBy === undefined) continue;
    const marked = yield* countsOf(select, tree, profile, { attributes: inferredSpans() });
    inferred.set(profile.type, marked.samples);
  }
  return { evidence, facts, counts, inferred };
}

const hasSpans = ({ samplesWithSpan, inferredSpan = 0 }: ProfileSummary) => samplesWithSpan + inferredSpan > 0;

function* countsOf(
  select: () => Core,
  tree: TraceTree,
  { id, type }: ProfileSummary,
  filter: Filter,
): Generator<void, PlaceCounts> {
  const core = select();
  core.select(id, filter);
  const links = linkValues(core.instance);
  yield;
  const counts = { type, samples: new Float64Array(tree.count), value: new Float64Array(tree.count) };
  addLinks(tree, links, counts);
  yield;
  return counts;
}

function addLinks(tree: TraceTree, links: LinkValues, { samples, value }: PlaceCounts): void {
  const { index, firsts } = idsOf(tree);
  for (let link = 1; link < links.link.length; link++) {
    const place = index.firstOf(links.span, link);
    if (place < 0) continue;
    samples[place] = (samples[place] ?? 0) + (links.samples[link] ?? 0);
    value[place] = (value[place] ?? 0) + (links.value[link] ?? 0);
  }
  for (let place = 0; place < tree.count; place++) {
    const first = firsts[place] ?? place;
    if (first === place) continue;
    samples[place] = samples[first] ?? 0;
    value[place] = value[first] ?? 0;
  }
  for (const [place, isSilent] of tree.silent.entries()) {
    if (isSilent === 0) continue;
    samples[place] = 0;
    value[place] = 0;
  }
}

/** Steps to what questions about the time of a span need of all samples. */
export function* timeFacts(select: () => Core, reader: SampleReader): Generator<void, OperationStates> {
  yield* reader.prepare();
  yield;
  const { profiles, marks } = factsOfSamples(select());
  yield;
  return yield* operationStates(reader, profiles, marks);
}
