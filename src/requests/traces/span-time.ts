/** The request for where the time of a span went, of the recordings on the page. */
import { openSamples } from "../../core/samples/sample-reader.ts";
import type { Evidence } from "../../core/samples/spans.ts";
import { accountsOf, type Target } from "../../model/span-time/accounts.ts";
import { breakdownOf, cpuOf } from "../../model/span-time/breakdown.ts";
import type { OperationStates } from "../../model/span-time/operation-states.ts";
import { MOST_PEERS, type Peers, peersOf, spread } from "../../model/span-time/peers.ts";
import { spanTime } from "../../model/span-time/span-time.ts";
import { childTimes, extentAt, offsetAt } from "../../model/trace/span-extent.ts";
import type { TraceTree } from "../../model/trace/tree.ts";
import type { SpanTime } from "../api/traces-api.ts";
import type { HeldCore } from "../held-core.ts";
import { factsOfSamples } from "./sample-facts.ts";

interface Asked {
  tree: TraceTree;
  /** Of the span in the tree. */
  place: number;
  /** The span alone, or as a local root with all spans below it. */
  by: "span" | "root";
  /** Name of the span in its trace. */
  name: string;
  /** Evidence of each recording. */
  evidence: readonly Evidence[];
  operations: OperationStates;
}

export async function timeOf(
  held: HeldCore,
  { tree, place, by, name, evidence, operations }: Asked,
): Promise<SpanTime> {
  const { start, end, from } = extentAt(tree, place, evidence);
  const span = tree.id[place] ?? 0n;
  const reader = await openSamples(held);
  const facts = factsOfSamples(held.core);
  const children = by === "span" ? childTimes(tree, place) : [];
  const asked = { by, span, extent: { start, end, from }, children, ...facts, name: name || null, operations };
  const { samples, inferredSamples, breakdown, opens, pause, states, others, inferredBy } = spanTime(reader, asked);
  return {
    // Whose request it is, its spans tell: it may have no sample by itself.
    isRoot: held.totals(null, { localRoot: span }).samples > 0,
    duration: Number(end - start),
    from,
    samples,
    inferredSamples,
    breakdown,
    opens,
    pause,
    states,
    others,
    inferredBy,
  };
}

/** The parts of these other spans of a trace. The span has their clock. */
export async function peersBeside(
  held: HeldCore,
  { tree, place, by, evidence }: Asked,
  places: readonly number[],
): Promise<Peers> {
  const offset = offsetAt(tree, place, evidence);
  const targets = spread(places, MOST_PEERS).map(
    (place): Target => ({
      id: tree.id[place] ?? 0n,
      extent: { start: (tree.start[place] ?? 0n) + offset, end: (tree.end[place] ?? 0n) + offset, from: "trace" },
      children: by === "span" ? childTimes(tree, place) : [],
    }),
  );
  const reader = await openSamples(held);
  const facts = factsOfSamples(held.core);
  const accounts = accountsOf(reader, { by, targets, ...facts });
  // A span without a sample and an event tells nothing about its time.
  const told = accounts.filter(({ states, cpu, events }) => states.total + cpu.samples + events.size > 0);
  const cpu = cpuOf(facts.profiles);
  return peersOf(
    told.map((account) => breakdownOf(account, cpu)),
    places.length,
  );
}
