/**
 * A worker whose page draws graphs only: one core with the files of the last `open`, of which it answers questions
 * (src/requests/questions/graph.ts). The page's worker knows more of them (session.ts).
 */
import * as Comlink from "comlink";
import { loadAnswers } from "../core/answers/views.ts";
import { Core } from "../core/core.ts";
import type { ReadChoice } from "../core/types.ts";
import { repeated, throttled } from "../requests/asking.ts";
import type { CallRequests } from "../requests/calls/calls.ts";
import { HeldCore } from "../requests/held-core.ts";
import { OpenRecording, type ReadFiles } from "../requests/open-recording.ts";
import { OpenedFiles } from "../requests/opened-files.ts";
import { type Asked, FIRST, GRAPH } from "../requests/questions/graph.ts";
import type { PAGE } from "../requests/questions/page.ts";
import { isUnreadable, overviewOf, readFiles } from "../requests/reading.ts";
import { Refusal } from "../requests/refusal.ts";
import { profilesOf } from "../requests/traces/sample-facts.ts";
import { release } from "./answered.ts";
import type * as Api from "./api.ts";
import type { Failure, InputFile, Overview, Result } from "./api.ts";
import { columnBuffers, shortened } from "./crossing.ts";
import { EXPORTS } from "./exports.ts";
import { failureOf, ofUnfinishedReading } from "./failure.ts";
import type { CoreModules } from "./fetched-core.ts";
import type { Growth } from "./growth.ts";
import { checkRoom, MEMORY } from "./memory-limits.ts";

/** Settles when the page has asked what it shows; the answer is true if it shows the recording. */
type OnGrowth = (overview: Overview) => Promise<boolean> | boolean;

/** How the page is told of a reading. */
interface Reading {
  onProgress: (p: Api.Progress) => void;
  beside: Api.Beside | undefined;
  onGrowth: OnGrowth | undefined;
}

/** Questions whose answers have columns that nothing keeps. */
const TRANSFERRED = new Set<string>(["frames", "regroup", "sandwich", "diff", "ordered", "ofCalls", "ofTraces"]);
/** Requests about calls for a text that was shortened before. */
const WHOLE_TEXTS: ReadonlySet<unknown> = new Set(["frameValue", "paramValue"] satisfies (keyof CallRequests)[]);

type QuestionName = keyof typeof PAGE;

export class GraphSession implements Asked {
  protected readonly questions: () => Promise<object> = async () => GRAPH;
  private readonly modules: CoreModules;
  protected recording: OpenRecording | null = null;
  /** Counts opens: an older one that still runs sees that it is no longer wanted. */
  private run = 0;
  protected readonly known = new OpenedFiles();
  private cancelledRun = 0;
  /** Ends files of the reading that are still being fetched. */
  private stop = () => {};
  /** What ended the recording that was open; it may have been work that is no answer. */
  private trap: WebAssembly.RuntimeError | null = null;
  /** The open recording is still being read. */
  protected growth: Growth | null = null;

  constructor(modules: CoreModules) {
    this.modules = modules;
  }

  /**
   * Reads these files in place of the former ones. The former ones stay open until it succeeds, unless they take too
   * much memory for that. Progress is throttled to about ten calls a second. With `onGrowth` the files are open as soon
   * as something can be shown.
   */
  async open(
    files: InputFile[],
    choice: ReadChoice,
    onProgress: (p: Api.Progress) => void,
    beside?: Api.Beside,
    onGrowth?: OnGrowth,
  ): Promise<Result<Overview>> {
    const run = ++this.run;
    this.trap = null;
    this.stop();
    // Nobody needs a part of the former files.
    if (this.growth?.isTold) this.recording = null;
    this.endGrowth();
    if (this.recording !== null && this.recording.core.bytesHeld() > MEMORY.kept) this.recording = null;
    return this.answer(async () => {
      try {
        return await this.read(files, choice, run, { onProgress, beside, onGrowth });
      } catch (error) {
        if (run === this.run && this.growth?.isTold && error instanceof WebAssembly.RuntimeError) this.recording = null;
        throw ofUnfinishedReading(error);
      } finally {
        if (run === this.run) this.endGrowth();
        release(onProgress);
        release(onGrowth);
      }
    });
  }

