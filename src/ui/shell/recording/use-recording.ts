/** The recording on the page: being fetched, being read, read, or refused. */
import { useMemo, useState } from "react";
import { cancelBeside, openBeside, stopViewer, viewer } from "../../../worker/client.ts";
import { type Decoder, RecordingReader } from "./recording-reader.ts";
import { NOTHING_OPEN, type Shown, shownOf } from "./recording-state.ts";

export type Recording = Shown & Pick<RecordingReader, "open" | "reread" | "restart" | "cancel" | "fail" | "dismiss">;

const DECODER: Decoder = {
  open: (files, choice, onProgress) => viewer.open(files, choice, onProgress),
  openBeside,
  cancel: () => viewer.cancel(),
  cancelBeside,
  stop: stopViewer,
};

export function useRecording(): Recording {
  const [shown, setShown] = useState(() => shownOf(NOTHING_OPEN));
  const [reader] = useState(() => new RecordingReader(DECODER, setShown));
  return useMemo(() => {
    const { open, reread, restart, cancel, fail, dismiss } = reader;
    return { ...shown, open, reread, restart, cancel, fail, dismiss };
  }, [shown, reader]);
}
