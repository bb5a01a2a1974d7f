import { type ReactNode, useMemo } from "react";
import type { Filter } from "../../core/types.ts";
import type { Failure } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import { ViewMenu } from "../flame/ViewMenu.tsx";
import { useFrameDetails } from "../frame-details/use-frame-details.ts";
import { useSource } from "../source/use-source.ts";
import { type Around, Surroundings } from "../surroundings.ts";

interface Props {
  /** A dump is open, whose calls the filter selects. */
  hasCalls: boolean;
  filter: Filter;
  onFailure: (failure: Failure) => void;
  children: ReactNode;
}

/** The page around its views: its worker, its keys, and the dialogs about frames: links to the source, details. */
export function PageSurroundings({ hasCalls, filter, onFailure, children }: Props) {
  const { links, loaded, open, close, place } = useSource(onFailure);
  const { openDetails, ...details } = useFrameDetails(hasCalls, filter, onFailure);
  const around = useMemo(
    (): Around => ({ viewer, keys: window, source: links, isPage: true, settings: ViewMenu, openDetails }),
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
