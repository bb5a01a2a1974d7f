/**
 * Letters that are typed into a field of the element stay inside. The page around sees the element as their target, not
 * the field, so its shortcuts would take them.
 */
import { type RefObject, useEffect } from "react";

export function useTypedKeys(area: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = area;
    if (current === null) return;
    const keep = (event: KeyboardEvent) => {
      const isLetter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (isLetter && event.target instanceof HTMLInputElement && event.target.type === "search")
        event.stopPropagation();
    };
    current.addEventListener("keydown", keep);
    return () => current.removeEventListener("keydown", keep);
  }, [area]);
}
