/** The profile of the selected calls, of which the other filters show a part. */
import { useMemo } from "react";
import type { Filter } from "../../core/types.ts";
import type { Measured } from "../../model/recording/measure.ts";
import type { CallsOverview } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import { useAnswer, useSamples } from "../analysis/use-answer.ts";

const NO_FILTER: Filter = {};
const ignored = () => {};

/** Shares are those of the selected calls. Until their total is known it is that of the calls of the beginning. */
export function useCallsProfile(whole: Measured | null, calls: CallsOverview | null, filter: Filter): Measured | null {
  const selecting = useMemo(() => (calls === null ? NO_FILTER : callsOf(filter)), [calls, filter]);
  const samples = useSamples(whole ?? NONE, selecting);
  const question = calls === null || whole === null ? null : samples;
  // The views ask the same, and show why there is no answer.
  const answered = useAnswer(question, (asked) => viewer.totals(asked), ignored);
  return useMemo(() => {
    if (whole === null || answered === null || answered.question !== question) return whole;
    return { ...whole, ...answered.answer };
  }, [whole, answered, question]);
}

function callsOf({ calls, time, file }: Filter): Filter {
  return {
    ...(calls !== undefined && { calls }),
    ...(time !== undefined && { time }),
    ...(file !== undefined && { file }),
  };
}

const NONE = { id: 0, measure: 0 };
