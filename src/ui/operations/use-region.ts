/** The region of a map while it is dragged or moved by keys, and until it is selected. */
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { type Box, boxBetween, steppedBox } from "../../model/trace/span-map.ts";

/** A drag of fewer pixels was a click. */
const LEAST_PX = 4;

interface Corner {
  x: number;
  y: number;
}

/** `kept` is the region that is selected; `onSelect` selects another, or none. */
export function useRegion(kept: Box | null, onSelect: (box: Box | null) => void) {
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
