/** A selection of samples, and all requests about it. */
import { sameNames } from "../core/answers/filters.ts";
import type { Views } from "../core/answers/views.ts";
import { SpanflameError } from "../core/instance/error.ts";
import { type Part, SPLIT_BYTES, splitByProfile } from "../core/split.ts";
import { formatRow, type OutputOption } from "../core/tables/formats.ts";
import { usualMeasure } from "../core/tables/usual-measure.ts";
import type {
  FramesAnswer,
  Measure,
  OutputFormat,
  ProfileSummary,
  RankBy,
  RankPage,
  SelectionTotals,
  TopRow,
  WriteOptions,
  WriteResult,
  WriteTotals,
} from "../core/types.ts";
import type {
  ChangedRow,
  DiffAnswer,
  Grouping,
  HeatMap,
  SearchAnswer,
  ThreadPage,
  Timeline,
  TreeRow,
  Why,
} from "../core/view-types.ts";
import { why } from "../core/why.ts";
import { THREAD } from "../model/query/root-by.ts";
import { filterFrom } from "../model/query/shape.ts";
import type { Requests } from "./beside/requests.ts";
import { checked, isCount, isFunction, isText, shown, wrong } from "./check.ts";
import { type ColumnPage, pagesOf } from "./columns.ts";
import { type RecordingCore, type Wanted, wholeShape } from "./held-core.ts";
import * as Checks from "./option-checks.ts";
import type {
  ChangedOptions,
  DiffOptions,
  FlameOptions,
  HeatOptions,
  MessagesOptions,
  PageSize,
  PictureOptions,
  Ranked,
  RankOptions,
  ReportOptions,
  SandwichOptions,
  SelectOptions,
  TimelineOptions,
  TopOptions,
  WriteAsyncOptions,
  WriteSelectionOptions,
} from "./options.ts";
import type { AttributeShare, LinkShare, Sample, StackShare } from "./sample-types.ts";
import { attributesOf, linksOf, samplesOf, stacksOf } from "./samples.ts";
import { filterOf } from "./selection-checks.ts";
import { inTurns, partsOf } from "./writing.ts";

/** Rows of a table, and their number without `offset` and `limit`. */
export interface TablePage<Row> {
  /** Rows in all. */
  count: number;
  rows: Row[];
}

/**
 * Samples of a profile that pass a filter. A selection does not change, and selections do not affect each other. All
 * values are in the unit of `measure`.
 *
 * Every method can throw a `SpanflameError`: `recording.closed` if the recording was closed, `option.unknown` and
 * `option.value` for its options, `core.memory` if the answer does not fit into the memory, and `profile.missing`
 * if the selection is of all profiles but the answer adds up values of one.
 */
export class Selection {
  /** The profile; null for all profiles. */
  readonly profile: ProfileSummary | null;
  /** The measure that weighs the samples; null for all profiles. */
  readonly measure: Measure | null;
  /** The options of `select`. */
  readonly options: Readonly<SelectOptions>;
  private readonly totals: Readonly<SelectionTotals>;
  private readonly held: RecordingCore;
  private readonly requests: Requests;
  private readonly wanted: Wanted;

  private constructor(held: RecordingCore, requests: Requests, profile: ProfileSummary | null, options: SelectOptions) {
    const measure = measureOf(profile, options.measure);
    const shape = wholeShape(options.shape);
    const filter = filterFrom(filterOf(options), shape.from);
    this.held = held;
    this.requests = requests;
    this.profile = profile;
    this.measure = profile?.measures[measure] ?? null;
    this.options = Object.freeze({ ...options });
    this.wanted = { profile: profile?.id ?? null, filter, measure, shape };
    const { samples, value } = held.totals(this.wanted.profile, filter, measure);
    if (samples === 0)
      for (const { key, exclude } of filter.attributes ?? []) if (exclude !== true) checkKey("select", key, held);
    this.totals = Object.freeze({ samples, value: profile === null ? 0n : value });
  }

  /** @internal */
  static of(
    held: RecordingCore,
    requests: Requests,
    profile: ProfileSummary | null,
    options: SelectOptions,
  ): Selection {
    return new Selection(held, requests, profile, options);
  }

  /** @internal */
  static wantedOf(selection: Selection, held: RecordingCore): Wanted {
    if (!(selection instanceof Selection)) wrong("the selection", selection, "a selection");
    if (selection.held !== held) wrong("the selection", "another recording's", "one of the same recording");
    return selection.wanted;
  }

