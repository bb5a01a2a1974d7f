import type { PointerEvent } from "react";
import { useRef } from "react";
import { momentAt, shareAt } from "../../../model/timeline/lanes.ts";
import css from "./Axis.module.css";
import { StripCanvas } from "./StripCanvas.tsx";
import type { StripBins } from "./strip-canvas.ts";
import type { TimeView } from "./use-time-view.ts";

interface Props {
  view: TimeView;
  /** Of the whole row. */
  strip: StripBins | null;
  marked: boolean;
  width: number;
  caption?: string;
}

/** The whole recording while a part of it is shown: pressing or dragging moves the part there. Keys move the axis. */
export function Minimap({ view, strip, marked, width, caption = "whole recording" }: Props) {
  const { row, shown, show } = view;
  const dragging = useRef(false);
  const moveTo = (event: PointerEvent<HTMLElement>) => {
    const { left, width: all } = event.currentTarget.getBoundingClientRect();
    const middle = momentAt(row, (event.clientX - left) / Math.max(1, all));
    const half = (shown.to - shown.from) / 2n;
    show({ from: middle - half, to: middle - half + (shown.to - shown.from) });
  };
  const left = shareAt(row, shown.from);
  return (
    <>
      <span className={css.caption}>{caption}</span>
      <div
        className={css.map}
        data-testid="minimap"
        aria-hidden="true"
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          dragging.current = true;
          moveTo(event);
        }}
        onPointerMove={(event) => dragging.current && moveTo(event)}
        onPointerUp={() => {
          dragging.current = false;
        }}
        onPointerCancel={() => {
          dragging.current = false;
        }}
      >
        {strip !== null && <StripCanvas strip={strip} shown={row} heaviest={0} marked={marked} width={width} />}
        <div
          className={css.window}
          style={{ left: `${100 * left}%`, width: `${100 * (shareAt(row, shown.to) - left)}%` }}
        />
      </div>
    </>
  );
}
