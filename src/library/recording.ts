/** An open recording: its facts, and the way to selections of its samples. */

import type { TimeRow } from "../core/answers/time-rows.ts";
import type { Core } from "../core/core.ts";
import { SpanflameError } from "../core/instance/error.ts";
import { profileNamed } from "../core/tables/kinds.ts";
import type {
  Diagnostic,
  EventType,
  FileSummary,
  OutputFormat,
  ProfileSummary,
  Setting,
  TimeRange,
  WriteResult,
} from "../core/types.ts";
import type { Marks, SeriesSummary } from "../core/view-types.ts";
import type { InputSummary } from "../input/open.ts";
import type { CallPage } from "../requests/api/calls-api.ts";
import type { OperationPage, SelectionTime } from "../requests/api/operations-api.ts";
import type { TracePage, TraceSpans, TracesOverview } from "../requests/api/traces-api.ts";
import type { BlockedPage, WaitPage, WhyAnswer } from "../requests/api/why-api.ts";
import type { Calls } from "../requests/calls/calls.ts";
import type { GRAPH } from "../requests/questions/graph.ts";
import type { GraphOverview } from "../worker/api.ts";
import { Requests } from "./beside/requests.ts";
import { checked, shown } from "./check.ts";
import { DISPOSE, DISPOSE_ASYNC } from "./dispose.ts";
import { RecordingCore } from "./held-core.ts";
import * as Checks from "./option-checks.ts";
import type {
  BlockedOptions,
  CallsOptions,
  OperationsOptions,
  PageOptions,
  SelectOptions,
  SpansOptions,
  TimeOfOptions,
  TraceRowsOptions,
  WhyOptions,
  WriteSelectionOptions,
} from "./options.ts";
import { type ProfileSelection, Selection } from "./selection.ts";
import { SELECT } from "./selection-checks.ts";
import { Tables } from "./tables.ts";

/**
 * One or more files in the memory of one WebAssembly instance. `open` makes a recording; it does not change afterwards.
 * Its selections are independent: use them in any order.
 */
export class Recording implements Disposable {
  /** The inputs of `open`, in the same order. `read` states whether each was read wholly, partly or not at all. */
  readonly inputs: readonly InputSummary[];
  /** The files in the inputs. An archive contains several. */
  readonly files: readonly FileSummary[];
  /** Problems of the inputs. A damaged file causes diagnostics, not exceptions. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * The profiles that have samples, in the order of the catalogue (docs/events.md), and types that a message states
   * although all their values are 0.
   */
  readonly profiles: readonly ProfileSummary[];
  /** Settings that the recordings state, in the order read. */
  readonly settings: readonly Setting[];
  /** Event types of the recordings, in the order first seen. The option `events` of `open` makes profiles of them. */
  readonly eventTypes: readonly EventType[];
  /** Keys of the attributes of samples. */
  readonly attributeKeys: readonly string[];
  /** First and last moment of any sample, in nanoseconds since 1970; null if no sample has a time. */
  readonly time: TimeRange | null;
  /** The tables that columns refer to. */
  readonly tables: Tables;
  private readonly held: RecordingCore;
  private readonly requests: Requests;

  private constructor(core: Core, inputs: readonly InputSummary[], calls: Calls | null, isWhole: boolean) {
    this.inputs = inputs;
    const profiles = core.profiles();
    this.profiles = profiles;
    this.files = core.files();
    this.diagnostics = core.diagnostics();
    this.settings = core.settings();
    this.eventTypes = core.eventTypes();
    this.attributeKeys = core.attributeKeys();
    this.time = core.views.timeBounds();
    this.held = new RecordingCore(core, profiles, isWhole);
    this.tables = Tables.of(this.held);
    this.requests = new Requests(this.held, inputs, calls);
  }

  /** @internal */
  static of(core: Core, inputs: readonly InputSummary[], calls: Calls | null = null, isWhole = true): Recording {
    return new Recording(core, inputs, calls, isWhole);
  }

  /** @internal */
  openSpans(files: TracesOverview["files"], inferred: boolean): Promise<void> {
    return this.requests.openSpans(files, inferred);
  }

  /**
   * The trace files with spans, and numbers of spans and traces. With `infer` or `spans` and without trace files these
   * are the spans that the recordings know. Null without spans.
   */
  get traces(): TracesOverview | null {
    return this.requests.traces;
  }

  /**
   * The traces, the longest first unless sorted otherwise.
   *
   * @throws `option.unknown`, `option.value`, `recording.closed`
   */
  async traceRows(options?: TraceRowsOptions): Promise<TracePage<bigint>> {
    return await this.requests.traceRows(checked("traceRows", options, Checks.TRACE_ROWS));
  }

  /**
   * The spans of a trace as columns, parents before their children, with their samples in each profile. Null if no
   * trace is known by the id.
   *
   * @throws as `traceRows` does, and `option.id`
   */
  async spans(options?: SpansOptions): Promise<TraceSpans<bigint> | null> {
    return await this.requests.spans(checked("spans", options, Checks.SPANS));
  }

  /**
   * Operations with the durations of their spans. Without spans these are the operations of local roots, whose
   * durations are from their first to their last sample.
   *
   * @throws as `traceRows` does
   */
  async operations(options?: OperationsOptions): Promise<OperationPage> {
    return await this.requests.operations(checked("operations", options, Checks.OPERATIONS));
  }

