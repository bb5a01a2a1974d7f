/** The strip of the current row: of all its time, and of the part shown. */
import { useMemo } from "react";
import type { ShownTime, Timeline } from "../../../core/view-types.ts";
import { BINS } from "../../../model/timeline/lanes.ts";
import { isWhole } from "../../../model/timeline/scale.ts";
import type { Query } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { type Answered, useAnswer } from "../answers/use-answer.ts";
import type { StripBins } from "./strip-canvas.ts";
import { scopeOf, type TimeView } from "./use-time-view.ts";

/** `marked`: filters leave something out of the selection that the strip is of, which may be the one before. */
export type ShownStrip = StripBins & Timeline & Timeline["strips"][number] & { marked: boolean };

export function useStrips(samples: Query, { row, settled, shown }: TimeView) {
  const ask = (asked: { samples: Query; time: ShownTime }) => viewer.timeline(asked.samples, BINS, [], asked.time);
  const all = useMemo(() => ({ samples, time: { from: row.from, to: row.to, ...scopeOf(row) } }), [samples, row]);
  const part = useMemo(() => (isWhole(row, settled) ? null : { samples, time: settled }), [samples, row, settled]);
  const whole = useAnswer(all, ask, true);
  const closer = useAnswer(part, ask, true);
  const wholeStrip = useMemo(() => (whole?.question.time.first === row.first ? of(whole) : null), [whole, row.first]);
  const closerStrip = useMemo(() => of(closer), [closer]);
  const covers = closerStrip !== null && closerStrip.from <= shown.from && closerStrip.to >= shown.to;
  // Of other samples, or from before the zoom was left.
  const isOf = covers && part !== null && closer?.question.samples === samples;
  return { whole: wholeStrip, strip: isOf ? closerStrip : wholeStrip };
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
