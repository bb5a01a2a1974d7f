/** The selection, and all requests about it. Row layouts are in assembly/abi. */
import * as SearchRow from "../../../assembly/abi/rows/search-row.ts";
import * as TopRowAbi from "../../../assembly/abi/rows/top-row.ts";
import * as TreeRowAbi from "../../../assembly/abi/rows/tree-row.ts";
import * as TimelineAbi from "../../../assembly/abi/timeline.ts";
import { newWork, type Work } from "../../pattern/pattern.ts";
import { type Instance, samplesStamp } from "../instance/instance.ts";
import { shapeKey, WHOLE_KEY } from "../shape.ts";
import { asksHolders } from "../tables/holder-key.ts";
import type {
  Filter,
  FramesAnswer,
  FramesRequest,
  RankBy,
  RankHow,
  RankPage,
  Selection,
  SelectionTotals,
  TimeRange,
  TopRow,
} from "../types.ts";
import type {
  Changed,
  DiffAnswer,
  DiffRequest,
  HeatMap,
  LastRows,
  Marks,
  NamePlace,
  PauseCover,
  RegroupRequest,
  SearchAnswer,
  SeriesLine,
  SeriesSummary,
  Shape,
  ShownTime,
  StackRule,
  Strip,
  ThreadPage,
  ThreadRow,
  Timeline,
  TopHow,
  TopOrder,
  TreeRow,
} from "../view-types.ts";
import { GROUPINGS, readChanged, readDiff, readFrames, selfSum } from "./answers.ts";
import { applyFilter, hasParts, needCode, selectionKey } from "./filters.ts";
import { foundBy } from "./find-texts.ts";
import { type Accepts, FunctionNames } from "./function-names.ts";
import type * as Late from "./late.ts";
import type { AddressedLibrary } from "./libraries.ts";
import { LibraryNames, LibraryPaths } from "./library-paths.ts";
import type { Ranking } from "./ranking.ts";
import { Labels, RECURSIONS, rootTree } from "./roots.ts";
import type { Measured } from "./series.ts";
import type { NamedLocation } from "./symbols.ts";
import { type TimeRow, timeBounds, timeRows } from "./time-rows.ts";
import type { Uploads } from "./uploads.ts";
import { tellWorkEvents } from "./work-events.ts";

/** Name of the frame above the stacks that a recorder truncated (assembly/read/jfr/frame-location.ts). */
const TRUNCATED = "[truncated]";
/** Matching frames that a search names; more are counted. */
const MOST_MATCHES = 2000;
/** Threads that are named, the busiest; more are counted. */
const MOST_THREADS = 5000;
const SECOND = 1_000_000_000n;
/** After the last observation. */
const ALL = 2 ** 32 - 1;
/** Bytes of an element of a typed array. */
const [U32, F64] = [Uint32Array.BYTES_PER_ELEMENT, Float64Array.BYTES_PER_ELEMENT];

/** One for all cores. */
let loaded: typeof Late | null = null;

/** To be awaited before answers of late.ts. */
export async function loadAnswers(): Promise<void> {
  loaded ??= await import("./late.ts");
}

function late(): typeof Late {
  if (loaded === null) throw new RangeError("views: an answer before loadAnswers");
  return loaded;
}

export class Views {
  private readonly core: Instance;
  private readonly names = new FunctionNames();
  private ranking: Ranking | null = null;
  private readonly labels: Labels;
  private measurements: Measured | null = null;
  /** Libraries of the profiled program, as the uploads of the files list them. */
  readonly libraries = new LibraryPaths();
  /** What the uploads of the files state beside samples. */
  readonly uploads: Uploads = new Map();
  private readonly libraryNames: LibraryNames;
  /** The current selection, shape and baseline, each of the contents at its time; "" where it is not known. */
  private chosen = { key: "", of: "" };
  private shaped = { key: WHOLE_KEY, of: "" };
  private base = { key: "", of: "", totals: { samples: 0, value: 0n } };
  /** Divides waits by their holders, where these are known; set with the inference of context. */
  divideWaits = () => {};
  /** Self time of all functions: samples without a stack have none. */
  readonly selfSum = (): bigint => selfSum(this.core);

  constructor(core: Instance) {
    this.core = core;
    this.labels = new Labels(core);
    this.libraryNames = new LibraryNames(core, this.libraries);
  }

