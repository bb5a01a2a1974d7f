/** What the analysis views ask of the core, and what it answers. */
import type { FramesAnswer, FramesRequest } from "./types.ts";

/**
 * How the frames of a selection are grouped anew: from the tops of the stacks to their callers, from one function to its
 * callers or to what it calls, or as they are but for direct recursion, which becomes one frame.
 */
export type Grouping =
  | { kind: "callers" }
  | { kind: "callers-of"; name: string }
  | { kind: "callees-of"; name: string }
  | { kind: "collapsed" };

export interface RegroupRequest extends Omit<FramesRequest, "focus"> {
  grouping: Grouping;
  /** Names (`nameIds`) from the topmost frame down to the one zoomed to, the topmost one left out. */
  path: number[];
}

export interface DiffRequest extends FramesRequest {
  /** The baseline is what it has beside the selection, which is a part of it. */
  rest: boolean;
  /** By shares, so that two selections of different size compare; else by values. */
  normalised: boolean;
}

/** Frames of two selections, each as wide as both together; the columns are by row. */
export interface DiffAnswer {
  frames: FramesAnswer;
  total: Float64Array;
  self: Float64Array;
  baseTotal: Float64Array;
  baseSelf: Float64Array;
}

/** What a function weighs in a selection and in its baseline. */
export interface ChangedRow {
  name: string;
  self: bigint;
  total: bigint;
  baseSelf: bigint;
  baseTotal: bigint;
}

/** One row of a call tree that opens node by node. */
export interface TreeRow {
  node: number;
  name: string;
  /** Index into FRAME_TYPES. */
  frameType: number;
  children: number;
  total: bigint;
  self: bigint;
}

export interface SearchAnswer {
  /** Frames that match. */
  frames: number;
  /** What goes through any of them, in the profile's unit; nested ones do not count twice. */
  value: bigint;
  /** The heaviest of them, heaviest first: nodes of the call tree. */
  nodes: Uint32Array;
}

export type TopOrder = "self" | "total";

/** When the samples of a profile were taken: equal bins from `from` on and before `to`. */
export interface Timeline {
  from: bigint;
  to: bigint;
  bins: number;
  /** Strip 0 has everything, each further one a thread asked for: all samples, and the selected ones, by bin. */
  strips: { all: Float64Array; selected: Float64Array }[];
}

/** The threads with most of a profile, and how many there are in all. */
export interface ThreadPage {
  count: number;
  rows: ThreadRow[];
}

/** A thread with samples of the profile. */
export interface ThreadRow {
  /** Row of the core's table: the handle for a strip. */
  thread: number;
  name: string;
  /** Decimal, empty where the recording gives none. */
  id: string;
  samples: number;
  all: bigint;
  selected: bigint;
}
