/** A dialog that is a file of its own, fetched when it is first opened. */
import { useState } from "react";
import type { Failure } from "../../worker/api.ts";
import type { Part } from "../part/part.ts";
import { incomplete } from "../part/use-part.ts";

export function useLoaded<T>(part: Part<T>, onFailure: (failure: Failure) => void) {
  const [loaded, setLoaded] = useState(part.loaded);
  const [open, setOpen] = useState(false);

  const show = async () => {
    try {
      setLoaded(await part.fetch());
      setOpen(true);
    } catch (error) {
      onFailure(incomplete(error));
    }
  };
  return { loaded, open, show: () => void show(), close: () => setOpen(false) };
}
