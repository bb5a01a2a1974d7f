/** What the tooltip says over strip and axis: the time everywhere, then samples, pauses and gaps. */
import { type RefObject, useCallback } from "react";
import type { TimeRange } from "../../../core/types.ts";
import type { Marks } from "../../../core/view-types.ts";
import { binAt, binWords } from "../../../model/timeline/bin-words.ts";
import { momentAt } from "../../../model/timeline/lanes.ts";
import { wordsAt } from "../../../model/timeline/marks.ts";
import type { Measured } from "../../../model/words/measure.ts";
import { digitsFor, formatClock, formatOffset } from "../../../model/words/moments.ts";
import { beyondWords } from "./Strip.tsx";
import type { StripBins } from "./strip-canvas.ts";
import { useDescribe, usePointing } from "./use-pointing.ts";
import type { ShownStrip } from "./use-strips.ts";
import type { TimeView } from "./use-time-view.ts";

/** Pixels on either side of the pointer in which a pause is told. */
const REACH_PX = 3;
/** Pixels from the edge in which the tooltip tells what lies beyond it. */
const EDGE_PX = 16;

/** Samples of the bin at a share of the width, and the pauses or the gap there. */
export function placeWords(
  share: number,
  shown: TimeRange,
  strip: (StripBins & Omit<ShownStrip, "strips" | "before" | "after" | "marked">) | undefined | null,
  marks: Marks | null,
  width: number,
  profile: Measured,
  marked: boolean,
): string[] {
  const moment = momentAt(shown, share);
  const bin = strip === undefined || strip === null ? null : binAt(strip, strip.bins, moment);
  const reach = (REACH_PX * Number(shown.to - shown.from)) / Math.max(1, width);
  const words = [
    strip === undefined || strip === null || bin === null ? "" : binWords(strip, bin, bin, profile, marked),
    marks === null ? "" : wordsAt(marks, moment, reach),
  ];
  return words.filter((line) => line !== "");
}

interface Plot {
  view: TimeView;
  strip: ShownStrip | null;
  marks: Marks | null;
  width: number;
  profile: Measured;
  dragged: RefObject<string>;
}

export function useStripWords(section: RefObject<HTMLElement | null>, plot: Plot) {
  const { view, strip, marks, width, profile, dragged } = plot;
  const { row, shown, isWhole } = view;
  const pointing = usePointing(section, (share) => {
    const moment = momentAt(shown, share);
    const digits = digitsFor(Number(shown.to - shown.from) / Math.max(1, width));
    const clock = formatClock(moment, digits);
    return formatOffset(moment - row.from, digits) + (clock === "" ? "" : ` · ${clock} UTC`);
  });
  useDescribe(
    pointing,
    "axis",
    useCallback(() => [isWhole ? "Ctrl+scroll to zoom" : "Drag to move"], [isWhole]),
  );
  useDescribe(
    pointing,
    "strip",
    useCallback(
      (share) => {
        if (dragged.current !== "") return [dragged.current];
        const edge = EDGE_PX / Math.max(1, width);
        const { before = 0, after = 0 } = strip ?? {};
        return [
          ...placeWords(share, shown, strip, marks, width, profile, strip?.marked === true),
          ...(isWhole && before > 0 && share < edge ? [beyondWords(before, "began before the recording")] : []),
          ...(isWhole && after > 0 && share > 1 - edge ? [beyondWords(after, "are later than the recording")] : []),
        ];
      },
      [shown, strip, marks, width, profile, dragged, isWhole],
    ),
  );
  return pointing;
}
