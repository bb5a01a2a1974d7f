/**
 * The tools of a view, beside the tabs of the views: one row for both where there is room. Its words, in the one line
 * below all views. And a panel beside it.
 */
import { createContext, type ReactNode, useContext } from "react";
import { createPortal } from "react-dom";
import css from "./ViewTools.module.css";

/** The place beside the tabs; null before it is there. */
export const ToolSlot = createContext<Element | null>(null);
/** The footer below the view, or null if the view has its own footer. */
export const FootSlot = createContext<Element | null>(null);
/** The place beside the view, which is as wide as its panel; null before it is there. */
export const SideSlot = createContext<Element | null>(null);

export function ViewTools({ children }: { children: ReactNode }) {
  const slot = useContext(ToolSlot);
  return slot !== null && createPortal(children, slot);
}

export function ViewFoot({ children }: { children: ReactNode }) {
  const slot = useContext(FootSlot);
  return slot === null ? <div className={css.line}>{children}</div> : createPortal(children, slot);
}

export function ViewSide({ children }: { children: ReactNode }) {
  const slot = useContext(SideSlot);
  return slot !== null && createPortal(children, slot);
}
