import { Info } from "lucide-react";
import { type RefObject, useEffect, useMemo, useRef } from "react";
import { type Chart, chartOf, lineOfRow, rowOfBox } from "../../model/chart/chart.ts";
import type { ChartColumns } from "../../model/chart/columns.ts";
import { stackOf, stepFrom } from "../../model/chart/steps.ts";
import { boxWords } from "../../model/chart/words.ts";
import type { ChartSubject } from "../../report/chart-picture.ts";
import { copyText } from "../clipboard/copy-text.ts";
import { CELL_PX } from "../flame/cell.ts";
import { buttonOfLine, DetailLine } from "../flame/FrameLine.tsx";
import { useWidth } from "../flame/use-width.ts";
import { IconButton } from "../icon/IconButton.tsx";
import { Axis } from "../timeline/Axis.tsx";
import crosshair from "../timeline/Crosshair.module.css";
import { useZoomGestures } from "../timeline/use-zoom-gestures.ts";
import { showToast } from "../toast/toasts.ts";
import { ChartHead } from "./ChartHead.tsx";
import { ChartStage } from "./ChartStage.tsx";
import { pressChartKey } from "./chart-keys.ts";
import css from "./FlameChart.module.css";
import { useChartCanvas } from "./use-chart-canvas.ts";
import { rangeOf, useChartPointer } from "./use-chart-pointer.ts";
import { type ChartTime, type ChartZoom, useChartTime } from "./use-chart-time.ts";
import { hitWords, useChartWords } from "./use-chart-words.ts";

export interface FlameChartProps {
  columns: ChartColumns;
  /** The visible part of the time. */
  zoom: ChartZoom;
  /** Name for assistive technology. */
  label: string;
  /** What the minimap shows: `whole call`. */
  whole: string;
  /** What the chart is of, for pictures. */
  title: string;
  /** Colour of each box, by its number in TONES. */
  tones: Uint8Array;
  /** 1 for the names that a search finds; null without a search. */
  found: Uint8Array | null;
  dark: boolean;
  /** The current box, which is brought into view when it changes. */
  current: number;
  onCurrent: (box: number) => void;
  /** A click or Enter asks for the detail of the current box; a key takes the focus there. */
  onDetail?: ((isKey: boolean) => void) | undefined;
  /** A click or Enter chose a box. */
  onChosen?: ((box: number) => void) | undefined;
  /** To the next match (1) or the one before (−1). */
  onWalk: (step: number) => void;
}

/** Durations over time, for any source (model/chart/columns.ts). One box is current, and keys move it. */
export function FlameChart(props: FlameChartProps) {
  const { columns, zoom, label, whole, title, tones, found, dark, current, onCurrent, onDetail, onChosen, onWalk } =
    props;
  const section = useRef<HTMLElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(host);
  const chart = useMemo(() => chartOf(columns), [columns]);
  const time = useChartTime(columns, zoom);
  const { window } = time;
  const scene = useMemo(
    () => ({ chart, tones, found, dark, window, width }),
    [chart, tones, found, dark, window, width],
  );
  useChartCanvas({ canvas, scroller }, scene);
  useZoomGestures(section, time.view);
  useReveal(chart, time, current, scroller);
  const pointer = useChartPointer({
    ...{ chart, time, width, scroller },
    onPick: (hit) => {
      if (hit.count > 1 && !time.isClosest) return time.zoomTo(rangeOf(chart, hit));
      onCurrent(hit.box);
      onChosen?.(hit.box);
      onDetail?.(false);
    },
    onInto: (hit) => time.zoomTo(rangeOf(chart, hit)),
  });
  const height = chart.lines.length * CELL_PX;
  useChartWords(section, { chart, time, width, host, hitAt: pointer.hitAt });
  // Its suspension is the sum of all boxes below: not to be added up in every frame of a gesture.
  const words = useMemo(() => boxWords(columns, current), [columns, current]);
  const told = pointer.hovered === null ? words : hitWords(chart, pointer.hovered, time.isClosest);

  return (
    <section ref={section} className={`${css.chart} ${crosshair.plots}`} aria-label={label} data-testid="chart">
      <ChartHead
        {...{ columns, time, width, dark, whole }}
        onSave={(format) => void save({ chart, window, title, tones, found }, format, dark)}
      />
      <div className={css.axis} style={{ width }}>
        <Axis view={time.view} width={width} />
      </div>
      <ChartStage
        {...{ scroller, host, canvas, chart, time, width, height, current, words, pointer, label }}
        isFound={found?.[columns.name[current]] === 1}
        onKeyDown={(event) =>
          pressChartKey(event, {
            step: (step) => onCurrent(stepFrom(columns, current, step)),
            pan: time.view.pan,
            zoom: (factor) => time.view.zoom(factor, centreOf(chart, time, current)),
            zoomIn: () => time.zoomTo(rangeOf(chart, { box: current, count: 1 })),
            back: time.back,
            showAll: time.view.isWhole ? null : time.showAll,
            open: () => {
              onChosen?.(current);
              onDetail?.(true);
            },
            walk: onWalk,
            copyStack: () => void copyText(stackOf(columns, current).join("\n")),
          })
        }
      />
      <DetailLine {...told}>
        {onDetail !== undefined && (
          <IconButton
            className={buttonOfLine}
            icon={Info}
            label="Frame detail"
            tip="Frame detail (Enter or click)"
            testId="chart-detail"
            onClick={() => onDetail(true)}
          />
        )}
      </DetailLine>
    </section>
  );
}

async function save(subject: ChartSubject, format: "svg" | "png", dark: boolean): Promise<void> {
  try {
    const { savePicture } = await import("./save-picture.ts");
    await savePicture(subject, format, dark);
  } catch (error) {
    showToast({ tone: "error", text: `The picture was not saved: ${error instanceof Error ? error.message : error}` });
  }
}

/** Where keys zoom: at the current box, if it is in view. */
function centreOf({ columns }: Chart, { window: { from, to } }: ChartTime, box: number): number {
  const middle = columns.start[box] + columns.duration[box] / 2;
  return middle > from && middle < to ? (middle - from) / (to - from) : 0.5;
}

/** Brings the current box into view, in time and in its row, when another one becomes current. */
function useReveal(chart: Chart, time: ChartTime, current: number, scroller: RefObject<HTMLElement | null>): void {
  const shown = useRef(current);
  useEffect(() => {
    if (shown.current === current) return;
    shown.current = current;
    time.reveal(rangeOf(chart, { box: current, count: 1 }));
    const around = scroller.current;
    if (around === null) return;
    const top = lineOfRow(chart, rowOfBox(chart, current)) * CELL_PX;
    if (top < around.scrollTop) around.scrollTop = top;
    else if (top + CELL_PX > around.scrollTop + around.clientHeight)
      around.scrollTop = top + CELL_PX - around.clientHeight;
  });
}
