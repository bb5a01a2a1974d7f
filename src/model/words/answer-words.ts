/** Totals of an answer of the core, in words: beside a graph, in a report, under a picture. */
import type { FramesAnswer, SelectionTotals } from "../../core/types.ts";
import { formatCount, formatCounted, formatEstimate, formatPercent, formatProfileValue, isWeighted } from "./format.ts";
import { countedWord, type Weighed } from "./measure.ts";

/** The value where it tells more than the number of samples: a time, a size, a sum of counts. Else "". */
export function valueWords(profile: Weighed, totals: SelectionTotals): string {
  const estimate = totals.value === 0n ? null : formatEstimate(totals.value, profile);
  const value = formatProfileValue(totals.value, profile);
  if (profile.unit === "count" && countedWord(profile) === "samples") return sumWords(totals);
  if (profile.unit !== "samples") return value;
  return (
    [isWeighted(profile) ? value : "", estimate ?? ""].filter((part) => part !== "").join(", ") || sumWords(totals)
  );
}

/** Stacks with counts: "40 samples · sum 2,440". */
function sumWords({ samples, value }: SelectionTotals): string {
  return value === BigInt(samples) ? "" : `sum ${formatCount(value)}`;
}

/** How many of the frames are not drawn. In regrouped trees, frames below hidden ones are not counted. */
export function hiddenWords(answer: FramesAnswer, regrouped: boolean): string {
  const { hiddenFrames, hiddenValue, framesInFocus, frames } = answer;
  const total = frames.total[0];
  if (total === 0) return "nothing to draw";
  const empty = answer.path.length === 0 ? answer.selectionTotal - total : 0;
  const without = empty > 0 ? `, ${formatPercent(empty, answer.selectionTotal)} without a stack` : "";
  if (hiddenFrames === 0) return `${formatCounted(frames.node.length, "frame")}, all shown${without}`;
  const drawn = regrouped
    ? formatCounted(frames.node.length, "frame")
    : `${formatCount(frames.node.length)} of ${formatCounted(framesInFocus, "frame")}`;
  if (hiddenValue < 0 || total < 0) return `${drawn}; frames with negative values are not drawn`;
  return `${drawn}, ${formatPercent(hiddenValue, total)} hidden${without}`;
}

/** Frames below one frame that are too narrow to be drawn. */
export function tinyWords(frames: number, value: number, whole: number): string {
  return `${formatCounted(frames, "tiny frame")} hidden (${formatPercent(value, whole)})`;
}
