import { type KeyboardEvent, type PointerEvent, type Ref, useEffect, useId, useMemo, useRef, useState } from "react";
import type { SpanRegion } from "../../../model/query/query.ts";
import { ticks } from "../../../model/timeline/axis.ts";
import { regionWords } from "../../../model/trace/operation-words.ts";
import { type Box, boxBetween, boxOf, decades, regionOf, shareOf, steppedBox } from "../../../model/trace/span-map.ts";
import { formatCount, formatCounted, formatNanos } from "../../../model/words/format.ts";
import type { SpanMap as Density } from "../../../worker/api.ts";
import { useCanvas } from "../../parts/drawing/use-canvas.ts";
import css from "./OperationsView.module.css";
import { drawSpans, drawUntold } from "./span-map-canvas.ts";

interface Props {
  density: Density | null;
  region: SpanRegion | null;
  /** Of the plot, in CSS pixels. */
  size: { width: number; height: number };
  onRegion: (region: SpanRegion | null) => void;
  ref: Ref<HTMLDivElement>;
}

/** CSS pixels between two ticks of the time axis. */
const TICK_ROOM = 90;
/** CSS pixels at the end of the axis, for its name. */
const NAME_ROOM = 84;
const PERCENT = 100;

/** The map with its axes: dragging over it, or keys, take a region. */
export function SpanMap({ density, region, size, onRegion, ref }: Props) {
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
        <Cells density={density} size={size} />
        {box !== null && <Region box={box} />}
      </div>
      <p id={hint} className="visually-hidden">
        Arrow keys move a region, with Shift they resize it. Enter selects its spans, Escape clears it.
      </p>
      <Untold density={density} size={size} />
      <Starts density={density} width={size.width} />
      <p className="visually-hidden" role="status">
        {box !== null && box !== kept && density !== null && regionWords(regionOf(density, box), density.start.from)}
      </p>
    </div>
  );
}

function mapWords({ spans, untold, least }: Density): string {
  const without = untoldWords(untold);
  const words = `${formatCounted(spans, "span")} by start and ${least ? "least " : ""}duration`;
  return without === "" ? words : `${words}. ${without}`;
}

/** Those below the map; "" without any. */
function untoldWords(untold: Uint32Array): string {
  const count = untold.reduce((sum, each) => sum + each, 0);
  return count === 0 ? "" : `${formatCount(count)} with one sample, or less than 1 ms from first to last: no duration`;
}

/** Below the map, by their start, what has no length. */
function Untold({ density, size }: Pick<Props, "density" | "size">) {
  const canvas = useCanvas((element) => density !== null && drawUntold(element, density), [density, size]);
  const words = density === null ? "" : untoldWords(density.untold);
  if (words === "") return null;
  return (
    <>
      <span className={css.untoldName} aria-hidden="true">
        1 sample
      </span>
      <div className={css.untold} data-tip={words} data-testid="span-map-untold">
        <canvas ref={canvas} className={css.canvas} />
      </div>
    </>
  );
}

function Cells({ density, size }: Pick<Props, "density" | "size">) {
  const canvas = useCanvas((element) => density !== null && drawSpans(element, density), [density, size]);
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
      <span className={css.axisName}>{density?.least ? "≥ duration" : "duration"}</span>
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

/** A drag of fewer pixels was a click. */
const LEAST_PX = 4;

interface Corner {
  x: number;
  y: number;
}

/**
 * The region while it is dragged or moved by keys. `kept` is the region that is selected; `onSelect` selects another,
 * or none.
 */
function useRegion(kept: Box | null, onSelect: (box: Box | null) => void) {
  const [draft, setDraft] = useState<Box | null>(null);
  const corner = useRef<(Corner & { left: number; top: number }) | null>(null);
  // What was moved by keys is forgotten where another region is selected.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the region is what decides
  useEffect(() => setDraft(null), [kept]);

  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0 || !event.isPrimary) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    corner.current = { ...cornerOf(event), left: event.clientX, top: event.clientY };
  };
  const onPointerMove = (event: PointerEvent) => {
    const from = corner.current;
    if (from !== null && isDrag(from, event)) setDraft(boxBetween(from, cornerOf(event)));
  };
  const onPointerUp = (event: PointerEvent) => {
    const from = corner.current;
    corner.current = null;
    if (from === null) return;
    setDraft(null);
    // A click beside it gives it back.
    if (isDrag(from, event)) onSelect(boxBetween(from, cornerOf(event)));
    else if (kept !== null) onSelect(null);
  };
  const onPointerCancel = () => {
    corner.current = null;
    setDraft(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = steppedBox(draft ?? kept, event.key, event.shiftKey);
    if (next !== null) setDraft(next);
    else if (event.key === "Enter" && draft !== null) onSelect(draft);
    else if (event.key === "Escape" && draft !== null) setDraft(null);
    else if (event.key === "Escape" && kept !== null) onSelect(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { box: draft ?? kept, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel, onKeyDown } };
}

/** Shares of the map's width and height, from the left and from the bottom. */
function cornerOf({ currentTarget, clientX, clientY }: PointerEvent): Corner {
  const { left, bottom, width, height } = currentTarget.getBoundingClientRect();
  return { x: (clientX - left) / Math.max(1, width), y: (bottom - clientY) / Math.max(1, height) };
}

function isDrag({ left, top }: { left: number; top: number }, { clientX, clientY }: PointerEvent): boolean {
  return Math.hypot(clientX - left, clientY - top) >= LEAST_PX;
}
