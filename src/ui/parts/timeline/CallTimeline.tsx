import { type PointerEvent, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import type { TimeRow } from "../../../core/answers/time-rows.ts";
import type { TimeRange } from "../../../core/types.ts";
import { cellStrength } from "../../../model/calls/density.ts";
import { withoutKinds } from "../../../model/query/chips.ts";
import { placeOf } from "../../../model/timeline/scale.ts";
import { formatCount, formatCounted, formatNanos, formatPercent } from "../../../model/words/format.ts";
import type { CallDensity, CallsOverview, Result } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { HeightHandle, useHeight } from "../../primitives/panes/HeightHandle.tsx";
import { useAnswer } from "../answers/use-answer.ts";
import { cleared, useCanvas } from "../drawing/use-canvas.ts";
import { useWidth } from "../drawing/use-width.ts";
import { Axis } from "./Axis.tsx";
import css from "./CallTimeline.module.css";
import crosshair from "./Crosshair.module.css";
import { Pauses, PausesButton } from "./Pauses.tsx";
import { RangePicker } from "./RangePicker.tsx";
import rows from "./Timeline.module.css";
import type { TimelineProps } from "./Timeline.tsx";
import { type TimeQuery, timeFilter } from "./time-query.ts";
import { useTimeView } from "./use-time-view.ts";
import { onZoomKey, useZoomGestures } from "./use-zoom-gestures.ts";
import { ZoomTools } from "./ZoomTools.tsx";

interface Props extends Omit<TimelineProps, "profile" | "rows"> {
  calls: CallsOverview;
}

const LEAST = 84;
/** Height of the grid until the user chooses another, while the timeline is low, and of the axis below it. */
const GRID = 56;
const LOW = 24;
const AXIS = 28;
const MS = 1_000_000n;

/** The calls of dumps by start and duration; dragging selects those that start in a range of time. */
export function CallTimeline({ calls, query, act, legend, low, onToggle, focused }: Props) {
  const section = useRef<HTMLElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  const dragged = useRef("");
  const width = useWidth(plot, "timeline");
  const row = useMemo(() => rowOf(calls), [calls]);
  const view = useTimeView(row, query, act);
  const { shown, settled } = view;
  const size = useHeight("timeline.calls", LEAST);
  const tall = size.height === null ? GRID : size.height - AXIS;
  const height = low ? LOW : tall;
  const { range, onRange } = timeFilter(query, act);
  const density = useDensity(query, settled, width, height);
  const [pointed, setPointed] = useState("");
  useZoomGestures(section, view);
  return (
    <>
      <section
        ref={section}
        className={`${rows.timeline} ${crosshair.plots}`}
        style={{ gridTemplateRows: `${height}px auto` }}
        aria-label="Timeline"
        data-testid="call-timeline"
        data-calls={density?.calls}
        data-selected={density?.selectedCalls}
        onKeyDown={(event) => onZoomKey(event, view, range)}
        onDoubleClick={({ target }) => target instanceof Element && target.closest("[data-plot]") && view.reset()}
      >
        <Names longest={low ? null : calls.longest} pointed={pointed} />
        <div
          ref={plot}
          className={css.plot}
          onPointerMove={(event) => setPointed(density === null ? "" : pointedWords(event, density))}
          onPointerLeave={() => setPointed("")}
        >
          <RangePicker {...{ view, range, onRange, dragged }} testId="timeline" plot="strip" keys>
            <Cells density={density} shown={shown} width={width} height={height} />
          </RangePicker>
        </div>
        <ZoomTools view={view} range={range} low={low} onToggle={onToggle} focused={focused} />
        <Axis view={view} width={width} />
        {density !== null && legend !== null && createPortal(<Legend density={density} />, legend)}
        {density !== null && density.pausedMs > 0 && <Pauses onRange={onRange} file={null} />}
      </section>
      <HeightHandle label="Height of the timeline" {...size} onHide={onToggle} />
    </>
  );
}

/** Rows of the timeline are of files and samples; calls have one, of their time. */
function rowOf({ from, to }: CallsOverview): TimeRow {
  const begin = BigInt(from ?? 0) * MS;
  // The end of a range is not in it, and the last call may be shorter than a millisecond.
  const end = BigInt(to ?? 0) * MS + MS;
  return { from: begin, to: end, file: "", first: 0, last: 0, measured: false };
}

/** The calls of the settled range; selected are those of all filters but the range of time. */
function useDensity({ filter }: TimeQuery, settled: TimeRange, width: number, height: number): CallDensity | null {
  const question = useMemo(
    () =>
      width === 0
        ? null
        : {
            filter: withoutKinds(filter, "time"),
            from: Number(settled.from / MS),
            to: Number((settled.to + MS - 1n) / MS),
            columns: Math.max(1, Math.floor(width / CELL)),
            rows: Math.max(1, Math.floor(height / CELL)),
          },
    [filter, settled, width, height],
  );
  const ask = (asked: NonNullable<typeof question>) => viewer.ofCalls("density", asked) as Promise<Result<CallDensity>>;
  return useAnswer(question, ask, true)?.answer ?? null;
}

interface CellsProps {
  density: CallDensity | null;
  shown: TimeRange;
  width: number;
  height: number;
}

function Cells({ density, shown, width, height }: CellsProps) {
  const draw = (element: HTMLCanvasElement) => density !== null && drawDensity(element, density, shown);
  const canvas = useCanvas(draw, [density, shown, width, height]);
  return (
    <div
      className={css.cells}
      role="img"
      aria-label={density === null ? "Calls by start and duration" : densityWords(density)}
    >
      <canvas ref={canvas} className={css.canvas} />
    </div>
  );
}

function Names({ longest, pointed }: { longest: number | null; pointed: string }) {
  return (
    <div className={css.names} aria-hidden="true">
      <span className={css.title} data-tip="Each call at its start; long calls are higher">
        Calls
      </span>
      <span>{longest !== null && formatNanos(BigInt(Math.round(longest)) * MS)}</span>
      <span className={css.pointed} data-testid="timeline-pointed">
        {pointed}
      </span>
      <span>{longest !== null && "0 ms"}</span>
    </div>
  );
}

function densityWords({ calls, selectedCalls, redCalls, pausedMs }: CallDensity): string {
  const parts = [
    `${formatCounted(calls, "call")} by start and duration`,
    selectedCalls < calls ? `${formatCount(selectedCalls)} selected` : "",
    redCalls > 0 ? `${formatCount(redCalls)} failed` : "",
    pausedMs > 0 ? `JVM stopped for ${formatNanos(BigInt(Math.round(pausedMs)) * MS)}` : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

/** The column below the pointer in words. */
function pointedWords({ currentTarget, clientX }: PointerEvent, density: CallDensity): string {
  const { left, width } = currentTarget.getBoundingClientRect();
  const { columns, rows: count, all, paused } = density;
  const column = Math.min(columns - 1, Math.max(0, Math.floor(((clientX - left) / Math.max(1, width)) * columns)));
  let calls = 0;
  for (let row = 0; row < count; row++) calls += all[row * columns + column] ?? 0;
  const share = paused[column] ?? 0;
  return [formatCounted(calls, "call"), share > 0 ? `${formatPercent(share, 1)} paused` : ""]
    .filter(Boolean)
    .join(", ");
}

function Legend({ density: { calls, selectedCalls, redCalls, pausedMs } }: { density: CallDensity }) {
  const isMarked = selectedCalls < calls;
  const entries: [kind: string, text: string, isShown: boolean][] = [
    ["all", isMarked ? formatCounted(calls - selectedCalls, "other call") : "", isMarked],
    ["selected", formatCounted(selectedCalls, isMarked ? "selected call" : "call"), true],
    ["red", formatCounted(redCalls, "failed call"), redCalls > 0],
    ["paused", `JVM stopped ${formatNanos(BigInt(Math.round(pausedMs)) * MS)}`, pausedMs > 0],
  ];
  return (
    <ul className={css.legend} aria-label="Marks on the timeline">
      {entries.flatMap(([kind, text, isShown]) =>
        isShown
          ? [
              <li key={kind} data-testid={`legend-${kind}`}>
                <span className={css.swatch} data-kind={kind} aria-hidden="true" />
                {kind === "paused" ? <PausesButton text={text} /> : text}
              </li>,
            ]
          : [],
      )}
    </ul>
  );
}

/** Pixels of a cell. */
const CELL = 3;
/** Pixels above the longest calls. */
const TOP = 4;
const PAUSE_ALPHA = 0.35;

/** Draws what lies in `shown` over the whole width; the answer may be of another range. */
function drawDensity(canvas: HTMLCanvasElement, density: CallDensity, shown: TimeRange): void {
  const { context, width, height } = cleared(canvas);
  if (context === null) return;
  const { columns, rows } = density;
  const left = placeOf(shown, BigInt(density.from) * MS) * width;
  const step = (placeOf(shown, BigInt(density.to) * MS) * width - left) / columns;
  const cell = (height - TOP) / rows;
  const { color, outlineColor, textDecorationColor, caretColor } = getComputedStyle(canvas);
  const edge = (column: number) => Math.round(left + column * step);
  context.fillStyle = caretColor;
  for (const [column, share] of density.paused.entries()) {
    if (share === 0) continue;
    context.globalAlpha = PAUSE_ALPHA * Math.max(0.3, share);
    context.fillRect(edge(column), 0, Math.max(1, edge(column + 1) - edge(column)), height);
  }
  const draw = (cells: Uint32Array, colour: string) => {
    const most = cells.reduce((all, count) => Math.max(all, count), 0);
    context.fillStyle = colour;
    for (const [at, count] of cells.entries()) {
      if (count === 0) continue;
      context.globalAlpha = cellStrength(count, most);
      const column = at % columns;
      const row = Math.floor(at / columns);
      const y = Math.round(height - (row + 1) * cell);
      context.fillRect(edge(column), y, Math.max(2, edge(column + 1) - edge(column)), Math.max(2, Math.round(cell)));
    }
  };
  draw(density.all, color);
  draw(density.selected, outlineColor);
  draw(density.red, textDecorationColor);
  context.globalAlpha = 1;
}
