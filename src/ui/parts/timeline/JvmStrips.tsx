import { useMemo } from "react";
import type { TimeRange } from "../../../core/types.ts";
import type { SeriesLine } from "../../../core/view-types.ts";
import { placeOf } from "../../../model/timeline/scale.ts";
import { type SeriesStrip, scaleWords, stripsOf, valuesAt } from "../../../model/timeline/series.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer, useSame } from "../answers/use-answer.ts";
import { cleared, useCanvas } from "../drawing/use-canvas.ts";
import type { TimelineDetailProps } from "./detail-props.ts";
import css from "./JvmStrips.module.css";
import { stripColours } from "./strip-canvas.ts";
import rowCss from "./Timeline.module.css";
import { type Pointing, useDescribe, usePointed } from "./use-pointing.ts";
import type { TimeView } from "./use-time-view.ts";

interface StripsProps extends Pick<TimelineDetailProps, "pointing" | "width"> {
  view: Pick<TimeView, "row" | "settled" | "shown">;
}

/** What the JVM measured, on the axis of the samples: a strip for each kind of value. */
export function JvmStrips({ view, pointing, width }: StripsProps) {
  const { row, settled, shown } = view;
  const question = useSame(width === 0 ? null : { row, settled, width });
  const lines = useAnswer(question, (asked) => viewer.series(asked.row, asked.settled, asked.width), true);
  const strips = useMemo(() => stripsOf(lines?.answer ?? []), [lines]);
  const drawn = lines?.question.settled ?? shown;
  if (lines !== null && strips.length === 0) return <p className={css.none}>No JVM measurements in this file</p>;
  return (
    <div className={rowCss.rows} data-testid="jvm-strips">
      {strips.map((strip) => (
        <JvmStrip key={strip.id} strip={strip} drawn={drawn} shown={shown} pointing={pointing} width={width} />
      ))}
    </div>
  );
}

interface Props {
  strip: SeriesStrip;
  /** The time that its values are of. */
  drawn: TimeRange;
  shown: TimeRange;
  pointing: Pointing;
  width: number;
}

function JvmStrip({ strip, drawn, shown, pointing, width }: Props) {
  const canvas = useCanvas((element) => drawSeries(element, strip, drawn, shown), [strip, drawn, shown, width]);
  const pointed = usePointed(pointing);
  const scale = scaleWords(strip);
  const values = pointed === null ? scale : valuesAt(strip, pointed).toReversed().join(", ") || "–";
  useDescribe(pointing, strip.id, (share) => [strip.label, ...valuesAt(strip, share)]);
  return (
    <div className={rowCss.row} data-testid="jvm-strip" data-series={strip.id}>
      <span className={css.name} data-tip={strip.title}>
        <span className={css.label}>{strip.label}</span>
        <span className={css.value} data-testid="jvm-value">
          {values}
        </span>
      </span>
      <div className={rowCss.rowPlot} data-plot={strip.id} role="img" aria-label={`${strip.label}: ${scale}`}>
        <canvas ref={canvas} className={css.canvas} />
      </div>
    </div>
  );
}

/** Lengths that are not values at a moment: nothing connects one with the next. */
const COLUMNS = new Set(["safepoints", "allocation", "throttled"]);

/** Draws values over `drawn` on the axis of `shown`: a line over a filled area, stops and rates as columns. */
function drawSeries(canvas: HTMLCanvasElement, strip: SeriesStrip, drawn: TimeRange, shown: TimeRange): void {
  const { context, width, height } = cleared(canvas);
  if (context === null) return;
  const colours = stripColours(canvas);
  const left = placeOf(shown, drawn.from) * width;
  const right = placeOf(shown, drawn.to) * width;
  const y = (value: number) => height - 1 - (value / strip.full) * (height - 3);
  strip.values.forEach((line, i) => {
    const isFront = i === strip.values.length - 1;
    const step = (right - left) / line.high.length;
    const front = strip.id === "safepoints" ? colours.mark : colours.selected;
    context.fillStyle = isFront ? front : colours.all;
    context.strokeStyle = context.fillStyle;
    if (COLUMNS.has(strip.id)) drawColumns(context, line, left, step, y, height);
    else drawLine(context, line, left, step, y, height);
  });
}

type Draw = (
  context: CanvasRenderingContext2D,
  line: SeriesLine,
  left: number,
  step: number,
  y: (value: number) => number,
  height: number,
) => void;

const drawColumns: Draw = (context, { high }, left, step, y, height) => {
  high.forEach((value, bin) => {
    if (Number.isNaN(value)) return;
    const top = Math.min(height - 2, y(value));
    const x = Math.floor(left + bin * step);
    const columnWidth = Math.max(1, Math.floor(left + (bin + 1) * step) - x);
    context.globalAlpha = 0.3;
    context.fillRect(x, top, columnWidth, height - top);
    context.globalAlpha = 1;
    context.fillRect(x, top, columnWidth, 1.5);
  });
};

const drawLine: Draw = (context, { low, high }, left, step, y, height) => {
  const points: [x: number, top: number, bottom: number][] = [];
  high.forEach((value, bin) => {
    if (!Number.isNaN(value)) points.push([left + (bin + 0.5) * step, y(value), y(low[bin]!)]);
  });
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return;
  context.beginPath();
  context.moveTo(first[0], height);
  for (const [x, top] of points) context.lineTo(x, top);
  context.lineTo(last[0], height);
  context.globalAlpha = 0.18;
  context.fill();
  context.globalAlpha = 1;
  context.beginPath();
  context.moveTo(first[0] - 0.5, first[1]);
  for (const [x, top, bottom] of points) {
    context.lineTo(x, top);
    if (bottom > top) context.lineTo(x, bottom);
  }
  context.lineTo(last[0] + 0.5, last[2]);
  context.lineWidth = 1.25;
  context.stroke();
};
