import { type CSSProperties, type KeyboardEvent, type RefObject, useId, useMemo } from "react";
import { type Chart, lineOfRow, rowOfBox } from "../../../model/chart/chart.ts";
import { placeAmongSiblings } from "../../../model/chart/steps.ts";
import type { BoxWords } from "../../../model/chart/words.ts";
import { formatNanos } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import { CELL_PX } from "../flame/graph-props.ts";
import css from "./FlameChart.module.css";
import { rangeOf, type Target, type useChartPointer } from "./use-chart-pointer.ts";

interface Props extends Pick<Target, "chart" | "time" | "width"> {
  scroller: RefObject<HTMLDivElement | null>;
  host: RefObject<HTMLDivElement | null>;
  canvas: RefObject<HTMLCanvasElement | null>;
  height: number;
  current: number;
  /** Of the current box. */
  words: BoxWords;
  isFound: boolean;
  pointer: ReturnType<typeof useChartPointer>;
  label: string;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** The rows of a chart, which scroll, with the titles of the lanes and the outlines of two boxes. */
export function ChartStage(props: Props) {
  const { scroller, host, canvas, chart, time, width, height, current, words, isFound, pointer, label, onKeyDown } =
    props;
  const { columns } = chart;
  const titles = useMemo(() => titlesOf(chart), [chart]);
  const { handlers, hovered, taken, isMoving } = pointer;
  const id = useId();
  const isEmpty = chart.boxes === 0;
  const siblings = useMemo(() => placeAmongSiblings(columns, current), [columns, current]);
  const share = (nanos: number) => ((nanos - time.window.from) / (time.window.to - time.window.from)) * width;
  return (
    <div ref={scroller} className={css.scroller} data-testid="chart-scroller">
      <div
        ref={host}
        className={css.host}
        style={{ height }}
        role="tree"
        tabIndex={0}
        aria-label={`${label}. Arrow keys move between frames, plus and minus zoom, Enter opens the detail, Home shows all.`}
        aria-activedescendant={isEmpty ? undefined : `${id}-${current}`}
        data-testid="chart-rows"
        data-plot="chart"
        data-wheel="zoom"
        data-moving={isMoving || undefined}
        data-over={hovered !== null || undefined}
        onKeyDown={onKeyDown}
        {...handlers}
      >
        {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas without tabindex takes no focus */}
        <canvas ref={canvas} className={css.canvas} aria-hidden="true" />
        {titles.map(({ top, text }) => (
          <div key={top} className={css.title} style={{ top }} data-testid="chart-lane">
            {visible(text, TITLE_CAP)}
          </div>
        ))}
        {hovered !== null && (
          <div className={css.outline} style={placeOf(chart, hovered.box, hovered.count, share, width)} />
        )}
        {!isEmpty && (
          // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names its current item
          <div
            key={current}
            id={`${id}-${current}`}
            className={css.current}
            style={placeOf(chart, current, 1, share, width)}
            role="treeitem"
            aria-selected="true"
            aria-level={columns.depth[current] + 1}
            aria-label={words.name}
            aria-posinset={siblings.place}
            aria-setsize={siblings.count}
            aria-description={words.parts.join(", ")}
            data-testid="chart-current"
            data-match={isFound || undefined}
            data-chosen={current > 0 || undefined}
          />
        )}
        {taken !== null && (
          <div className={css.taken} style={{ left: share(taken.from), width: share(taken.to) - share(taken.from) }}>
            <span className={css.length}>{formatNanos(taken.to - taken.from)}</span>
          </div>
        )}
      </div>
    </div>
  );
}

/** Characters of a lane's title. */
const TITLE_CAP = 120;

function titlesOf({ columns, lines }: Chart): { top: number; text: string }[] {
  return Array.from(lines, (row, line) => ({ row, top: line * CELL_PX }))
    .filter(({ row }) => row < 0)
    .map(({ row, top }) => ({ top, text: columns.lanes[-1 - row].title }));
}

/** A box beyond the edges has its outline at them: elements may not be as wide as a chart that is zoomed far into. */
function placeOf(
  chart: Chart,
  box: number,
  count: number,
  share: (nanos: number) => number,
  width: number,
): CSSProperties {
  const { from, to } = rangeOf(chart, { box, count });
  const left = Math.min(width, Math.max(-EDGE_PX, share(from)));
  const right = Math.min(width + EDGE_PX, Math.max(0, share(to)));
  const top = lineOfRow(chart, rowOfBox(chart, box)) * CELL_PX;
  return { top, left: Math.min(left, width - LEAST_PX), width: Math.max(LEAST_PX, right - left) };
}

const EDGE_PX = 4;
/** The outline of a narrow box is seen. */
const LEAST_PX = 3;
