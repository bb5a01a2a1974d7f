/** The recording on the page: being fetched, being read, read, or refused. */
import { useCallback, useMemo, useRef, useState } from "react";
import type { Diagnostic, ExtraEvent } from "../../core/types.ts";
import type { Failure, InputFile, Overview, Progress } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import { namedApart } from "../open/inputs.ts";

export type RecordingState =
  | { phase: "empty"; failure: Failure | null; diagnostics: Diagnostic[]; otlp: InputFile[] }
  | { phase: "loading"; names: string[]; progress: Progress | null }
  /** `otlp` are those of the files that are OTLP profiles; `extra` the events it was read with, beside those of the catalogue. */
  | { phase: "open"; inputs: InputFile[]; extra: ExtraEvent[]; overview: Overview; otlp: InputFile[] };

/** Files at hand, or how to fetch them. */
export type FilesToOpen = InputFile[] | ((signal: AbortSignal) => Promise<InputFile[]>);

export interface Recording {
  state: RecordingState;
  /** Counts opened recordings: answers about an older one are of no use. */
  generation: number;
  /** Without files there is nothing open. */
  open: (files: FilesToOpen, extra: ExtraEvent[]) => void;
  /** Reads the same files again, with other events beside those of the catalogue. */
  reread: (extra: ExtraEvent[]) => void;
  cancel: () => void;
  /** The decoder is gone, and the recording with it. */
  fail: (failure: Failure) => void;
}

/** One opening; a newer one aborts it. */
interface Run {
  abort: AbortController;
  fetching: boolean;
  /** Kept here, not in the worker: they outlive it. */
  inputs: InputFile[];
}

export function useRecording(): Recording {
  const [state, setState] = useState<RecordingState>(nothing(null));
  const [generation, setGeneration] = useState(0);
  const current = useRef<Run | null>(null);

  const open = useCallback((files: FilesToOpen, extra: ExtraEvent[]) => {
    current.current?.abort.abort();
    const run: Run = { abort: new AbortController(), fetching: typeof files === "function", inputs: [] };
    current.current = run;
    setGeneration((n) => n + 1);
    if (files.length === 0 && typeof files !== "function") return setState(nothing(null));
    void read(files, extra, run, setState);
  }, []);

  const reread = useCallback((extra: ExtraEvent[]) => open(current.current?.inputs ?? [], extra), [open]);

  const cancel = useCallback(() => {
    const run = current.current;
    if (run === null) return;
    if (!run.fetching) return viewer.cancel();
    run.abort.abort();
    setState(nothing(null));
  }, []);

  const fail = useCallback((failure: Failure) => {
    current.current?.abort.abort();
    setState(nothing(failure));
  }, []);

  return useMemo(
    () => ({ state, generation, open, reread, cancel, fail }),
    [state, generation, open, reread, cancel, fail],
  );
}

async function read(
  files: FilesToOpen,
  extra: ExtraEvent[],
  run: Run,
  setState: (state: RecordingState) => void,
): Promise<void> {
  const { signal } = run.abort;
  const show = (state: RecordingState) => {
    if (!signal.aborted) setState(state);
  };
  try {
    show({ phase: "loading", names: [], progress: null });
    const inputs = namedApart(typeof files === "function" ? await files(signal) : files);
    if (signal.aborted) return;
    run.fetching = false;
    run.inputs = inputs;
    const names = inputs.map(({ name }) => name);
    show({ phase: "loading", names, progress: null });
    // Progress comes through a port of its own: its last word may arrive after the answer, and must not hide it.
    let reading = true;
    const answer = await viewer.open(inputs, extra, (progress) => {
      if (reading) show({ phase: "loading", names, progress });
    });
    reading = false;
    if (!answer.ok) return show(nothing(answer.error));
    const { value: overview } = answer;
    const otlp = inputs.filter((_, index) => overview.inputs[index]?.kind === "otlp");
    if (isUnreadable(overview)) show({ ...nothing(null), diagnostics: overview.diagnostics, otlp });
    else show({ phase: "open", inputs, extra, overview, otlp });
  } catch (error) {
    show(nothing({ code: "fetch", message: error instanceof Error ? error.message : String(error) }));
  }
}

function nothing(failure: Failure | null): RecordingState & { phase: "empty" } {
  return { phase: "empty", failure, diagnostics: [], otlp: [] };
}

/** Not one event in any file, and errors: what is left to show is what was wrong with them. */
function isUnreadable({ files, profiles, diagnostics, cancelled }: Overview): boolean {
  const anyEvent = files.some(({ chunks }) => chunks.some(({ events }) => Object.keys(events).length > 0));
  return profiles.length === 0 && !anyEvent && !cancelled && diagnostics.some(({ severity }) => severity === "error");
}
