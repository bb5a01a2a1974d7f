import { Info } from "lucide-react";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { type Chart, chartOf, lineOfRow, rowOfBox } from "../../../model/chart/chart.ts";
import type { ChartColumns } from "../../../model/chart/columns.ts";
import { stackOf, stepFrom } from "../../../model/chart/steps.ts";
import type { Hit } from "../../../model/chart/visible.ts";
import { aroundBox, boxWords, markWords, pauseAt } from "../../../model/chart/words.ts";
import { momentAt } from "../../../model/timeline/lanes.ts";
import { formatNanos } from "../../../model/words/format.ts";
import { digitsFor, formatClock, formatOffset } from "../../../model/words/moments.ts";
import type { ChartSubject } from "../../../report/chart-picture.ts";
import { useSame } from "../../parts/answers/use-answer.ts";
import { partColours } from "../../parts/drawing/part-colours.ts";
import { useWidth } from "../../parts/drawing/use-width.ts";
import { Axis } from "../../parts/timeline/Axis.tsx";
import crosshair from "../../parts/timeline/Crosshair.module.css";
import { useLaneState } from "../../parts/timeline/use-lane-state.ts";
import { useDescribe, usePointing } from "../../parts/timeline/use-pointing.ts";
import { pointedShare, useZoomGestures } from "../../parts/timeline/use-zoom-gestures.ts";
import { ViewFoot } from "../../parts/view/ViewTools.tsx";
import { copyText } from "../../primitives/clipboard/copy-text.ts";
import { IconButton } from "../../primitives/icon/Icon.tsx";
import { useDark } from "../../primitives/theme/dark.ts";
import { showToast } from "../../primitives/toast/toasts.ts";
import { buttonOfLine, DetailLine } from "../flame/FrameLine.tsx";
import { CELL_PX } from "../flame/graph-props.ts";
import { ChartHead } from "./ChartHead.tsx";
import { ChartStage } from "./ChartStage.tsx";
import { ChartCanvas, type ChartScene } from "./chart-canvas.ts";
import { pressChartKey } from "./chart-keys.ts";
import css from "./FlameChart.module.css";
import { rangeOf, type Target, useChartPointer } from "./use-chart-pointer.ts";
import { type ChartTime, type ChartZoom, useChartTime } from "./use-chart-time.ts";

export interface FlameChartProps extends Pick<ChartSubject, "tones" | "found"> {
  columns: ChartColumns;
  /** The visible part of the time. */
  zoom: ChartZoom;
  /** Name for assistive technology. */
  label: string;
  /** What the minimap shows: `whole call`. */
  whole: string;
  /** What the chart is of, for pictures. */
  title: string;
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
  const { columns, zoom, label, whole, title, tones, found, current, onCurrent, onDetail, onChosen, onWalk } = props;
  const dark = useDark();
  const section = useRef<HTMLElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(host);
  const chart = useMemo(() => chartOf(columns), [columns]);
  const time = useChartTime(columns, zoom);
  const scene = useSame({ chart, tones, found, dark, window: time.window, width });
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
        {...{ columns, time, width, whole }}
        onSave={(format) => {
          const states = canvas.current === null ? [] : Object.values(partColours(canvas.current));
          void save({ chart, window: time.window, title, tones, found, states }, format, dark);
        }}
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
            zoomHere: (factor) => time.view.zoom(factor, centreOf(chart, time, current, section.current)),
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
      <ViewFoot>
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
      </ViewFoot>
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

/** Where keys zoom: at the pointer over `plots`, else at the current box, if it is in view. */
function centreOf(
  { columns }: Chart,
  { window: { from, to } }: ChartTime,
  box: number,
  plots: HTMLElement | null = null,
): number {
  const pointed = pointedShare(plots);
  if (pointed !== null) return pointed;
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

/** The canvas of a chart: drawn with each scene, when its rows are scrolled, and when its place changes its size. */
interface Places {
  canvas: RefObject<HTMLCanvasElement | null>;
  scroller: RefObject<HTMLElement | null>;
}

function useChartCanvas({ canvas, scroller }: Places, scene: ChartScene): void {
  const latest = useRef(scene);
  const draw = useRef<() => void>(() => {});
  latest.current = scene;

  useLayoutEffect(() => {
    const [element, around] = [canvas.current, scroller.current];
    if (element === null || around === null) return;
    const drawing = new ChartCanvas(element);
    draw.current = () => {
      const { clientHeight, scrollTop } = around;
      element.style.height = `${clientHeight}px`;
      drawing.draw(latest.current, scrollTop, clientHeight);
      // The drawing, for tests: bound as d3 binds its data to elements.
      Object.assign(element, { __data__: latest.current });
    };
    const again = () => draw.current();
    const size = new ResizeObserver(again);
    size.observe(around);
    around.addEventListener("scroll", again, { passive: true });
    // The page's fonts come after the first picture: labels are cut to their widths then.
    document.fonts.addEventListener("loadingdone", again);
    return () => {
      size.disconnect();
      around.removeEventListener("scroll", again);
      document.fonts.removeEventListener("loadingdone", again);
    };
  }, [canvas, scroller]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn again with each scene
  useLayoutEffect(() => draw.current(), [scene]);
}

/** What the tooltip tells over a chart: the time everywhere, then the frame or the frames of a mark. */
interface Told {
  name: string;
  parts: string[];
}

function hitWords({ columns }: Chart, { box, count }: Hit, isClosest: boolean): Told {
  return count === 1 ? boxWords(columns, box) : markWords(columns, box, count, isClosest);
}

interface Plot extends Pick<Target, "chart" | "time" | "width"> {
  hitAt: (x: number, y: number) => Hit | null;
  /** The element of the rows, which is as high as the view at least. */
  host: RefObject<HTMLElement | null>;
}

function useChartWords(section: RefObject<HTMLElement | null>, { chart, time, width, hitAt, host }: Plot) {
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
  const askState = useLaneState(pointing, shown, width);
  const describe = (share: number, y: number) => {
    const hit = hitAt(share * width, y * (host.current?.clientHeight ?? 0));
    const pause = pauseAt(chart.columns, Number(momentAt(shown, share) - row.from));
    const paused = pause === null ? [] : [`Suspended: a pause of ${formatNanos(pause)}`];
    if (hit === null) return paused;
    const { beside, title } = chart.columns.lanes[chart.columns.lane[hit.box]];
    if (hit.count === 1 && beside === "states") {
      askState(chart.columns.id[hit.box], momentAt(shown, share));
      return [title, ...paused];
    }
    const { name, parts } = hitWords(chart, hit, isClosest);
    return [name, parts.join(" · "), ...paused, ...(hit.count === 1 ? aroundBox(chart.columns, hit.box) : [])];
  };
  useDescribe(pointing, "chart", describe);
}