  /** Number of observations, and the sum of their values. Values of several profiles have no common unit: 0. */
  total(): Readonly<SelectionTotals> {
    return this.totals;
  }

  /** Functions with their self and total values, heaviest first; `total` counts recursion once. */
  top(options?: TopOptions): TablePage<TopRow> {
    const { by = "self", offset = 0, limit = Checks.LIMIT, ...how } = checked("top", options, Checks.TOP);
    return this.view("top").top(by, offset, limit, how);
  }

  /** The frames of the flame graph: columns, parents before children (`FrameColumns`). */
  flame(options?: FlameOptions): FramesAnswer {
    const request = { focus: 0, width: Checks.WIDTH, ...checked("flame", options, Checks.FLAME) };
    return this.view("flame").frames(request);
  }

  /**
   * The upper half of a sandwich: the callers of a function, and their callers. Without a name, the callers of all leaf
   * frames (an inverted flame graph). If no stack contains the function, the answer has row 0 only.
   */
  callers(name?: string, options?: SandwichOptions): FramesAnswer {
    if (name === undefined) return this.regroup("callers", { kind: "callers" }, options);
    isText(name, "callers: name");
    return this.regroup("callers", { kind: "callers-of", name }, options);
  }

  /** The lower half of a sandwich: the callees of a function, and their callees. */
  callees(name: string, options?: SandwichOptions): FramesAnswer {
    isText(name, "callees: name");
    return this.regroup("callees", { kind: "callees-of", name }, options);
  }

  /** The children of a node of the call tree (0: the root), heaviest first; truncated stacks are last. */
  children(node = 0): TreeRow[] {
    isCount(node, "children: node");
    return this.view("children").children(node);
  }

  /** Frames of the flame graph whose function a pattern (RE2's syntax) finds. Throws `filter.pattern`. */
  search(pattern: string): SearchAnswer {
    isText(pattern, "search: pattern");
    return this.view("search").search(pattern);
  }

  /**
   * Samples grouped by local root, span, thread or the values of an attribute, heaviest first unless sorted otherwise.
   *
   * @throws `attribute.unknown` if no sample of the recording has the attribute
   */
  rank(by: Ranked, options?: RankOptions): RankPage {
    const { offset = 0, limit = Checks.LIMIT, ...how } = checked("rank", options, Checks.RANK);
    const wanted = rankBy(by);
    const page = this.one("rank").rank(wanted, offset, limit, how);
    if (page.count === 0 && wanted.kind === "attribute") checkKey("rank", wanted.key, this.held);
    return page;
  }

  /** A summary: totals in all profiles, functions, threads, states, pauses, and the values that stand out. */
  why(): Why {
    const { wanted } = this;
    const profile = this.id("why");
    this.held.look(wanted);
    return why(this.held, { ...wanted, profile }, this.held.whyContext());
  }

  /** Threads with samples of the profile, the most active first; at most 5,000 of them have rows. */
  threads(): ThreadPage {
    const profile = this.id("threads");
    return this.one("threads").threads(profile);
  }

  /** Weight and number of samples over time: of the whole profile, and of the selection. */
  timeline(options?: TimelineOptions): Timeline {
    const { bins = Checks.BINS, threads = [], range } = checked("timeline", options, Checks.TIMELINE);
    const profile = this.id("timeline");
    return this.one("timeline").timeline(profile, bins, threads, range ?? null);
  }

  /** Weight and number of samples by second, and by the 50 parts of a second (as in FlameScope). */
  heat(options?: HeatOptions): HeatMap {
    const { columns = Checks.BINS, range } = checked("heat", options, Checks.HEAT);
    const profile = this.id("heat");
    return this.one("heat").heat(profile, columns, range ?? null);
  }

  /** Compares the frames of this selection with those of a baseline, another selection of the same recording. */
  diff(baseline: Selection, options?: DiffOptions): DiffAnswer {
    const given = checked("diff", options, Checks.DIFF);
    const request = { focus: 0, width: Checks.WIDTH, rest: false, normalised: true, ...given };
    return this.compared("diff", baseline).diff(request);
  }

  /** Compares the functions of this selection with those of a baseline; the largest difference is first. */
  changed(baseline: Selection, options?: ChangedOptions): TablePage<ChangedRow> {
    const given = checked("changed", options, Checks.CHANGED);
    const { rest = false, normalised = true, offset = 0, limit = Checks.LIMIT } = given;
    return this.compared("changed", baseline).changed(rest, normalised, offset, limit);
  }

