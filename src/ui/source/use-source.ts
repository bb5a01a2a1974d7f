/** Ways from a frame to its source: opened by the user's template, which is asked for where there is none. */
import { useMemo, useRef, useState } from "react";
import type { SourcePlace } from "../../model/flame/source-place.ts";
import type { Failure } from "../../worker/api.ts";
import { useLazyDialog } from "../dialog/use-lazy-dialog.ts";
import { likelySoon } from "../lazy/lazy.ts";
import type { SourceLinks } from "../surroundings.ts";
import { openSource } from "./source-template.ts";

const DIALOG = likelySoon(() => import("./SourceDialog.tsx"));

/** The links, which stay the same object, and their dialog; `place` is the one that it was opened for. */
export function useSource(onFailure: (failure: Failure) => void) {
  const { loaded, open, show, close } = useLazyDialog(DIALOG, onFailure);
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
