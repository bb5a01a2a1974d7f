/**
 * Types of the core's requests and answers: plain records and typed arrays, the same in the browser and in Node. Times
 * are nanoseconds since the Unix epoch, 64-bit quantities are bigint, values on screen are f64 (exact below 2^53).
 */

import type { Severity } from "./diagnostics/wording.ts";
import type { FileFormat } from "./inputs/formats.ts";
import type { RootLevel, Shape } from "./shape.ts";

export type { RankBy, RankFind, RankHow, RankPage, RankRow, RankSort, Requests } from "./rank-types.ts";

export type { FileFormat, Severity };

/** A problem of an input, and its handling. */
export interface Diagnostic {
  /** Stable name, e.g. `jfr.chunk.truncated`. */
  code: string;
  severity: Severity;
  /** Format, fact, value and offset, in one sentence. */
  message: string;
  file: string;
  /** Index of the chunk in its file; null if the problem is of a message or of the whole file. */
  chunk: number | null;
  /** Byte offset in the (decompressed) file, null if it is unknown. */
  offset: number | null;
  /** Dumps only: the stream that the file is of, e.g. `calls`. */
  stream?: string;
}

/** Facts of a chunk, from its header and its events. Event counts exclude metadata and checkpoints. */
export interface ChunkSummary {
  /** Version of the format: `2.1`. */
  version: string;
  /** Bytes of the chunk that the file has. */
  bytes: number;
  /** Size by its header, where the file has fewer bytes. */
  headerBytes?: number;
  /** Begin of the chunk by its header, in nanoseconds since 1970. */
  startUnixNano: bigint;
  durationNano: bigint;
  /** Of a copy that is not equal to what counts, none. */
  events: Record<string, number>;
  /** It counts elsewhere, in this file or another one. */
  copy?: true;
}

/** One message of OTLP profiles, or one pprof profile. */
export interface MessageSummary {
  bytes: number;
  /** Number of samples in the message. */
  samples: number;
  /** Begin of its first profile, in nanoseconds since 1970; 0n if it states none. */
  startUnixNano: bigint;
  /** From there to the end of its last profile; 0n if it states none. */
  durationNano: bigint;
}

/** A file that was read: an input, or a member of an archive. */
export interface FileSummary {
  name: string;
  /** Size after decompression. */
  bytes: number;
  format: FileFormat;
  /** Chunks of a JFR recording. */
  chunks: ChunkSummary[];
  /** Messages of other formats. */
  messages: MessageSummary[];
  /** Observations: samples before aggregation. */
  samples: number;
  /**
   * Attributes of the process, from the recording, as OTLP resource attributes. They never include arguments, system
   * properties or environment variables.
   */
  resource: Record<string, string>;
  /** Counters that the profiler recorded about itself, by name; those that are 0 are left out. */
  counters?: Record<string, number>;
}

/** A measure of a profile's samples: its name for `--value`, and its names in OTLP. */
export interface Measure {
  name: string;
  type: string;
  /** `samples`, `nanoseconds`, `bytes`, `count` or the unit of the message. */
  unit: string;
  /** Sum over all samples. */
  value: bigint;
}

/** A recorder's setting for an event, e.g. jdk.JavaMonitorEnter · threshold · 10 ms. */
export interface Setting {
  /** Empty if the recording does not state the setting's event. */
  event: string;
  name: string;
  value: string;
}

/** An event type of the recordings, as far as a profile can be made of it. */
export interface EventType {
  event: string;
  /** Number of events. */
  count: number;
  /** The event has a stack trace. */
  stack: boolean;
  /** Its field `spanId` is `@Contextual`: the event states the span that its thread works for. */
  contextual: boolean;
  /** Its `@Contextual` fields: attributes of all events inside it, where context is inferred. */
  contextFields: string[];
  /** Its numeric fields. */
  fields: string[];
}

