/** The worker's state: one core with the files of the last `open`, and its current selection. */
import * as Comlink from "comlink";
import { sameNames } from "../core/answers/filters.ts";
import { type RowValues, rowValues, type TableRows } from "../core/answers/row-values.ts";
import type { TimeRow } from "../core/answers/time-rows.ts";
import { Core } from "../core/core.ts";
import { SpanflameError } from "../core/instance/error.ts";
import type { RankBy, RankHow, RankPage } from "../core/rank-types.ts";
import { PLAIN } from "../core/tables/extra-events.ts";
import type {
  Filter,
  FramesAnswer,
  FramesRequest,
  ProfileSummary,
  ReadChoice,
  SelectionTotals,
} from "../core/types.ts";
import type * as View from "../core/view-types.ts";
import type { WhyContext } from "../core/why.ts";
import type { FileKind } from "../input/classify.ts";
import type { Baseline } from "../model/query/baseline.ts";
import { filterFrom, shapeKey, WHOLE, withoutRuns } from "../model/query/shape.ts";
import type { WhySummary } from "../model/why/summary.ts";
import type { LibraryNames, NativeLibraries } from "../requests/api/symbols-api.ts";
import { queryKey, repeated, throttled } from "../requests/asking.ts";
import type { Calls } from "../requests/calls/calls.ts";
import { OpenedFiles } from "../requests/opened-files.ts";
import { isUnreadable, overviewOf, readFiles, readNormalised } from "../requests/reading.ts";
import { Refusal } from "../requests/refusal.ts";
import type { Finding } from "../requests/traces/finding.ts";
import { marksOf } from "../requests/traces/sample-facts.ts";
import type { SpanRequests } from "../requests/traces/span-requests.ts";
import type { UserRules } from "../requests/traces/summary.ts";
import { release } from "./answered.ts";
import type * as Api from "./api.ts";
import type { Failure, InputFile, Overview, Query, Result } from "./api.ts";
import { failureOf, ofUnfinishedReading } from "./failure.ts";
import type { CoreModules } from "./fetched-core.ts";
import * as Frames from "./frames.ts";
import { checkRoom, MEMORY } from "./room.ts";

const symbolRequests = () => import("../requests/symbols.ts");

const NOTHING: SelectionTotals = { samples: 0, value: 0n };

export class Session {
  private readonly modules: CoreModules;
  private core: Core | null = null;
  private calls: Calls | null = null;
  private spans: SpanRequests | null = null;
  private files: InputFile[] = [];
  private kinds: FileKind[] = [];
  /** What the files were read for. */
  private choice: ReadChoice = PLAIN;
  /** Counts opens: an older one that still runs sees that it is no longer wanted. */
  private run = 0;
  private readonly known = new OpenedFiles();
  private cancelledRun = 0;
  private selected = "";
  private selectedTotals = NOTHING;
  /** Shape of the core's call tree. */
  private shaped = "";
  /** The last ranking, and the core's stamp for it. */
  private ranked = { key: "", stamp: 0 };
  /** The baseline that the core holds. */
  private compared = { key: "", totals: NOTHING };
  private profiles: ProfileSummary[] = [];
  /** Counts stories: an older one that is still told ends. */
  private stories = 0;
  /** The user's rules for findings. */
  private rules: UserRules | null = null;
  private readonly whole: WhyContext["whole"] = new Map();
  private found: Finding | null = null;
  /** Names of symbols that are shown, by build id. */
  private names: ReadonlyMap<string, LibraryNames> = new Map();

  constructor(modules: CoreModules) {
    this.modules = modules;
  }

