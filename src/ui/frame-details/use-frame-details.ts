/** The dialog about frames of the selected calls of dumps: opened by views of frames. */
import { useMemo, useRef, useState } from "react";
import type { Filter } from "../../core/types.ts";
import type { Failure } from "../../worker/api.ts";
import { useLazyDialog } from "../dialog/use-lazy-dialog.ts";
import { likelySoon } from "../lazy/lazy.ts";
import type { AskedFrames, DetailedFrames } from "../surroundings.ts";

const DIALOG = likelySoon(() => import("./FrameDetailsDialog.tsx"));

/** `openDetails` stays the same function; null where no dump is open. */
export function useFrameDetails(hasCalls: boolean, filter: Filter, onFailure: (failure: Failure) => void) {
  const { loaded, open, show, close } = useLazyDialog(DIALOG, onFailure);
  const [asked, setAsked] = useState<AskedFrames | null>(null);
  const current = useRef((_: DetailedFrames) => {});
  current.current = (frames) => {
    setAsked({ ...frames, filter });
    show();
  };
  const openDetails = useMemo(
    () => (hasCalls ? (frames: DetailedFrames) => current.current(frames) : null),
    [hasCalls],
  );
  return { loaded, open, close, asked, openDetails };
}