  /** The core was emptied. */
  reset(): void {
    this.drop();
    this.libraries.reset();
    this.uploads.clear();
  }

  /** All that was made of the samples is made again when it is asked for; what files state beside them stays. */
  drop(): void {
    this.names.forget();
    this.labels.reset();
    this.ranking?.reset();
    this.measurements = null;
    this.forget();
  }

  // ---- the selection ----

  /**
   * Selects as `Core.select` does, without adding up. The current selection is not made again. For root frames of
   * holders, and filters by them, waits are divided by their holders.
   */
  choose(profile: number | null, filter: Filter, measure: number, { roots }: Pick<Shape, "roots"> = {}): void {
    const { wasm } = this.core;
    wasm.showRawNames(filter.rawNames === true);
    const isDivided = asksHolders(filter, roots) && hasParts(wasm, profile, filter, this.divideWaits);
    const key = `${isDivided} ${selectionKey(profile, filter, measure)}`;
    if (key === this.chosen.key && this.chosen.of === this.contents) return;
    // What may fail comes first: a selection that has begun must end.
    const work = newWork();
    const found = (filter.frames ?? []).map(({ pattern }) => this.matching(pattern, work));
    needCode(this.core, filter);
    this.chosen.key = "";
    if (profile === null) tellWorkEvents(this.core);
    wasm.selectBegin(profile ?? -1, measure > 0);
    if (isDivided) wasm.selectCopies();
    applyFilter(this.core, filter, found);
    wasm.selectEnd();
    this.chosen = { key, of: this.contents };
  }

  /** Changes with every selection. */
  get selectionStamp(): number {
    return this.core.wasm.selectionStamp.value;
  }

  /** Changes with the samples, and with the names of frames. */
  get contents(): string {
    return `${samplesStamp(this.core)} ${this.core.wasm.frameGeneration.value}`;
  }

  /** Totals of the current selection. */
  totals(): SelectionTotals {
    const { wasm } = this.core;
    return { samples: wasm.selectedSamples() >>> 0, value: wasm.selectedValue() };
  }

  /** What is current is made again when it is asked for next: samples or weights have changed. */
  forget(): void {
    this.chosen.key = "";
    this.base.key = "";
    if (this.shaped.key !== WHOLE_KEY) this.shaped.key = "";
  }

  private lendIds<T>(ids: ArrayLike<number>, call: (pointer: number) => T): T {
    return this.core.lend(new Uint8Array(Uint32Array.from(ids).buffer), call);
  }

  /** Ids of the function names that a pattern finds. */
  private matching(pattern: string, work?: Work): Uint32Array {
    return this.known().matching(pattern, work);
  }

  /** All names of functions. */
  private known(): FunctionNames {
    const { wasm, memory } = this.core;
    const n = wasm.functionNames();
    const ids = memory.u32s(wasm.functionNameRows(), n);
    this.names.refresh(wasm.frameGeneration.value, ids, (id) => this.core.frameName(id));
    return this.names;
  }

  /**
   * Every view looks at the call tree in this shape from now on; frames of before mean nothing any more. The current
   * shape is not made again; the tree of other frames begins as the whole one.
   */
  shape(wanted: Shape): void {
    if (this.hasShape(wanted)) return;
    this.make(wanted);
    this.shaped = { key: shapeKey(wanted), of: this.contents };
  }

  /** The call tree is in this shape. */
  hasShape(wanted: Shape): boolean {
    const { key, of } = this.shaped;
    return key === shapeKey(wanted) && (key === WHOLE_KEY || of === this.contents);
  }

  private make({ from, merged, recursion, lines, roots = [], runs = [], opened = [] }: Shape): void {
    const { wasm } = this.core;
    const work = newWork();
    const names = [...new Set(merged.flatMap((pattern) => [...this.matching(pattern, work)]))];
    const known = runs.map((rule) => ({ ...rule, ids: this.matching(rule.pattern, work) }));
    const rules = known.filter(({ ids }) => ids.length > 0);
    this.shaped.key = "";
    const start = from === "" ? 0 : this.nameId(from);
    for (const { name, border = false, whole = false, ids } of rules) {
      const label = this.labels.id(name);
      this.lendIds(ids, (p) => wasm.runRule(label, border, whole, p, ids.length));
    }
    for (const { rule, below } of opened) {
      const number = rules.findIndex(({ name }) => name === rule) + 1;
      if (number > 0) wasm.openRun(number, below === "" ? 0 : (this.labels.known(below) ?? this.nameId(below)));
    }
    const how = RECURSIONS[recursion];
    this.lendIds(names, (p) => wasm.shapeTree(start, p, names.length, how, lines));
    rootTree(this.core, roots, this.labels);
  }

