/** Opens recordings: fetches files, has the decoder read them, and tells the page (recording-state.ts). */
import type { ReadChoice } from "../../../core/types.ts";
import type { Failure, InputFile, Overview } from "../../../worker/api.ts";
import type { readFiles } from "../../../worker/client.ts";
import { fetchedAgain, namedApart } from "../../parts/files/inputs.ts";
import {
  after,
  type Collection,
  NOTHING_OPEN,
  type OpeningEvent,
  type OpenRecording,
  openIn,
  type Shown,
  shownOf,
} from "./recording-state.ts";

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
  /** The address and the entry of the history stay those of the open recording. */
  stays?: boolean;
}

/** The workers, as far as they open and close recordings. */
export interface Decoder {
  read: typeof readFiles;
  /** Keeps the samples read so far. */
  cancel: () => void;
  cancelBeside: () => void;
  /** Ends the worker whatever it does. */
  stop: (failure: Failure) => void;
  /** The user points at something, which must not change. */
  isHeld: () => boolean;
  released: () => Promise<void>;
  /** Settles when the answers to all questions are painted. */
  painted: () => Promise<true>;
}

/** One opening; a newer one aborts it. */
interface Run {
  abort: AbortController;
  endings: Endings;
}

const STOPPED: Failure = {
  code: "worker.stopped",
  message: "The decoder was stopped. The recording was closed.",
  lost: true,
};

export class RecordingReader {
  private readonly decoder: Decoder;
  private readonly show: (shown: Shown, hasGrown: boolean) => void;
  private openings = NOTHING_OPEN;
  /** The opening that is not over. */
  private run: Run | null = null;

  /** `hasGrown`: the recording on the page is the same, and what the user does goes first. */
  constructor(decoder: Decoder, show: (shown: Shown, hasGrown: boolean) => void) {
    this.decoder = decoder;
    this.show = show;
  }

  /** These files are on the page, in a table; none of them is opened yet. */
  readonly collect = (collection: Collection | null): void => this.take({ kind: "collected", collection });

  /** Without files there is nothing open. */
  readonly open = (files: FilesToOpen, choice: ReadChoice, endings: Endings = {}) => {
    if (endings.alone === true && openIn(this.openings) !== null) this.stop();
    if (files.length === 0 && typeof files !== "function") {
      this.end();
      return this.take({ kind: "closed" });
    }
    // The worker that reads the open files again is to have no questions.
    const isRereading = this.openings.opening?.isBeside === false;
    this.begin(files, choice, endings, openIn(this.openings) !== null && !isRereading);
  };

  /** Reads the files of the open recording again, for something else. */
  readonly reread = (choice: ReadChoice, endings: Endings = {}): void =>
    this.begin(openIn(this.openings)?.inputs ?? [], choice, endings, false);

  /** Ends the worker whatever it does, and reads the files of the open recording in another one. */
  readonly restart = (choice: ReadChoice): void => {
    const inputs = openIn(this.openings)?.inputs ?? [];
    this.stop();
    this.open(inputs, choice);
  };

  /** Once to keep the samples read so far, twice to end the worker at once. */
  readonly cancel = () => {
    const { opening } = this.openings;
    if (opening === null) return;
    if (opening.stage === "cancelling") return this.decoder.stop(STOPPED);
    this.take({ kind: "cancelled" });
    if (this.openings.opening !== null) return this.decoder.cancel();
    const former = openIn(this.openings);
    if (former !== null) this.run?.endings.kept?.(former.choice);
    this.end();
  };

  /** The decoder is gone, and the recording of this generation with it. */
  readonly fail = (failure: Failure, generation: number): void => {
    // One end of the worker is the answer to many questions; the first one tells of it.
    if (generation !== this.openings.generation || openIn(this.openings) === null) return;
    if (this.openings.opening?.isShown) this.end();
    this.take({ kind: "died", failure });
  };

  /** The message about files that were refused was read. */
  readonly dismiss = (): void => this.take({ kind: "dismissed" });

  private take(event: OpeningEvent): void {
    const hasGrown = event.kind === "grew" || (event.kind === "opened" && this.openings.opening?.isShown === true);
    this.openings = after(this.openings, event);
    this.show(shownOf(this.openings), hasGrown);
  }

  private stop(): void {
    this.take({ kind: "closed" });
    this.decoder.stop(STOPPED);
  }

  /** What the opening under way still answers is of no use. */
  private end(): void {
    this.run?.abort.abort();
    this.run = null;
    this.decoder.cancelBeside();
  }

  private begin(files: FilesToOpen, choice: ReadChoice, endings: Endings, isBeside: boolean): void {
    this.end();
    this.run = { abort: new AbortController(), endings };
    this.take({ kind: "began", isBeside, again: endings.again === true });
    void this.read(files, choice, this.run);
  }

  private async read(files: FilesToOpen, choice: ReadChoice, run: Run): Promise<void> {
    const isOver = () => this.run !== run;
    const over = (event: OpeningEvent) => {
      this.run = null;
      this.take(event);
    };
    const refuse = (
      isKept: boolean,
      failure: Failure | null,
      { diagnostics, files }: Pick<Overview, "diagnostics" | "files">,
      otlp: InputFile[] = [],
    ) => {
      const former = openIn(this.openings);
      if (isKept && former !== null) run.endings.kept?.(former.choice);
      over({ kind: "refused", isKept, refusal: { failure, diagnostics, summaries: files }, otlp });
    };
    try {
      const { signal } = run.abort;
      const given = typeof files === "function" ? await files(signal) : files;
      const isCut = given.some(({ coming }) => coming?.port === null);
      const inputs = namedApart(isCut ? await fetchedAgain(given, signal) : given);
      if (isOver()) return;
      this.take({ kind: "fetched", inputs });
      const otlpIn = (overview: Overview) => inputs.filter((_, index) => overview.inputs[index]?.kind === "otlp");
      const opened = (overview: Overview): OpenRecording => {
        if (this.openings.opening?.isShown === false) run.endings.opened?.(inputs, overview);
        return { phase: "open", inputs, choice, overview, otlp: otlpIn(overview), refusal: null };
      };
      // Messages come through other ports: the last ones may arrive after the answer, and must not hide it.
      const answer = await this.decoder.read(this.besideWhich(), inputs, choice, {
        onProgress: (progress) => {
          if (!isOver()) this.take({ kind: "progressed", progress });
        },
        onGrowth: (overview) => {
          if (isOver() || this.decoder.isHeld()) return false;
          this.take({ kind: "grew", recording: opened(overview) });
          return this.decoder.painted();
        },
      });
      if (this.openings.opening?.isShown) await this.decoder.released();
      if (isOver()) return;
      if (!answer.ok) return refuse(answer.error.lost !== true, answer.error, NO_FILES);
      const { value: overview } = answer;
      // What is still being fetched is of no use.
      if (overview.cancelled) run.abort.abort();
      if (overview.open !== "these") return refuse(overview.open === "former", null, overview, otlpIn(overview));
      over({ kind: "opened", recording: opened(overview) });
    } catch (error) {
      if (isOver()) return;
      const message = error instanceof Error ? error.message : String(error);
      const code = error instanceof Error && error.name === "Declined" ? "declined" : "fetch";
      refuse(true, { code, message }, NO_FILES);
    }
  }

  private besideWhich(): Parameters<Decoder["read"]>[0] {
    const former = openIn(this.openings);
    if (this.openings.opening?.isBeside !== true || former === null) return null;
    return { files: former.inputs, bytesHeld: former.overview.bytesHeld };
  }
}

const NO_FILES = { diagnostics: [], files: [] };
