import { memo } from "react";
import type { SelectionTotals } from "../../core/types.ts";
import type { Measured } from "../../model/recording/measure.ts";
import { valueWords } from "../../model/words/answer-words.ts";
import { formatCounted, formatPercent } from "../../model/words/format.ts";
import css from "./StatusLine.module.css";

interface Props {
  profile: Measured;
  totals: SelectionTotals;
  /** Of dumps: there the number of samples says nothing. */
  ofCalls?: boolean;
}

/** Totals of the selection. */
export const StatusLine = memo(function StatusLine({ profile, totals, ofCalls = false }: Props) {
  return (
    <p className={css.status} role="status">
      {!ofCalls && (
        <span data-testid="total-samples" data-exact={totals.samples}>
          {formatCounted(totals.samples, "sample")}
        </span>
      )}
      <span data-testid="total-value" data-exact={totals.value.toString()}>
        {valueWords(profile, totals)}
      </span>
      <span>
        {formatPercent(totals.value, profile.value)} of the {ofCalls ? "selected calls" : "profile"}
      </span>
    </p>
  );
});
