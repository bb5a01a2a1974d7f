/**
 * Types of requests about traces. Times are ns as numbers from the start of their trace, whose own start is exact. A
 * span is known by its place, as long as the recording is open, and by trace and id in links.
 */
import type { SpanAttribute } from "../../core/samples/span-attributes.ts";
import type { SpanTimeAnswer } from "../../model/span-time/span-time.ts";
import type { PauseBands, Strips } from "../../model/span-time/strips.ts";
import type { Reason } from "../../model/trace/reasons.ts";

/** What is known of the spans once the files are read. */
export interface TracesOverview {
  /** Trace files; none if the spans are those that recordings know. */
  files: { name: string; format: string | null; spans: number }[];
  spans: number;
  traces: number;
}

/** A row of the list of traces. */
export interface TraceRow<Id = string> {
  /** 32 hex digits; in the library a bigint, as in links. */
  trace: Id;
  /** Of its first root. */
  name: string;
  service: string;
  resource: string;
  /** Ns since 1970, on the clock of the trace. */
  start: bigint;
  /** From its first start to its last end, ns. */
  duration: number;
  spans: number;
  errors: number;
  /** With the id of one of its spans, over all profiles. */
  samples: number;
}

/** Rows of the list of traces. */
export interface TracePage<Id = string> {
  count: number;
  offset: number;
  rows: TraceRow<Id>[];
}

/** Samples of spans in a profile, by place. */
export interface SpanSamples {
  type: string;
  /** A sample has a value in each of such profiles, as those of pprof have. */
  shares: boolean;
  samples: Float64Array;
  /** Those whose context is inferred. */
  inferred: Float64Array;
  value: Float64Array;
}

/** The spans of a trace, a parent before its children; a subtree is one stretch of `size` places. */
export interface TraceSpans<Id = string> extends TraceRow<Id> {
  /** Place of the parent, −1 for roots. */
  up: Int32Array;
  depth: Uint32Array;
  size: Uint32Array;
  /** 1 where the parent is missing. */
  orphan: Uint8Array;
  from: Float64Array;
  length: Float64Array;
  self: Float64Array;
  critical: Float64Array;
  id: BigUint64Array;
  /** Indexes in `texts`. */
  nameOf: Uint32Array;
  serviceOf: Uint32Array;
  resourceOf: Uint32Array;
  kindOf: Uint32Array;
  texts: string[];
  /** 0 unset, 1 ok, 2 error. */
  status: Uint8Array;
  /** Index in `reasons` plus 1, 0 for a span with samples. */
  reason: Uint8Array;
  reasons: Reason[];
  /** Ns of the self time of spans without samples within pauses, as far as no reason explains them. */
  paused: Float64Array;
  /** Ns: the shortest period of the profiles with span ids, and of the wall profiles among them; 0 if none. */
  periods: { all: number; wall: number };
  profiles: SpanSamples[];
  /** To be added to a time of the trace for one of the first recording that has evidence; null without evidence. */
  offset: number | null;
  /** The traces state other instances of the service than the recordings, although ids agree. */
  isOthers: boolean;
  /** No recording has samples: those of the profile are the spans. */
  isAlone: boolean;
}

/** Where the time of a span went. `breakdown` adds up to `duration`. */
export interface SpanTime
  extends Pick<
    SpanTimeAnswer,
    "samples" | "inferredSamples" | "breakdown" | "opens" | "pause" | "states" | "others" | "inferredBy"
  > {
  /** The span is the local root of its samples. */
  isRoot: boolean;
  /** Ns. */
  duration: number;
  /** Says how long the span was: a trace, or the samples that carry its id. */
  from: "trace" | "samples";
}

/** The samples of the spans of a trace as marks for their bars; places are those in the trace. */
export interface TraceStrips extends Strips {
  pauses: PauseBands;
  /** The recording of each span, by place; −1 for none. */
  file: Int32Array;
  /** Stretches of the critical path. */
  path: { place: Uint32Array; from: Float64Array; to: Float64Array };
}

export interface SpanDetail {
  id: bigint;
  name: string;
  service: string;
  resource: string;
  kind: string;
  thread: string;
  instance: string;
  attributes: SpanAttribute[];
}
