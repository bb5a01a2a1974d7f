import type { Failure } from "../../worker/api.ts";
import { likelySoon } from "../lazy/lazy.ts";
import { useLazy } from "../lazy/use-lazy.ts";
import type { JoinDialogProps } from "./JoinDialog.tsx";

const DIALOG = likelySoon(() => import("./JoinDialog.tsx"));

/** The question how to open files, loaded when it is first asked. */
export function JoinDialog({ onFailure, ...props }: JoinDialogProps & { onFailure: (failure: Failure) => void }) {
  const loaded = useLazy(props.files === null ? null : DIALOG, onFailure);
  return loaded !== null && <loaded.JoinDialog {...props} />;
}
