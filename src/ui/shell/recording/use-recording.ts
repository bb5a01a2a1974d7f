/** The recording on the page: being fetched, being read, read, or refused. */
import { useCallback, useMemo, useRef, useState } from "react";
import type { Diagnostic, FileSummary, ReadChoice } from "../../../core/types.ts";
import type { Failure, InputFile, Overview, Progress } from "../../../worker/api.ts";
import { cancelBeside, openBeside, stopViewer, viewer } from "../../../worker/client.ts";
import { namedApart } from "../../parts/files/inputs.ts";

/** Files that are not open, and why. */
export interface Refusal {
  failure: Failure | null;
  diagnostics: Diagnostic[];
  /** What there is of the files that the diagnostics are about. */
  summaries: FileSummary[];
  /** Those that the page still has, to be opened again. */
  files: InputFile[];
  /** A question ended the decoder, and would do so again: files are opened again without filters. */
  byQuestion: boolean;
}

export interface OpenRecording {
  phase: "open";
  inputs: InputFile[];
  /** What it was read for. */
  choice: ReadChoice;
  overview: Overview;
  /** Those of the files that are OTLP profiles. */
  otlp: InputFile[];
  /** Files that were to take its place. */
  refusal: Refusal | null;
}

export type RecordingState =
  | { phase: "empty"; refusal: Refusal | null; otlp: InputFile[] }
  | ({ phase: "loading" } & Incoming)
  | OpenRecording;

/** Files that are being fetched or read. */
export interface Incoming {
  names: string[];
  progress: Progress | null;
  cancelling: boolean;
  /** They were open before, and Back or Forward leads to them. */
  again: boolean;
}

/** Files, or how to fetch them. */
export type FilesToOpen = InputFile[] | ((signal: AbortSignal) => Promise<InputFile[]>);

/** What else an opening changes, once it is known how it ended. */
export interface Endings {
  opened?: (inputs: InputFile[], overview: Overview) => void;
  /** The former recording stays, and with it what it was read for. */
  kept?: (choice: ReadChoice) => void;
  /** The files were open before. */
  again?: boolean;
  /** Closes the open recording first: there is no memory for both. */
  alone?: boolean;
}

export interface Recording {
  state: RecordingState;
  /** Files that are read while the open recording stays on the page. */
  incoming: Incoming | null;
  /** Counts openings: answers about an older one are of no use. */
  generation: number;
  /** Without files there is nothing open. */
  open: (files: FilesToOpen, choice: ReadChoice, endings?: Endings) => void;
  /** Reads the files of the open recording again, for something else. */
  reread: (choice: ReadChoice, endings?: Endings) => void;
  /** Ends the worker whatever it does, and reads the files of the open recording in another one. */
  restart: (choice: ReadChoice) => void;
  /** Once to keep the samples read so far, twice to end the worker at once. */
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
  /** The open recording stays on the page until this one is there. */
  isBeside: boolean;
  kept: Endings["kept"];
  /** Does nothing once the run is aborted. */
  show: (state: RecordingState) => void;
}

const EMPTY: RecordingState = { phase: "empty", refusal: null, otlp: [] };
const STOPPED: Failure = {
  code: "worker.stopped",
  message: "The decoder was stopped. The recording was closed.",
  lost: true,
};

/** What is on the page, and the opening that may change it. */
function useRuns() {
  const [state, setState] = useState<RecordingState>(EMPTY);
  const [incoming, setIncoming] = useState<Incoming | null>(null);
  const [generation, setGeneration] = useState(0);
  const newest = useRef(0);
  const current = useRef<Run | null>(null);
  /**
   * The recording that the worker holds, also while other files are read. The files are kept here: they outlive a
   * worker.
   */
  const held = useRef<OpenRecording | null>(null);

  const begin = useCallback((isBeside: boolean, kept: Endings["kept"]): Run => {
    current.current?.abort.abort();
    cancelBeside();
    setIncoming(null);
    const run: Run = { abort: new AbortController(), stage: "fetching", isBeside, kept, show: () => {} };
    current.current = run;
    const next = () => setGeneration(++newest.current);
    if (!isBeside) next();
    run.show = (shown) => {
      if (run.abort.signal.aborted) return;
      if (shown.phase === "loading") return isBeside ? setIncoming(shown) : setState(shown);
      run.stage = "done";
      // Another recording: answers about the one before are of no use.
      if (isBeside && shown.phase === "open" && shown.overview !== held.current?.overview) next();
      held.current = shown.phase === "open" ? shown : null;
      setIncoming(null);
      setState(shown);
    };
    return run;
  }, []);

  return { state, setState, incoming, setIncoming, generation, newest, current, held, begin };
}

