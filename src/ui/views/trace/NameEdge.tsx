import type { KeyboardEvent, PointerEvent } from "react";
import { useRef, useState } from "react";
import { storage } from "../../primitives/panes/use-stored.ts";
import css from "./NameEdge.module.css";

const KEY = "trace.names";
/** CSS pixels. */
const USUAL = 320;
const LEAST = 96;
const STEP = 16;
/** Parts of the room: the usual one in a narrow window, and the most. */
const NARROW = 0.42;
const MOST = 0.7;

interface NameWidth {
  width: number;
  most: number;
  /** Null: as wide as usual. */
  setWidth: (width: number | null) => void;
}

/** The width of the column of names in so much room, remembered by this browser. */
export function useNameWidth(room: number): NameWidth {
  const [chosen, setChosen] = useState(() => Number(storage.getItem(KEY) || 0));
  const most = Math.max(LEAST, Math.round(MOST * room));
  const allowed = (width: number) => Math.round(Math.max(LEAST, Math.min(width, most)));
  return {
    width: allowed(chosen > 0 ? chosen : Math.min(USUAL, NARROW * room)),
    most,
    setWidth: (next) => {
      setChosen(next === null ? 0 : allowed(next));
      storage.setItem(KEY, next === null ? "" : String(allowed(next)));
    },
  };
}

/** The right edge of the column of names: dragged, or moved by the arrow keys; a double click resets it. */
export function NameEdge({ width, most, setWidth }: NameWidth) {
  const drag = useRef<{ x: number; width: number } | null>(null);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.focus();
    drag.current = { x: event.clientX, width };
  };
  const onPointerMove = ({ clientX }: PointerEvent) => {
    if (drag.current !== null && clientX !== drag.current.x) setWidth(drag.current.width + clientX - drag.current.x);
  };
  const stop = () => {
    drag.current = null;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const widths = { ArrowLeft: width - STEP, ArrowRight: width + STEP, Home: LEAST, End: most, Enter: null };
    const to = new Map<string, number | null>(Object.entries(widths)).get(event.key);
    if (to === undefined) return;
    event.preventDefault();
    setWidth(to);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule of a text cannot be moved
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the names"
      aria-valuemin={LEAST}
      aria-valuemax={most}
      aria-valuenow={width}
      tabIndex={0}
      className={css.edge}
      data-testid="name-edge"
      style={{ left: `${width}px` }}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onLostPointerCapture={stop}
      onDoubleClick={() => setWidth(null)}
      onKeyDown={onKeyDown}
    />
  );
}
