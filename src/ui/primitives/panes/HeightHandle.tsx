import type { KeyboardEvent, PointerEvent } from "react";
import { useCallback, useRef, useState } from "react";
import css from "./HeightHandle.module.css";
import { storage } from "./use-stored.ts";

const STEP = 24;

interface Height {
  least: number;
  /** Null: as tall as the content. */
  height: number | null;
  setHeight: (height: number | null) => void;
}

/** Pixels that a part is tall, remembered by this browser under its name. */
export function useHeight(name: string, least: number): Height {
  const key = `height.${name}`;
  const [heights, setHeights] = useState<Record<string, number | null>>({});
  const height = heights[key] === undefined ? storedHeight(key, least) : heights[key];
  const setHeight = useCallback(
    (next: number | null) => {
      // The graph below keeps half of the window.
      const allowed = next === null ? null : Math.round(Math.max(least, Math.min(next, innerHeight / 2)));
      setHeights((known) => ({ ...known, [key]: allowed }));
      storage.setItem(key, allowed === null ? "" : String(allowed));
    },
    [key, least],
  );
  return { least, height, setHeight };
}

function storedHeight(key: string, least: number): number | null {
  const stored = Number(storage.getItem(key) || Number.NaN);
  return Number.isFinite(stored) ? Math.max(least, stored) : null;
}

interface Props extends Height {
  label: string;
  onHide: () => void;
}

/**
 * The lower edge of the part before it: dragged, or moved by the arrow keys, it makes the part taller or lower. A
 * double click gives it the height of its content; Enter, or dragging it to the part's upper end, hides the part.
 */
export function HeightHandle({ label, least, height, setHeight, onHide }: Props) {
  const handle = useRef<HTMLDivElement>(null);
  const drag = useRef<{ y: number; height: number } | null>(null);
  const [natural, setNatural] = useState(least);
  const measure = () => {
    const part = handle.current?.previousElementSibling;
    return part instanceof HTMLElement ? part.offsetHeight : least;
  };
  const stop = () => {
    drag.current = null;
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { y: event.clientY, height: measure() };
  };
  const onPointerMove = ({ clientY }: PointerEvent) => {
    if (drag.current === null || clientY === drag.current.y) return;
    const next = drag.current.height + clientY - drag.current.y;
    if (next > least / 2) return setHeight(next);
    stop();
    onHide();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: STEP, ArrowUp: -STEP }[event.key];
    if (step === undefined && event.key !== "Enter") return;
    event.preventDefault();
    if (step === undefined) onHide();
    else setHeight(measure() + step);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule of a text cannot be moved
    <div
      ref={handle}
      role="separator"
      aria-orientation="horizontal"
      aria-label={label}
      aria-valuemin={least}
      aria-valuenow={height ?? natural}
      tabIndex={0}
      className={css.handle}
      onFocus={() => setNatural(measure())}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onLostPointerCapture={stop}
      onDoubleClick={() => setHeight(null)}
      onKeyDown={onKeyDown}
    />
  );
}