export function useRecording(): Recording {
  const { state, setState, incoming, setIncoming, generation, newest, current, held, begin } = useRuns();

  const open = useCallback(
    (files: FilesToOpen, choice: ReadChoice, endings: Endings = {}) => {
      const isNone = files.length === 0 && typeof files !== "function";
      if (endings.alone === true && held.current !== null) {
        held.current = null;
        stopViewer(STOPPED);
      }
      // The worker that reads the open files again is to have no questions.
      const isRereading = current.current?.isBeside === false && current.current.stage !== "done";
      const run = begin(held.current !== null && !isNone && !isRereading, endings.kept);
      if (isNone) return run.show(EMPTY);
      void read(files, choice, { run, former: () => held.current, endings });
    },
    [begin, current, held],
  );

  const reread = useCallback(
    (choice: ReadChoice, endings: Endings = {}) => {
      const inputs = held.current?.inputs ?? [];
      void read(inputs, choice, { run: begin(false, endings.kept), former: () => held.current, endings });
    },
    [begin, held],
  );

  const restart = useCallback(
    (choice: ReadChoice) => {
      const inputs = held.current?.inputs ?? [];
      held.current = null;
      stopViewer(STOPPED);
      open(inputs, choice);
    },
    [open, held],
  );

  const cancel = useCallback(() => {
    const run = current.current;
    if (run?.stage === "fetching" || (run?.isBeside === true && run.stage === "reading")) {
      run.stage = "done";
      run.abort.abort();
      cancelBeside();
      setIncoming(null);
      if (held.current !== null) run.kept?.(held.current.choice);
      setState(held.current ?? EMPTY);
    } else if (run?.stage === "reading") {
      run.stage = "cancelling";
      setState((now) => (now.phase === "loading" ? { ...now, cancelling: true } : now));
      viewer.cancel();
    } else if (run?.stage === "cancelling") {
      stopViewer(STOPPED);
    }
  }, [current, held, setIncoming, setState]);

  const fail = useCallback(
    (failure: Failure, of: number) => {
      const lost = held.current;
      // One end of the worker is the answer to many questions; the first one tells of it.
      if (of !== newest.current || lost === null) return;
      held.current = null;
      setState({
        phase: "empty",
        otlp: [],
        refusal: { failure, diagnostics: [], summaries: [], files: lost.inputs, byQuestion: true },
      });
    },
    [newest, held, setState],
  );

  const dismiss = useCallback(() => {
    if (held.current !== null) held.current = { ...held.current, refusal: null };
    setState((now) => (now.phase === "loading" ? now : { ...now, refusal: null }));
  }, [held, setState]);

  return useMemo(
    () => ({ state, incoming, generation, open, reread, restart, cancel, fail, dismiss }),
    [state, incoming, generation, open, reread, restart, cancel, fail, dismiss],
  );
}

interface Reading {
  run: Run;
  /** The recording that is on the page now. */
  former: () => OpenRecording | null;
  endings: Endings;
}

async function read(files: FilesToOpen, choice: ReadChoice, { run, former, endings }: Reading): Promise<void> {
  const { signal } = run.abort;
  const isOver = () => signal.aborted || run.stage === "done";
  let inputs: InputFile[] = [];
  /** Back to the former recording where a worker still holds it. */
  const refuse = (isKept: boolean, refusal: Omit<Refusal, "byQuestion" | "files">, otlp: InputFile[] = []) => {
    if (isOver()) return;
    const failed = refusal.failure === null ? [] : inputs;
    const before = former();
    if (isKept && before !== null) {
      endings.kept?.(before.choice);
      return run.show({ ...before, refusal: { ...refusal, files: failed, byQuestion: false } });
    }
    const others = before?.inputs.filter(({ blob }) => !inputs.some((input) => input.blob === blob)) ?? [];
    run.show({ phase: "empty", refusal: { ...refusal, files: [...failed, ...others], byQuestion: false }, otlp });
  };
  const loading = (progress: Progress | null) => {
    const names = inputs.map(({ name }) => name);
    const cancelling = run.stage === "cancelling";
    run.show({ phase: "loading", names, progress, cancelling, again: endings.again === true });
  };
  try {
    loading(null);
    inputs = namedApart(typeof files === "function" ? await files(signal) : files);
    if (signal.aborted) return;
    run.stage = "reading";
    loading(null);
    // Progress comes through another port: its last message may arrive after the answer, and must not hide it.
    const onProgress = (progress: Progress) => {
      if (!isOver()) loading(progress);
    };
    const before = former();
    const answer =
      run.isBeside && before !== null
        ? await openBeside({ files: before.inputs, bytesHeld: before.overview.bytesHeld }, inputs, choice, onProgress)
        : await viewer.open(inputs, choice, onProgress);
    if (isOver()) return;
    if (!answer.ok)
      return refuse(answer.error.lost !== true, { failure: answer.error, diagnostics: [], summaries: [] });
    const { value: overview } = answer;
    const otlp = inputs.filter((_, index) => overview.inputs[index]?.kind === "otlp");
    if (overview.open !== "these")
      return refuse(
        overview.open === "former",
        { failure: null, diagnostics: overview.diagnostics, summaries: overview.files },
        otlp,
      );
    endings.opened?.(inputs, overview);
    run.show({ phase: "open", inputs, choice, overview, otlp, refusal: null });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const code = error instanceof Error && error.name === "Declined" ? "declined" : "fetch";
    refuse(true, { failure: { code, message }, diagnostics: [], summaries: [] });
  }
}
