/** The recording on the page: being fetched, being read, read, or refused. */
import { startTransition, useMemo, useState } from "react";
import { cancel, cancelBeside, readFiles, stopViewer } from "../../../worker/client.ts";
import { type Decoder, RecordingReader } from "./recording-reader.ts";
import { NOTHING_OPEN, type Shown, shownOf } from "./recording-state.ts";

type Ways = "collect" | "open" | "reread" | "restart" | "cancel" | "fail" | "dismiss";
export type Recording = Shown & Pick<RecordingReader, Ways>;

/** Where the user points: a pressed button, and tooltips. */
const HELD = ":active, [data-testid=frame-tip]:not([hidden]), body:has([data-testid=tooltip]) [data-tip]:hover";
const LOOK_MS = 100;
/** A pointer that rests keeps what has been read from the page no longer. */
const MOST_LOOKS = 20;
const isHeld = () => document.querySelector(HELD) !== null;

const DECODER: Decoder = {
  read: readFiles,
  cancel,
  cancelBeside,
  stop: stopViewer,
  isHeld,
  released: async () => {
    for (let look = 0; look < MOST_LOOKS && isHeld(); look++) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  },
  painted: async () => {
    const { whenPainted } = await import("../../parts/answers/after-paint.ts");
    // Until then nothing has been asked.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    await new Promise<void>(whenPainted);
    return true;
  },
};

export function useRecording(): Recording {
  const [shown, setShown] = useState(() => shownOf(NOTHING_OPEN));
  const [reader] = useState(() => {
    const show = (now: Shown, hasGrown: boolean) => (hasGrown ? startTransition(() => setShown(now)) : setShown(now));
    return new RecordingReader(DECODER, show);
  });
  return useMemo(() => {
    const { collect, open, reread, restart, cancel, fail, dismiss } = reader;
    return { ...shown, collect, open, reread, restart, cancel, fail, dismiss };
  }, [shown, reader]);
}
