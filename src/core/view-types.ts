/** Types of requests and answers of the analysis views. */
import type { StandingOut } from "./standing-out.ts";
import type { FramesAnswer, FramesRequest, SelectionTotals, TimeRange, TopRow } from "./types.ts";

export type { OpenRun, Recursion, RootLevel, RunRule, Shape } from "./shape.ts";

/**
 * How the frames of a selection are regrouped: from the tops of the stacks to their callers, or from one function to
 * its callers or to its callees.
 */
export type Grouping =
  | { kind: "callers" }
  | { kind: "callers-of"; name: string }
  | { kind: "callees-of"; name: string };

export interface RegroupRequest extends Omit<FramesRequest, "focus"> {
  grouping: Grouping;
  /** Names (`nameIds`) from the topmost frame down to the one zoomed to, the topmost one left out. */
  path: number[];
}

export interface DiffRequest extends FramesRequest {
  /** The baseline is reduced by the selection, which is a part of it. */
  rest: boolean;
  /** By shares, so that two selections of different size compare; else by values. */
  normalised: boolean;
}

/** Frames of two selections, each as wide as both together; the columns are by row. */
export interface DiffAnswer {
  /** Frames of both selections; their widths are the sum of both. */
  frames: FramesAnswer;
  /** Value of each frame with its callees in the selection. */
  total: Float64Array;
  /** Value of each frame itself in the selection. */
  self: Float64Array;
  /** `total` in the baseline. */
  baseTotal: Float64Array;
  /** `self` in the baseline. */
  baseSelf: Float64Array;
  /** Names of frames in the baseline by row, where a compiler gave the same code another number in its files. */
  baseNames: ReadonlyMap<number, string>;
}

/** Weight of a function in a selection and in its baseline. */
export interface ChangedRow {
  name: string;
  /** The name in the baseline, where a compiler gave the same code another number in its files. */
  baseName?: string;
  self: bigint;
  total: bigint;
  baseSelf: bigint;
  baseTotal: bigint;
  /** Sums of the squared weights of the same observations; 0 unless the baseline was kept with them. */
  squares: { self: number; total: number; baseSelf: number; baseTotal: number };
}

/** Functions whose weight differs between two selections; the largest difference is first. */
export interface Changed {
  count: number;
  rows: ChangedRow[];
  /** Sums of the squared weights of both selections as a whole; 0 unless the baseline was kept with them. */
  squares: number;
  baseSquares: number;
}

/** One row of a call tree that opens node by node. */
export interface TreeRow {
  /** Number of the node: the argument of `children` and the `focus` of `flame`. */
  node: number;
  name: string;
  /** Index into `FRAME_TYPES`, 0 for an unknown type. */
  frameType: number;
  /** 1 if its function was inlined at some addresses, 2 at all. */
  inlined?: number;
  /** Number of its children. */
  children: number;
  /** Value of the node with its callees. */
  total: bigint;
  /** Value of the node itself. */
  self: bigint;
}

/** Frames of the call tree whose function a pattern finds. */
export interface SearchAnswer {
  /** Frames that match. */
  frames: number;
  /** Weight of the stacks through any of them, in the profile's unit; nested matches count once. */
  value: bigint;
  /** The heaviest of them, heaviest first: nodes of the call tree. */
  nodes: Uint32Array;
}

/**
 * Stacks with a function that matches a pattern: anywhere, at the leaf, or outermost; but without a function that
 * matches `unless`. Patterns are those of a frame filter.
 */
export interface StackRule {
  any?: string;
  leaf?: string;
  outermost?: string;
  unless?: string;
}

/** By self value or by total, largest first; by name from A on. */
export type TopOrder = "self" | "total" | "name";

/** Order and choice of the rows of a top table. */
export interface TopHow {
  /** Its last row first. */
  reversed?: boolean;
  /** Pattern of the functions that are rows; without it all of them. */
  find?: string;
}

/** Rows behind all others. */
export interface LastRows {
  /** Pattern of their functions. */
  last?: string;
}

/**
 * Bins of time: the weight of all samples of a profile in them, the weight of the selected samples, and their number.
 */
export interface Strip {
  /** Weight of all samples of the profile in each bin. */
  all: Float64Array;
  /** Weight of the selected samples. */
  selected: Float64Array;
  /** Number of observations of the profile in each bin. */
  samples: Uint32Array;
  /** Number of selected observations. */
  selectedSamples: Uint32Array;
}

/** A part of a row of time (time-rows.ts): the range between the ends of an axis. */
export interface ShownTime extends TimeRange {
  /** The observations of the row's file, [first, last); without them those of all files. */
  first?: number;
  last?: number;
  /** The beginning of the row. */
  zero?: bigint;
}

