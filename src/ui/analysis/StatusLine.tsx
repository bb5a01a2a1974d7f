import {
  formatCount,
  formatCounted,
  formatEstimate,
  formatPercent,
  formatProfileValue,
  isWeighted,
} from "../../model/format.ts";
import { countedWord } from "../../model/measure.ts";
import css from "./StatusLine.module.css";
import type { Selection } from "./use-selection.ts";

/** What the graph stands for, and what of it is not drawn. */
export function StatusLine({ selection }: { selection: Selection }) {
  const { totals, profile, answer } = selection;
  const withoutStack = answer.path.length === 0 ? answer.selectionTotal - answer.frames.total[0] : 0;
  return (
    <p className={css.status} role="status">
      <span data-testid="total-samples" data-exact={totals.samples}>
        {formatCounted(totals.samples, "sample")}
      </span>
      <span data-testid="total-value" data-exact={totals.value.toString()}>
        {valueWords(selection)}
      </span>
      <span>{formatPercent(totals.value, profile.value)} of the profile</span>
      {withoutStack > 0 && <span>{formatPercent(withoutStack, answer.selectionTotal)} without a stack</span>}
      <span data-testid="folded" data-exact={answer.foldedFrames}>
        {foldedWords(selection)}
      </span>
    </p>
  );
}

/** The value where it says more than the number of samples: a time, a size, a weight above one. */
function valueWords({ totals, profile }: Selection): string {
  const estimate = formatEstimate(totals.value, profile);
  const value = formatProfileValue(totals.value, profile);
  if (profile.unit === "count" && countedWord(profile) === "samples") return "each counts once";
  if (profile.unit !== "samples") return value;
  return [isWeighted(profile) ? value : "", estimate ?? ""].filter((part) => part !== "").join(", ") || "weight 1 each";
}

function foldedWords({ answer }: Selection): string {
  const { foldedFrames, foldedValue, framesInFocus, frames } = answer;
  if (frames.total[0] === 0) return "nothing to draw";
  if (foldedFrames === 0) return `${formatCounted(frames.node.length, "frame")}, none folded`;
  const shown = `${formatCount(frames.node.length)} of ${formatCounted(framesInFocus, "frame")}`;
  return `${shown}, ${formatPercent(foldedValue, frames.total[0])} folded`;
}
