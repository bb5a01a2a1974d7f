/** Facts that recordings and a trace give each other: clocks, the time that recordings cover, and whose process it is. */
import type { Core } from "../core/core.ts";
import { shortestPeriod } from "../core/span-totals.ts";
import type { Spans, SpanTimes } from "../core/spans.ts";
import type { FileSummary } from "../core/types.ts";
import { clockOf } from "../model/trace/clock.ts";
import { type Covered, homeInstances, type ReasonFacts } from "../model/trace/reasons.ts";
import type { TraceTree } from "../model/trace/tree.ts";

/** The facts of all files of the core. */
export function factsOf(core: Core, spans: Spans, tree: TraceTree): ReasonFacts {
  const files = core.files();
  const times = files.map((_, file) => spans.times(file));
  const profiles = core.profiles();
  return {
    recordings: files.map((file, i) => ({
      name: file.name,
      clock: clockOf(tree, times[i] ?? new Map()),
      covered: coveredBy(file, core),
    })),
    home: homeInstances(tree, anyOf(times)),
    hasContext: profiles.some(({ samplesWithSpan }) => samplesWithSpan > 0),
    period: shortestPeriod(profiles),
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