/** How an event outside of the catalogue becomes a profile. */
export interface EventMapping {
  /** Type of the profile; by default the name of the event, followed by `.` and the field if there is a value. */
  type?: string;
  /** Numeric field whose sum is the value; without it events are counted. */
  value?: string;
  /**
   * Unit of a value whose field has no annotation that states it: `nanoseconds`, `microseconds`, `milliseconds`,
   * `seconds` (all read as nanoseconds), `bytes`, or any other word; `count` by default.
   */
  unit?: string;
  /** Field with the stack trace; `stackTrace` by default. */
  stack?: string;
  /** Field with the thread; by default `eventThread`, or else `sampledThread`. */
  thread?: string;
  /**
   * Fields that become attributes: a list of names, or an object with the key of the attribute for each field. By
   * default these are all fields with a text.
   */
  attributes?: readonly string[] | Readonly<Record<string, string>>;
}

/** An event outside of the catalogue to make a profile of: counted, or by the sum of a numeric field. */
export interface ExtraEvent extends EventMapping {
  /** Name of the event type: `jdk.ThreadPark`. */
  event: string;
}

/** What files are read for, beside the profiles of the catalogue. */
export interface ReadChoice {
  /** Events that get a profile each. */
  extra: ExtraEvent[];
  /** The context of events without ids is inferred. */
  inferred: boolean;
}

/** The samples of a profile that were taken with one sampling period. */
export interface PeriodSummary {
  /** In the `periodUnit` of the profile; 0 if no recording states it. */
  period: bigint;
  /** As in `ProfileSummary`. */
  statedPeriod?: bigint;
  /** Observations. */
  samples: number;
  /** Sum of their values, not multiplied. */
  value: bigint;
}

/** Number of observations by the rule that their context is inferred by. */
export interface InferredBy {
  /** A scope of the thread that the recording states. */
  scope: number;
  /** A span of a trace file that names the thread. */
  trace: number;
  /** The samples of the thread before and after. */
  neighbours: number;
}

/**
 * What a profile is of:
 * - `cpu`: on a processor. `wall`: at a place, running or waiting. `native`: as `wall`, in native code only
 * - `alloc`, `malloc`, `direct`: allocated heap, native memory, buffers outside of the heap. `live`: not freed
 * - `lock`, `native-lock`, `park`, `sleep`, `pinned`, `socket`, `file`: a wait for that. `block`: for any of several
 * - `queue`: before a thread ran the task. `off-cpu`: on no processor, for whatever reason
 * - `method`: calls of chosen methods. `other`: nothing that a question asks for
 */
export type ProfileKind =
  | "cpu"
  | "wall"
  | "native"
  | "alloc"
  | "malloc"
  | "direct"
  | "live"
  | "lock"
  | "native-lock"
  | "park"
  | "sleep"
  | "pinned"
  | "socket"
  | "file"
  | "block"
  | "queue"
  | "off-cpu"
  | "exceptions"
  | "errors"
  | "method"
  | "other";

/** What the values of a profile are, whatever its producer calls its type. */
export interface Meaning {
  kind: ProfileKind;
  /**
   * How the recorder's observations are counted: the value of one of them. 1 where values are numbers of samples, the
   * period where they are times. 0 if each sample is one, whatever its value; null if their number is unknown.
   */
  each: number | null;
  /** Nanoseconds of 1 of a value (`value`, and values of answers); null where values are no time. */
  nanos: number | null;
}

/** What the recorder left out of a profile: its totals are at least as large as shown. Absent members are nothing. */
export interface Loss {
  /** Events that the recorder limits, and files in which it wrote as many as the limit (`300/s`) lets through. */
  limited?: { event: string; limit: string; file: string }[];
  /** Events of which the recorder writes a few of each kind. */
  sampled?: string[];
  /** How many of those there were, by an event that counts them all. */
  counted?: { event: string; count: number };
  /** Samples that the recorder took and could not keep, and their value, estimated from the others. */
  lost?: { event: string; samples: number; value: bigint };
  /** Bytes of events of any type that the recorder dropped. */
  dropped?: { event: string; bytes: number };
}

