/**
 * Tooltips of all controls: an element with the attribute `data-tip` shows its text when the pointer rests on it or the
 * keyboard focuses it. One listener for the page, so a control with a tooltip costs no more than one without. The text
 * is only visual: assistive technology reads the control's name (aria-label) or description (aria-description).
 */
import { useEffect, useState } from "react";
import { likelySoon, useLazy } from "../lazy/lazy.ts";

const BUBBLE = likelySoon(() => import("./Bubble.tsx").then(({ Bubble }) => Bubble));

/** A pointer that rests so long asks for the tooltip; the next one comes at once for a while. */
const DELAY_MS = 400;
const WARM_MS = 400;
/** A tooltip that cannot be loaded is no loss worth a message. */
const quietly = () => {};

export function Tooltips() {
  const anchor = useAnchor();
  const Bubble = useLazy(anchor === null ? null : BUBBLE, quietly);
  const text = anchor?.dataset.tip ?? "";
  return anchor !== null && Bubble !== null && text !== "" && <Bubble anchor={anchor} text={text} />;
}

/** The element whose tooltip is shown now. */
function useAnchor(): HTMLElement | null {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  useEffect(() => {
    let timer = 0;
    let pointed: HTMLElement | null = null;
    let shown = false;
    let closedAt = Number.NEGATIVE_INFINITY;
    const show = (element: HTMLElement | null) => {
      if (shown && element === null) closedAt = performance.now();
      shown = element !== null;
      setAnchor(element);
    };
    const leave = () => {
      clearTimeout(timer);
      pointed = null;
      show(null);
    };
    const over = ({ target, pointerType }: PointerEvent) => {
      const element = tipped(target);
      if (element === pointed) return;
      const warm = shown || performance.now() - closedAt < WARM_MS;
      leave();
      pointed = element;
      if (element === null || pointerType === "touch") return;
      if (warm) show(element);
      else timer = window.setTimeout(() => element.isConnected && show(element), DELAY_MS);
    };
    const focus = ({ target }: FocusEvent) => {
      const element = tipped(target);
      if (element === null || !element.matches(":focus-visible")) return;
      leave();
      show(element);
    };
    const key = ({ key }: KeyboardEvent) => {
      if (key === "Escape" || key === "Enter" || key === " ") leave();
    };
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener("pointerover", over, { signal });
    addEventListener("pointerdown", leave, { signal });
    addEventListener("dragenter", leave, { signal });
    addEventListener("scroll", leave, { signal, capture: true });
    addEventListener("focusin", focus, { signal });
    addEventListener("focusout", leave, { signal });
    addEventListener("keydown", key, { signal, capture: true });
    document.documentElement.addEventListener("pointerleave", leave, { signal });
    return () => {
      clearTimeout(timer);
      listening.abort();
    };
  }, []);
  return anchor;
}

function tipped(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-tip]") : null;
}
