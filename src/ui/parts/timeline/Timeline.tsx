import { type ComponentType, useMemo, useRef } from "react";
import { createPortal } from "react-dom";
import type { TimeRow } from "../../../core/answers/time-rows.ts";
import { withoutKinds } from "../../../model/query/chips.ts";
import { filterOf, type QueryAction } from "../../../model/query/query.ts";
import { marksOf } from "../../../model/timeline/marks.ts";
import type { Measured } from "../../../model/words/measure.ts";
import { viewer } from "../../../worker/client.ts";
import { likelySoon, useLazy } from "../../primitives/lazy/lazy.ts";
import { HeightHandle, useHeight } from "../../primitives/panes/HeightHandle.tsx";
import { useAnswer, useSame, useSamples } from "../answers/use-answer.ts";
import type { ViewProps } from "../answers/view-props.ts";
import { useWidth } from "../drawing/use-width.ts";
import { Axis } from "./Axis.tsx";
import crosshair from "./Crosshair.module.css";
import type { TimelineDetailProps } from "./detail-props.ts";
import { FileRows } from "./FileRows.tsx";
import { Minimap } from "./Minimap.tsx";
import { Pauses } from "./Pauses.tsx";
import { RangePicker } from "./RangePicker.tsx";
import { Strip } from "./Strip.tsx";
import css from "./Timeline.module.css";
import { Legend, TimelineMarks } from "./TimelineMarks.tsx";
import { TimeNotes } from "./TimeNotes.tsx";
import { Toggles } from "./Toggles.tsx";
import { type TimeQuery, timeFilter } from "./time-query.ts";
import { useRow } from "./use-row.ts";
import { useStripWords } from "./use-strip-words.ts";
import { isMarked, useStrip, useWholeStrip } from "./use-strips.ts";
import { useTimeView } from "./use-time-view.ts";
import { onZoomKey, useZoomGestures } from "./use-zoom-gestures.ts";
import { type Shown, ZoomTools } from "./ZoomTools.tsx";

export interface TimelineProps extends Pick<ViewProps, "profile" | "act">, Shown {
  /** The time of each file, in the order of time; at least one. */
  rows: readonly TimeRow[];
  query: TimeQuery;
  /** Takes the legend of the marks. */
  legend: Element | null;
}

/** Strip, axis and borders; the lanes, of which a few are seen. */
const LEAST = 52;
const LEAST_LANES = 96;

const DETAIL = likelySoon(() => import("./TimelineDetail.tsx").then(({ TimelineDetail }) => TimelineDetail));

/** When the profile's samples were taken, and which of them are selected; dragging takes a range of time. */
export function Timeline(props: TimelineProps) {
  const { profile, rows, query, act, legend, low, onToggle, focused } = props;
  const section = useRef<HTMLElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  const toggles = useRef<HTMLDivElement>(null);
  const dragged = useRef("");
  const width = useWidth(plot, "timeline");
  const { samples, marked, range, onRange } = useRange(profile, query, act);
  const { files, row, overviews, onRow } = useRow(rows, samples, query, act);
  const { whole, busy } = useWholeStrip(samples, row);
  const view = useTimeView(row, query, act, busy);
  const { shown } = view;
  const strip = useStrip(samples, view, whole);
  const marks = useMarks(rows, row);
  useZoomGestures(section, view);
  const pointing = useStripWords(section, { view, strip, marks, width, profile, dragged });
  const isDetailed = query.timeline !== "strip" || (query.jvm && row.measured);
  const Detail = useLazy<ComponentType<TimelineDetailProps>>(isDetailed ? DETAIL : null);
  const leave = () => toggles.current?.querySelector<HTMLElement>("[aria-expanded=true]")?.focus();
  const size = useHeight(`timeline.${query.timeline}`, LEAST);
  const isTall = size.height !== null && !low;
  const drawing = { marked, width, height: isTall ? (size.height ?? 0) : Number(low) };

  return (
    <>
      <section
        ref={section}
        className={`${css.timeline} ${crosshair.plots}`}
        style={
          isTall ? { height: size.height ?? 0, gridTemplateRows: rowsOf(query, files.length > 1, view.isWhole) } : {}
        }
        data-tall={isTall}
        aria-label="Timeline"
        onKeyDown={(event) => onZoomKey(event, view, range)}
        onDoubleClick={({ target }) => target instanceof Element && target.closest("[data-plot]") && view.reset()}
      >
        {files.length > 1 && (
          <FileRows rows={files} current={row} onRow={onRow} overviews={overviews} range={range} {...drawing} />
        )}
        <Toggles ref={toggles} query={query} act={act} hasJvm={row.measured} />
        <div ref={plot} className={css.plot}>
          <RangePicker {...{ view, range, onRange, dragged }} testId="timeline" plot="strip" keys>
            <div className={css.strip}>
              {strip !== null && <Strip strip={strip} whole={whole} shown={shown} {...drawing} marked={strip.marked} />}
            </div>
            {marks !== null && <TimelineMarks marks={marks} shown={shown} />}
          </RangePicker>
          <TimeNotes {...{ view, range, onRange, act }} notes={query.notes} />
        </div>
        <ZoomTools view={view} range={range} low={low} onToggle={onToggle} focused={focused} />
        <Axis view={view} width={width} />
        {!view.isWhole && <Minimap view={view} strip={whole} {...drawing} marked={whole?.marked ?? marked} />}
        {marks !== null && legend !== null && createPortal(<Legend marks={marks} />, legend)}
        {marks !== null && marks.pauses.at.length > 0 && <Pauses onRange={onRange} file={query.filter.file ?? null} />}
        {Detail !== null && isDetailed && (
          <Detail {...{ profile, samples, view, pointing, marks, query, act, onRange }} onLeave={leave} {...drawing} />
        )}
      </section>
      <HeightHandle label="Height of the timeline" {...size} onHide={onToggle} />
    </>
  );
}

/** Rows of a pane whose height was chosen: the lanes take the room, and the strip where there are none. */
function rowsOf({ timeline, jvm }: TimeQuery, hasFiles: boolean, isWhole: boolean): string {
  const lanes = timeline === "threads";
  const strip = lanes ? "auto" : "minmax(30px, 1fr)";
  const rows = [hasFiles && "auto", strip, "auto", !isWhole && "auto", jvm && "auto"];
  return [...rows, lanes && `minmax(${LEAST_LANES}px, 1fr)`].filter((row) => row !== false).join(" ");
}

/** The time filter, and the samples without it. */
function useRange(profile: Measured, query: TimeQuery, act: (action: QueryAction) => void) {
  // The range itself is left out: what lies beside it stays in sight, and is not counted again for each step of an
  // edge.
  const samples = useSamples(profile, filterOf({ ...query, filter: withoutKinds(query.filter, "time") }));
  const marked = isMarked(samples);
  return { samples, marked, ...timeFilter(query, act) };
}

/** Pauses, gaps and losses of the row. */
function useMarks(rows: readonly TimeRow[], row: TimeRow) {
  const recording = useSame({ rows });
  const marks = useAnswer(recording, () => viewer.marks(), true)?.answer ?? null;
  return useMemo(() => (marks === null ? null : marksOf(marks, row)), [marks, row]);
}
