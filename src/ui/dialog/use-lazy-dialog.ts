/** A dialog or menu that is loaded when it is first opened. */
import { useState } from "react";
import type { Failure } from "../../worker/api.ts";
import type { Lazy } from "../lazy/lazy.ts";
import { incomplete } from "../lazy/use-lazy.ts";

export function useLazyDialog<T>(lazy: Lazy<T>, onFailure: (failure: Failure) => void) {
  const [loaded, setLoaded] = useState(lazy.loaded);
  const [open, setOpen] = useState(false);

  const show = async () => {
    try {
      setLoaded(await lazy.fetch());
      setOpen(true);
    } catch (error) {
      onFailure(incomplete(error));
    }
  };
  return { loaded, open, show: () => void show(), close: () => setOpen(false) };
}
