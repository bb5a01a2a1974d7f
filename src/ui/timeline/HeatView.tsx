import { useEffect, useMemo, useRef } from "react";
import { columnsFor, MOST_COLUMN_PX, mapWords } from "../../model/timeline/heat.ts";
import { viewer } from "../../worker/client.ts";
import { useAnswer } from "../analysis/use-answer.ts";
import { useWidth } from "../flame/use-width.ts";
import { HeatCells } from "./HeatCells.tsx";
import css from "./HeatView.module.css";
import { drawHeat } from "./heat-canvas.ts";
import { ShownTimeChoice, type TimelineDetailProps } from "./ShownTime.tsx";

/** Seconds across, the 50 times 20 ms of each down: what comes at intervals below a second makes a pattern here. */
export function HeatView(props: TimelineDetailProps) {
  const { profile, samples, whole, marked, marks, query, act, onRange, onLeave, dark, onFailure } = props;
  const room = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(room);
  const time = query.filter.time ?? null;
  const range = useMemo(
    () => (query.closer && time !== null ? { ...time, zero: whole.from } : null),
    [query.closer, time, whole],
  );
  const columns = columnsFor(width);
  const question = useMemo(
    () => (width === 0 ? null : { samples, columns, range, profile }),
    [samples, columns, range, profile, width],
  );
  const heat = useAnswer(question, (asked) => viewer.heat(asked.samples, asked.columns, asked.range), onFailure, true);
  const map = heat?.answer ?? null;
  const drawn = map === null ? 0 : Math.min(width, map.columns * MOST_COLUMN_PX);
  // biome-ignore lint/correctness/useExhaustiveDependencies: size and theme are read off the element
  useEffect(() => {
    if (canvas.current !== null && map !== null) drawHeat(canvas.current, map, marks, marked);
  }, [map, marks, marked, drawn, dark]);

  return (
    <div className={css.heat} data-testid="heat">
      <div className={css.tools}>
        <ShownTimeChoice query={query} act={act} />
        <span className={css.quiet}>{map === null ? "" : mapWords(map)}</span>
      </div>
      <div className={css.scale} aria-hidden="true">
        <span>0 ms</span>
        <span>500</span>
        <span>980</span>
      </div>
      <div ref={room} className={css.room}>
        {heat !== null && map !== null && (
          <HeatCells
            map={map}
            start={whole.from}
            width={drawn}
            profile={heat.question.profile}
            marked={marked}
            range={time}
            onRange={onRange}
            onLeave={onLeave}
          >
            {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas without tabindex takes no focus */}
            <canvas ref={canvas} className={css.canvas} aria-hidden="true" />
          </HeatCells>
        )}
      </div>
    </div>
  );
}