  /** Shows names of symbols for locations that are known by their address, in place of earlier ones. */
  nameLocations(named: Iterable<NamedLocation>): void {
    late().nameLocations(this.core, named);
  }

  // ---- questions, all on the current selection ----

  /** Native libraries whose frames are known by their address only, whether they are named or not. */
  addressedLibraries(): AddressedLibrary[] {
    return late().addressedLibraries(this.core);
  }

  /** Samples of the selection with a frame of one of these libraries; asked after them. */
  addressedSamples(): bigint {
    return this.core.wasm.addressedSamples();
  }

  /** Whether any frame is known by its address. */
  hasAddressed(): boolean {
    return this.core.wasm.hasAddressed();
  }

  /** Runs `change`, which gives frames other names; the node that `node` is afterwards, 0 if it is not found. */
  nodeAfter(node: number, change: () => void): number {
    const { wasm } = this.core;
    wasm.keepNode(node);
    change();
    return wasm.keptNode();
  }

  /** Frames of at least half a pixel. */
  frames({ focus, width, past = 0 }: FramesRequest): FramesAnswer {
    return this.framesAt(this.core.wasm.visibleFrames(focus, width, past));
  }

  private framesAt(p: number): FramesAnswer {
    const answer = readFrames(this.core, p);
    const library = this.libraryNames.of(answer.frames.nameIds);
    if (library !== null) answer.frames.library = library;
    return answer;
  }

  /** Libraries of names, for frames that are no answer of these views; null if no name has one. */
  ofLibraries(names: readonly string[]): Uint8Array | null {
    return this.libraryNames.of(names.map((name) => this.nameId(name)));
  }

  private ranked(): Ranking {
    this.ranking ??= new (late().Ranking)(this.core);
    return this.ranking;
  }

  /** Rows [offset, offset + limit) of a ranking, heaviest first unless asked otherwise. */
  rank(by: RankBy, offset: number, limit: number, how: RankHow = {}): RankPage {
    return this.ranked().page(by, offset, limit, how, this.selectionStamp) as RankPage;
  }

  /** Rows of the ranking of an earlier selection, by its stamp; null if something else was ranked since. */
  rankOf(stamp: number, by: RankBy, offset: number, limit: number, how: RankHow): RankPage | null {
    return this.ranked().page(by, offset, limit, how, stamp);
  }

  /** Functions [offset, offset + limit) in an order. */
  top(order: TopOrder, offset: number, limit: number, how: TopHow & LastRows = {}): { count: number; rows: TopRow[] } {
    const { wasm, memory } = this.core;
    // The least come first in a table that is reversed.
    const last = how.reversed === true ? undefined : how.last;
    // Before the rows, because making the list of names may move them.
    const names = order === "name" || how.find !== undefined || last !== undefined ? this.known() : null;
    const all = wasm.topFunctions(order === "total");
    const at = wasm.topRows();
    const picked = names?.pick(memory.u32s(at, (all * TopRowAbi.BYTES) / U32), order === "name", how.find, last);
    const count = picked?.length ?? all;
    const rows: TopRow[] = [];
    for (let i = Math.max(0, offset); i < Math.min(count, offset + limit); i++) {
      const place = how.reversed === true ? count - 1 - i : i;
      const p = at + (picked?.[place] ?? place) * TopRowAbi.BYTES;
      rows.push({
        name: this.core.frameName(memory.u32(p + TopRowAbi.NAME)),
        ...this.inlined(memory.u32(p + TopRowAbi.NAME)),
        self: memory.i64(p + TopRowAbi.SELF),
        total: memory.i64(p + TopRowAbi.TOTAL),
      });
    }
    return { count, rows };
  }

