/** The theme: light, dark, or the system's choice. The choice is kept in this browser. */
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { storage, useMedia } from "../panes/use-stored.ts";

export type Theme = "system" | "light" | "dark";

const KEY = "theme";
const THEMES: Theme[] = ["system", "light", "dark"];

function storedTheme(): Theme {
  const stored = storage.getItem(KEY);
  return THEMES.find((theme) => theme === stored) ?? "system";
}

const DARK = "(prefers-color-scheme: dark)";

/** The theme chosen, whether that is dark right now, and the way to another. */
export function useTheme(): { theme: Theme; dark: boolean; choose: (theme: Theme) => void } {
  const [theme, setTheme] = useState(storedTheme);
  const systemDark = useMedia(DARK);

  useEffect(() => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    storage.setItem(KEY, theme);
  }, [theme]);

  const printing = usePrinting();
  return { theme, dark: !printing && (theme === "dark" || (theme === "system" && systemDark)), choose: setTheme };
}

/** Whether the page is drawn for paper: known before the browser looks, hence set at once and not at the next turn. */
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
