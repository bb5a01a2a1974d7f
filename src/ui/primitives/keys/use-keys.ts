/** Keys that work wherever the focus is, except where they are typed as text and while a dialog is open. */
import { useEffect } from "react";

/** True where the key was meant. */
export type OnKey = (event: KeyboardEvent) => boolean;

export function useKeys(onKey: OnKey): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const at = event.target instanceof HTMLElement ? event.target : null;
      if (
        event.defaultPrevented ||
        at?.matches("input:not([type=radio], [type=checkbox], [type=file]), textarea, select")
      )
        return;
      // In a menu letters lead to its items.
      const isMenu = at !== null && at.closest("[role=menu]") !== null;
      if (!isMenu && !isDialogOpen() && onKey(event)) event.preventDefault();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [onKey]);
}

/**
 * Focus after an action has removed the focused element: without this the focus is nowhere, and the next key starts at
 * the top of the page. The focus goes to the nearest part around it that is still there: parts have a tabindex. Where
 * none is left, the page has another `main` now.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    /** The focused element and its ancestors, the nearest first: a removed element has no ancestors any more. */
    let held: Element[] = [];
    const isNowhere = () => document.activeElement === null || document.activeElement === document.body;
    const onFocus = ({ target }: FocusEvent) => {
      held = target instanceof Element ? withAncestors(target) : [];
    };
    // Who clicks beside everything wants it so. Only later is it known whether what had the focus is still there.
    const onBlur = () =>
      setTimeout(() => {
        if (isNowhere() && held[0]?.isConnected === true) held = [];
      });
    const observer = new MutationObserver(() => {
      if (held[0] === undefined || held[0].isConnected || !isNowhere()) return;
      const part = held.find((element) => element.isConnected && element.matches("[tabindex]"));
      const next = part ?? document.querySelector("main");
      if (next instanceof HTMLElement) next.focus({ preventScroll: true });
    });
    addEventListener("focusin", onFocus);
    addEventListener("focusout", onBlur);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      removeEventListener("focusin", onFocus);
      removeEventListener("focusout", onBlur);
      observer.disconnect();
    };
  }, []);
}

function withAncestors(element: Element): Element[] {
  const found: Element[] = [];
  for (let at: Element | null = element; at !== null; at = at.parentElement) found.push(at);
  return found;
}

/** Whether a dialog lies over the page: keys and pasted text are then not for the page. */
export function isDialogOpen(): boolean {
  return document.querySelector("[data-modal][data-open]") !== null;
}
