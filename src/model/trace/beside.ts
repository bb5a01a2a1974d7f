/** Facts that recordings and a trace give each other: clocks, the time that recordings cover, processes of spans. */
import type { Core } from "../../core/core.ts";
import type { Spans, SpanTimes } from "../../core/spans.ts";
import type { FileSummary } from "../../core/types.ts";
import { clockOf } from "./clock.ts";
import { type Covered, homeInstances, type ReasonFacts } from "./reasons.ts";
import type { TraceTree } from "./tree.ts";

/** The facts of all files of the core. `period`: the shortest of profiles whose samples carry span ids, in ns. */
export function factsOf(core: Core, spans: Spans, tree: TraceTree, period: bigint): ReasonFacts {
  const files = core.files();
  const ids = new Set(tree.id);
  const times = files.map((_, file) => spans.times(file, ids));
  return {
    recordings: files.map((file, i) => ({
      name: file.name,
      clock: clockOf(tree, times[i] ?? new Map()),
      covered: coveredBy(file, core),
    })),
    home: homeInstances(tree, anyOf(times)),
    hasContext: core.profiles().some(({ samplesWithSpan }) => samplesWithSpan > 0),
    period,
  };
}

/** Evidence of all recordings. */
function anyOf(each: readonly ReadonlyMap<bigint, SpanTimes>[]): (span: bigint) => boolean {
  return (span) => each.some((times) => times.has(span));
}

/** The time that a file covers: its chunks, or in other formats its observations. */
function coveredBy({ chunks }: FileSummary, core: Core): Covered[] {
  if (chunks.length > 0) {
    return chunks.map(({ startUnixNano, durationNano }) => ({ from: startUnixNano, to: startUnixNano + durationNano }));
  }
  if (core.samples() === 0) return [];
  const { earliest, latest } = core.instance.wasm;
  return [{ from: earliest.value, to: latest.value }];
}

/** 32 digits, whatever the length of the id. */
export function traceHex({ traceHigh, traceLow }: TraceTree, place: number): string {
  const half = (column: BigUint64Array) => (column[place] ?? 0n).toString(16).padStart(16, "0");
  return half(traceHigh) + half(traceLow);
}
