/** Keys that work wherever the focus is, except where they are typed as text and while a dialog is open. */
import { useEffect } from "react";
import { isDialogOpen } from "../dialog/is-dialog-open.ts";

/** True where the key was meant. */
export type OnKey = (event: KeyboardEvent) => boolean;

export function useKeys(onKey: OnKey): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const at = event.target instanceof HTMLElement ? event.target : null;
      if (event.defaultPrevented || at?.matches("input:not([type=radio], [type=checkbox]), textarea, select")) return;
      if (!isDialogOpen() && onKey(event)) event.preventDefault();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [onKey]);
}
