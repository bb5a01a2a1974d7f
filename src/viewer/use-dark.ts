/** Whether an element is drawn dark: its `color-scheme`, which it has from its theme or from the page around. */
import { type RefObject, useLayoutEffect, useState } from "react";

/** What the style sheet gives the probe in a dark element. */
const DARK = "rgb(0, 0, 0)";

/**
 * `probe` has another colour in the dark. A change of the scheme has no event, but a colour that changes is a
 * transition.
 */
export function useDark(probe: RefObject<HTMLElement | null>): boolean {
  const [dark, setDark] = useState(false);
  useLayoutEffect(() => {
    const { current } = probe;
    if (current === null) return;
    const look = () => setDark(getComputedStyle(current).color === DARK);
    look();
    current.addEventListener("transitionend", look);
    return () => current.removeEventListener("transitionend", look);
  }, [probe]);
  return dark;
}