/** One profile of the store: all samples of one type over all files. */
export interface ProfileSummary {
  /** Index of the profile, the handle for selections. */
  id: number;
  /**
   * Unique in the recording: `cpu`, `wall`, `alloc-samples`, `lock-contention`, …. If two profiles have the same type,
   * the second is `cpu:jdk.ExecutionSample`.
   */
  type: string;
  /** Its name in OTLP, which does not depend on the other content of the recordings. */
  otlpType: string;
  /** What its values are, whatever its producer calls them. */
  meaning: Meaning;
  /** Unit of `value` and of all values in answers about the first measure. */
  unit: string;
  /** Type of the period: `cpu`, `wall`; empty if no recording states a period. */
  periodType: string;
  periodUnit: string;
  /** 0 if no recording states it, or if the samples have several. */
  period: bigint;
  /** Only where the kernel's tick is longer: `period` is that tick. Recordings and outputs have this one. */
  statedPeriod?: bigint;
  /**
   * Only where the samples have several periods, the shortest first. If the values count samples and every period is
   * known, `unit` is nanoseconds, and each observation counts its value × its own period, in all answers. If a part has
   * no period, samples are counted.
   */
  periods?: PeriodSummary[];
  /** Only where the file states the type and all its values are 0, so that no sample has it. */
  empty?: true;
  /** Observations per event name. */
  events: Record<string, number>;
  /** Observations, before aggregation by identity. */
  samples: number;
  /** Sum of the observations' values, in `unit`. */
  value: bigint;
  /** Number of different stacks. */
  stacks: number;
  /** Number of different threads. */
  threads: number;
  /** Observations with a span id. */
  samplesWithSpan: number;
  /** Observations with a local root or a trace id. */
  samplesWithRoot: number;
  /** Observations with an inferred span. Absent, as the next two, unless context is inferred. */
  inferredSpan?: number;
  /** Observations with an inferred local root. */
  inferredRoot?: number;
  /** Observations with an inferred context, by its rule. */
  inferredBy?: InferredBy;
  /** Waits of which a holder is known. Absent without any. */
  samplesWithHolder?: number;
  /** Number of samples that carry each of the context attributes, by key; keys that no sample carries are left out. */
  samplesWithAttribute: Record<string, number>;
  /** The value, and the second measure where there is one. */
  measures: Measure[];
  /** Settings of the recordings for the profile's events: period, threshold, throttle and the like. */
  settings: Setting[];
  /** What the recorder left out, as far as the recordings say; absent if that is nothing. */
  loss?: Loss;
}

/**
 * An attribute filter: the sample carries `key` with this value (numbers as decimal text), or with `exclude` does not.
 */
export interface AttributeFilter {
  key: string;
  value: string;
  exclude?: boolean;
}

/**
 * A frame filter: the stack has a function whose name matches the regular expression or, with `exclude`, has no such
 * function. It ignores case unless it contains a capital letter. The syntax is that of RE2, and matching takes linear
 * time. Other syntax, and patterns above the limits in LIMITATIONS.md, "Patterns", throw a SpanflameError with the code
 * `filter.pattern`.
 */
export interface FrameFilter {
  pattern: string;
  exclude?: boolean;
}

/**
 * Samples below one root frame of a level: those of a thread pool, or those without an endpoint. With `exclude`, all
 * others.
 */
export interface RootFrameFilter extends RootLevel {
  name: string;
  exclude?: boolean;
}

/** A range of time: `from` is in it, `to` is not. */
export interface TimeRange {
  /** Nanoseconds since 1970. */
  from: bigint;
  /** Nanoseconds since 1970; not in the range. */
  to: bigint;
}

/** One value or several; one of several has to match. */
export type OneOrMore<T> = T | readonly T[];

/**
 * All parts must hold. An absent part holds for every sample. Ids are unsigned 64-bit. Of several ids, or of several
 * values of one key or level, one has to match; each exclusion excludes its samples.
 */
