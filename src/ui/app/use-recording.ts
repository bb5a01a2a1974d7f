/** The recording on the page: being fetched, being read, read, or refused. */
import { useCallback, useMemo, useRef, useState } from "react";
import type { Diagnostic, ExtraEvent } from "../../core/types.ts";
import type { Failure, InputFile, Overview, Progress } from "../../worker/api.ts";
import { stopViewer, viewer } from "../../worker/client.ts";
import { namedApart } from "../open/inputs.ts";

/** Files that are not open, and why. */
export interface Refusal {
  failure: Failure | null;
  diagnostics: Diagnostic[];
  /** Those that the page still has, to be opened again. */
  files: InputFile[];
  /** A question ended the decoder, and would do so again: files are opened again without filters. */
  byQuestion: boolean;
}

export interface OpenRecording {
  phase: "open";
  inputs: InputFile[];
  /** The events it was read with, beside those of the catalogue. */
  extra: ExtraEvent[];
  overview: Overview;
  /** Those of the files that are OTLP profiles. */
  otlp: InputFile[];
  /** Files that were to take its place. */
  refusal: Refusal | null;
}

export type RecordingState =
  | { phase: "empty"; refusal: Refusal | null; otlp: InputFile[] }
  | { phase: "loading"; names: string[]; progress: Progress | null; cancelling: boolean }
  | OpenRecording;

/** Files at hand, or how to fetch them. */
export type FilesToOpen = InputFile[] | ((signal: AbortSignal) => Promise<InputFile[]>);

/** What else an opening changes, once it is known how it ended. */
export interface Endings {
  opened?: () => void;
  /** The former recording stays, and with it the events that it was read with. */
  kept?: (extra: ExtraEvent[]) => void;
}

export interface Recording {
  state: RecordingState;
  /** Counts openings: answers about an older one are of no use. */
  generation: number;
  /** Without files there is nothing open. */
  open: (files: FilesToOpen, extra: ExtraEvent[], endings?: Endings) => void;
  /** Reads the files of the open recording again, with other events beside those of the catalogue. */
  reread: (extra: ExtraEvent[], endings?: Endings) => void;
  /** Ends the worker whatever it does, and reads the files of the open recording in another one. */
  restart: (extra: ExtraEvent[]) => void;
  /** Once for what was read until now, twice to end the worker at once. */
  cancel: () => void;
  /** The decoder is gone, and the recording of this generation with it. */
  fail: (failure: Failure, generation: number) => void;
  /** The message about files that were refused was read. */
  dismiss: () => void;
}

/** One opening; a newer one aborts it. */
interface Run {
  abort: AbortController;
  stage: "fetching" | "reading" | "cancelling" | "done";
}

const EMPTY: RecordingState = { phase: "empty", refusal: null, otlp: [] };
const STOPPED: Failure = {
  code: "worker.stopped",
  message: "The decoder was stopped. Nothing that it had read is kept.",
  lost: true,
};

