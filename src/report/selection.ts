/** Facts of a report's selection over all profiles: name, extent in time, threads, pauses of the collector. */
import type { Filter } from "../core/types.ts";
import type { Outline, PauseCover } from "../core/view-types.ts";
import { durationWords } from "../model/trace/operation-words.ts";
import { formatCount, formatCounted, formatNanos, formatPercent } from "../model/words/format.ts";
import { formatMoment } from "../model/words/moments.ts";
import { visible } from "../model/words/text.ts";
import { filtersOf, type Subject } from "./subject.ts";

export interface Selected {
  outline: Outline;
  pauses: PauseCover;
  /** The recordings say when the collector paused. */
  pausesKnown: boolean;
}

/** The endpoint or the operation of one request; of other selections the first filter. */
export function selectionTitle({ outline }: Selected, subject: Subject): string {
  const name = outline.roots === 1 ? outline.endpoint || outline.operation : "";
  if (name !== "") return visible(name, 200);
  const [first, ...others] = filtersOf(subject);
  if (first === undefined) return "All samples";
  return others.length === 0 ? first.full : `${first.full} and ${formatCounted(others.length, "more filter")}`;
}

/** The extent is that of `why`: of a part of the samples, requests may have taken longer. */
export function selectionFacts(
  { outline, pauses, pausesKnown }: Selected,
  { rawNames: _, ...conditions }: Filter,
): [label: string, value: string][] {
  const { endpoint, operation, roots, spans, threads, threadCount } = outline;
  const time = (roots === 1 ? outline.time : null) ?? pauses.time;
  const length = time === null ? 0n : time.to - time.from;
  const isWhole = Object.keys(conditions).length === 0;
  const extent = isWhole ? formatNanos(length) : durationWords(length, "roots");
  const named = threads.map((name) => visible(name || "(no name)", 120));
  if (threadCount > threads.length) named.push(`${formatCount(threadCount - threads.length)} more`);
  return [
    ["Endpoint", roots === 1 ? visible(endpoint, 200) : ""],
    ["Operation", roots === 1 ? visible(operation, 200) : ""],
    ["Duration", time === null ? "" : `${extent}, ${formatMoment(time.from)} – ${formatMoment(time.to)}`],
    ["GC pauses", pausesKnown ? pauseWords(pauses, length) : ""],
    ["Threads", named.join(", ")],
    ["Requests", roots === 0 ? "" : formatCount(roots)],
    ["Spans", spans === 0 ? "" : formatCount(spans)],
  ];
}

function pauseWords({ pauses, nanos }: PauseCover, length: bigint): string {
  if (pauses === 0) return "none";
  const share = length === 0n ? "" : `, ${formatPercent(nanos, length)} of the extent`;
  return `${formatCounted(pauses, "pause")}, ${formatNanos(nanos)}${share}`;
}
