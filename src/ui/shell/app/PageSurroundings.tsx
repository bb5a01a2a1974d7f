import { type ReactNode, useMemo, useRef, useState } from "react";
import type { Filter } from "../../../core/types.ts";
import type { SourcePlace } from "../../../model/flame/source-place.ts";
import { viewer } from "../../../worker/client.ts";
import type { AskedFrames, DetailedFrames, SourceLinks } from "../../parts/answers/surroundings.ts";
import { type Around, Surroundings } from "../../parts/answers/surroundings.ts";
import { useLazyDialog } from "../../primitives/dialog/use-lazy-dialog.ts";
import { likelySoon } from "../../primitives/lazy/lazy.ts";
import { Popover } from "../../primitives/popover/Popover.tsx";
import { ViewMenu } from "../../views/flame/ViewMenu.tsx";
import { openSource } from "../source/source-template.ts";

interface Props {
  /** A dump is open, whose calls the filter selects. */
  hasCalls: boolean;
  filter: Filter;
  children: ReactNode;
}

/** The page around its views: its worker, its keys, and the dialogs about frames: links to the source, details. */
export function PageSurroundings({ hasCalls, filter, children }: Props) {
  const { links, loaded, open, close, place } = useSource();
  const { openDetails, ...details } = useFrameDetails(hasCalls, filter);
  const around = useMemo(
    (): Around => ({
      viewer,
      keys: window,
      source: links,
      isPage: true,
      settings: ViewMenu,
      popover: Popover,
      openDetails,
    }),
    [links, openDetails],
  );
  return (
    <Surroundings value={around}>
      {children}
      {loaded !== null && <loaded.SourceDialog open={open} onClose={close} place={place} />}
      {details.loaded !== null && (
        <details.loaded.FrameDetailsDialog open={details.open} onClose={details.close} asked={details.asked} />
      )}
    </Surroundings>
  );
}

/** The dialog about frames of the selected calls of dumps: opened by views of frames. */
const DIALOG = likelySoon(() => import("../../parts/frame-details/FrameDetailsDialog.tsx"));

/** `openDetails` stays the same function; null where no dump is open. */
function useFrameDetails(hasCalls: boolean, filter: Filter) {
  const { loaded, open, show, close } = useLazyDialog(DIALOG);
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

/** Ways from a frame to its source: opened by the user's template, which is asked for where there is none. */
const SOURCE_DIALOG = likelySoon(() => import("../source/SourceDialog.tsx"));

/** The links, which stay the same object, and their dialog; `place` is the one that it was opened for. */
function useSource() {
  const { loaded, open, show, close } = useLazyDialog(SOURCE_DIALOG);
  const [place, setPlace] = useState<SourcePlace | null>(null);
  const edit = useRef((_: SourcePlace | null) => {});
  edit.current = (of) => {
    setPlace(of);
    show();
  };
  const links = useMemo(
    (): SourceLinks => ({
      visit: (of) => {
        if (!openSource(of)) edit.current(of);
      },
      edit: (of) => edit.current(of),
    }),
    [],
  );
  return { links, loaded, open, close, place };
}