  /** The observations, in the order of reading. They are read page by page while the loop runs. */
  samples(options?: PageSize): IterableIterator<Sample> {
    return samplesOf(this.held, this.wanted, this.held.types, pageRows("samples", options));
  }

  /** The different stacks with their shares of the selection, in the order of `tables.stacks()`. */
  stacks(options?: PageSize): IterableIterator<StackShare> {
    return stacksOf(this.held, this.wanted, pageRows("stacks", options));
  }

  /** The different links of samples that have one, with their shares, in the order of `tables.links()`. */
  links(options?: PageSize): IterableIterator<LinkShare> {
    return linksOf(this.held, this.wanted, pageRows("links", options));
  }

  /**
   * The different attributes with their shares, in the order of `tables.attributes()`. A sample can have several
   * attributes, also through its local root, so the shares can add up to more than the selection.
   */
  attributes(options?: PageSize): IterableIterator<AttributeShare> {
    return attributesOf(this.held, this.wanted, pageRows("attributes", options));
  }

  /**
   * The observations as typed arrays, in pages of at most `pageRows` rows; `recording.tables` has the tables that they
   * refer to. About 50 million rows per second (docs/performance.md).
   */
  columns(options?: PageSize): IterableIterator<ColumnPage> {
    return pagesOf(this.held, this.wanted, pageRows("columns", options));
  }

  /**
   * Writes the samples as one message. The result is a copy of the message; `writeTo` needs no copy.
   *
   * @throws `format.unknown`; `write.profiles` if the format holds one profile and several have samples;
   * `write.resource` if the bytes of an attribute are not an AnyValue
   */
  write(format: OutputFormat, options?: WriteSelectionOptions): WriteResult {
    const how = this.writing(format, checked("write", options, Checks.WRITE));
    return this.held.core.write(this.wanted.profile, this.wanted.filter, how);
  }

  /**
   * Writes the same message in parts, without a copy of the whole. Each part is a view of memory that is valid until
   * `sink` returns; `sink` must not use the recording.
   *
   * @throws as `write` does
   */
  writeTo(format: OutputFormat, sink: (part: Uint8Array) => void, options?: WriteSelectionOptions): WriteTotals {
    const how = this.writing(format, checked("writeTo", options, Checks.WRITE));
    isFunction(sink, "writeTo: sink");
    return this.held.core.writeTo(this.wanted.profile, this.wanted.filter, how, sink);
  }

  /**
   * Writes the same message as a stream of parts of a few MiB, which belong to the caller. Between parts it yields to
   * the event loop at least every 50 ms. Before the first part the core makes the message in one call, which takes 0.1
   * to 2 seconds for a million observations. With `spanflame/worker` this call does not block the page.
   *
   * @throws as `write` does, on the first `next()`; after an abort, the reason of the signal
   */
  writeAsync(format: OutputFormat, options?: WriteAsyncOptions): AsyncGenerator<Uint8Array, WriteTotals, undefined> {
    const { signal, ...rest } = checked("writeAsync", options, Checks.WRITE_ASYNC);
    const how = this.writing(format, rest);
    const write = (sink: (part: Uint8Array) => void) =>
      this.held.core.writeTo(this.wanted.profile, this.wanted.filter, how, sink);
    return partsOf(write, signal);
  }

  /**
   * Writes the samples as one message. If that is above the size `limit`, writes one message for each profile, each
   * measure, or each stretch of its time. Profiles without samples have no message. Before each message it yields to
   * the event loop.
   *
   * @throws as `write` does, on the first `next()`; after an abort, the reason of the signal
   */
  messages(format: OutputFormat, options?: MessagesOptions): AsyncGenerator<Part, void, undefined> {
    const { signal, limit = SPLIT_BYTES, ...rest } = checked("messages", options, Checks.MESSAGES);
    const { profile, filter } = this.wanted;
    const how = this.writing(format, rest);
    return inTurns(splitByProfile(this.held, profile, filter, how, limit), signal);
  }

  /**
   * The selection as a report: an HTML file with a graph of the profile, or of all profiles that have samples of the
   * selection. It opens without a network. `spanflame convert -f html` writes the same file.
   *
   * @throws `profile.missing` if the recording has no samples
   */
  async html(options?: ReportOptions): Promise<string> {
    return this.shown(checked("html", options, Checks.REPORT));
  }