  /** The functions of these names that have weight, in no order. */
  functions(names: readonly string[]): TopRow[] {
    const wanted = new Map(names.map((name) => [this.labels.known(name) ?? this.nameId(name), name]));
    const { wasm, memory } = this.core;
    const end = wasm.topFunctions(false) * TopRowAbi.BYTES;
    const at = wasm.topRows();
    const rows: TopRow[] = [];
    for (let p = at; p < at + end; p += TopRowAbi.BYTES) {
      const name = wanted.get(memory.u32(p + TopRowAbi.NAME));
      if (name !== undefined)
        rows.push({ name, self: memory.i64(p + TopRowAbi.SELF), total: memory.i64(p + TopRowAbi.TOTAL) });
    }
    return rows;
  }

  /**
   * Functions that `accepts` names, by the self value of their frames and of the frames whose nearest such caller they
   * are; native functions are not counted. `rest` is the value without such a function.
   */
  topNearest(accepts: Accepts, limit: number): { rows: TopRow[]; rest: bigint } {
    const { wasm, memory } = this.core;
    const names = this.known().accepted(accepts, (ids) => this.libraryNames.of(ids));
    const count = this.lendIds(names, (p) => wasm.topNearest(p, names.length));
    const at = wasm.topRows();
    const rows: TopRow[] = [];
    let rest = 0n;
    for (let i = 0; i < count; i++) {
      const p = at + i * TopRowAbi.BYTES;
      const name = memory.u32(p + TopRowAbi.NAME);
      const self = memory.i64(p + TopRowAbi.SELF);
      if (name === 0) rest += self;
      else if (rows.length < limit && self !== 0n)
        rows.push({ name: this.core.frameName(name), self, total: memory.i64(p + TopRowAbi.TOTAL) });
    }
    return { rows, rest };
  }

  /** The value in the stacks that each rule finds. Equal arrays of rules are to be the same array. */
  stackValues(rules: readonly StackRule[]): bigint[] {
    const { core } = this;
    return late().stackValues(core, this.known().classes(rules));
  }

  /** By pattern the names of functions that are in such files only; at most so many of each. */
  namesInFiles(patterns: readonly string[], most: number): string[][] {
    return late().namesInFiles(this.core, patterns, most);
  }

  /** Frames of at least half a pixel, regrouped. A function that the store does not know has no frames. */
  regroup({ grouping, path, width }: RegroupRequest): FramesAnswer {
    const { wasm } = this.core;
    const name = "name" in grouping ? this.nameId(grouping.name) : 0;
    const how = GROUPINGS[grouping.kind];
    const at = this.lendIds(path, (p) => wasm.regroupedFrames(how, name, p, path.length, width));
    return this.framesAt(at);
  }

  /** Makes the current selection the baseline of later ones; `squared`: `changed` has its sums of squares, too. */
  keepBaseline(squared = false): void {
    this.base.key = "";
    this.core.wasm.keepBaseline(squared);
  }

  /** Makes a selection in a shape the baseline, unless it is. Another one may be the current one afterwards. */
  compareWith({ profile, filter, measure }: Selection, shape: Shape, squared = false): SelectionTotals {
    const key = `${squared} ${selectionKey(profile, filter, measure)} ${shapeKey(shape)}`;
    if (key !== this.base.key || this.base.of !== this.contents) {
      this.choose(profile, filter, measure, shape);
      this.shape(shape);
      this.keepBaseline(squared);
      this.base = { key, of: this.contents, totals: this.totals() };
    }
    return this.base.totals;
  }

  /** The sum of the squared weights of the selected samples. */
  squares(): number {
    return this.core.wasm.selectedSquares();
  }

  /** Frames of the current selection and of the baseline. */
  diff({ focus, width, rest, normalised }: DiffRequest): DiffAnswer {
    return readDiff(this.core, this.framesAt(this.core.wasm.diffFrames(focus, width, rest, normalised)));
  }

  /** Functions [offset, offset + limit), those that differ most from the baseline first. */
  changed(rest: boolean, normalised: boolean, offset: number, limit: number, { last }: LastRows = {}): Changed {
    const names = last === undefined ? null : this.known();
    const count = this.core.wasm.changedFunctions(rest, normalised);
    return readChanged(this.core, count, offset, limit, (rows, nameOf) => names?.withLast(rows, nameOf, last) ?? rows);
  }

  private inlined(name: number): { inlined?: number } {
    const inlined = this.core.wasm.inlinedOf(name);
    return inlined === 0 ? {} : { inlined };
  }

  /** The frame name with this text, or one that no frame has. */
  private nameId(text: string): number {
    return this.core.lend(new TextEncoder().encode(text), (p, n) => this.core.wasm.findName(p, n) >>> 0);
  }

