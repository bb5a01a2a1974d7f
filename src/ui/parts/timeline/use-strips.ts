/** The strip of the current row: of all its time, and of the part shown. */
import { useMemo } from "react";
import type { TimeRow } from "../../../core/answers/time-rows.ts";
import type { ShownTime, Timeline } from "../../../core/view-types.ts";
import { BINS } from "../../../model/timeline/lanes.ts";
import { busyPart, isWhole } from "../../../model/timeline/scale.ts";
import type { Query } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { type Answered, useAnswer } from "../answers/use-answer.ts";
import type { StripBins } from "./strip-canvas.ts";
import { scopeOf, type TimeView } from "./use-time-view.ts";

/** `marked`: filters leave something out of the selection that the strip is of, which may be the one before. */
export type ShownStrip = StripBins & Timeline & Timeline["strips"][number] & { marked: boolean };

const ask = ({ samples, time }: { samples: Query; time: ShownTime }) => viewer.timeline(samples, BINS, [], time);

/** Of all time of a row, and where its samples are if that is a small part. */
export function useWholeStrip(samples: Query, row: TimeRow) {
  const all = useMemo(() => ({ samples, time: { from: row.from, to: row.to, ...scopeOf(row) } }), [samples, row]);
  const whole = useAnswer(all, ask, true);
  return useMemo(() => {
    const strip = whole?.question.time.first === row.first ? of(whole) : null;
    return { whole: strip, busy: strip === null ? null : busyPart(row, strip.all) };
  }, [whole, row]);
}

/** Of the part shown. */
export function useStrip(samples: Query, { row, settled, shown }: TimeView, whole: ShownStrip | null) {
  const part = useMemo(() => (isWhole(row, settled) ? null : { samples, time: settled }), [samples, row, settled]);
  const closer = useAnswer(part, ask, true);
  const closerStrip = useMemo(() => of(closer), [closer]);
  const covers = closerStrip !== null && closerStrip.from <= shown.from && closerStrip.to >= shown.to;
  // Of other samples, or from before the zoom was left.
  const isOf = covers && part !== null && closer?.question.samples === samples;
  return isOf ? closerStrip : whole;
}

function of(answered: Answered<{ samples: Query }, Timeline> | null): ShownStrip | null {
  if (answered === null) return null;
  const { question, answer } = answered;
  return { ...answer, ...answer.strips[0]!, marked: isMarked(question.samples) };
}

/** Something is left out by the filters. */
export function isMarked({ filter }: Query): boolean {
  return Object.keys(filter).some((key) => key !== "rawNames");
}