export function useRecording(): Recording {
  const [state, setState] = useState<RecordingState>(EMPTY);
  const [generation, setGeneration] = useState(0);
  const newest = useRef(0);
  const current = useRef<Run | null>(null);
  /**
   * The recording that the worker holds, also while other files are read. The files are kept here: they outlive a
   * worker.
   */
  const held = useRef<OpenRecording | null>(null);

  const open = useCallback((files: FilesToOpen, extra: ExtraEvent[], endings: Endings = {}) => {
    current.current?.abort.abort();
    const run: Run = { abort: new AbortController(), stage: "fetching" };
    current.current = run;
    newest.current++;
    setGeneration(newest.current);
    const show = (next: RecordingState) => {
      if (run.abort.signal.aborted) return;
      if (next.phase !== "loading") {
        run.stage = "done";
        held.current = next.phase === "open" ? next : null;
      }
      setState(next);
    };
    if (files.length === 0 && typeof files !== "function") return show(EMPTY);
    void read(files, extra, { run, former: held.current, endings, show });
  }, []);

  const reread = useCallback(
    (extra: ExtraEvent[], endings?: Endings) => open(held.current?.inputs ?? [], extra, endings),
    [open],
  );

  const restart = useCallback(
    (extra: ExtraEvent[]) => {
      const inputs = held.current?.inputs ?? [];
      held.current = null;
      stopViewer(STOPPED);
      open(inputs, extra);
    },
    [open],
  );

  const cancel = useCallback(() => {
    const run = current.current;
    if (run?.stage === "fetching") {
      run.stage = "done";
      run.abort.abort();
      setState(held.current ?? EMPTY);
    } else if (run?.stage === "reading") {
      run.stage = "cancelling";
      setState((now) => (now.phase === "loading" ? { ...now, cancelling: true } : now));
      viewer.cancel();
    } else if (run?.stage === "cancelling") {
      stopViewer(STOPPED);
    }
  }, []);

  const fail = useCallback((failure: Failure, of: number) => {
    const lost = held.current;
    // One end of the worker is the answer to many questions; the first one tells of it.
    if (of !== newest.current || lost === null) return;
    held.current = null;
    setState({ phase: "empty", otlp: [], refusal: { failure, diagnostics: [], files: lost.inputs, byQuestion: true } });
  }, []);

  const dismiss = useCallback(() => {
    if (held.current !== null) held.current = { ...held.current, refusal: null };
    setState((now) => (now.phase === "loading" ? now : { ...now, refusal: null }));
  }, []);

  return useMemo(
    () => ({ state, generation, open, reread, restart, cancel, fail, dismiss }),
    [state, generation, open, reread, restart, cancel, fail, dismiss],
  );
}

interface Reading {
  run: Run;
  former: OpenRecording | null;
  endings: Endings;
  /** Does nothing once the run is aborted. */
  show: (state: RecordingState) => void;
}

async function read(files: FilesToOpen, extra: ExtraEvent[], { run, former, endings, show }: Reading): Promise<void> {
  const { signal } = run.abort;
  const isOver = () => signal.aborted || run.stage === "done";
  let inputs: InputFile[] = [];
  /** Back to the former recording where the worker still holds it. */
  const refuse = (isKept: boolean, refusal: Omit<Refusal, "byQuestion" | "files">, otlp: InputFile[] = []) => {
    if (isOver()) return;
    const failed = refusal.failure === null ? [] : inputs;
    if (isKept && former !== null) {
      endings.kept?.(former.extra);
      return show({ ...former, refusal: { ...refusal, files: failed, byQuestion: false } });
    }
    const others = former?.inputs.filter(({ blob }) => !inputs.some((input) => input.blob === blob)) ?? [];
    show({ phase: "empty", refusal: { ...refusal, files: [...failed, ...others], byQuestion: false }, otlp });
  };
  const loading = (progress: Progress | null) => {
    const names = inputs.map(({ name }) => name);
    show({ phase: "loading", names, progress, cancelling: run.stage === "cancelling" });
  };
  try {
    loading(null);
    inputs = namedApart(typeof files === "function" ? await files(signal) : files);
    if (signal.aborted) return;
    run.stage = "reading";
    loading(null);
    // Progress comes through another port: its last message may arrive after the answer, and must not hide it.
    const answer = await viewer.open(inputs, extra, (progress) => {
      if (!isOver()) loading(progress);
    });
    if (isOver()) return;
    if (!answer.ok) return refuse(answer.error.lost !== true, { failure: answer.error, diagnostics: [] });
    const { value: overview } = answer;
    const otlp = inputs.filter((_, index) => overview.inputs[index]?.kind === "otlp");
    if (overview.open !== "these")
      return refuse(overview.open === "former", { failure: null, diagnostics: overview.diagnostics }, otlp);
    endings.opened?.();
    show({ phase: "open", inputs, extra, overview, otlp, refusal: null });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    refuse(true, { failure: { code: "fetch", message }, diagnostics: [] });
  }
}
