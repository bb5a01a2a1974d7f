/** Files that were chosen or pasted while a recording is open, until the user decides how to open them. */
import { useCallback, useState } from "react";
import type { InputFile } from "../../../worker/api.ts";
import { startSpare } from "../../../worker/client.ts";
import type { Joining } from "../../parts/files/joining.ts";
import { areTraces, withoutSymbols } from "../../parts/symbols/sort-files.ts";
import { likelySoon, useLazy } from "../../primitives/lazy/lazy.ts";
import { showToast } from "../../primitives/toast/toasts.ts";
import type { FilesToOpen } from "../recording/recording-reader.ts";
import type { JoinDialogProps } from "./JoinDialog.tsx";

export function useJoining(open: (files: FilesToOpen, how: Joining) => void, isOpen: boolean, hasTraces: boolean) {
  const [files, setFiles] = useState<InputFile[] | null>(null);

  const ask = useCallback(
    async (chosen: InputFile[]) => {
      let recordings: InputFile[];
      try {
        recordings = await withoutSymbols(chosen);
      } catch (error) {
        return showToast({ tone: "error", text: error instanceof Error ? error.message : String(error) });
      }
      if (recordings.length === 0) return;
      if (!isOpen) return open(recordings, "replace");
      startSpare();
      if (hasTraces || areTraces(recordings)) open(recordings, "add");
      else setFiles(recordings);
    },
    [open, isOpen, hasTraces],
  );
  const onChoice = useCallback(
    (how: Joining) => {
      setFiles(null);
      if (files !== null) open(files, how);
    },
    [open, files],
  );
  const onClose = useCallback(() => setFiles(null), []);
  return { files, ask, onChoice, onClose };
}

const DIALOG = likelySoon(() => import("./JoinDialog.tsx"));

/** The question how to open files, loaded when it is first asked. */
export function JoinDialog(props: JoinDialogProps) {
  // It stays once it is there: the focus goes back to where it was.
  const loaded = useLazy(props.files === null && DIALOG.loaded === null ? null : DIALOG);
  return loaded !== null && <loaded.JoinDialog {...props} />;
}