export interface Filter {
  span?: OneOrMore<bigint>;
  /**
   * Local root span ids; or trace ids of 128 bits, which take their part where samples have them (OTLP of other
   * producers).
   */
  localRoot?: OneOrMore<bigint>;
  /** Only samples without a span: the recorder gave them no span id, and no local root or trace id either. */
  noSpan?: boolean;
  /** None of these. */
  not?: { span?: OneOrMore<bigint>; localRoot?: OneOrMore<bigint> };
  attributes?: AttributeFilter[];
  frames?: FrameFilter[];
  /** Samples that have these root frames, whether the call tree shows them or not. */
  rootFrames?: RootFrameFilter[];
  /** Observations, not whole samples. */
  time?: TimeRange;
  /** Those of one of the files, by its name; an archive's name takes all that is in it. */
  file?: string;
  /**
   * No condition: frames are looked for, and shown from then on, by their names as recorded. Without it generated names
   * are normalised: they have no part that differs from run to run (assembly/store/generated-names.ts).
   */
  rawNames?: boolean;
  /**
   * Which calls of dumps the samples are of; without it, of all. The host makes samples of these calls before it
   * selects: to the core this is no condition.
   */
  calls?: CallPart[];
  /** Samples of some spans, and of the spans below them. The host finds their ids before it selects. */
  spans?: SpanChoice;
}

/** Spans by operation, duration and start; absent parts hold for every span. */
export interface SpanChoice {
  /** Only the requests, whose operation is their endpoint. */
  requests?: true;
  /** Name of the operation. */
  operation?: string;
  /** Only the longest of each operation, so many of 100. */
  slowest?: number;
  /** When they start, on the clock of their trace. */
  start?: TimeRange;
  /** How long they last, in nanoseconds. */
  duration?: TimeRange;
  /** Their ids; without them no sample passes. */
  found?: FoundSpans;
}

/** Ids that ascend, none of them 0. A sample passes by its span or by its local root. */
export interface FoundSpans {
  spans: BigUint64Array;
  /** The low halves of ids of 128 bits. */
  roots: BigUint64Array;
}

/**
 * A condition on calls of dumps. A call has to pass all of them; of several methods, runs, servers, or values of one
 * parameter, one is enough.
 */
export type CallPart =
  /** These calls, by id. */
  { part: "ids"; ids: readonly string[] } | { part: CallPartName; text: string };

/**
 * `min`, `max`: duration in ms, from and below. `text`: words, with `-` those that must not occur. `param` and
 * `not-param`: `NAME=VALUE`. `not-id`: not this call. `slowest`, `slowest-percent`: of those that pass the others, so
 * many, or so many of 100.
 */
export type CallPartName =
  | "min"
  | "max"
  | "text"
  | "roots"
  | "run"
  | "server"
  | "method"
  | "param"
  | "not-param"
  | "not-id"
  | "slowest"
  | "slowest-percent";

/** Decides which samples are selected, and their weight. */
export interface Selection {
  profile: number;
  /** Index of the profile's measure. */
  measure: number;
  filter: Filter;
}

/** Totals of a selection. */
export interface SelectionTotals {
  /** Number of observations. */
  samples: number;
  /** Sum of their values, in the unit of the measure. */
  value: bigint;
}

/**
 * The visible part of a call tree, parents before children. Row 0 is the focus and its own parent; every other row's
 * parent is before it. Values are inclusive; the children of a frame may add up to less than it: the rest is its self
 * value.
 */
export interface FrameColumns {
  /** Tree node of each row: the handle for the next focus. */
  node: Uint32Array;
  /** Row (in this answer) of each row's parent. */
  parent: Uint32Array;
  /** Index into `names`. */
  name: Uint32Array;
  /** Index into `FRAME_TYPES`, 0 for an unknown type. */
  frameType: Uint8Array;
  /** Value of the frame with its callees. */
  total: Float64Array;
  /** Value of the frame itself. */
  self: Float64Array;
  /** Frames below this row (its own hidden children and all of theirs) that are too narrow to be drawn. */
  hiddenFrames: Uint32Array;
  /** Inclusive value of the hidden children of this row. */
  hiddenValue: Float64Array;
  /** By index of `names`: 1 for functions that were inlined at some addresses, 2 at all; absent if there are none. */
  inlined?: Uint8Array;
  /**
   * By index of `names`: 1 for functions of libraries, 2 for those of the program, by their files or by the list of
   * libraries of an upload; absent where neither tells.
   */
  library?: Uint8Array;
  /** Names of the frames, each once. */
  names: string[];
  /** The core's handles of `names`, for a path through a regrouped tree. */
  nameIds: Uint32Array;
}

