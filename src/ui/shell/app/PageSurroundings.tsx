import { type ReactNode, useMemo, useRef, useState } from "react";
import type { Filter } from "../../../core/types.ts";
import type { SourcePlace } from "../../../model/flame/source-place.ts";
import type { Selecting } from "../../../model/query/query.ts";
import type { Measured } from "../../../model/words/measure.ts";
import { viewer } from "../../../worker/client.ts";
import type { AskedFrames, DetailedFrames, SourceLinks } from "../../parts/answers/surroundings.ts";
import { type Around, Surroundings } from "../../parts/answers/surroundings.ts";
import { SOURCES } from "../../parts/source/take-sources.ts";
import { useLazyDialog } from "../../primitives/dialog/use-lazy-dialog.ts";
import { Lazy, likelySoon } from "../../primitives/lazy/lazy.ts";
import { Popover } from "../../primitives/popover/Popover.tsx";
import { ViewMenu } from "../../views/flame/ViewMenu.tsx";
import { openSource } from "../source/source-template.ts";

interface Props {
  /** A dump is open, whose calls the filter selects. */
  hasCalls: boolean;
  filter: Filter;
  /** What the source of a frame is counted in. */
  selecting: Selecting;
  profile: Measured;
  children: ReactNode;
}

/** The page around its views: its worker, its keys, and the dialogs about frames: links to the source, details. */
export function PageSurroundings({ hasCalls, filter, selecting, profile, children }: Props) {
  const { links, loaded, open, close, place, text } = useSource();
  const { openDetails, ...details } = useFrameDetails(hasCalls, filter);
  const around = useMemo(
    (): Around => ({
      viewer,
      frameStates: viewer.frameStates,
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
      {text.loaded !== null && (
        <text.loaded.SourceText open={text.open} onClose={text.close} {...{ place, profile, selecting }} />
      )}
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

/** Ways from a frame to its source: the file if the user has dropped it, else by the user's template. */
const SOURCE_DIALOG = likelySoon(() => import("../source/SourceDialog.tsx"));
const SOURCE_TEXT = new Lazy(() => import("../source/SourceText.tsx"));

/** The links, which stay the same object, and their dialogs; `place` is the one that they were opened for. */
function useSource() {
  const { loaded, open, show, close } = useLazyDialog(SOURCE_DIALOG);
  const text = useLazyDialog(SOURCE_TEXT);
  const [place, setPlace] = useState<SourcePlace | null>(null);
  const now = useRef({ show, text });
  now.current = { show, text };
  const links = useMemo((): SourceLinks => {
    const edit = (of: SourcePlace | null) => {
      setPlace(of);
      now.current.show();
    };
    const visit = (of: SourcePlace) => {
      if ((SOURCES.loaded?.find(of.path).files.length ?? 0) > 0) {
        setPlace(of);
        now.current.text.show();
      } else if (!openSource(of)) edit(of);
    };
    return { visit, edit };
  }, []);
  return { links, loaded, open, close, place, text };
}
