/** Props of lanes, heat map and JVM strips: one scale, and the answers that the timeline already has. */

import type { TimeRange } from "../../../core/types.ts";
import type { Marks } from "../../../core/view-types.ts";
import type { Query } from "../../../worker/api.ts";
import type { ViewProps } from "../answers/view-props.ts";
import type { TimeQuery } from "./time-query.ts";
import type { Pointing } from "./use-pointing.ts";
import type { TimeView } from "./use-time-view.ts";

export interface TimelineDetailProps extends Pick<ViewProps, "profile" | "act"> {
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
  onRange: (range: TimeRange | null) => void;
  /** The focus goes back to where this was opened. */
  onLeave: () => void;
}