/** An ancestor of the focus, for the breadcrumb. */
export interface PathFrame {
  node: number;
  name: string;
  total: number;
}

/** The visible frames of a flame graph, as columns, and the values that are not drawn. */
export interface FramesAnswer {
  frames: FrameColumns;
  /**
   * Ancestors of the focus, the root (node 0) first. If `past` leaves out children of the focus, the focus is the last
   * element.
   */
  path: PathFrame[];
  /** Value of the whole selection, samples without a stack included. */
  selectionTotal: number;
  /** Frames with weight in the focused subtree, shown or not. */
  framesInFocus: number;
  /** Sum of hiddenValue over rows: the value that is not drawn, in the profile's unit. */
  hiddenValue: number;
  /** Number of frames in the focus that are not drawn. */
  hiddenFrames: number;
}

export interface FramesRequest {
  /** Tree node to zoom to; 0 is the root. */
  focus: number;
  /** Drawing width in CSS pixels; frames below half a pixel are hidden. */
  width: number;
  /** Number of the focus' widest children to leave out, to see the frames hidden beside them. */
  past?: number;
}

/** One row of a top table: `self` and `total` in the profile's unit, `total` counting recursion once. */
export interface TopRow {
  /** Name of the function. */
  name: string;
  /** 1 if it was inlined at some addresses, 2 at all. */
  inlined?: number;
  self: bigint;
  total: bigint;
}

/** OTLP profiles, in protobuf or JSON. */
export type OtlpFormat = "otlp" | "otlp-json";
/** Output formats. src/core/tables/formats.ts has their names and options, docs/formats.md the data that each keeps. */
export type OutputFormat = OtlpFormat | "pprof" | "collapsed" | "speedscope" | "firefox";

/** Names of profiles in OTLP: src/core/tables/presets.ts, docs/otlp.md. */
export type PresetName = "default" | "otel" | "aggregated" | "pyroscope";

/**
 * A value of an OTLP attribute. Integers are bigint, other numbers doubles; arrays, lists of pairs and bytes stay the
 * AnyValue of the message that they came with.
 */
export type AttributeValue = string | bigint | number | boolean | Uint8Array;
/** Attributes of the process, as in the Resource of OTLP. */
export type Resource = Record<string, AttributeValue>;

/** Format and options of a message. */
export interface WriteOptions {
  format: OutputFormat;
  /** JSON with line breaks and indentation. */
  pretty?: boolean;
  preset?: PresetName;
  /**
   * Index of the only measure to write. By default the preset decides in OTLP, pprof has all measures, and the other
   * formats have the first one.
   */
  measure?: number;
  /**
   * pprof only: a sample for each observation, with its time. By default there is a sample for each stack and context.
   */
  timestamps?: boolean;
  /**
   * collapsed, speedscope and firefox only: the stacks of the call tree with this shape, merged by function. By default
   * stacks are as recorded.
   */
  shape?: Shape;
  /** One of several messages that together have all samples: its rows keep the order of the store. */
  inStoreOrder?: boolean;
  /** Types without samples are left out, also where the file states them. */
  sampledOnly?: boolean;
  /** Attributes of the Resource. They replace those of the recordings; an empty string removes one. */
  resource?: Resource;
  /**
   * `original_payload` of the message's first Profile, for `writeTo` only: `put` passes on its bytes (in JSON as base64
   * with padding) and is called between the parts before and after them.
   */
  payload?: { format: string; bytes: number; put: () => void };
}

/** Totals of a finished message. */
export interface WriteTotals {
  /** Size of the message. */
  size: number;
  /** Number of Profiles in the message. */
  profiles: number;
  /** Number of samples in the message; in OTLP after aggregation by identity, of all its profiles. */
  samples: number;
  /** Number of observations that the values include. */
  observations: number;
}

/** A finished message. */
export interface WriteResult extends WriteTotals {
  bytes: Uint8Array;
}
