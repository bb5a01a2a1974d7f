/** A dialog or menu that is loaded when it is first opened. */
import { useCallback, useState } from "react";
import type { Lazy } from "../lazy/lazy.ts";
import { incomplete } from "../lazy/lazy.ts";
import { useFailure } from "../lazy/on-failure.ts";

/** `loaded` is null until the dialog is first opened here, also where it was loaded before: a closed one costs time. */
export function useLazyDialog<T>(lazy: Lazy<T>) {
  const onFailure = useFailure();
  const [loaded, setLoaded] = useState<T | null>(null);
  const [open, setOpen] = useState(false);

  const show = useCallback(async () => {
    try {
      const module = await lazy.fetch();
      setLoaded(module);
      setOpen(true);
    } catch (error) {
      onFailure(incomplete(error));
    }
  }, [lazy, onFailure]);
  const close = useCallback(() => setOpen(false), []);
  return { loaded, open, show: useCallback(() => void show(), [show]), close };
}

/** For `memo`: a dialog that stays closed is not rendered again. */
export function isClosed(before: { open: boolean }, after: { open: boolean }): boolean {
  return !before.open && !after.open;
}
