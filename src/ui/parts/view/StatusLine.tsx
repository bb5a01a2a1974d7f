import { memo } from "react";
import { inferredTitle } from "../../../model/trace/coverage.ts";
import { valueWords } from "../../../model/words/answer-words.ts";
import { formatCount, formatCounted, formatPercent } from "../../../model/words/format.ts";
import type { ViewProps } from "../answers/view-props.ts";
import css from "./StatusLine.module.css";

interface Props extends Pick<ViewProps, "profile" | "totals"> {
  /** Of dumps: there the number of samples says nothing. */
  ofCalls?: boolean;
  /** Samples whose context is inferred; 0 where it is not known. */
  inferred?: number;
}

/** Totals of the selection. */
export const StatusLine = memo(function StatusLine({ profile, totals, ofCalls = false, inferred = 0 }: Props) {
  const value = valueWords(profile, totals);
  const isCounted = !ofCalls && profile.exact === undefined;
  const samples = formatCounted(totals.samples, "sample");
  return (
    <p className={css.status} role="status" data-tip={[isCounted ? samples : "", value].filter(Boolean).join(" · ")}>
      {isCounted && (
        <span data-testid="total-samples" data-exact={totals.samples}>
          {samples}
        </span>
      )}{" "}
      {inferred > 0 && (
        <span data-testid="total-inferred" data-exact={inferred} title={inferredTitle(profile)}>
          {formatCount(inferred)} of them inferred
        </span>
      )}{" "}
      <span data-testid="total-value" data-exact={totals.value.toString()} hidden={value === ""}>
        {value}
      </span>{" "}
      <span>
        {formatPercent(totals.value, profile.value)}
        <span className={css.of}> of the {ofCalls ? "selected calls" : "profile"}</span>
      </span>
    </p>
  );
});
