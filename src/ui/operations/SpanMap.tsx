import { type Ref, useEffect, useId, useMemo, useRef } from "react";
import type { SpanRegion } from "../../model/query/query.ts";
import { ticks } from "../../model/timeline/axis.ts";
import { regionWords } from "../../model/trace/operation-words.ts";
import { type Box, boxOf, decades, regionOf, shareOf } from "../../model/trace/span-map.ts";
import { formatCounted, formatNanos } from "../../model/words/format.ts";
import type { SpanMap as Density } from "../../worker/api.ts";
import css from "./OperationsView.module.css";
import { drawSpans } from "./span-map-canvas.ts";
import { useRegion } from "./use-region.ts";

interface Props {
  density: Density | null;
  region: SpanRegion | null;
  /** Of the plot, in CSS pixels. */
  size: { width: number; height: number };
  dark: boolean;
  onRegion: (region: SpanRegion | null) => void;
  ref: Ref<HTMLDivElement>;
}

/** CSS pixels between two ticks of the time axis. */
const TICK_ROOM = 90;
/** CSS pixels at the end of the axis, for its name. */
const NAME_ROOM = 84;
const PERCENT = 100;

/** The map with its axes: dragging over it, or keys, take a region. */
export function SpanMap({ density, region, size, dark, onRegion, ref }: Props) {
  const hint = useId();
  const kept = useMemo(() => (density === null || region === null ? null : boxOf(density, region)), [density, region]);
  const { box, handlers } = useRegion(kept, (next) => {
    if (density !== null) onRegion(next === null ? null : regionOf(density, next));
  });
  const words = density === null ? "Spans by start and duration" : mapWords(density);
  return (
    <div className={css.map}>
      <Durations density={density} />
      <div
        ref={ref}
        className={css.plot}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys move a region, which no other role has
        tabIndex={0}
        role="application"
        aria-roledescription="map"
        aria-label={words}
        aria-describedby={hint}
        data-testid="span-map"
        data-spans={density?.spans}
        {...handlers}
      >
        <Cells density={density} size={size} dark={dark} />
        {box !== null && <Region box={box} />}
      </div>
      <p id={hint} className="visually-hidden">
        Arrow keys move a region, with Shift they resize it. Enter selects its spans, Escape clears it.
      </p>
      <Starts density={density} width={size.width} />
      <p className="visually-hidden" role="status">
        {box !== null && box !== kept && density !== null && regionWords(regionOf(density, box), density.start.from)}
      </p>
    </div>
  );
}

function mapWords({ spans }: Density): string {
  return `${formatCounted(spans, "span")} by start and duration`;
}

function Cells({ density, size, dark }: Pick<Props, "density" | "size" | "dark">) {
  const canvas = useRef<HTMLCanvasElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: size and theme are read off the element
  useEffect(() => {
    if (canvas.current !== null && density !== null) drawSpans(canvas.current, density);
  }, [density, size, dark]);
  return <canvas ref={canvas} className={css.canvas} />;
}

function Region({ box: { left, right, bottom, top } }: { box: Box }) {
  const percent = (share: number) => `${PERCENT * share}%`;
  return (
    <div
      className={css.region}
      data-testid="span-region"
      style={{ left: percent(left), right: percent(1 - right), bottom: percent(bottom), top: percent(1 - top) }}
    />
  );
}

/** The scale of durations, at the left. */
function Durations({ density }: Pick<Props, "density">) {
  const marks = density === null ? [] : decades(density.duration);
  const share = density === null ? () => 0 : shareOf(density.duration);
  return (
    <div className={css.durations} aria-hidden="true">
      {marks.map((nanos) => (
        <span key={nanos} style={{ bottom: `${PERCENT * share(nanos)}%` }}>
          {formatNanos(nanos)}
        </span>
      ))}
      <span className={css.axisName}>duration</span>
    </div>
  );
}

/** The time axis, from the first start on. */
function Starts({ density, width }: Pick<Props, "density"> & { width: number }) {
  const marks =
    density === null || density.spans === 0 || width === 0
      ? []
      : ticks(density.start, density.start.from, Math.max(2, Math.floor(width / TICK_ROOM)));
  return (
    <div className={css.starts} aria-hidden="true">
      {marks
        .filter(({ at }) => at * width < width - NAME_ROOM)
        .map(({ index, at, offset, clock }) => (
          <span key={index} title={`${clock} UTC`} style={{ left: `${PERCENT * at}%` }}>
            {offset}
          </span>
        ))}
      <span className={css.axisName}>start</span>
    </div>
  );
}