  /**
   * Reads these files in place of the former ones. The former ones stay open until it succeeds, unless they take too
   * much memory for that. Progress is throttled to about ten calls a second.
   */
  async open(
    files: InputFile[],
    choice: ReadChoice,
    onProgress: (p: Api.Progress) => void,
    beside?: Api.Beside,
  ): Promise<Result<Overview>> {
    const run = ++this.run;
    if (this.core !== null && this.core.bytesHeld() > MEMORY.kept) this.drop();
    return this.answer(async () => {
      try {
        return await this.read(files, choice, run, onProgress, beside);
      } catch (error) {
        throw ofUnfinishedReading(error);
      } finally {
        release(onProgress);
      }
    });
  }

  /** Reads into another core, which takes the place of this one only when it has something to show. */
  private async read(
    files: InputFile[],
    choice: ReadChoice,
    run: number,
    onProgress: (p: Api.Progress) => void,
    beside?: Api.Beside,
  ): Promise<Overview> {
    const core = await this.newCore(choice);
    if (beside !== undefined) core.limitMemory(Math.max(beside.room, MEMORY.least));
    const hooks = {
      onProgress: throttled(onProgress),
      cancelled: () => run !== this.run || run === this.cancelledRun,
    };
    const { kinds, calls, spans } = await readFiles(core, files, {
      known: this.known,
      inferred: choice.inferred,
      hooks,
      // The open recording must not shrink: one of its files can no longer be read.
      needed: beside?.files ?? this.files,
      isWanted: () => run === this.run,
      onSamples: () => this.forgetSamples(),
      select: () => this.unselected(),
    });
    const read = overviewOf(core, kinds, run === this.cancelledRun);
    const overview = { ...read, calls: calls?.overview() ?? null, traces: spans.overview() };
    if (beside !== undefined) checkRoom(files, beside, overview.diagnostics);
    // The other recording is closed now.
    if (beside !== undefined) core.limitMemory(MEMORY.all);
    if (isUnreadable(overview)) return { ...overview, open: this.core === null ? "nothing" : "former" };
    this.drop();
    this.core = core;
    this.calls = calls;
    this.spans = spans;
    this.files = files;
    this.kinds = kinds;
    this.choice = choice;
    this.profiles = overview.profiles;
    const isOpen = () => this.core === core;
    void spans.prepare(isOpen, (error) => this.failure(error, run));
    return { ...overview, open: "these" };
  }

  /** What these files are, of which some may be opened next. */
  kindsOf(files: InputFile[]): Promise<Result<Api.KnownKind[]>> {
    return this.answer(() => this.known.kinds(files));
  }

  /** Answers at once, unless the worker is stuck. */
  ping(): void {}

  /** Ends a running `open` at the next slice; its answer says `cancelled`. */
  cancel(): void {
    this.cancelledRun = this.run;
  }

  totals(query: Query): Promise<Result<SelectionTotals>> {
    return this.answer(() => {
      this.select(query);
      return this.selectedTotals;
    });
  }

  frames(query: Query, request: FramesRequest): Promise<Result<FramesAnswer>> {
    return this.answer(() => Frames.withShortNames(this.look(query).views.frames(request)), Frames.frameBuffers);
  }

  /** The frames of `query`, regrouped. */
  regroup(query: Query, request: View.RegroupRequest): Promise<Result<FramesAnswer>> {
    return this.answer(() => Frames.withShortNames(this.look(query).views.regroup(request)), Frames.frameBuffers);
  }

  /** Rows of the call tree below a node, heaviest first. */
  children(query: Query, node: number): Promise<Result<View.TreeRow[]>> {
    return this.answer(() => Frames.withCutNames(this.look(query).views.children(node)));
  }

  /**
   * Callers and callees of a function, or of the one with most self time where `name` is "". Null if no function was
   * sampled.
   */
  sandwich(query: Query, name: string, width: number): Promise<Result<Api.SandwichAnswer | null>> {
    return this.answer(() => Frames.sandwichOf(this.look(query).views, name, width), Frames.sandwichBuffers);
  }

