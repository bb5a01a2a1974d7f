import { useEffect, useMemo, useRef } from "react";
import { columnsFor, mapWords } from "../../model/timeline/heat.ts";
import { viewer } from "../../worker/client.ts";
import { useAnswer } from "../analysis/use-answer.ts";
import type { TimelineDetailProps } from "./detail-props.ts";
import { HeatCells } from "./HeatCells.tsx";
import css from "./HeatView.module.css";
import { drawHeat } from "./heat-canvas.ts";

/** Seconds across, the 50 times 20 ms of each down: what comes at intervals below a second makes a pattern here. */
export function HeatView(props: TimelineDetailProps) {
  const { profile, samples, view, width, marked, marks, dark, onFailure } = props;
  const { shown, settled } = view;
  const canvas = useRef<HTMLCanvasElement>(null);
  const columns = columnsFor(width);
  const question = useMemo(
    () => (width === 0 ? null : { samples, columns, settled, profile }),
    [samples, columns, settled, profile, width],
  );
  const heat = useAnswer(
    question,
    (asked) => viewer.heat(asked.samples, asked.columns, asked.settled),
    onFailure,
    true,
  );
  const map = heat?.answer ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: size and theme are read off the element
  useEffect(() => {
    if (canvas.current !== null && map !== null) drawHeat(canvas.current, map, shown, marks, marked);
  }, [map, shown, marks, marked, width, dark]);

  return (
    <div className={css.heat} data-testid="heat">
      <div className={css.scale} aria-hidden="true">
        <span>0 ms</span>
        <span>500</span>
        <span>980</span>
      </div>
      <div className={css.room}>
        {heat !== null && map !== null && (
          <HeatCells {...props} map={map} profile={heat.question.profile} hint={mapWords(map, dark)}>
            {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas without tabindex takes no focus */}
            <canvas ref={canvas} className={css.canvas} aria-hidden="true" />
          </HeatCells>
        )}
      </div>
    </div>
  );
}
