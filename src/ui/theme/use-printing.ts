/** Whether the page is drawn for paper: known before the browser looks, hence set at once and not at the next turn. */
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(() => matchMedia("print").matches);
  useEffect(() => {
    const query = matchMedia("print");
    const follow = (on: boolean) => flushSync(() => setPrinting(on));
    const listening = new AbortController();
    const { signal } = listening;
    query.addEventListener("change", ({ matches }) => follow(matches), { signal });
    addEventListener("beforeprint", () => follow(true), { signal });
    addEventListener("afterprint", () => follow(false), { signal });
    return () => listening.abort();
  }, []);
  return printing;
}
