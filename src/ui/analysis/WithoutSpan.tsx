import { useMemo } from "react";
import { type Chipped, hasChip } from "../../model/query/chips.ts";
import type { QueryAction } from "../../model/query/query.ts";
import type { Measured } from "../../model/recording/measure.ts";
import { formatCount, formatPercent } from "../../model/words/format.ts";
import type { Failure } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import css from "./ProfileNote.module.css";
import { useAnswer } from "./use-answer.ts";

interface Props {
  profile: Measured;
  query: Chipped;
  act: (action: QueryAction) => void;
  onFailure: (failure: Failure) => void;
}

const CHIP = { kind: "no-span" } as const;

/** Filters by the samples without a span, and counts those of the whole profile. */
export function WithoutSpan({ profile, query, act, onFailure }: Props) {
  const { id, samples } = profile;
  const question = useMemo(() => ({ profile: id, measure: 0, filter: { noSpan: true } }), [id]);
  const answered = useAnswer(question, (asked) => viewer.totals(asked), onFailure, true);
  const totals = answered?.question === question ? answered.answer : undefined;
  const chosen = hasChip(query, CHIP);
  // Without any there is nothing to choose, but a filter that a link brought can be removed.
  if (totals?.samples === 0 && !chosen) return null;
  const count = totals && `: ${formatCount(totals.samples)}, ${formatPercent(totals.samples, samples)}`;
  return (
    <button
      type="button"
      className={css.choice}
      data-testid="no-span"
      aria-pressed={chosen}
      title="Neither a span id nor a local root"
      onClick={() => act({ kind: chosen ? "remove" : "add", chip: CHIP })}
    >
      Only samples without a span{count}
    </button>
  );
}
