import type { TimeRange } from "../../core/types.ts";
import type { Marks } from "../../core/view-types.ts";
import type { QueryAction, QueryState } from "../../model/query/query.ts";
import type { Measured } from "../../model/recording/measure.ts";
import type { Failure, Query } from "../../worker/api.ts";
import { Choice } from "../choice/Choice.tsx";

/** What lanes and heat map are given. */
export interface TimelineDetailProps {
  profile: Measured;
  /** Without the range of time. */
  samples: Query;
  /** The recording's time. */
  whole: TimeRange;
  /** Something is left out by the filters. */
  marked: boolean;
  marks: Marks | null;
  query: QueryState;
  act: (action: QueryAction) => void;
  onRange: (range: TimeRange | null) => void;
  /** The focus goes back to where this was opened. */
  onLeave: () => void;
  dark: boolean;
  onFailure: (failure: Failure) => void;
}

const CHOICES: { value: "whole" | "range"; label: string; title: string }[] = [
  { value: "whole", label: "whole recording", title: "From the first sample to the last" },
  { value: "range", label: "range", title: "Only the range of time that is chosen" },
];

/** Whether lanes and heat map show the whole time, or the time filter; nothing to choose without such a filter. */
export function ShownTimeChoice({ query, act }: Pick<TimelineDetailProps, "query" | "act">) {
  if (query.filter.time === undefined) return null;
  return (
    <Choice
      legend="Time shown"
      options={CHOICES}
      value={query.closer ? "range" : "whole"}
      onChange={(value) => act({ kind: "closer", closer: value === "range" })}
      testId="closer"
    />
  );
}
