/** The request for where the time of a span went, of the recordings on the page. */
import type { Core } from "../core/core.ts";
import { openSamples, type SampleReader, samplesStamp } from "../core/sample-reader.ts";
import type { SpanTimes } from "../core/spans.ts";
import type { Filter, InferredBy, ProfileSummary } from "../core/types.ts";
import type { Marks } from "../core/view-types.ts";
import { CONTEXT_RULE_KEY } from "../model/context/attribute.ts";
import { RULES } from "../model/context/coverage.ts";
import { accountsOf, type Target } from "../model/span-time/accounts.ts";
import { breakdownOf, cpuOf } from "../model/span-time/breakdown.ts";
import { MOST_PEERS, type Peers, peersOf, spread } from "../model/span-time/peers.ts";
import { spanTime } from "../model/span-time/span-time.ts";
import { childTimes, extentOf } from "../model/trace/span-extent.ts";
import type { TraceTree } from "../model/trace/tree.ts";
import type { SpanTime } from "./traces-api.ts";

interface Asked {
  tree: TraceTree;
  span: bigint;
  /** The span alone, or as a local root with all spans below it. */
  by: "span" | "root";
  /** Name of the span in its trace. */
  name: string;
  /** Evidence of each recording. */
  times: readonly ReadonlyMap<bigint, SpanTimes>[];
}

interface Facts {
  stamp: string;
  profiles: ProfileSummary[];
  marks: Marks;
}

/** Of each core. They need a pass over all samples, and are the same for each span. */
const known = new WeakMap<Core, Facts>();

function factsOf(core: Core): Facts {
  const stamp = samplesStamp(core.instance);
  const before = known.get(core);
  if (before?.stamp === stamp) return before;
  const facts = { stamp, profiles: core.profiles(), marks: core.views.marks() };
  known.set(core, facts);
  return facts;
}

/** Null if neither the trace nor a recording knows the span. Changes the selection. */
export async function timeOf(select: () => Core, { tree, span, by, name, times }: Asked): Promise<SpanTime | null> {
  const extent = extentOf(tree, span, times);
  if (extent === null) return null;
  const { start, end, from, place } = extent;
  const reader = await openSamples(select());
  const { profiles, marks } = factsOf(select());
  const children = by === "span" ? childTimes(tree, place) : [];
  const asked = { by, span, extent: { start, end, from }, children, profiles, marks, name: name || null };
  const { root, samples, inferredSamples, breakdown, opens, states, others } = spanTime(reader, asked);
  return {
    isRoot: root === span,
    duration: Number(end - start),
    from,
    samples,
    inferredSamples,
    breakdown,
    opens,
    states,
    others,
    inferredBy: rulesOf(reader, profiles, by === "span" ? { span } : { localRoot: span }),
  };
}

/** The parts of these other spans of a trace. `span` has their clock. Changes the selection. */
export async function peersBeside(
  select: () => Core,
  { tree, span, by, times }: Asked,
  places: readonly number[],
): Promise<Peers> {
  const extent = extentOf(tree, span, times);
  const offset = extent === null || extent.place < 0 ? 0n : extent.start - (tree.start[extent.place] ?? 0n);
  const targets = spread(places, MOST_PEERS).map(
    (place): Target => ({
      id: tree.id[place] ?? 0n,
      extent: { start: (tree.start[place] ?? 0n) + offset, end: (tree.end[place] ?? 0n) + offset, from: "trace" },
      children: by === "span" ? childTimes(tree, place) : [],
    }),
  );
  const reader = await openSamples(select());
  const { profiles, marks } = factsOf(select());
  const accounts = accountsOf(reader, { by, targets, profiles, marks });
  // A span without a sample and an event tells nothing about its time.
  const told = accounts.filter(({ states, cpu, events }) => states.total + cpu.samples + events.size > 0);
  const cpu = cpuOf(profiles);
  return peersOf(
    told.map((account) => breakdownOf(account, cpu)),
    places.length,
  );
}

function rulesOf(reader: SampleReader, profiles: readonly ProfileSummary[], filter: Filter): InferredBy | null {
  const inferring = profiles.filter(({ inferredBy }) => inferredBy !== undefined);
  if (inferring.length === 0) return null;
  const counts: InferredBy = { scope: 0, trace: 0, neighbours: 0 };
  for (const { id } of inferring) {
    reader.each(id, filter, ({ set }) => {
      const said = reader.attribute(set, CONTEXT_RULE_KEY);
      const rule = RULES.find((each) => each === said);
      if (rule !== undefined) counts[rule]++;
    });
  }
  return counts;
}
