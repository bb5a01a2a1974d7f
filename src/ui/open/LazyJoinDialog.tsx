import type { Failure } from "../../worker/api.ts";
import { likelySoon } from "../lazy/lazy.ts";
import { useLazy } from "../lazy/use-lazy.ts";
import type { JoinDialogProps } from "./JoinDialog.tsx";

const DIALOG = likelySoon(() => import("./JoinDialog.tsx"));

/** The question how to open files, loaded when it is first asked. */
export function JoinDialog({ onFailure, ...props }: JoinDialogProps & { onFailure: (failure: Failure) => void }) {
  // It stays once it is there: the focus goes back to where it was.
  const loaded = useLazy(props.files === null && DIALOG.loaded === null ? null : DIALOG, onFailure);
  return loaded !== null && <loaded.JoinDialog {...props} />;
}