  /**
   * Where the time of the requests with a sample in a selection went: on CPU, ready to run, in locks and others, with
   * 95 % intervals, and that of other requests. Null if no request is selected.
   *
   * @throws as `traceRows` does
   */
  async timeOf(selection: Selection, options?: TimeOfOptions): Promise<SelectionTime | null> {
    const given = checked("timeOf", options, Checks.TIME_OF);
    return await this.requests.timeOf(Selection.wantedOf(selection, this.held), given);
  }

  /**
   * Why a selection took its time, as `spanflame why --json` has it: a sentence, states, hot paths, findings, what it
   * waited for and who held it, and the time of its requests. Open the recording with `infer` for the same answer.
   *
   * @throws as `traceRows` does, and `profile.missing`
   */
  async why(selection: ProfileSelection, options?: WhyOptions): Promise<WhyAnswer> {
    const given = checked("why", options, Checks.WHY);
    return await this.requests.why(Selection.wantedOf(selection, this.held), given);
  }

  /**
   * Waits of a selection and pauses in its time, in the order of their starts, each with its holders, as `spanflame
   * waits --json` has them. Holders are known with `infer` of `open`.
   *
   * @throws as `traceRows` does
   */
  async waits(selection: Selection, options?: PageOptions): Promise<WaitPage> {
    const given = checked("waits", options, Checks.WAITS);
    return await this.requests.waits(Selection.wantedOf(selection, this.held), given);
  }

  /**
   * Who blocks whom: the waits of a selection for locks by class, holder and waiter, as `spanflame waits --by` has
   * them.
   *
   * @throws as `traceRows` does
   */
  async blocked(selection: Selection, options?: BlockedOptions): Promise<BlockedPage> {
    const given = checked("blocked", options, Checks.BLOCKED);
    return await this.requests.blocked(Selection.wantedOf(selection, this.held), given);
  }

  /**
   * Calls of Cloud Profiler dumps (docs/cdt.md), the longest first unless sorted otherwise. Times are in milliseconds.
   *
   * @throws as `traceRows` does
   */
  async calls(options?: CallsOptions): Promise<CallPage> {
    return this.requests.calls(checked("calls", options, Checks.CALLS));
  }

  /**
   * The samples of a profile that pass all conditions of the options.
   *
   * @param profile - type (`"cpu"`), kind (`"alloc"`) or `id` of one of `profiles`; null for all profiles, whose values
   * have no common unit, so that only iteration, columns and writing are possible
   * @throws `profile.unknown`, `attribute.unknown`, `option.unknown`, `option.value`, `option.id`,
   * `filter.pattern`, `core.memory`, `recording.closed`
   */
  select(profile: string | number, options?: SelectOptions): ProfileSelection;
  /** The samples of a profile, or of all profiles, that pass all conditions of the options. */
  select(profile: string | number | null, options?: SelectOptions): Selection;
  select(profile: string | number | null, options?: SelectOptions): Selection {
    const summary = profile === null ? null : this.profile(profile);
    return Selection.of(this.held, this.requests, summary, checked("select", options, SELECT));
  }

  /**
   * Writes all samples of all profiles as one message: `select(null).write`.
   *
   * @throws as `Selection.write` does
   */
  write(format: OutputFormat, options?: WriteSelectionOptions): WriteResult {
    return this.select(null).write(format, options);
  }

  /** Pauses of the collector, gaps without samples, and losses, in nanoseconds after the first sample. */
  marks(): Marks {
    return this.held.core.views.marks();
  }

  /** The stretches of time that have samples, one or more for each file, in the order of time. */
  timeRows(): TimeRow[] {
    return this.held.core.views.timeRows();
  }

  /** Measurements of the JVM (CPU load, heap, threads) in figures. */
  series(): SeriesSummary[] {
    return this.held.core.views.seriesSummary();
  }

  /** @internal Facts for a flame graph that shows the recording. */
  graphOverview(): GraphOverview {
    const { files, profiles, settings, diagnostics } = this;
    const facts = { files, profiles, settings, diagnostics } as Omit<GraphOverview, "rows">;
    return { ...facts, rows: this.timeRows() };
  }

  /** @internal A question of such a graph. */
  async graph(name: keyof typeof GRAPH, given: readonly unknown[]): Promise<unknown> {
    const { graphAnswer } = await import("./beside/graph.ts");
    return graphAnswer(this.held, name, given);
  }

  /** Bytes of memory that the recording takes in its WebAssembly instance. */
  get bytesHeld(): number {
    return this.held.core.bytesHeld();
  }

  /** Whether the recording was closed. */
  get isClosed(): boolean {
    return this.held.isClosed;
  }

  /**
   * Releases the memory. Every later call on the recording and its selections throws `recording.closed`; facts that are
   * properties stay. Closing twice does nothing.
   */
  close(): void {
    this.held.close();
  }

  /** `close`, for `using`. */
  [DISPOSE](): void {
    this.close();
  }

  /** `close`, for `await using`. */
  async [DISPOSE_ASYNC](): Promise<void> {
    this.close();
  }

  private profile(wanted: unknown): ProfileSummary {
    const { profiles } = this;
    const found =
      typeof wanted === "string" ? profileNamed(profiles, wanted) : profiles.find(({ id }) => id === wanted);
    if (found !== undefined) return found;
    const known = this.profiles.map(({ id, type }) => `${type} (${id})`).join(", ");
    const words = known === "" ? "no profile has samples" : `the recording has ${known}`;
    throw new SpanflameError("profile.unknown", `there is no profile ${shown(wanted)}: ${words}`);
  }
}
