/** The worker of the page: what it answers beside the graphs of the open recording (graph-session.ts). */
import { type RowValues, rowValues, type TableRows } from "../core/answers/row-values.ts";
import type { TimeRow } from "../core/answers/time-rows.ts";
import type { Core } from "../core/core.ts";
import type { RankBy, RankHow, RankPage } from "../core/rank-types.ts";
import type { Filter, FramesRequest } from "../core/types.ts";
import type * as View from "../core/view-types.ts";
import type { Baseline } from "../model/query/baseline.ts";
import { withoutRuns } from "../model/query/shape.ts";
import type { WhySummary } from "../model/why/summary.ts";
import type { LibraryNames, NativeLibraries } from "../requests/api/symbols-api.ts";
import type { Calls } from "../requests/calls/calls.ts";
import type { OpenRecording } from "../requests/open-recording.ts";
import { readNormalised } from "../requests/reading.ts";
import { Refusal } from "../requests/refusal.ts";
import type { Finding } from "../requests/traces/finding.ts";
import { marksOf } from "../requests/traces/sample-facts.ts";
import type { UserRules } from "../requests/traces/summary.ts";
import type * as Api from "./api.ts";
import type { InputFile, Query, Result } from "./api.ts";
import * as Frames from "./frames.ts";
import { GraphSession } from "./graph-session.ts";

async function symbolRequests({ core }: OpenRecording) {
  await core.complete();
  return import("../requests/symbols.ts");
}
const findingModule = () => import("../requests/traces/finding.ts");

/** Answers without columns, which are given away. */
const KEPT: readonly (keyof Api.TraceRequests)[] = ["choiceTime", "slowRequests"];

export class Session extends GraphSession {
  /** Counts stories: an older one that is still told ends. */
  private stories = 0;
  /** The user's rules for findings. */
  private rules: UserRules | null = null;

  /** What these files are, of which some may be opened next. */
  kindsOf(files: InputFile[]): Promise<Result<Api.KnownKind[]>> {
    return this.answerFirst(() => this.known.kinds(files));
  }

  protected override prepare(recording: OpenRecording, onFailure: (error: unknown) => void): void {
    // Every recording that is opened has a new worker without them. A question that needs one tells of a failure.
    const likely = () => Promise.allSettled([import("../requests/traces/summary.ts"), findingModule()]);
    void recording.spans.prepare(() => this.recording === recording, likely, onFailure);
  }

  /** Rows of the call tree below a node, heaviest first. */
  children(query: Query, node: number): Promise<Result<View.TreeRow[]>> {
    return this.answer(() => Frames.withCutNames(this.opened().look(query).children(node)));
  }

  /** Values in `query` of rows of tables, in one pass: those that its samples with inferred context have. */
  valuesOf(query: Query, rows: TableRows): Promise<Result<RowValues>> {
    return this.answer(() => rowValues(this.opened().look(query), rows));
  }

  /** The frames of `query` and of a baseline. */
  diff(
    query: Query,
    baseline: Baseline,
    request: FramesRequest & { normalised: boolean },
  ): Promise<Result<Api.DiffPage>> {
    return this.answer(
      async () => {
        await this.opened().core.complete();
        const { views, ...totals } = this.opened().beside(query, baseline);
        return { ...Frames.withShortChange(views.diff({ ...request, rest: baseline.rest })), ...totals };
      },
      ({ frames }) => Frames.frameBuffers(frames),
    );
  }

  /** Functions of both, those that differ most first. */
  changed(
    query: Query,
    baseline: Baseline,
    normalised: boolean,
    offset: number,
    limit: number,
  ): Promise<Result<Api.ChangedPage>> {
    return this.answer(async () => {
      await this.opened().core.complete();
      const { views, ...totals } = this.opened().beside(query, baseline, true);
      return { ...Frames.withCutRows(views.changed(baseline.rest, normalised, offset, limit)), ...totals };
    });
  }

  /** The figures of Why, which take no longer than a view. */
  why(query: Query): Promise<Result<View.Why>> {
    return this.answer(async () => {
      const { figures } = await import("../requests/traces/summary.ts");
      const recording = await this.whole();
      const asked = recording.alone(query);
      return recording.keep(["why", asked], () => {
        recording.look(withoutRuns(asked), asked.filter);
        return figures(recording.core, asked, recording.whyContext());
      });
    });
  }