  /** File of a name's functions (`nameIds`), or where their classes are from (`isSource`); "" where it is not known. */
  fileOf(name: number, isSource = false): string {
    return this.core.string(this.core.wasm.fileOf(name, isSource) >>> 0);
  }

  /** File of a name (`nameIds`), and the first and last of the lines that were sampled; 0 where they are not known. */
  placeOf(name: number): NamePlace {
    const lines = BigInt.asUintN(64, this.core.wasm.linesOf(name));
    const { name: library = "", version = "" } = this.libraries.of(this.fileOf(name, true)) ?? {};
    return {
      ...{ file: this.fileOf(name), first: Number(lines >> 32n), last: Number(lines & 0xffff_ffffn) },
      ...(library !== "" && { library: `${library} ${version}`.trim() }),
    };
  }

  /** Children of a node of the call tree, heaviest first; truncated stacks are last. */
  children(node: number): TreeRow[] {
    const { wasm, memory } = this.core;
    const n = wasm.treeChildren(node);
    const at = wasm.treeChildRows();
    const rows = Array.from({ length: n }, (_, i): TreeRow => {
      const p = at + TreeRowAbi.BYTES * i;
      return {
        node: memory.u32(p + TreeRowAbi.NODE),
        name: this.core.frameName(memory.u32(p + TreeRowAbi.NAME)),
        frameType: memory.u32(p + TreeRowAbi.TYPE),
        ...this.inlined(memory.u32(p + TreeRowAbi.NAME)),
        children: memory.u32(p + TreeRowAbi.CHILDREN),
        total: memory.i64(p + TreeRowAbi.TOTAL),
        self: memory.i64(p + TreeRowAbi.SELF),
      };
    });
    return rows.sort((a, b) => Number(a.name === TRUNCATED) - Number(b.name === TRUNCATED));
  }

  /** Frames whose function a pattern finds, and root frames and runs whose name it finds. */
  search(pattern: string): SearchAnswer {
    const { wasm, memory } = this.core;
    const texts = this.labels.texts();
    const passes = foundBy(pattern, texts);
    const labels = texts.flatMap((text, i) => (passes[i] ? [this.labels.id(text)] : []));
    const found = [...this.matching(pattern), ...labels];
    const frames = this.lendIds(found, (p) => wasm.searchFrames(p, found.length));
    const at = wasm.searchRows();
    const nodes = Uint32Array.from({ length: Math.min(frames, MOST_MATCHES) }, (_, i) =>
      memory.u32(at + SearchRow.BYTES * i + SearchRow.NODE),
    );
    return { frames, value: wasm.searchValue(), nodes };
  }

  /** First and last moment of any sample; null if no sample has a time. */
  timeBounds(): TimeRange | null {
    return timeBounds(this.core);
  }

  /** The stretches of time that samples are shown in, one or more for each file. */
  timeRows(): TimeRow[] {
    return timeRows(this.core);
  }

  timeline(profile: number, bins: number, threads: readonly number[], range: ShownTime | null): Timeline {
    const { from, to } = range ?? this.timeBounds() ?? { from: 0n, to: 1n };
    const strips = this.strips(profile, { ...range, from, to }, bins, 0, threads);
    const { timelineBefore: before, timelineAfter: after } = this.core.wasm;
    return { from, to, bins, strips, before: before.value, after: after.value };
  }

  /**
   * Columns of as many seconds as fit `columns`. They count from the beginning of the row, so the first one may begin
   * before the range, and the last one end after it.
   */
  heat(profile: number, columns: number, range: ShownTime | null): HeatMap {
    const { from, to, zero = from } = range ?? { ...(this.timeBounds() ?? { from: 0n, to: 1n }) };
    const wanted = Math.max(1, Number((to - from + SECOND - 1n) / SECOND));
    const seconds = Math.ceil(wanted / Math.max(1, columns));
    const column = BigInt(seconds) * SECOND;
    const first = from - ((from > zero ? from - zero : 0n) % column);
    const shown = Math.max(1, Number((to - first + column - 1n) / column));
    const end = first + BigInt(shown) * column;
    const [cells] = this.strips(
      profile,
      { ...range, from: first, to: end },
      shown * TimelineAbi.HEAT_ROWS,
      seconds,
      [],
    );
    return { from: first, to: end, columns: shown, seconds, cells: cells! };
  }

