import type { TimeRange } from "../../core/types.ts";
import { pin } from "../../model/query/baseline.ts";
import { chipsOf } from "../../model/query/chips.ts";
import type { QueryAction, QueryState } from "../../model/query/query.ts";
import type { InputFile } from "../../worker/api.ts";
import { FilePicker } from "../open/FilePicker.tsx";
import css from "./DiffView.module.css";

interface Props {
  query: QueryState;
  /** Of calls of dumps. */
  exact: boolean;
  /** First and last moment of each file. */
  times: readonly TimeRange[];
  act: (action: QueryAction) => void;
  onCompareWith: (files: InputFile[]) => void;
}

/** The baselines to choose from where the current one has no sample. */
export function EmptyBaseline({ query, exact, times, act, onCompareWith }: Props) {
  const [only] = times;
  const isSelected = chipsOf(query).length > 0;
  return (
    <div className={css.nothing} data-testid="diff-nothing">
      <p>
        {isSelected
          ? "The baseline is empty. Choose another:"
          : `Everything is selected. Pick ${exact ? "calls" : "a trace or an endpoint"}, or compare with:`}
      </p>
      <div className={css.offers}>
        {isSelected && query.baseline !== "rest" && (
          <button type="button" data-testid="offer-rest" onClick={() => act({ kind: "baseline", baseline: "rest" })}>
            {exact ? "All other calls" : "All other samples"}
          </button>
        )}
        {only !== undefined && times.length === 1 && query.filter.time === undefined && (
          <button type="button" data-testid="offer-earlier" onClick={() => compareHalves(query, only, act)}>
            An earlier time
          </button>
        )}
        <FilePicker label="Another file…" testId="offer-file" onFiles={onCompareWith} />
      </div>
    </div>
  );
}

/** Selects the later half of the recording, with the earlier half as the baseline. */
function compareHalves(query: QueryState, { from, to }: TimeRange, act: Props["act"]): void {
  const middle = from + (to - from) / 2n;
  const earlier = { ...query.filter, time: { from, to: middle } };
  act({ kind: "baseline", baseline: pin({ ...query, filter: earlier }) });
  act({ kind: "add", chip: { kind: "time", from: middle, to: to + 1n } });
}
