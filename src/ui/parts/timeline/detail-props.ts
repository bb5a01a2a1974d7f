/** Props of lanes, heat map and JVM strips: one scale, and the answers that the timeline already has. */

import type { TimeRange } from "../../../core/types.ts";
import type { Marks } from "../../../core/view-types.ts";
import type { QueryAction } from "../../../model/query/query.ts";
import type { Measured } from "../../../model/words/measure.ts";
import type { Query } from "../../../worker/api.ts";
import type { TimeQuery } from "./time-query.ts";
import type { Pointing } from "./use-pointing.ts";
import type { TimeView } from "./use-time-view.ts";

export interface TimelineDetailProps {
  profile: Measured;
  /** Without the range of time. */
  samples: Query;
  view: TimeView;
  pointing: Pointing;
  /** Of the strip, and so of every plot. */
  width: number;
  /** Something is left out by the filters. */
  marked: boolean;
  /** Of the row shown. */
  marks: Marks | null;
  query: TimeQuery;
  act: (action: QueryAction) => void;
  onRange: (range: TimeRange | null) => void;
  /** The focus goes back to where this was opened. */
  onLeave: () => void;
}
