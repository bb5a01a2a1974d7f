/** The samples of the spans of traces, by place: counts for each profile, evidence of the clock, facts for reasons. */
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
import { sharedTypes } from "../../model/trace/span-words.ts";
import { settleHalves, type TraceTree } from "../../model/trace/tree.ts";
import type { HeldCore } from "../held-core.ts";
import { factsOfSamples, profilesOf } from "./sample-facts.ts";

/** Samples with the id of each place, in a profile. */
export interface PlaceCounts {
  type: string;
  /** span-words.ts */
  shares: boolean;
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

/** Steps to the samples of a tree. */
export function* traceSamples(held: HeldCore, spans: Spans, tree: TraceTree): Generator<void, TraceSamples> {
  idsOf(tree);
  settleHalves(tree, spans.columns(), servicesOf(held.core, spans));
  yield;
  const evidence: Evidence[] = [];
  for (let file = 0; file < held.core.files().length; file++) {
    const found = evidenceOf(spans, tree, file);
    evidence.push(found);
    yield;
    clockOf(tree, found);
    yield;
  }
  const profiles = profilesOf(held.core);
  yield;
  const facts = reasonFacts(held.core, spans, tree, evidence, profiles);
  yield;
  const shared = sharedTypes(profiles, held.core.files());
  const counts: PlaceCounts[] = [];
  const inferred = new Map<string, Float64Array>();
  for (const profile of profiles.filter(hasSpans)) {
    counts.push(yield* countsOf(held, tree, profile, shared, {}));
    if (profile.inferredBy === undefined) continue;
    const marked = yield* countsOf(held, tree, profile, shared, { attributes: inferredSpans() });
    inferred.set(profile.type, marked.samples);
  }
  return { evidence, facts, counts, inferred };
}

const hasSpans = ({ samplesWithSpan, inferredSpan = 0 }: ProfileSummary) => samplesWithSpan + inferredSpan > 0;

function* countsOf(
  held: HeldCore,
  tree: TraceTree,
  { id, type }: ProfileSummary,
  shared: ReadonlySet<string>,
  filter: Filter,
): Generator<void, PlaceCounts> {
  held.about(id, filter);
  const links = linkValues(held.core.instance);
  yield;
  const shares = shared.has(type);
  const counts = { type, shares, samples: new Float64Array(tree.count), value: new Float64Array(tree.count) };
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
export function* timeFacts(held: HeldCore, reader: SampleReader): Generator<void, OperationStates> {
  yield* reader.prepare();
  yield;
  const { profiles, marks } = factsOfSamples(held.core);
  yield;
  return yield* operationStates(reader, profiles, marks);
}
