/** The recording of an element: a shared one, or its data, fetched and read; read again when the data changes. */
import { useEffect, useState } from "react";
import type { GraphOverview, Graphs, Result } from "../worker/api.ts";
import { fetchFile, fileOf } from "./input.ts";
import { Problem, problemOf } from "./problem.ts";
import { graphsOf, readRecording } from "./recording.ts";
import type { ErrorDetail, ViewerOptions, ViewerRecording } from "./types.ts";

export type Opened =
  | { kind: "nothing" }
  /** `share` of the bytes is read, from 0 to 1. */
  | { kind: "reading"; share: number }
  | { kind: "failed"; error: ErrorDetail; overview: GraphOverview | null }
  | { kind: "open"; recording: ViewerRecording; graphs: Graphs; overview: GraphOverview };

const NOTHING: Opened = { kind: "nothing" };

export function useRecording({ src, data, unit, recording: shared }: ViewerOptions): Opened {
  const [opened, setOpened] = useState<Opened>(NOTHING);
  useEffect(() => {
    if (shared === undefined && data === undefined && (src === undefined || src === "")) {
      setOpened(NOTHING);
      return;
    }
    setOpened({ kind: "reading", share: 0 });
    const ending = new AbortController();
    const { signal } = ending;
    const show = (state: Opened) => {
      if (!signal.aborted) setOpened(state);
    };
    const read = async () => (data === undefined ? fetchFile(src ?? "", signal) : fileOf(data, unit));
    const progress = ({ bytes, total }: { bytes: number; total: number }) =>
      show({ kind: "reading", share: total === 0 ? 0 : bytes / total });
    let graphs: Graphs;
    const recording = shared ?? readRecording(read(), progress);
    try {
      graphs = graphsOf(recording);
    } catch (error) {
      show({ kind: "failed", error: problemOf(error), overview: null });
      return;
    }
    void graphs.overview.then((answer) => show(openedAs(recording, graphs, answer)));
    return () => {
      ending.abort();
      graphs.leave();
    };
  }, [src, data, unit, shared]);
  return opened;
}

/** Data without a sample is a failure: there is nothing to draw. */
function openedAs(recording: ViewerRecording, graphs: Graphs, answer: Result<GraphOverview>): Opened {
  if (!answer.ok) return { kind: "failed", error: answer.error, overview: null };
  const overview = answer.value;
  if (overview.profiles.some(({ samples }) => samples > 0)) return { kind: "open", recording, graphs, overview };
  const worst = overview.diagnostics.find(({ severity }) => severity === "error");
  const empty = new Problem("data.empty", "The data contains no samples.");
  return { kind: "failed", error: worst ?? empty, overview };
}
