import type { KeyboardEvent, PointerEvent } from "react";
import { useRef, useState } from "react";
import css from "./HeightHandle.module.css";
import { storage } from "./use-stored.ts";

const LEAST = 72;
const STEP = 24;

interface Height {
  height: number;
  setHeight: (height: number) => void;
}

/** Pixels that a part may be tall, remembered by this browser. */
export function useHeight(name: string, initial: number): Height {
  const key = `height.${name}`;
  const [height, setHeight] = useState(() => {
    const stored = Number(storage.getItem(key) ?? Number.NaN);
    return Number.isFinite(stored) ? Math.max(LEAST, stored) : initial;
  });
  return {
    height,
    setHeight: (next) => {
      // The graph below keeps half of the window.
      const allowed = Math.round(Math.max(LEAST, Math.min(next, innerHeight / 2)));
      setHeight(allowed);
      storage.setItem(key, String(allowed));
    },
  };
}

interface Props extends Height {
  label: string;
}

/** The lower edge of a part that fits its content: dragged, or moved by the arrow keys, it is taller or lower. */
export function HeightHandle({ label, height, setHeight }: Props) {
  const drag = useRef<{ y: number; height: number } | null>(null);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { y: event.clientY, height };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: STEP, ArrowUp: -STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setHeight(height + step);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule of a text cannot be moved
    <div
      role="separator"
      aria-orientation="horizontal"
      aria-label={label}
      aria-valuemin={LEAST}
      aria-valuenow={height}
      tabIndex={0}
      className={css.handle}
      onPointerDown={onPointerDown}
      onPointerMove={({ clientY }) => {
        if (drag.current !== null) setHeight(drag.current.height + clientY - drag.current.y);
      }}
      onLostPointerCapture={() => {
        drag.current = null;
      }}
      onKeyDown={onKeyDown}
    />
  );
}
