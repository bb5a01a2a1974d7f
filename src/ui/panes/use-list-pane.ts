/**
 * Whether the list is open. Beside the graph it is until somebody closes it, and the browser remembers that. In a
 * narrow window it is a sheet over the graph: closed at first, and again as soon as something is chosen from it.
 */
import { useEffect, useState } from "react";
import { useMedia } from "./use-media.ts";
import { useStored } from "./use-stored.ts";

/** As in Panes.module.css and app/App.module.css. */
const NARROW = "(max-width: 840px)";

export interface ListPane {
  narrow: boolean;
  open: boolean;
  setOpen: (open: boolean) => void;
}

/** `chosen` is another object once something else is chosen. */
export function useListPane(chosen: unknown): ListPane {
  const narrow = useMedia(NARROW);
  const [beside, setBeside] = useStored("list", true);
  const [over, setOver] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a choice closes the sheet
  useEffect(() => setOver(false), [chosen]);
  return narrow ? { narrow, open: over, setOpen: setOver } : { narrow, open: beside, setOpen: setBeside };
}