  /** Reads into another core, which takes the place of this one only when it has something to show. */
  private async read(
    files: InputFile[],
    choice: ReadChoice,
    run: number,
    { onProgress, beside, onGrowth }: Reading,
  ): Promise<Overview> {
    const core = await this.newCore(choice);
    // Null once there is no other recording.
    let other = beside ?? null;
    if (other !== null) core.limitMemory(Math.max(other.room, MEMORY.least));
    const closeOther = () => {
      if (other === null) return;
      other = null;
      core.limitMemory(MEMORY.all);
    };
    const needed = beside?.files ?? this.recording?.read.files ?? [];
    const report = throttled(onProgress);
    const hooks = {
      onProgress: (progress: Api.Progress) => {
        if (run === this.run) this.growth?.note(progress);
        report(progress);
      },
      cancelled: () => run !== this.run || run === this.cancelledRun,
    };
    const stopped = new Promise<void>((resolve) => {
      this.stop = resolve;
    });
    const { held, kinds, calls, spans } = await readFiles(core, files, {
      known: this.known,
      stopped,
      inferred: choice.inferred,
      hooks,
      // The open recording must not shrink: one of its files can no longer be read.
      needed,
      isWanted: () => run === this.run,
      onSamples: () => this.recording?.forgetSamples(),
      ...(onGrowth !== undefined && {
        grow: async (kinds) => {
          const growth = await this.growthOf(
            { held: new HeldCore(core), calls: null, files, kinds, choice },
            {
              onProgress,
              onGrowth: async (overview) => {
                const isShown = await onGrowth(overview);
                if (isShown) closeOther();
                return isShown;
              },
            },
          );
          if (run === this.run) this.growth = growth;
          else growth.end();
          return (loading, mustShow) => growth.between(loading, mustShow);
        },
      }),
    });
    const read = overviewOf(core, kinds, run === this.cancelledRun);
    const overview = { ...read, calls: calls?.overview() ?? null, traces: spans.overview() };
    if (other !== null) checkRoom(files, other, overview.diagnostics);
    closeOther();
    if (isUnreadable(overview)) return { ...overview, open: this.recording === null ? "nothing" : "former" };
    const names = this.growth?.isTold ? this.recording?.names : undefined;
    const recording = new OpenRecording(
      { held, calls, spans, files, kinds, choice, profiles: () => overview.profiles },
      names,
    );
    this.recording = recording;
    this.prepare(recording, (error) => this.failure(error, run));
    return { ...overview, open: "these" };
  }

  /** Makes what has been read the open recording, from the first samples on. */
  private async growthOf(
    read: Omit<ReadFiles, "spans" | "profiles">,
    { onProgress, onGrowth }: Pick<Reading, "onProgress"> & { onGrowth: OnGrowth },
  ): Promise<Growth> {
    const [{ SpanRequests }, { Growth }] = await Promise.all([
      import("../requests/traces/span-requests.ts"),
      import("./growth.ts"),
      loadAnswers(),
    ]);
    const renew = (names?: OpenRecording["names"]) => {
      const spans = SpanRequests.ofNone(read.held);
      this.recording = new OpenRecording({ ...read, spans, profiles: () => profilesOf(read.held.core) }, names);
    };
    const growth = new Growth({
      renew: () => renew(this.recording?.names),
      tell: (progress) => {
        const overview = overviewOf(read.held.core, read.kinds, false);
        if (!overview.profiles.some(({ samples }) => samples > 0)) return null;
        if (!growth.isTold) renew();
        onProgress(progress);
        return Promise.resolve(onGrowth({ ...overview, open: "these", isPart: true, calls: null, traces: null }));
      },
    });
    return growth;
  }

  private endGrowth(): void {
    this.growth?.end();
    this.growth = null;
  }

  /** Called with each recording that was opened. */
  protected prepare(_recording: OpenRecording, _onFailure: (error: unknown) => void): void {}

  /** Answers at once, unless the worker is stuck. */
  ping(): void {}

  /** Ends a running `open` at the next slice; its answer says `cancelled`. */
  cancel(): void {
    this.cancelledRun = this.run;
    this.stop();
    this.growth?.stop();
  }

  /** A question by its name. */
  async ask(name: QuestionName, given: readonly unknown[]): Promise<Result<unknown>> {
    if (EXPORTS.has(name)) await this.growth?.ended;
    const ask = async () => {
      type Question = (asked: Asked, ...given: readonly unknown[]) => unknown;
      const isFirst = Object.hasOwn(FIRST, name);
      const [questions] = isFirst ? [FIRST] : await Promise.all([this.questions(), loadAnswers()]);
      const answer = await (questions as Record<QuestionName, Question>)[name](this, ...given);
      return WHOLE_TEXTS.has(given[0]) ? answer : shortened(answer);
    };
    return this.answer(ask, TRANSFERRED.has(name) ? columnBuffers : undefined);
  }

  async newCore({ extra }: ReadChoice): Promise<Core> {
    return Core.instantiate(await this.modules.first(), extra, undefined, this.modules.rest);
  }

  get opened(): OpenRecording {
    if (this.recording === null) throw this.trap ?? new Refusal("closed", "No recording is open.");
    return this.recording;
  }

  protected async answer<T>(job: () => T | Promise<T>, buffers?: (value: T) => Transferable[]): Promise<Result<T>> {
    const run = this.run;
    const asked = () => repeated(job);
    try {
      const value = await (this.growth?.ask(asked) ?? asked());
      const result: Result<T> = { ok: true, value };
      return buffers === undefined ? result : Comlink.transfer(result, buffers(value));
    } catch (error) {
      return { ok: false, error: this.failure(error, run) };
    }
  }

  /** After a trap and where memory is used up the core is given up. */
  private failure(error: unknown, run: number): Failure {
    if (run === this.run) {
      // The core's memory after a trap is undefined.
      if (error instanceof WebAssembly.RuntimeError) {
        this.recording?.held.close(error);
        this.recording = null;
        this.trap = error;
        // Nor is anything more to be read into it.
        if (this.growth?.isTold) this.run++;
        this.endGrowth();
      }
    }
    return failureOf(error, this.recording === null);
  }
}