  /** Functions [offset, offset + limit). */
  top(
    query: Query,
    order: View.TopOrder,
    offset: number,
    limit: number,
    how: View.TopHow = {},
  ): Promise<Result<Api.TopPage>> {
    return this.answer(() => ({
      ...Frames.withCutRows(this.look(query).views.top(order, offset, limit, how)),
      offset,
    }));
  }

  /** Values in `query` of rows of tables, in one pass: those that its samples with inferred context have. */
  valuesOf(query: Query, rows: TableRows): Promise<Result<RowValues>> {
    return this.answer(() => rowValues(this.look(query).views, rows));
  }

  /** The frames of `query` and of a baseline. */
  diff(
    query: Query,
    baseline: Baseline,
    request: FramesRequest & { normalised: boolean },
  ): Promise<Result<Api.DiffPage>> {
    return this.answer(
      async () => {
        await this.opened().complete();
        const { views, ...totals } = this.beside(query, baseline);
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
      await this.opened().complete();
      const { views, ...totals } = this.beside(query, baseline, true);
      return { ...Frames.withCutRows(views.changed(baseline.rest, normalised, offset, limit)), ...totals };
    });
  }

  /** Selects `query` with its baseline beside it; `squared` for sampling errors. */
  private beside(query: Query, { filter, rest }: Baseline, squared = false) {
    const others = sameNames(filterFrom(filter, query.shape?.from ?? ""), query.filter);
    this.calls?.samples.samplesOf(query.filter, others);
    const base = this.compareWith({ ...query, filter: others }, squared);
    const { views } = this.look(query);
    const totals = this.selectedTotals;
    const baseTotals = rest ? { samples: base.samples - totals.samples, value: base.value - totals.value } : base;
    return { views, totals, baseTotals };
  }

  /** Makes `query` the core's baseline, unless it is already. */
  private compareWith(query: Query, squared: boolean): SelectionTotals {
    const key = `${queryKey(query)} ${shapeKey(query.shape)} ${squared}`;
    if (key !== this.compared.key) {
      this.look(query, this.calls?.samples.othersOf(query.filter)).views.keepBaseline(squared);
      this.compared = { key, totals: this.selectedTotals };
    }
    return this.compared.totals;
  }

  /** The figures of Why, which take no longer than a view. */
  why(query: Query): Promise<Result<View.Why>> {
    return this.answer(async () => {
      const { figures } = await import("../requests/traces/summary.ts");
      const asked = this.alone(query);
      return this.selects(
        asked,
        this.summarised(withoutRuns(asked), (core) => figures(core, asked, this.whyContext())),
      );
    });
  }

  /** Why with story and findings. `own`: prefixes of the user's packages. `rules`: text of a file of rules. */
  story(query: Query, own: string, rules: string): Promise<Result<WhySummary>> {
    return this.answer(async () => {
      const { storySteps, UserRules } = await import("../requests/traces/summary.ts");
      this.rules ??= new UserRules();
      const read = await this.rules.of(rules);
      if (typeof read === "string") throw new Refusal("rules", read);
      const turn = ++this.stories;
      const asked = this.alone(query);
      const open = withoutRuns(asked);
      const core = this.look(open, open.filter);
      const steps = storySteps(core, asked, this.whyContext(), { own, rules: read });
      for (;;) {
        const step = this.summarised(open, () => steps.next());
        if (step.done === true) return this.selects(asked, step.value);
        // It takes longer than a view: questions of the user go first.
        await new Promise((resolve) => setTimeout(resolve));
        if (turn !== this.stories || core !== this.core) throw new Refusal("superseded", "The selection has changed.");
      }
    });
  }

  private whyContext(): WhyContext {
    return { profiles: this.profiles, marks: marksOf(this.opened()), whole: this.whole };
  }

  /** Asks about the tree of a query; afterwards nothing is known to be selected. */
  private summarised<T>(query: Query, ask: (core: Core) => T): T {
    const core = this.look(query, query.filter);
    this.selected = "";
    return ask(core);
  }

