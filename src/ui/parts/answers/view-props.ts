/** Props of every view of the selection. */
import type { TimeRow } from "../../../core/answers/time-rows.ts";
import type { SelectionTotals } from "../../../core/types.ts";
import type { QueryAction, QueryState } from "../../../model/query/query.ts";
import type { ProfileTab } from "../../../model/recording/profile-tabs.ts";
import type { Measured } from "../../../model/words/measure.ts";
import type { CallsOverview, InputFile, Query, TracesOverview } from "../../../worker/api.ts";

export interface ViewProps {
  profile: Measured;
  tabs: ProfileTab[];
  files: string[];
  /** First and last moment of each file; times count from the first. */
  zeros: readonly TimeRow[];
  /** The selected samples. */
  samples: Query;
  totals: SelectionTotals;
  /** Calls of the dumps; null without a dump. */
  calls: CallsOverview | null;
  /** Spans; null without any. */
  traces: TracesOverview | null;
  query: QueryState;
  act: (action: QueryAction) => void;
  /** Room for a drawing, in CSS pixels; 0 until it is known. */
  width: number;
  onCompareWith: (files: InputFile[]) => void;
}
