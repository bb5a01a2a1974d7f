/** The request for where the time of a span went, of the recordings on the page. */
import type { Core } from "../core/core.ts";
import { openSamples, type SampleReader } from "../core/sample-reader.ts";
import type { SpanTimes } from "../core/spans.ts";
import type { InferredBy, ProfileSummary } from "../core/types.ts";
import { CONTEXT_RULE_KEY } from "../model/context/attribute.ts";
import { RULES } from "../model/context/coverage.ts";
import { spanTime } from "../model/span-time/span-time.ts";
import { extentOf } from "../model/trace/span-extent.ts";
import type { TraceTree } from "../model/trace/tree.ts";
import type { SpanTime } from "./traces-api.ts";

interface Asked {
  tree: TraceTree;
  span: bigint;
  /** Name of the span in its trace. */
  name: string;
  /** Evidence of each recording. */
  times: readonly ReadonlyMap<bigint, SpanTimes>[];
}

/** Null if neither the trace nor a recording knows the span. Changes the selection. */
export async function timeOf(select: () => Core, { tree, span, name, times }: Asked): Promise<SpanTime | null> {
  const extent = extentOf(tree, span, times);
  if (extent === null) return null;
  const { start, end, from } = extent;
  const reader = await openSamples(select());
  const core = select();
  const profiles = core.profiles();
  const request = { span, extent: { start, end, from }, profiles, marks: core.views.marks(), name: name || null };
  const { samples, inferredSamples, parts, states, others, events } = spanTime(reader, request);
  const inferredBy = rulesOf(reader, profiles, span);
  return { duration: Number(end - start), from, samples, inferredSamples, parts, states, others, events, inferredBy };
}

function rulesOf(reader: SampleReader, profiles: readonly ProfileSummary[], span: bigint): InferredBy | null {
  const inferring = profiles.filter(({ inferredBy }) => inferredBy !== undefined);
  if (inferring.length === 0) return null;
  const counts: InferredBy = { scope: 0, trace: 0, neighbours: 0 };
  for (const { id } of inferring) {
    reader.each(id, { span }, ({ set }) => {
      const said = reader.attribute(set, CONTEXT_RULE_KEY);
      const rule = RULES.find((each) => each === said);
      if (rule !== undefined) counts[rule]++;
    });
  }
  return counts;
}
