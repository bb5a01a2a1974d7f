/** A part of the page that is a file of its own, fetched when first asked for. */
import { useState } from "react";
import type { Failure } from "../../worker/api.ts";

/** `load` is an import; a failed one is tried again the next time. */
export function useLoaded<T>(load: () => Promise<T>, onFailure: (failure: Failure) => void) {
  const [loaded, setLoaded] = useState<T | null>(null);
  const [open, setOpen] = useState(false);

  const show = async () => {
    try {
      if (loaded === null) setLoaded(await load());
      setOpen(true);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      onFailure({ code: "page.incomplete", message: `A part of the page could not be loaded: ${reason}` });
    }
  };
  return { loaded, open, show: () => void show(), close: () => setOpen(false) };
}
