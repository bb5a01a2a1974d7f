/** Keys of the graph that need no frame to be understood. */
import type { KeyboardEvent } from "react";

export function isMenuKey({ key, shiftKey }: KeyboardEvent): boolean {
  return key === "ContextMenu" || (key === "F10" && shiftKey);
}
