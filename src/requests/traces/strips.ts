/** The request for the samples of all spans of a trace, as marks for their bars, with its critical path. */
import { openSamples } from "../../core/samples/sample-reader.ts";
import type { Evidence } from "../../core/samples/spans.ts";
import { pauseBands, type StripsRequest, stripsOf } from "../../model/span-time/strips.ts";
import { clockOf } from "../../model/trace/clock.ts";
import { offsetAt } from "../../model/trace/span-extent.ts";
import { criticalPath } from "../../model/trace/times.ts";
import type { TraceTree } from "../../model/trace/tree.ts";
import type { TraceStrips } from "../api/traces-api.ts";
import type { HeldCore } from "../held-core.ts";
import { factsOfSamples } from "./sample-facts.ts";

interface Asked {
  tree: TraceTree;
  /** Places of the spans of the trace. */
  from: number;
  to: number;
  /** Of the trace. */
  start: bigint;
  duration: number;
  /** Evidence of each recording. */
  evidence: readonly Evidence[];
  /** The service of a place, as a string of the store. */
  serviceOf: (place: number) => number;
  /** Places that ran in a process without a recording. */
  isElsewhere: (place: number) => boolean;
}

export async function stripsBeside(held: HeldCore, asked: Asked): Promise<TraceStrips> {
  const { tree, from, to, start, duration, evidence } = asked;
  const file = filesOf(asked);
  const spans: StripsRequest["spans"][number][] = [];
  for (let place = from; place < to; place++) {
    if (tree.silent[place] === 1 || !evidence.some(({ has }) => has[place] === 1)) continue;
    spans.push({
      id: tree.id[place] ?? 0n,
      place: place - from,
      zero: start + offsetAt(tree, place, evidence),
    });
  }
  const reader = await openSamples(held);
  const { profiles, marks } = factsOfSamples(held.core);
  const zeros = evidence.map((each, i) => {
    return file.includes(i) ? start + (clockOf(tree, each)?.offset ?? 0n) : null;
  });
  const path = criticalPath(tree, tree, tree.id, [from, to]);
  return {
    ...stripsOf(reader, { spans, duration, profiles, marks }),
    pauses: pauseBands(marks, zeros, duration),
    file,
    path: {
      place: Uint32Array.from(path, ({ place }) => place - from),
      from: Float64Array.from(path, (stretch) => Number(stretch.from - start)),
      to: Float64Array.from(path, (stretch) => Number(stretch.to - start)),
    },
  };
}

/** The recording of each span: that with its samples, else with samples of its service; −1 for none. */
function filesOf({ from, to, evidence, serviceOf, isElsewhere }: Asked): Int32Array {
  const own = Int32Array.from({ length: to - from }, (_, i) => evidence.findIndex(({ has }) => has[from + i] === 1));
  const ofService = new Map<number, number>();
  for (const [i, file] of own.entries()) {
    const service = serviceOf(from + i);
    if (file >= 0 && !ofService.has(service)) ofService.set(service, file);
  }
  const only = evidence.length === 1 ? 0 : -1;
  return own.map((file, i) => {
    if (file >= 0) return file;
    return isElsewhere(from + i) ? -1 : (ofService.get(serviceOf(from + i)) ?? only);
  });
}