  /** Notes what a summary has selected at its end. */
  private selects<T extends View.Why>(query: Query, answer: T): T {
    this.selected = queryKey(query);
    this.selectedTotals = answer.totals;
    return answer;
  }

  /** Samples in every profile, extent, threads and endpoint of a filter. */
  outline(filter: Filter, keys: View.OutlineKeys): Promise<Result<View.Outline>> {
    return this.finding((asked) => asked.outline(this.samplesOf(filter), keys));
  }

  carried(ids: bigint[], wholeTrace: boolean): Promise<Result<View.CarriedId | null>> {
    return this.finding((asked) => asked.carried(ids, wholeTrace, this.spans));
  }

  unknown(id: bigint): Promise<Result<string[]>> {
    return this.finding((asked) => asked.unknown(id, this.spans));
  }

  /** Attribute values that contain a text, and local roots whose ids begin with it, at most `limit` of each. */
  suggest(text: string, limit: number): Promise<Result<View.Suggestions>> {
    return this.finding((asked) => asked.suggest(text, limit));
  }

  private finding<T>(ask: (asked: Finding) => T | Promise<T>, buffers?: (value: T) => Transferable[]) {
    return this.answer(async () => {
      const { Finding } = await import("../requests/traces/finding.ts");
      this.found ??= new Finding(this.opened(), this.profiles);
      this.unselected();
      return ask(this.found);
    }, buffers);
  }

  /** File and lines of the functions of a name of the frames answered (`nameIds`). */
  placeOf(name: number): Promise<Result<View.NamePlace>> {
    return this.answer(() => Frames.withCutFile(this.opened().views.placeOf(name)));
  }

  search(query: Query, pattern: string): Promise<Result<View.SearchAnswer>> {
    return this.answer(() => this.look(query).views.search(pattern));
  }

  /** The selection as a heat map of at most so many columns. */
  heat(query: Query, columns: number, range: View.ShownTime | null): Promise<Result<View.HeatMap>> {
    return this.answer(() => this.select(query).views.heat(query.profile, columns, range));
  }

  /** Measurements of the JVM, in bins of a part of a row. */
  series(row: TimeRow, shown: View.ShownTime, bins: number): Promise<Result<View.SeriesLine[]>> {
    return this.answer(() => this.opened().views.series(row, shown, bins));
  }

  /** The first `most` selected samples by thread and time. */
  ordered(query: Query, most: number): Promise<Result<View.OrderedSamples>> {
    return this.finding(
      (asked) => asked.ordered(query.profile, this.samplesOf(query.filter), most),
      Frames.columnBuffers,
    );
  }

  /** Pauses, gaps and losses: of the recordings, independent of the selection. */
  marks(): Promise<Result<View.Marks>> {
    return this.answer(() => Frames.withCutCauses(marksOf(this.opened())));
  }

  /** When the samples were taken, in the whole recording or in a part of it, and those of some threads. */
  timeline(
    query: Query,
    bins: number,
    threads: number[],
    range: View.ShownTime | null,
  ): Promise<Result<View.Timeline>> {
    return this.answer(() => this.select(query).views.timeline(query.profile, bins, threads, range));
  }

  /** A strip for each of some rows of time. */
  overviews(query: Query, bins: number, rows: View.ShownTime[]): Promise<Result<View.Timeline[]>> {
    return this.answer(() => {
      const { views } = this.select(query);
      return rows.map((row) => views.timeline(query.profile, bins, [], row));
    });
  }

  /** The threads with samples in a file. */
  threads(query: Query, of?: View.ShownTime): Promise<Result<View.ThreadPage>> {
    return this.answer(() => Frames.withCutRows(this.select(query).views.threads(query.profile, of)));
  }

