import { type ReactNode, useMemo } from "react";
import type { Failure } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import { ViewMenu } from "../flame/ViewMenu.tsx";
import { useSource } from "../source/use-source.ts";
import { type Around, Surroundings } from "../surroundings.ts";

interface Props {
  onFailure: (failure: Failure) => void;
  children: ReactNode;
}

/** The page around its views: its worker, its keys, and the dialog for links to the source. */
export function PageSurroundings({ onFailure, children }: Props) {
  const { links, loaded, open, close, place } = useSource(onFailure);
  const around = useMemo(
    (): Around => ({ viewer, keys: window, source: links, isPage: true, settings: ViewMenu }),
    [links],
  );
  return (
    <Surroundings value={around}>
      {children}
      {loaded !== null && <loaded.SourceDialog open={open} onClose={close} place={place} />}
    </Surroundings>
  );
}
