/** Ways from a frame to its source: opened by the user's template, which is asked for where there is none. */
import type { SourcePlace } from "../../model/flame/source-place.ts";
import type { Failure } from "../../worker/api.ts";
import { useLazyDialog } from "../dialog/use-lazy-dialog.ts";
import { likelySoon } from "../lazy/lazy.ts";
import { openSource } from "./source-template.ts";

const DIALOG = likelySoon(() => import("./SourceDialog.tsx"));

export function useSource(onFailure: (failure: Failure) => void) {
  const { loaded, open, show, close } = useLazyDialog(DIALOG, onFailure);
  const visit = (place: SourcePlace) => {
    if (!openSource(place)) show();
  };
  return { loaded, open, edit: show, close, visit };
}