  private strips(
    profile: number,
    { from, to, first = 0, last = ALL }: ShownTime,
    bins: number,
    seconds: number,
    threads: readonly number[],
  ): Strip[] {
    const { wasm, memory } = this.core;
    const at = this.lendIds(threads, (p) =>
      wasm.timelineBins(profile, from, to, bins, seconds, p, threads.length, first, last),
    );
    return Array.from({ length: threads.length + 1 }, (_, i) => {
      const strip = memory.u8s(at + TimelineAbi.BIN_BYTES * bins * i, TimelineAbi.BIN_BYTES * bins).buffer;
      const values = new Float64Array(strip);
      const counts = new Uint32Array(strip);
      // Plain loops: the page asks for each strip after every click.
      const value = (offset: number) => {
        const column = new Float64Array(bins);
        for (let bin = 0; bin < bins; bin++) column[bin] = values[(TimelineAbi.BIN_BYTES * bin + offset) / F64];
        return column;
      };
      const count = (offset: number) => {
        const column = new Uint32Array(bins);
        for (let bin = 0; bin < bins; bin++) column[bin] = counts[(TimelineAbi.BIN_BYTES * bin + offset) / U32];
        return column;
      };
      return {
        all: value(TimelineAbi.BIN_ALL),
        selected: value(TimelineAbi.BIN_SELECTED),
        samples: count(TimelineAbi.BIN_SAMPLES),
        selectedSamples: count(TimelineAbi.BIN_SELECTED_SAMPLES),
      };
    });
  }

  /** Measurements of the JVM in a part of a row. */
  series(row: TimeRow, shown: TimeRange, bins: number): SeriesLine[] {
    return late().linesIn(this.measured(), row.file, row, shown, bins);
  }

  /** Measurements that were only counted, because there were too many. */
  readonly measurementsBeyond = (): number => this.core.wasm.measurementsBeyond.value;

  readonly seriesSummary = (): SeriesSummary[] => late().seriesSummary(this.measured());

  /** Read once: they are the same for every selection. */
  measured(): Measured {
    this.measurements ??= late().readSeries(this.core);
    return this.measurements;
  }

  /** Pauses, gaps and losses. */
  marks(): Marks {
    return late().readMarks(this.core, this.timeBounds(), this.timeRows());
  }

  /** How the current selection lies to the collector's pauses. */
  pauseCover(marks: Marks): PauseCover {
    return late().pauseCover(this.core, marks);
  }

  /** Threads with samples of a profile among the observations of a file, the most active first. */
  threads(profile: number, { first = 0, last = ALL }: Partial<ShownTime> = {}): ThreadPage {
    const { wasm, memory } = this.core;
    const count = wasm.threadActivity(profile, first, last);
    const at = wasm.threadActivityRows();
    // A recording may have a million threads, which no user reads: so only the texts of the listed ones are made, and
    // only those are sorted.
    const values = Float64Array.from({ length: count }, (_, i) =>
      Number(memory.i64(at + TimelineAbi.ACTIVITY_BYTES * i + TimelineAbi.ACTIVITY_ALL)),
    );
    const least = values.slice().sort()[Math.max(0, count - MOST_THREADS)] ?? 0;
    const order = Array.from(values.keys())
      .filter((i) => values[i]! >= least)
      .sort((a, b) => values[b]! - values[a]!);
    const text = (attribute: number) => (attribute === 0 ? "" : this.core.label(attribute));
    const rows = order.slice(0, MOST_THREADS).map((i): ThreadRow => {
      const p = at + TimelineAbi.ACTIVITY_BYTES * i;
      return {
        thread: memory.u32(p + TimelineAbi.ACTIVITY_THREAD),
        name: text(memory.u32(p + TimelineAbi.ACTIVITY_NAME)),
        id: text(memory.u32(p + TimelineAbi.ACTIVITY_ID)),
        samples: memory.u32(p + TimelineAbi.ACTIVITY_SAMPLES),
        all: memory.i64(p + TimelineAbi.ACTIVITY_ALL),
        selected: memory.i64(p + TimelineAbi.ACTIVITY_SELECTED),
        first: memory.u64(p + TimelineAbi.ACTIVITY_FIRST),
      };
    });
    return { count, rows };
  }
}