/** When the samples of a profile were taken: equal bins from `from` on and before `to`. */
export interface Timeline {
  /** Begin of the first bin, in nanoseconds since 1970. */
  from: bigint;
  /** End of the last bin. */
  to: bigint;
  /** Number of bins. */
  bins: number;
  /** Samples of the profile before `from`, and from `to` on. */
  before: number;
  after: number;
  /** Strip 0 is of all threads, each further strip of a requested thread. */
  strips: Strip[];
}

/** Samples by their position within a second: each column covers one or more seconds and has 50 cells of 20 ms. */
export interface HeatMap {
  /** Begin of the first column, in nanoseconds since 1970. */
  from: bigint;
  /** End of the last column, which can be later than the last sample. */
  to: bigint;
  /** Number of columns, each with 50 cells. */
  columns: number;
  /** Number of seconds in a column. A cell adds up the same 20 ms of each. */
  seconds: number;
  /** The cells, column by column. */
  cells: Strip;
}

/** A stretch in which no sample of any profile was taken. */
export interface Gap {
  /** Nanoseconds after the first sample. */
  at: number;
  /** Length in nanoseconds. */
  nanos: number;
  /** The recorder ran: the file has chunks that cover it. */
  recorded: boolean;
  file: string;
}

/** Marks on the timeline: pauses, losses and gaps. Times are in nanoseconds after `start`, the first sample. */
export interface Marks {
  start: bigint;
  /** Pauses of the collector, in the order of time; `text` points into `texts`: the cause, or the pause's name. */
  pauses: { at: Float64Array; nanos: Float64Array; text: Uint32Array; file: Uint32Array };
  texts: string[];
  /** Names of files; `file` of a pause is an index into this list. */
  files: string[];
  /** Events of the collector and of losses that were only counted, because there were too many. */
  beyond: number;
  /** Data that the recorder reports as lost (jdk.DataLoss). */
  lost: { times: number; bytes: number };
  gaps: Gap[];
}

/** Samples of a profile by thread, those of a thread in the order of time. */
export interface OrderedSamples {
  /** The earliest moment in ns since 1970; 0n if there is none. */
  origin: bigint;
  /** Samples of the selection: the columns may have fewer. */
  count: number;
  /** Those among them whose time is known. */
  timed: number;
  /** Ns since the origin. */
  at: Float64Array;
  /** Ns that the sample covers, 0 if that is unknown. */
  nanos: Float64Array;
  /** The rule that inferred the sample's context (assembly/abi/context-rule.ts), 0 for recorded context. */
  rule: Uint8Array;
  /** Index in `threads`. */
  thread: Uint32Array;
  /** Names of threads; "" where it is unknown. */
  threads: string[];
  /** Their rows of the store. */
  threadRows: number[];
  /** Stack s has the frames `items[offsets[s]]` to `items[offsets[s + 1] - 1]`, outermost first. */
  stack: Uint32Array;
  offsets: Uint32Array;
  /** Indexes in `names` and `types`. */
  items: Uint32Array;
  names: string[];
  /** Numbers of frame types. */
  types: Uint8Array;
  /** As in `FrameColumns`. */
  library?: Uint8Array;
  /** Safepoints and VM operations of the recordings, ns since the origin. */
  stops: { at: Float64Array; nanos: Float64Array };
}

/** A share is between 0 and 1. */
export type SeriesUnit = "share" | "bytes" | "bytes/s" | "count" | "nanoseconds";

/** Measurements of the JVM over the displayed time. */
export interface SeriesLine {
  id: string;
  unit: SeriesUnit;
  /** Least and greatest value of each bin; NaN if the bin is empty. */
  low: Float64Array;
  high: Float64Array;
  /** Over the whole row of time. */
  least: number;
  most: number;
  count: number;
}

/** Summary of a series of measurements in a file. */
export interface SeriesSummary {
  file: string;
  series: string;
  unit: SeriesUnit;
  /** Number of measurements. */
  values: number;
  least: number;
  most: number;
}

/** Overlap of a selection with the pauses of the garbage collector. */
export interface PauseCover {
  /** First and last time of its samples; null if no sample has a time. */
  time: TimeRange | null;
  /** Number of its samples that were taken during a pause. */
  samples: number;
  /** Number of pauses between its first and last sample. */
  pauses: number;
  /** Sum of the lengths of these pauses within `time`, in nanoseconds. */
  nanos: number;
}

/** The threads with the highest values in a profile. */
export interface ThreadPage {
  /** Number of all threads. */
  count: number;
  rows: ThreadRow[];
}

