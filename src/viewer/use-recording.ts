/** The data of an element, fetched and read; read again when the data changes. */
import { useEffect, useState } from "react";
import type { Overview } from "../worker/api.ts";
import { fetchFile, fileOf } from "./input.ts";
import { Problem, problemOf } from "./problem.ts";
import { isSuperseded, Recording } from "./recording.ts";
import type { ErrorDetail, ViewerOptions } from "./types.ts";

export type Opened =
  | { kind: "nothing" }
  /** `share` of the bytes is read, from 0 to 1. */
  | { kind: "reading"; share: number }
  | { kind: "failed"; error: ErrorDetail; overview: Overview | null }
  | { kind: "open"; recording: Recording; overview: Overview };

const NOTHING: Opened = { kind: "nothing" };

export function useRecording({ src, data, unit }: ViewerOptions): Opened {
  const [opened, setOpened] = useState<Opened>(NOTHING);
  useEffect(() => {
    if (data === undefined && (src === undefined || src === "")) {
      setOpened(NOTHING);
      return;
    }
    setOpened({ kind: "reading", share: 0 });
    const ending = new AbortController();
    const recording = new Recording();
    const read = async () => {
      const file = data === undefined ? await fetchFile(src ?? "", ending.signal) : fileOf(data, unit);
      return await recording.open(file, ({ bytes, total }) => {
        if (!ending.signal.aborted) setOpened({ kind: "reading", share: total === 0 ? 0 : bytes / total });
      });
    };
    read().then(
      (answer) => {
        if (ending.signal.aborted) return;
        if (!answer.ok) {
          if (!isSuperseded(answer.error)) setOpened({ kind: "failed", error: answer.error, overview: null });
        } else setOpened(openedAs(recording, answer.value));
      },
      (error: unknown) => {
        if (!ending.signal.aborted) setOpened({ kind: "failed", error: problemOf(error), overview: null });
      },
    );
    return () => {
      ending.abort();
      recording.end();
    };
  }, [src, data, unit]);
  return opened;
}

/** Data without a sample is a failure: there is nothing to draw. */
function openedAs(recording: Recording, overview: Overview): Opened {
  if (overview.profiles.some(({ samples }) => samples > 0)) return { kind: "open", recording, overview };
  const worst = overview.diagnostics.find(({ severity }) => severity === "error");
  const empty = new Problem("data.empty", "The data contains no samples.");
  return { kind: "failed", error: worst ?? empty, overview };
}