  /** Rows [offset, offset + limit) of the ranking, heaviest first unless asked otherwise. */
  rank(query: Query, by: RankBy, offset: number, limit: number, how: RankHow = {}): Promise<Result<RankPage>> {
    return this.answer(() => Frames.withCutLabels(this.rankOf(query, by, offset, limit, how)));
  }

  /** A list is scrolled beside views of another selection: its rows stay valid without selecting again. */
  private rankOf(query: Query, by: RankBy, offset: number, limit: number, how: RankHow): RankPage {
    const key = queryKey(query);
    const { ranked } = this;
    const kept = key === ranked.key ? this.opened().views.rankOf(ranked.stamp, by, offset, limit, how) : null;
    if (kept !== null) return kept;
    const core = this.select(query);
    this.ranked = { key, stamp: core.views.selectionStamp };
    return core.views.rank(by, offset, limit, how);
  }

  /** A request about calls: `viewer.ofCalls("list", question, 0, 100)`. */
  ofCalls<Name extends keyof Api.CallRequests>(
    name: Name,
    ...given: Parameters<Api.CallRequests[Name]>
  ): Promise<Result<Api.CallAnswer<Name>>> {
    return this.answer(() => {
      const request = this.dumped()[name] as (...args: unknown[]) => Promise<Api.CallAnswer<Name>>;
      return request.apply(this.calls, given);
    }, Frames.columnBuffers);
  }

  /** Reports the reading of frames of calls for views, and null at its end. */
  watchFrames(onProgress: (progress: Api.FramesProgress | null) => void): void {
    this.calls?.watch(onProgress);
  }

  /** Ends the reading of frames; the questions that need them are refused with `calls.cancelled`. */
  cancelFrames(): void {
    this.calls?.samples.cancel();
  }

  private dumped(): Calls {
    if (this.calls === null) throw new Refusal("closed", "No dump is open.");
    return this.calls;
  }

  /** A request about traces: `viewer.ofTraces("spans", trace, [])`. */
  ofTraces<Name extends keyof Api.TraceRequests>(
    name: Name,
    ...given: Parameters<Api.TraceRequests[Name]>
  ): Promise<Result<Api.TraceAnswer<Name>>> {
    return this.answer(() => {
      if (this.spans === null) throw new Refusal("closed", "No recording is open.");
      return this.spans.ask(name, given);
    }, Frames.columnBuffers);
  }

  /** Native libraries with frames that are known by their address, over all profiles. */
  libraries(): Promise<Result<NativeLibraries>> {
    return this.answer(async () => {
      const { nativeLibraries } = await symbolRequests();
      return nativeLibraries(this.unselected());
    });
  }

  /** Shows these names, by build id, and no others. The answer is the node that `focus` of `query` is now, or 0. */
  nameFrames(names: ReadonlyMap<string, LibraryNames>, query: Query, focus: number): Promise<Result<number>> {
    return this.answer(async () => {
      const { showNames } = await symbolRequests();
      this.names = names;
      const core = focus === 0 ? this.opened() : this.look(query);
      return core.views.nodeAfter(focus, () => {
        showNames(core, names);
        this.forgetSamples();
        if (focus !== 0) this.look(query);
      });
    });
  }

  download(request: Api.DownloadRequest): Promise<Result<Api.Download>> {
    return this.writing(request, async ({ writeDownload, recordingsOf }, core) => {
      const invocations = (await this.calls?.file(request)) ?? null;
      if (invocations !== null) return invocations;
      return writeDownload(core, this.alone(request), recordingsOf(request, this.files, this.kinds));
    });
  }

  /** Messages for a receiver, each below the size that a Collector accepts; none if no sample passes. */
  messages(request: Api.WriteRequest): Promise<Result<Api.Message[]>> {
    return this.writing(request, ({ writeMessages }, core) => writeMessages(core, this.alone(request)));
  }

