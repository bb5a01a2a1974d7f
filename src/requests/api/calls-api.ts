/**
 * Types of requests about the calls of dumps. Times are in ms, those since 1970 too: dumps have no finer ones. A call
 * is known by its number, from 1, as long as the recording is open, and by its id in links.
 */
import type { CallTreeState } from "../../core/dumps/call-columns.ts";
import type { RunInfo } from "../../core/dumps/dump.ts";
import type { FramePath } from "../../core/dumps/dump-tally.ts";
import type { CallPart, Filter, TimeRange } from "../../core/types.ts";
import type { FrameParams } from "../../model/calls/params/params.ts";
import type { CallFrameColumns } from "../../model/chart/call-columns.ts";
import type { CallSort } from "../../model/query/query.ts";

/** What is known of the calls once the dumps are read. */
export interface CallsOverview {
  count: number;
  recorded: number;
  /** Frames of all calls. */
  frames: number;
  runs: (RunInfo & { calls: number })[];
  /** First start and last end; null without calls. */
  from: number | null;
  to: number | null;
  /** The longest duration. */
  longest: number;
  /** The selection to begin with: empty for all calls, or the slowest if all would take long. */
  start: CallPart[];
}

/** Calls in an order. */
export interface CallQuestion {
  /** Conditions; those of ids and the slowest select among the calls listed, so that they are not asked here. */
  parts: readonly CallPart[];
  /** Names of threads, one of which a call has to be of; empty for all. */
  threads: readonly string[];
  /** Start in [from, to), ns since 1970. */
  time: TimeRange | null;
  sort: CallSort;
  /**
   * The last row first; without it, figures and starts are descending and texts ascending. Calls without the figure are
   * last in any case.
   */
  reversed: boolean;
}

/** A row of the list. Null is not recorded. */
export interface CallRow {
  number: number;
  id: string;
  run: string;
  recorded: boolean;
  tree: CallTreeState;
  start: number;
  duration: number;
  net: number;
  suspension: number;
  cpu: number | null;
  wait: number | null;
  queue: number | null;
  transactions: number | null;
  /** Bytes. */
  memory: number | null;
  /** Bytes read and written, of files and the network. */
  io: number | null;
  /** Frames, with the root. */
  frames: number;
  /** The title that the agent gave it, which may contain markup. */
  title: string | null;
  /** `package.Class.method`. */
  name: string;
  thread: string;
  /** The agent marked it as failed. */
  red: boolean;
}

/** Rows [offset, offset + limit) of the list. */
export interface CallPage {
  /** Calls in all, with their sums in ms. */
  count: number;
  duration: number;
  suspension: number;
  offset: number;
  rows: CallRow[];
}

/** All fields of a call. */
export interface CallDetail extends CallRow {
  server: string;
  /** Text of the dictionary: `void a.B.run(int) (B.java:12) [b.jar]`. */
  method: string;
  threadId: bigint | null;
  /** Wall time of its tree; null without one. */
  treeWall: number | null;
  /** Time beyond its tree: work in other threads. */
  reactive: number;
  fileRead: number | null;
  fileWritten: number | null;
  netRead: number | null;
  netWritten: number | null;
  logsGenerated: number | null;
  logsWritten: number | null;
  /** Values by name, each cut at CROSSING_CAP. */
  params: { name: string; values: string[] }[];
  traceId: string | null;
  spanId: string | null;
}

/** The frames of a call; row 0 is the root. */
export interface CallFrames extends CallFrameColumns {
  call: number;
  methods: FrameMethod[];
  tags: FrameTags;
}

/** A method of frames. Both are `[reactive]` for time that the call reports beyond its tree. */
export interface FrameMethod {
  /** `package.Class.method`. */
  name: string;
  /** Text of the dictionary. */
  text: string;
}

/** Parameters of frames, in the order in which they were recorded. */
export interface FrameTags {
  /** Row of the frame; ascending. */
  frame: Uint32Array;
  /** Index in `names`. */
  name: Uint32Array;
  names: string[];
  /** Index in `values`. */
  value: Uint32Array;
  /** Different values, each cut at CROSSING_CAP: `frameValue` has the whole. */
  values: string[];
}

/** Frames of the calls of a filter: those of a path of functions, or of one function; null: all. */
export interface FramesOfCalls {
  filter: Filter;
  frames: FramePath | null;
}

export interface FrameParamsAnswer extends FrameParams {
  /** Selected calls. */
  calls: number;
  /** Texts of the dictionaries for the function: its overloads. */
  methods: string[];
}

/** Starts in [from, to), ms since 1970, in a grid. */
export interface DensityQuestion {
  /** The selected calls. */
  filter: Filter;
  from: number;
  to: number;
  columns: number;
  rows: number;
}

/** Cells by row · columns + column; rows are durations on a logarithmic scale (model/calls/density.ts). */
export interface CallDensity {
  from: number;
  to: number;
  columns: number;
  rows: number;
  /** The longest of all calls, ms. */
  longest: number;
  /** Numbers of calls: all, those selected, and those of them that the agent marked as failed. */
  all: Uint32Array;
  selected: Uint32Array;
  red: Uint32Array;
  calls: number;
  selectedCalls: number;
  redCalls: number;
  /** Share of each column that a JVM was paused: the longest of the runs. */
  paused: Float64Array;
  pausedMs: number;
}

/** Selected calls with their sums, ms. */
export interface SelectedCalls {
  count: number;
  duration: number;
  suspension: number;
  /** The slowest, in their order. */
  rows: CallDetail[];
}

/** Selected calls of one method, ms. */
export interface CallKind {
  /** `package.Class.method`. */
  name: string;
  count: number;
  duration: number;
  longest: number;
}

/** How far the reading of frames is. */
export interface FramesProgress {
  /** Bytes of the traces, as they are in the files. */
  bytes: number;
  total: number;
  /** Calls whose frames are read. */
  calls: number;
}