  /** The flame graph of the selection as an SVG picture, the file of `spanflame convert -f svg`. */
  async svg(options?: PictureOptions): Promise<string> {
    this.id("svg");
    return this.shown({ dark: false, ...checked("svg", options, Checks.PICTURE) });
  }

  /** With the filter as its user states it. */
  private shown(how: ReportOptions | Required<PictureOptions>): Promise<string> {
    return this.requests.shown({ ...this.wanted, filter: filterOf(this.options) }, how);
  }

  private writing(format: OutputFormat, options: WriteSelectionOptions): WriteOptions {
    Checks.checkFormat(format);
    const known = formatRow(format).options;
    for (const name of Object.keys(options)) {
      if (known.includes(name as OutputOption)) continue;
      const its = known.filter((each) => Object.hasOwn(Checks.WRITE, each)).join(", ");
      throw new SpanflameError("option.unknown", `${format} has no option ${shown(name)}; its options are ${its}`);
    }
    return {
      ...options,
      format,
      ...(this.options.measure === undefined ? {} : { measure: this.wanted.measure }),
      ...(this.options.shape === undefined ? {} : { shape: this.wanted.shape }),
    };
  }

  private regroup(call: string, grouping: Grouping, options: SandwichOptions | undefined): FramesAnswer {
    const { width = Checks.WIDTH, path = [] } = checked(call, options, Checks.SANDWICH);
    return this.view(call).regroup({ grouping, path: [...path], width });
  }

  private compared(call: string, baseline: Selection): Views {
    if (!(baseline instanceof Selection)) wrong(`${call}: the baseline`, baseline, "a selection");
    if (baseline.held !== this.held)
      wrong(`${call}: the baseline`, "another recording's", "a selection of the same recording");
    this.id(call);
    // With the names and the shape of this selection, because both are weights of one tree.
    const { filter, shape } = this.wanted;
    const others = sameNames(filterFrom(baseline.wanted.filter, shape.from), filter);
    this.held.compareWith({ ...baseline.wanted, profile: baseline.id(call), filter: others }, shape);
    return this.held.look(this.wanted);
  }

  private view(call: string): Views {
    this.id(call);
    return this.held.look(this.wanted);
  }

  private one(call: string): Views {
    this.id(call);
    const { profile, filter, measure } = this.wanted;
    return this.held.about(profile, filter, measure);
  }

  /** The profile's id, for a request about one. */
  private id(call: string): number {
    if (this.profile !== null) return this.profile.id;
    throw new SpanflameError("profile.missing", `${call} needs one profile, but the selection is of all`);
  }
}

/** A selection of one profile. */
export interface ProfileSelection extends Selection {
  readonly profile: ProfileSummary;
  readonly measure: Measure;
}

function pageRows(call: string, options: PageSize | undefined): number {
  return checked(call, options, Checks.PAGES).pageRows ?? Checks.PAGE_ROWS;
}

function measureOf(profile: ProfileSummary | null, wanted: string | number | undefined): number {
  if (wanted === undefined) return profile === null ? 0 : usualMeasure(profile);
  if (profile === null) {
    throw new SpanflameError("profile.missing", "a measure needs one profile, but the selection is of all");
  }
  const { measures, type } = profile;
  const found = measures.findIndex(({ name }, i) => name === wanted || i === wanted);
  if (found >= 0) return found;
  const known = measures.map(({ name }, i) => `${name} (${i})`).join(", ");
  return wrong(`select: measure`, wanted, `one of ${known}, the measures of ${type}`);
}

/** Throws unless a sample of the recording has an attribute with the key, as far as that is known. */
function checkKey(call: string, key: string, held: RecordingCore): void {
  if (!held.isWhole || held.about(null, {}).rank({ kind: "attribute", key }, 0, 0).count > 0) return;
  const keys = held.core.attributeKeys().join(", ");
  const known = keys === "" ? "no attributes" : keys;
  throw new SpanflameError(
    "attribute.unknown",
    `${call}: no sample has the attribute ${shown(key)}; they have ${known}`,
  );
}

function rankBy(by: Ranked): RankBy {
  if (by === "local-root" || by === "span") return { kind: by };
  if (by === "thread") return { kind: "attribute", key: THREAD };
  if (typeof by === "object" && by !== null && typeof by.attribute === "string") {
    return { kind: "attribute", key: by.attribute };
  }
  return wrong("rank: by", by, '"local-root", "span", "thread" or { attribute: KEY }');
}
