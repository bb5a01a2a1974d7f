import type { SelectionTotals } from "../../core/types.ts";
import { formatCounted, formatEstimate, formatPercent, formatProfileValue, isWeighted } from "../../model/format.ts";
import { countedWord, type Measured } from "../../model/measure.ts";
import css from "./StatusLine.module.css";

interface Props {
  profile: Measured;
  totals: SelectionTotals;
}

/** What the selection adds up to. */
export function StatusLine({ profile, totals }: Props) {
  return (
    <p className={css.status} role="status">
      <span data-testid="total-samples" data-exact={totals.samples}>
        {formatCounted(totals.samples, "sample")}
      </span>
      <span data-testid="total-value" data-exact={totals.value.toString()}>
        {valueWords(profile, totals)}
      </span>
      <span>{formatPercent(totals.value, profile.value)} of the profile</span>
    </p>
  );
}

/** The value where it says more than the number of samples: a time, a size, a weight above one. */
function valueWords(profile: Measured, totals: SelectionTotals): string {
  const estimate = formatEstimate(totals.value, profile);
  const value = formatProfileValue(totals.value, profile);
  if (profile.unit === "count" && countedWord(profile) === "samples") return "each counts once";
  if (profile.unit !== "samples") return value;
  return [isWeighted(profile) ? value : "", estimate ?? ""].filter((part) => part !== "").join(", ") || "weight 1 each";
}
