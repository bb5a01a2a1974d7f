/**
 * Whether the list is open. In a wide window it is beside the graph, closed until the user opens it; the browser
 * remembers that. In a narrow window it is a sheet over the graph: closed at first, and again after each choice in it.
 */
import { useEffect, useState } from "react";
import { useMedia, useStored } from "./use-stored.ts";

/** As in Panes.module.css and shell/app/App.module.css. */
const NARROW = "(max-width: 840px)";

export interface ListPane {
  narrow: boolean;
  open: boolean;
  setOpen: (open: boolean) => void;
}

/**
 * `chosen` is another object once something else is chosen. `isAway`: what is beside it needs the room, so that it is
 * closed until the user opens it, and is afterwards as it was before.
 */
export function useListPane(chosen: unknown, isAway: boolean): ListPane {
  const narrow = useMedia(NARROW);
  const [beside, setBeside] = useStored("list", false);
  const [over, setOver] = useState(false);
  const [again, setAgain] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a choice closes the sheet
  useEffect(() => setOver(false), [chosen]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: closed each time that its room is needed
  useEffect(() => setAgain(false), [isAway]);
  if (isAway && !narrow) return { narrow, open: again, setOpen: setAgain };
  return narrow ? { narrow, open: over, setOpen: setOver } : { narrow, open: beside, setOpen: setBeside };
}
