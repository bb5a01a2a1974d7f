import { useEffect, useMemo, useRef } from "react";
import type { TimeRange } from "../../core/types.ts";
import { type SeriesStrip, scaleWords, stripsOf, valuesAt } from "../../model/timeline/series.ts";
import { viewer } from "../../worker/client.ts";
import { useAnswer } from "../analysis/use-answer.ts";
import type { TimelineDetailProps } from "./detail-props.ts";
import css from "./JvmStrips.module.css";
import { drawSeries } from "./series-canvas.ts";
import rowCss from "./Timeline.module.css";
import { type Pointing, useDescribe, usePointed } from "./use-pointing.ts";

/** What the JVM measured, on the axis of the samples: a strip for each kind of value. */
export function JvmStrips({ view, pointing, width, dark, onFailure }: TimelineDetailProps) {
  const { row, settled, shown } = view;
  const question = useMemo(() => (width === 0 ? null : { row, settled, width }), [row, settled, width]);
  const lines = useAnswer(question, (asked) => viewer.series(asked.row, asked.settled, asked.width), onFailure, true);
  const strips = useMemo(() => stripsOf(lines?.answer ?? []), [lines]);
  const drawn = lines?.question.settled ?? shown;
  if (lines !== null && strips.length === 0) return <p className={css.none}>No JVM measurements in this file</p>;
  return (
    <div className={rowCss.rows} data-testid="jvm-strips">
      {strips.map((strip) => (
        <JvmStrip
          key={strip.id}
          strip={strip}
          drawn={drawn}
          shown={shown}
          pointing={pointing}
          width={width}
          dark={dark}
        />
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
  dark: boolean;
}

function JvmStrip({ strip, drawn, shown, pointing, width, dark }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pointed = usePointed(pointing);
  const scale = scaleWords(strip);
  const values = pointed === null ? scale : valuesAt(strip, pointed).at(-1) || "–";
  useDescribe(pointing, strip.id, (share) => [strip.label, ...valuesAt(strip, share)]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: size and theme are read off the element
  useEffect(() => {
    if (canvas.current !== null) drawSeries(canvas.current, strip, drawn, shown);
  }, [strip, drawn, shown, width, dark]);
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
