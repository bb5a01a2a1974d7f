import { X } from "lucide-react";
import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { TimeRange } from "../../../core/types.ts";
import type { ChartColumns } from "../../../model/chart/columns.ts";
import { findBoxes, nextBox } from "../../../model/chart/find.ts";
import { legendFrames } from "../../../model/chart/steps.ts";
import { boxName } from "../../../model/chart/words.ts";
import { formatNanos } from "../../../model/words/format.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { FrameName } from "../../parts/grid/FrameName.tsx";
import { SearchBox } from "../../parts/search/SearchBox.tsx";
import { usePattern } from "../../parts/search/use-pattern.ts";
import type { Search } from "../../parts/search/use-search.ts";
import beside from "../../parts/view/Side.module.css";
import { ViewFoot, ViewTools } from "../../parts/view/ViewTools.tsx";
import { IconButton } from "../../primitives/icon/Icon.tsx";
import { LegendPlace } from "../flame/LegendPlace.tsx";
import { LegendStrip } from "../flame/LegendStrip.tsx";
import { useFrameColours } from "../flame/use-colours.ts";
import css from "./ChartPanel.module.css";
import { FlameChart, type FlameChartProps } from "./FlameChart.tsx";

interface Props
  extends Pick<ViewProps, "query" | "act">,
    Pick<FlameChartProps, "columns" | "label" | "whole" | "title" | "onChosen"> {
  /** The call that is charted, by its place in the selection. */
  place: number;
  /** The detail of a box, which a click or Enter opens beside the chart. */
  detail?: ((box: number) => ReactNode) | undefined;
  /** More of the legend. */
  legend?: ReactNode;
}

/** A flame chart with its search and the legend of its colours. */
export function ChartPanel({ columns, place, label, whole, title, query, act, detail, onChosen, legend }: Props) {
  const onZoom = useCallback((zoom: TimeRange | null) => act({ kind: "chart", chart: { place, zoom } }), [place, act]);
  const [current, setCurrent] = useState(0);
  const root = useRef<HTMLDivElement>(null);
  const side = useSide(root);
  const { frames, whole: drawn } = useMemo(() => legendFrames(columns), [columns]);
  const colours = useFrameColours(frames, query.look, false, drawn);
  const { search, names } = useChartSearch(columns, query.search);
  const onWalk = useCallback(
    (step: number) => {
      const next = names === null ? null : nextBox(columns, names, current, step);
      if (next !== null) setCurrent(next);
    },
    [columns, names, current],
  );
  const suspended = useMemo(() => columns.suspended.reduce((sum, nanos) => sum + nanos, 0), [columns]);
  return (
    <>
      <ViewTools>
        <SearchBox pattern={query.search} search={search} act={act} onWalk={onWalk} isWalked />
      </ViewTools>
      {columns.lane.length === 0 && <p className={css.none}>There are no frames to draw.</p>}
      {columns.lane.length > 0 && columns.span === 0 && (
        <p className={css.note} data-testid="chart-short">
          Shorter than {formatNanos(columns.step)}, the step of the clock: every frame takes 0 ms. The arrow keys go
          through the frames.
        </p>
      )}
      {columns.lane.length > 0 && colours !== null && (
        <>
          <div ref={root} className={beside.sides} data-open={side.isOpen || undefined}>
            <FlameChart
              {...{ columns, label, whole, title, current, onWalk }}
              zoom={{ zoom: query.chart.zoom, onZoom }}
              tones={colours.tones}
              found={names}
              onCurrent={setCurrent}
              onDetail={detail === undefined ? undefined : side.open}
              onChosen={onChosen}
            />
            {side.isOpen && detail !== undefined && (
              <ChartSide name={boxName(columns, current)} focus={side.focus} onClose={side.close}>
                {detail(current)}
              </ChartSide>
            )}
          </div>
          <ViewFoot>
            <LegendPlace>
              {(isPanel) => (
                <div className={css.foot} data-panel={isPanel || undefined}>
                  <LegendStrip {...{ colours, isPanel }} />
                  {legend}
                  {suspended > 0 && (
                    <span className={css.suspended} data-testid="chart-suspended">
                      <span className={css.swatch} aria-hidden="true" />
                      Suspended {formatNanos(suspended)}
                    </span>
                  )}
                </div>
              )}
            </LegendPlace>
          </ViewFoot>
        </>
      )}
    </>
  );
}

/** The detail beside the chart: whether it is open, and whether it was opened by a key. */
function useSide(root: RefObject<HTMLElement | null>) {
  const [{ isOpen, focus }, set] = useState<{ isOpen: boolean; focus: object | null }>({ isOpen: false, focus: null });
  const open = (isKey: boolean) => set({ isOpen: true, focus: isKey ? {} : null });
  const close = () => {
    set({ isOpen: false, focus: null });
    root.current?.querySelector<HTMLElement>("[role=tree]")?.focus();
  };
  return { isOpen, focus, open, close };
}

function useChartSearch(columns: ChartColumns, pattern: string): { search: Search; names: Uint8Array | null } {
  const { expression, error } = usePattern(pattern);
  return useMemo(() => {
    if (expression === null) return { search: { expression, error, answer: null, total: 0 }, names: null };
    const { names, boxes, nanos } = findBoxes(columns, expression);
    const answer = { frames: boxes, value: BigInt(Math.round(nanos)), nodes: new Uint32Array(0) };
    return { search: { expression, error, answer, total: columns.span }, names };
  }, [columns, expression, error]);
}

interface ChartSideProps {
  /** Name of the frame. */
  name: string;
  /** It takes the focus, because a key opened it; another object is another request. */
  focus: object | null;
  onClose: () => void;
  children: ReactNode;
}

/** The detail of the current frame, beside the chart. Escape closes it. */
function ChartSide({ name, focus, onClose, children }: ChartSideProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (focus !== null) panel.current?.focus();
  }, [focus]);
  return (
    <aside
      ref={panel}
      className={beside.side}
      tabIndex={-1}
      aria-label="Frame detail"
      data-testid="chart-side"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <div className={css.head}>
        <h2 className={css.name} data-testid="chart-side-name" title={name}>
          <FrameName text={name} />
        </h2>
        <IconButton
          icon={X}
          label="Close the detail"
          tip="Close (Escape)"
          testId="chart-side-close"
          onClick={onClose}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must be able to do */}
      <section className={beside.body} tabIndex={0} aria-label="Times, method and parameters">
        {children}
      </section>
    </aside>
  );
}
