/** What the tooltip tells over a chart: the time everywhere, then the frame or the frames of a mark. */
import { type RefObject, useCallback } from "react";
import type { Chart } from "../../model/chart/chart.ts";
import type { Hit } from "../../model/chart/visible.ts";
import { boxWords, markWords, pauseAt } from "../../model/chart/words.ts";
import { momentAt } from "../../model/timeline/lanes.ts";
import { formatNanos } from "../../model/words/format.ts";
import { digitsFor, formatClock, formatOffset } from "../../model/words/moments.ts";
import { useDescribe, usePointing } from "../timeline/use-pointing.ts";
import type { ChartTime } from "./use-chart-time.ts";

export interface Told {
  name: string;
  parts: string[];
}

export function hitWords({ columns }: Chart, { box, count }: Hit, isClosest: boolean): Told {
  return count === 1 ? boxWords(columns, box) : markWords(columns, box, count, isClosest);
}

interface Plot {
  chart: Chart;
  time: ChartTime;
  width: number;
  hitAt: (x: number, y: number) => Hit | null;
  /** The element of the rows, which is as high as the view at least. */
  host: RefObject<HTMLElement | null>;
}

export function useChartWords(section: RefObject<HTMLElement | null>, { chart, time, width, hitAt, host }: Plot) {
  const { view, isClosest } = time;
  const { shown, row, isWhole } = view;
  const { step } = chart.columns;
  const pointing = usePointing(section, (share) => {
    const moment = momentAt(shown, share);
    const digits = digitsFor(Math.max(step, Number(shown.to - shown.from) / Math.max(1, width)));
    const clock = formatClock(moment, digits);
    return formatOffset(moment - row.from, digits) + (clock === "" ? "" : ` · ${clock} UTC`);
  });
  useDescribe(
    pointing,
    "axis",
    useCallback(() => [isWhole ? "Scroll over the chart to zoom" : "Drag to move"], [isWhole]),
  );
  const describe = (share: number, y: number) => {
    const hit = hitAt(share * width, y * (host.current?.clientHeight ?? 0));
    const pause = pauseAt(chart.columns, Number(momentAt(shown, share) - row.from));
    const paused = pause === null ? [] : [`Suspended: a pause of ${formatNanos(pause)}`];
    if (hit === null) return paused;
    const { name, parts } = hitWords(chart, hit, isClosest);
    return [name, parts.join(" · "), ...paused];
  };
  useDescribe(pointing, "chart", describe);
}
