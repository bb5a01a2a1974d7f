/** Settings of the page that this browser remembers, where it allows that, and those of the browser itself. */
import { useCallback, useState, useSyncExternalStore } from "react";

const PREFIX = "spanflame.";

/** For libraries that keep something themselves: like localStorage, but never throws. */
export const storage = {
  getItem(key: string): string | null {
    try {
      return localStorage.getItem(PREFIX + key);
    } catch {
      return null; // storage may be forbidden; the page works without
    }
  },
  setItem(key: string, value: string): void {
    try {
      localStorage.setItem(PREFIX + key, value);
    } catch {
      // as above
    }
  },
};

export function useStored(key: string, initial: boolean): [boolean, (value: boolean) => void] {
  const [value, setValue] = useState(() => {
    const stored = storage.getItem(key);
    return stored === null ? initial : stored === "true";
  });
  const change = useCallback(
    (next: boolean) => {
      setValue(next);
      storage.setItem(key, String(next));
    },
    [key],
  );
  return [value, change];
}

/** Whether a media query holds, followed as it changes. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query);
      list.addEventListener("change", changed);
      return () => list.removeEventListener("change", changed);
    },
    () => matchMedia(query).matches,
  );
}