  private writing<T>(
    { normaliseNames }: Api.WriteRequest,
    write: (writing: typeof import("../requests/writing.ts"), core: Core) => T | Promise<T>,
  ): Promise<Result<T>> {
    return this.answer(async () => {
      const writing = await import("../requests/writing.ts");
      // Methods of dumps keep the names of their dictionary.
      const again = normaliseNames === true && this.calls === null;
      let core = this.opened();
      if (again) {
        core = await readNormalised(await this.newCore(this.choice), this.files, this.choice.inferred, this.names);
      }
      await core.complete();
      // Selection and call tree are the core's, and writing makes its own.
      this.selected = "";
      this.shaped = "?";
      return write(writing, core);
    });
  }

  private async newCore({ extra }: ReadChoice): Promise<Core> {
    return Core.instantiate(await this.modules.first(), extra, undefined, this.modules.rest);
  }

  /** The core for requests that select by themselves. */
  private unselected(): Core {
    this.selected = "";
    return this.opened();
  }

  private opened(): Core {
    if (this.core === null) throw new Refusal("closed", "No recording is open.");
    return this.core;
  }

  /** The filter as the core knows it. Fails with `Missing` where it has to read the frames of other calls first. */
  private samplesOf(filter: Filter, alone = false): Filter {
    return this.calls?.samples.samplesOf(filter, null, alone) ?? this.spans?.samplesOf(filter) ?? filter;
  }

  /** A question whose filter is the core's, with no other samples in the core. */
  private alone<Q extends { filter: Filter }>(question: Q): Q {
    return { ...question, filter: this.samplesOf(question.filter, true) };
  }

  /** Makes `query` the core's selection, unless it is already. `filter`: its filter as the core knows it. */
  private select(query: Query, filter = this.samplesOf(query.filter)): Core {
    const core = this.opened();
    const key = queryKey({ ...query, filter });
    if (key !== this.selected) {
      this.selectedTotals = core.select(query.profile, filter, query.measure);
      this.selected = key;
    }
    return core;
  }

  /** The core with `query` as its selection, and the call tree in its shape. */
  private look(query: Query, filter?: Filter): Core {
    const core = this.select(query, filter);
    // Other names are another tree, which has no shape yet.
    const key = `${shapeKey(query.shape)}${query.filter.rawNames === true ? " raw" : ""}`;
    if (key !== this.shaped) {
      core.views.shape(query.shape ?? WHOLE);
      this.shaped = key;
    }
    return core;
  }

  private drop(): void {
    this.core = null;
    this.calls = null;
    this.spans = null;
    this.files = [];
    this.kinds = [];
    this.profiles = [];
    this.whole.clear();
    this.found = null;
    this.names = new Map();
    this.forgetAnswers();
  }

  /** The samples of calls have changed. */
  private forgetSamples(): void {
    this.spans?.forget();
    this.whole.clear();
    this.forgetAnswers();
  }

  /** Selection, shape, ranking and baseline: the next questions have the core make them again. */
  private forgetAnswers(): void {
    this.selected = "";
    this.shaped = "";
    this.compared = { key: "", totals: NOTHING };
    this.ranked = { key: "", stamp: 0 };
  }

  private async answer<T>(job: () => T | Promise<T>, buffers?: (value: T) => Transferable[]): Promise<Result<T>> {
    const run = this.run;
    try {
      const value = await repeated(job);
      const result: Result<T> = { ok: true, value };
      return buffers === undefined ? result : Comlink.transfer(result, buffers(value));
    } catch (error) {
      return { ok: false, error: this.failure(error, run) };
    }
  }

  /** After a trap and where memory is used up the core is given up. */
  private failure(error: unknown, run: number): Failure {
    if (run === this.run) {
      // The core freed all memory except the recording's, and with it all results.
      if (error instanceof SpanflameError && error.code === "core.memory") this.forgetAnswers();
      // The core's memory after a trap is undefined.
      if (error instanceof WebAssembly.RuntimeError) this.drop();
    }
    return failureOf(error, this.core === null);
  }
}
