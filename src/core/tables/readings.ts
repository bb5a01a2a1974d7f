/**
 * Numbers of events that do not add up: counters since the start of their process, thread or method, and levels. All
 * others are amounts, as far as the name tells; the annotations of percentages and times make levels, too
 * (assembly/read/jfr/sample-plan.ts).
 */

import type { EventRow } from "./catalogue-types.ts";

/** Of a counter, an observation is its growth since the one before; the first has all that was counted until then. */
export type Reading = "amount" | "counter" | "level";

/** By event and field. The first row that fits decides. */
const READINGS: readonly (readonly [Reading, RegExp])[] = [
  ["amount", /#duration$/],
  ["amount", /^jdk\.(GCReferenceStatistics#count|EvacuationInformation#(\w*Regions|bytesCopied|regionsFreed))$/],
  ["counter", /^jdk\.MethodTiming#invocations$/],
  ["counter", /^jdk\.ThreadAllocationStatistics#allocated$/],
  ["counter", /^jdk\.ExceptionStatistics#throwables$/],
  ["counter", /^jdk\.ClassLoadingStatistics#/],
  ["counter", /^jdk\.JavaThreadStatistics#accumulatedCount$/],
  ["counter", /^jdk\.CompilerStatistics#(\w+Count|\w+Compiled|totalTimeSpent)$/],
  ["counter", /^jdk\.FinalizerStatistics#totalFinalizersRun$/],
  ["counter", /^jdk\.Container(CPUUsage|CPUThrottling|IOUsage)#(?!cpuSlicePeriod)/],
  ["counter", /^jdk\.ContainerMemoryUsage#memoryFailCount$/],
  ["counter", /^jdk\.\w+(Read|Write)Statistics#total/],
  [
    "level",
    /^jdk\.\w*(Statistics|Summary|Usage|UsageTotal|Utilization|CPULoad|Configuration|Information|FlagChanged|Flag)#/,
  ],
  ["level", /^jdk\.(MethodTiming|PhysicalMemory|SwapSpace|ResidentSetSize|ObjectCount\w*|SystemProcess)#/],
  [
    "level",
    /#((avg|average|mean|min|max|minimum|maximum|longest|peak)([A-Z]\w*)?|\w*(Id|Address|Number|Index|Rate|Ratio|Percent|Percentage)|port|pid)$/,
  ],
];

export function readingOf(event: string, field: string): Reading {
  return READINGS.find(([, pattern]) => pattern.test(`${event}#${field}`))?.[0] ?? "amount";
}

/** Of the field that an event outside of the catalogue adds up. */
export function readingOfRow({ event, value }: Pick<EventRow, "event" | "value">): Reading {
  return value.rule === "any" ? readingOf(event, value.field) : "amount";
}
