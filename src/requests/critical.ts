/** The critical path of a trace in frames: what each stretch did in the process of its span. */
import { openSamples } from "../core/samples/sample-reader.ts";
import type { Evidence } from "../core/samples/spans.ts";
import { offsetAt } from "../model/trace/span-extent.ts";
import { criticalPath } from "../model/trace/times.ts";
import type { TraceTree } from "../model/trace/tree.ts";
import { WAIT_KINDS } from "../model/waits/wait-rows.ts";
import { type CriticalFrames, criticalFrames } from "../model/why/critical-frames.ts";
import type { HeldCore } from "./held-core.ts";
import { factsOfSamples } from "./traces/sample-facts.ts";
import { waitsIn } from "./waits.ts";

/** A trace by its places [`from`, `to`) in a tree. */
export interface TracePlaces {
  tree: TraceTree;
  from: number;
  to: number;
  /** Of each recording. */
  evidence: readonly Evidence[];
}

/** In the order of time; places are those in the trace. */
export async function criticalOf(held: HeldCore, { tree, from, to, evidence }: TracePlaces): Promise<CriticalFrames[]> {
  const reader = await openSamples(held);
  const { profiles, marks } = factsOfSamples(held.core);
  const ask = await waitsIn(held, profiles);
  const found = criticalFrames(reader, {
    path: criticalPath(tree, tree, tree.id, [from, to]),
    spanAt: (place) =>
      tree.silent[place] === 1 ? null : { id: tree.id[place] ?? 0n, offset: offsetAt(tree, place, evidence) },
    waitsOf: (span) => ask({ span }, { kinds: WAIT_KINDS }),
    ...{ profiles, marks },
  });
  return found.map((each) => ({ ...each, place: each.place - from }));
}
