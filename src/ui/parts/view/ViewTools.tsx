/** The tools of a view, beside the tabs of the views: one row for both where there is room. */
import { createContext, type ReactNode, useContext } from "react";
import { createPortal } from "react-dom";

/** The place beside the tabs; null before it is there. */
export const ToolSlot = createContext<Element | null>(null);

export function ViewTools({ children }: { children: ReactNode }) {
  const slot = useContext(ToolSlot);
  return slot !== null && createPortal(children, slot);
}