  /** Why with story and findings. `own`: prefixes of the user's packages. `rules`: text of a file of rules. */
  story(query: Query, own: string, rules: string): Promise<Result<WhySummary>> {
    return this.answer(async () => {
      const summary = await import("../requests/traces/summary.ts");
      this.rules ??= new summary.UserRules();
      const read = await this.rules.of(rules);
      if (typeof read === "string") throw new Refusal("rules", read);
      const turn = ++this.stories;
      const recording = await this.whole();
      const asked = recording.alone(query);
      return recording.keep(["story", asked, own, rules], async () => {
        const open = withoutRuns(asked);
        const how = { own, rules: read, spans: recording.spans };
        const steps = summary.storySteps(recording.core, asked, recording.whyContext(), how);
        for (;;) {
          recording.look(open, open.filter);
          const step = steps.next();
          if (step.done === true) return step.value;
          // Another question may need other calls, whose samples take the place of these.
          if (recording.calls !== null) continue;
          // It takes longer than a view: questions of the user go first.
          await new Promise((resolve) => setTimeout(resolve));
          if (turn !== this.stories || recording !== this.recording)
            throw new Refusal("superseded", "The selection has changed.");
        }
      });
    });
  }

  /** Samples in every profile, extent, threads and endpoint of a filter. */
  outline(filter: Filter, keys: View.OutlineKeys): Promise<Result<View.Outline>> {
    return this.finding((asked) => {
      const recording = this.opened();
      const known = recording.samplesOf(filter);
      return recording.keep(["outline", known, keys], () => asked.stated(known, keys, recording.spans));
    });
  }

  carried(ids: bigint[], wholeTrace: boolean): Promise<Result<View.CarriedId | null>> {
    return this.finding((asked) => asked.carried(ids, wholeTrace, this.opened().spans));
  }

  unknown(id: bigint): Promise<Result<string[]>> {
    return this.finding((asked) => asked.unknown(id, this.opened().spans));
  }

  /** Attribute values that contain a text, and local roots whose ids begin with it, at most `limit` of each. */
  suggest(text: string, limit: number): Promise<Result<View.Suggestions>> {
    return this.finding((asked) => asked.suggest(text, limit));
  }

  private finding<T>(ask: (asked: Finding) => T | Promise<T>, buffers?: (value: T) => Transferable[]) {
    return this.answer(async () => {
      const { Finding } = await findingModule();
      const recording = this.opened();
      recording.found ??= new Finding(recording.core, recording.read.profiles());
      return ask(recording.found);
    }, buffers);
  }

  /** The selection as a heat map of at most so many columns. */
  heat(query: Query, columns: number, range: View.ShownTime | null): Promise<Result<View.HeatMap>> {
    return this.answer(() => this.opened().select(query).heat(query.profile, columns, range));
  }

  /** Measurements of the JVM, in bins of a part of a row. */
  series(row: TimeRow, shown: View.ShownTime, bins: number): Promise<Result<View.SeriesLine[]>> {
    return this.answer(() => this.opened().core.views.series(row, shown, bins));
  }

  /** The first `most` selected samples by thread and time. */
  ordered(query: Query, most: number): Promise<Result<View.OrderedSamples>> {
    return this.finding(
      (asked) => asked.ordered(query.profile, this.opened().samplesOf(query.filter), most),
      Frames.columnBuffers,
    );
  }

  /** Pauses, gaps and losses: of the recordings, independent of the selection. */
  marks(): Promise<Result<View.Marks>> {
    return this.answer(() => Frames.withCutCauses(marksOf(this.opened().core)));
  }

  /** The longest pauses of the recordings and dumps, independent of the selection. */
  pauses(most: number): Promise<Result<Api.PausePage>> {
    return this.answer(async () => {
      const { pausesOf } = await import("../requests/pauses.ts");
      const { core, calls } = this.opened();
      const all = await pausesOf(core, calls !== null);
      const nanos = all.reduce((sum, { durationNano }) => sum + durationNano, 0n);
      return { count: all.length, nanos, rows: Frames.withCutTexts(all.slice(0, most)) };
    });
  }

  /** When the samples were taken, in the whole recording or in a part of it, and those of some threads. */
  timeline(
    query: Query,
    bins: number,
    threads: number[],
    range: View.ShownTime | null,
  ): Promise<Result<View.Timeline>> {
    return this.answer(() => this.opened().select(query).timeline(query.profile, bins, threads, range));
  }

  /** A strip for each of some rows of time. */
  overviews(query: Query, bins: number, rows: View.ShownTime[]): Promise<Result<View.Timeline[]>> {
    return this.answer(() => {
      const views = this.opened().select(query);
      return rows.map((row) => views.timeline(query.profile, bins, [], row));
    });
  }

