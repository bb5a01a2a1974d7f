/** Totals of an answer of the core, in words: beside a graph, in a report, under a picture. */
import type { FramesAnswer, SelectionTotals } from "../../core/types.ts";
import { countedWord, type Weighed } from "../recording/measure.ts";
import { formatCount, formatCounted, formatEstimate, formatPercent, formatProfileValue, isWeighted } from "./format.ts";

/** The value where it says more than the number of samples: a time, a size, a weight above one. */
export function valueWords(profile: Weighed, totals: SelectionTotals): string {
  const estimate = formatEstimate(totals.value, profile);
  const value = formatProfileValue(totals.value, profile);
  if (profile.unit === "count" && countedWord(profile) === "samples") return "each counts once";
  if (profile.unit !== "samples") return value;
  return [isWeighted(profile) ? value : "", estimate ?? ""].filter((part) => part !== "").join(", ") || "weight 1 each";
}

/** How many of the frames are not drawn. For regrouped trees the number of deeper frames is unknown. */
export function hiddenWords(answer: FramesAnswer, regrouped: boolean): string {
  const { hiddenFrames, hiddenValue, framesInFocus, frames } = answer;
  const total = frames.total[0];
  if (total === 0) return "nothing to draw";
  const empty = answer.path.length === 0 ? answer.selectionTotal - total : 0;
  const without = empty > 0 ? `, ${formatPercent(empty, answer.selectionTotal)} without a stack` : "";
  if (hiddenFrames === 0) return `${formatCounted(frames.node.length, "frame")}, none hidden${without}`;
  const all = regrouped ? `more than ${formatCount(framesInFocus)} frames` : formatCounted(framesInFocus, "frame");
  return `${formatCount(frames.node.length)} of ${all}, ${formatPercent(hiddenValue, total)} hidden${without}`;
}
