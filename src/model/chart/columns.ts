/**
 * Durations for the flame chart (x = time) as columns: frames of a call as they were entered, spans of a trace, or
 * stacks as they were sampled. A source fills them; the chart knows no source.
 *
 *   lane    a band of rows with a title: a thread, the spans of a trace, pauses of the garbage collector
 *   row     one depth of a lane; the first row of a lane is depth 0
 *   box     one duration in a row: a frame, a span, or the samples of a frame that follow each other without a gap
 *   pause   time in which the process made no progress; drawn over the boxes of the lanes that it stopped
 *
 * Boxes are listed lane by lane, and in a lane in the order of entering: each box is followed by the boxes below it.
 * So the tree needs no column: the parent of a box is the last box before it in its lane that is one level higher.
 *
 *   calls     one lane without a title; boxes are the frames, ids their places in the list of frames
 *   samples   one lane for each thread. A box lasts as many sampling intervals as its frame is in consecutive samples;
 *             time without a sample stays empty. `self` are the intervals in which the frame is on top
 *   states    a lane of one row above the samples of a thread: what it did, by samples and events
 *   spans     lanes above the threads; depth is that of the tree. Siblings that overlap are in different lanes, because
 *             of boxes that overlap in a row only the later one can be pointed at
 *   pauses    a lane of one row, and the same times in `pauses` for the threads that they stopped
 */
export interface ChartColumns {
  /** Ns since 1970 at which the chart begins; 0n if the clock is unknown. */
  origin: bigint;
  /** Length of the chart in ns. Moments are ns since the origin, which a float holds exactly for 104 days. */
  span: number;
  /** Step of the clock in ns: 10⁶ where times are whole milliseconds. */
  step: number;
  lanes: ChartLane[];
  lane: Uint16Array;
  /** Level in the lane, from 0 on; at most one more than that of the box before it. */
  depth: Uint32Array;
  /** Ns since the origin. */
  start: Float64Array;
  /** Ns; 0 for what was shorter than the clock's step. */
  duration: Float64Array;
  /** Ns outside of the boxes below it. */
  self: Float64Array;
  /** Ns of self in pauses. */
  suspended: Float64Array;
  /** Place of its name in `names`. */
  name: Uint32Array;
  names: string[];
  /** By index of `names`: 1 for functions of libraries, where a list of them is known. */
  library?: Uint8Array;
  /** Frame type by its number (flame/frame-types.ts), which decides the colour together with the name. */
  frameType: Uint8Array;
  /** The source's number of the box, for its detail: row of the frame, or place of the span in its trace. */
  id: Uint32Array;
  /** The rule that inferred the context of its samples (assembly/abi/context-rule.ts), or 0; null if all are 0. */
  rule: Uint8Array | null;
  /** Part of the time that the box is of, as its index in BREAKDOWN plus 1; 0 for a frame. Not there without states. */
  part?: Uint8Array;
  /** Pauses in the order of time, apart from each other: beginnings and ends, ns since the origin. */
  pauses: { from: Float64Array; to: Float64Array };
}

export interface ChartLane {
  /** "" for the only lane of a chart, which needs no title. */
  title: string;
  /** The lane above has the same title. */
  isBelow?: true;
  /** Pauses stop this lane, so they are drawn over its boxes. */
  stopped: boolean;
  /** What its boxes are, if not frames. The legend of frames does not count them. */
  beside?: "spans" | "pauses" | "states";
}

/** A part of the chart's time, ns since the origin. */
export interface ChartWindow {
  from: number;
  to: number;
}