  /** The threads with samples in a file. */
  threads(query: Query, of?: View.ShownTime): Promise<Result<View.ThreadPage>> {
    return this.answer(() => Frames.withCutRows(this.opened().select(query).threads(query.profile, of)));
  }

  /** Rows [offset, offset + limit) of the ranking, heaviest first unless asked otherwise. */
  rank(query: Query, by: RankBy, offset: number, limit: number, how: RankHow = {}): Promise<Result<RankPage>> {
    return this.answer(() => {
      const recording = this.opened();
      const rank = (from: number, most: number) => recording.rank(query, by, from, most, how);
      return recording.spans.ranked(by, how, [offset, limit], rank).then(Frames.withCutLabels);
    });
  }

  /** A request about calls: `viewer.ofCalls("list", question, 0, 100)`. */
  ofCalls<Name extends keyof Api.CallRequests>(
    name: Name,
    ...given: Parameters<Api.CallRequests[Name]>
  ): Promise<Result<Api.CallAnswer<Name>>> {
    return this.answer(() => {
      const request = this.dumped()[name] as (...args: unknown[]) => Promise<Api.CallAnswer<Name>>;
      return request.apply(this.recording?.calls, given);
    }, Frames.columnBuffers);
  }

  /** Reports the reading of frames of calls for views, and null at its end. */
  watchFrames(onProgress: (progress: Api.FramesProgress | null) => void): void {
    this.recording?.calls?.watch(onProgress);
  }

  /** Ends the reading of frames; the questions that need them are refused with `calls.cancelled`. */
  cancelFrames(): void {
    this.recording?.calls?.samples.cancel();
  }

  private dumped(): Calls {
    const calls = this.recording?.calls ?? null;
    if (calls === null) throw new Refusal("closed", "No dump is open.");
    return calls;
  }

  /** A request about traces: `viewer.ofTraces("spans", trace, [])`. */
  ofTraces<Name extends keyof Api.TraceRequests>(
    name: Name,
    ...given: Parameters<Api.TraceRequests[Name]>
  ): Promise<Result<Api.TraceAnswer<Name>>> {
    return this.answer(() => {
      const recording = this.opened();
      const ask = () => recording.spans.ask(name, given);
      return KEPT.includes(name) ? recording.keep([name, given], ask) : ask();
    }, Frames.columnBuffers);
  }

  /** Native libraries with frames that are known by their address, over all profiles. */
  libraries(): Promise<Result<NativeLibraries>> {
    return this.answer(async () => {
      const { nativeLibraries } = await symbolRequests(this.opened());
      return nativeLibraries(this.opened().core);
    });
  }

  /** Shows these names, by build id, and no others. The answer is the node that `focus` of `query` is now, or 0. */
  nameFrames(names: ReadonlyMap<string, LibraryNames>, query: Query, focus: number): Promise<Result<number>> {
    return this.answer(async () => {
      const { showNames } = await symbolRequests(this.opened());
      const recording = this.opened();
      recording.names = names;
      const views = focus === 0 ? recording.core.views : recording.look(query);
      return views.nodeAfter(focus, () => {
        showNames(recording.core, names);
        recording.forgetSamples();
        if (focus !== 0) recording.look(query);
      });
    });
  }

  download(request: Api.DownloadRequest): Promise<Result<Api.Download>> {
    return this.writing(request, async ({ writeDownload, recordingsOf }, core, recording) => {
      const invocations = (await recording.calls?.file(request)) ?? null;
      if (invocations !== null) return invocations;
      const { files, kinds } = recording.read;
      return writeDownload(core, recording.alone(request), recordingsOf(request, files, kinds));
    });
  }

  /** Messages for a receiver, each below the size that a Collector accepts; none if no sample passes. */
  messages(request: Api.WriteRequest): Promise<Result<Api.Message[]>> {
    return this.writing(request, ({ writeMessages }, core, recording) => writeMessages(core, recording.alone(request)));
  }

  private async writing<T>(
    { normaliseNames }: Api.WriteRequest,
    write: (writing: typeof import("../requests/writing.ts"), core: Core, recording: OpenRecording) => T | Promise<T>,
  ): Promise<Result<T>> {
    // A message is of the whole recording.
    await this.growth?.ended;
    return this.answer(async () => {
      const writing = await import("../requests/writing.ts");
      const recording = this.opened();
      const { files, choice } = recording.read;
      // Methods of dumps keep the names of their dictionary.
      const again = normaliseNames === true && recording.calls === null;
      const core = again
        ? await readNormalised(await this.newCore(choice), files, choice.inferred, recording.names)
        : recording.core;
      await core.complete();
      return write(writing, core, recording);
    });
  }
}