/** A thread with samples of the profile. */
export interface ThreadRow {
  /** Row of the core's table: the handle for a strip. */
  thread: number;
  name: string;
  /** Decimal, empty if the recording does not have it. */
  id: string;
  /** Number of observations of the profile. */
  samples: number;
  /** Value of the profile in the thread. */
  all: bigint;
  /** Value of the selected samples in the thread. */
  selected: bigint;
  /** Time of its first sample in the profile. */
  first: bigint;
}

/** Summary of a selection. */
export interface Why {
  /** The selection has no filter: it is the whole profile. */
  everything: boolean;
  totals: SelectionTotals;
  /** Of the recorder; null if their number is unknown. */
  observations: number | null;
  /** Totals of the same filter in each profile that has matching samples, in its first measure. */
  split: { profile: number; totals: SelectionTotals }[];
  /** Functions by self value. */
  top: TopRow[];
  /** `samples`: observations where their number is known. */
  threads: { name: string; samples: number }[];
  /** Number of all threads. */
  threadCount: number;
  /** Thread states under the same filter, of the profiles whose samples have a state. */
  states: { profile: number; state: string; value: bigint; of: bigint }[];
  /**
   * `samples` is about the profile. The other members are about the filter over all profiles, so they are the same for
   * each profile. Without a filter, the pauses are those of the timeline.
   */
  pauses: PauseCover;
  /** The recordings contain pauses of the garbage collector. */
  pausesKnown: boolean;
  /** Stretches without any sample between the selection's first and last one. */
  gaps: { count: number; nanos: number };
  standingOut: StandingOut[];
  /** Of profiles whose recorder leaves out events: how many there were a second, by an event that counts them all. */
  rates?: { profile: number; event: string; count: number; perSecond: number }[];
}

/** Keys of attributes that name an endpoint or an operation; the first one that is carried counts. */
export interface OutlineKeys {
  endpoint: readonly string[];
  operation: readonly string[];
}

/** Totals of a filter over all profiles. */
export interface Outline {
  /**
   * Profiles that have samples under the filter, each by its first measure. `inferred`: samples whose context is
   * inferred; absent unless context is.
   */
  split: { profile: number; totals: SelectionTotals; inferred?: number }[];
  /** First and last sample of any profile, or what recordings state of one id; null for many, or without times. */
  time: TimeRange | null;
  /** Local roots or traces, and the median of their extents by all of their samples; null for fewer than two roots. */
  roots: number;
  medianNanos: bigint | null;
  spans: number;
  /** The busiest threads by name, and the number of names. */
  threads: string[];
  threadCount: number;
  /** Of the threads that the filter has by their number, where the recording has one: their names. */
  threadNames: ReadonlyMap<string, string>;
  /** The most frequent ones; "" where no sample carries any. */
  endpoint: string;
  operation: string;
  /**
   * What a trace file states of the spans or local roots of the filter; absent where it does not know them. `name`: of
   * the first of them; `start`: the first start, ns since 1970 on the clock of the trace; `duration`: ns from it to the
   * last end; `spans`: how many they are, with those below them; `are`: all local roots of a trace, spans below the
   * first with it, or others.
   */
  stated?: { name: string; start: bigint; duration: bigint; spans: number; are: "trace" | "below" | "some" };
}

/** An id that no sample carries. */
export interface UncarriedId {
  /** What is known of it, or of ids like it. */
  lines: string[];
  /** The trace that has it, 32 hex digits; null if nothing knows it. */
  trace: string | null;
}

/** An id that samples carry. */
export interface CarriedId {
  kind: "local-root" | "span";
  id: bigint;
  /** All local roots or spans of the trace; `id` is the first. */
  ids: bigint[];
  /** The trace of the files or of the recorded spans, 32 hex digits; null if they do not know it. */
  trace: string | null;
  /** The candidate that led to it: `id`, or a span of this root. */
  asked: bigint;
  /** Ids of the profiles that have samples of it. */
  profiles: number[];
}

/** A value of an attribute, with its samples in all profiles. */
export interface SuggestedValue {
  key: string;
  value: string;
  samples: number;
}

/** A local root with its samples in all profiles, and its endpoint. */
export interface SuggestedRoot {
  id: bigint;
  samples: number;
  about: string;
}

/** Matches in a recording for the text of the search box. */
export interface Suggestions {
  values: SuggestedValue[];
  roots: SuggestedRoot[];
}

/** Source of the functions of a name, as far as the recording has it. */
export interface NamePlace {
  /** "" if it is unknown. */
  file: string;
  /** Of the sampled lines; 0 if no line is known. */
  first: number;
  last: number;
  /** Name and version of the library that an upload lists for the file. */
  library?: string;
}
