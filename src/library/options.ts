/** Options of the library's functions; option-checks.ts has the checks that each passes. */
import type { Shape } from "../core/shape.ts";
import type {
  AttributeFilter,
  EventMapping,
  ExtraEvent,
  FrameFilter,
  OneOrMore,
  RankHow,
  RootFrameFilter,
  TimeRange,
  WriteOptions,
} from "../core/types.ts";
import type { ShownTime, TopHow, TopOrder } from "../core/view-types.ts";
import type { ReadProgress } from "../input/open.ts";
import type { CallSort, OperationSort, TraceSort } from "../model/query/query.ts";
import type { BlockedBy } from "../model/waits/held.ts";
import type { ReceiverName } from "../validate/validate.ts";
import type { OpenInput } from "./inputs.ts";
import type { CoreSource } from "./load-core.ts";

/** An option to end a call early. */
export interface Abortable {
  /** An abort ends the call: it rejects with the signal's reason, an `AbortError` by default. */
  signal?: AbortSignal;
}

/** Options of `open`. */
export interface OpenOptions extends Abortable {
  /** Called after each slice of reading, about every ten milliseconds. Not called after an abort. */
  onProgress?: (progress: ReadProgress) => void;
  /**
   * Events that are not in the catalogue (docs/events.md), to make profiles of: a mapping for each name of an event, or
   * a list, which may have an event several times.
   */
  events?: Readonly<Record<string, EventMapping>> | readonly ExtraEvent[];
  /**
   * Names of functions in messages and columns: as recorded (the default), or normalised, without the parts that differ
   * from run to run. Views have normalised names, unless the option `names` of the selection is `recorded`.
   */
  names?: Names;
  /**
   * Labels of pprof and context fields of recordings that have trace ids or span ids, beside the names that Spanflame
   * knows (docs/formats.md).
   */
  traceLabel?: OneOrMore<string>;
  spanLabel?: OneOrMore<string>;
  /**
   * Reads only samples that may match, and is faster for it (docs/library.md). Some samples that do not match may be
   * read as well, so select with the same conditions. By default all samples are read.
   */
  only?: OnlyOptions;
  /**
   * Trace files of the recorded process, in any of the formats that docs/traces.md lists. A file without a span causes
   * a diagnostic. Not together with `only`.
   */
  traces?: OpenInput | readonly OpenInput[];
  /**
   * Files with symbols for native frames that the recording knows by build id and address: ELF files with DWARF or a
   * table of symbols, and zip archives of them (docs/symbols.md).
   */
  symbols?: OpenInput | readonly OpenInput[];
  /**
   * Gives events without a span id a context by rules (docs/context.md), and reads the spans that the recordings know.
   * Not together with `only`. False by default.
   */
  infer?: boolean;
  /**
   * Reads the spans that the recordings know: for `traceRows`, `spans` and `operations`, and for reports. `infer` reads
   * them, too. Not together with `only`. False by default.
   */
  spans?: boolean;
  /**
   * The core: the URL or the bytes of `core.wasm`, or its compiled module. Pass it if the file is not beside the
   * bundle. By default the library finds the file of the package by `import.meta.url`.
   */
  wasm?: CoreSource;
}

/** Options of `openPath`. */
export interface OpenPathOptions extends Omit<OpenOptions, "traces" | "symbols"> {
  /** Paths of trace files, as the option `traces` of `open` has their content. */
  traces?: OneOrMore<string | URL>;
  /** Paths of files with symbols, as the option `symbols` of `open` has their content. */
  symbols?: OneOrMore<string | URL>;
  /**
   * Threads that read chunks of a recording beside each other, this one included: 1 by default. The recording does not
   * depend on it. Files that are compressed and formats other than JFR are read by one thread.
   */
  jobs?: number;
}

/** Names of functions: as recorded, or without the parts that differ from run to run, such as `$$Lambda/0x7f…`. */
export type Names = "recorded" | "normalised";

/**
 * The conditions of a selection, and the view of its stacks. A sample must match all conditions that are given, but
 * only one of several ids or of several values of an attribute.
 */
export interface SelectOptions {
  /** Span ids, unsigned 64-bit. `parseId` reads an id from text. */
  span?: OneOrMore<bigint>;
  /** Local root span ids, unsigned 64-bit, or trace ids of 128 bits. */
  localRoot?: OneOrMore<bigint>;
  /** Trace ids of 128 bits, or their low halves; one of these and of `localRoot` must match. */
  traceId?: OneOrMore<bigint>;
  /** Only samples without a span and without a local root. */
  noSpan?: boolean;
  /** Excludes samples that match one of these conditions. */
  not?: Pick<
    SelectOptions,
    "span" | "localRoot" | "traceId" | "attributes" | "thread" | "frame" | "rootFrames" | "endpoint"
  >;
  /**
   * Values by key, or a list of filters, which can also exclude values. Numbers are decimal strings. A key that no
   * sample of the recording has is an error, `attribute.unknown`, if no sample is left.
   */
  attributes?: Readonly<Record<string, OneOrMore<string>>> | readonly AttributeFilter[];
  /** Names of threads. */
  thread?: OneOrMore<string>;
  /** Endpoints, such as `GET /checkout`, whatever key the tracer gives them; alone, `(no endpoint)`. */
  endpoint?: OneOrMore<string>;
  /** Stacks with a function whose name matches the pattern (RE2 syntax); several patterns must all match. */
  frame?: OneOrMore<string | FrameFilter>;
  /** Samples below a root frame of a level, such as a thread pool or an endpoint. */
  rootFrames?: readonly RootFrameFilter[];
  /** Observations from `from` on and before `to`, in nanoseconds since 1970. */
  time?: TimeRange;
  /** Observations of the file with this name, or of all files in the archive with this name. */
  file?: string;
  /** Names of functions in patterns and views; normalised by default. */
  names?: Names;
  /** The measure of all values: its name or index in `profile.measures`; by default the first that has a value. */
  measure?: string | number;
  /** Transforms of the call tree for views and for the formats that show stacks. */
  shape?: Partial<Shape>;
}

/** Samples to read: those that match all conditions that are given. */
export interface OnlyOptions extends Omit<SelectOptions, "names" | "measure" | "shape"> {
  /** Types of profiles, as `select` takes them. */
  profiles?: OneOrMore<string>;
}

/** Rows of a table to return. */
export interface PageOptions {
  /** Number of rows to skip; 0 by default. */
  offset?: number;
  /** Maximum number of rows; 100 by default, `Infinity` for all. */
  limit?: number;
}

/** Options of `top`. */
export interface TopOptions extends PageOptions, TopHow {
  /** Order: by self value (the default), total, or name. */
  by?: TopOrder;
}

/** Options of `flame`. */
export interface FlameOptions {
  /** Node of the call tree to zoom to; by default 0, the root. */
  focus?: number;
  /**
   * Width of the picture in CSS pixels; 1200 by default. Frames narrower than half a pixel are hidden and counted;
   * `Infinity` returns all frames.
   */
  width?: number;
  /** Number of the focus' widest children to leave out, so that hidden frames beside them become visible. */
  past?: number;
}

/** Options of `callers` and `callees`. */
export interface SandwichOptions extends Pick<FlameOptions, "width"> {
  /** Path to the frame to zoom to: names (`nameIds` of an earlier answer) below the topmost frame. */
  path?: readonly number[];
}

/** Options of `rank`. */
export interface RankOptions extends PageOptions, RankHow {}

/** What `rank` groups by: `"local-root"`, `"span"`, `"thread"`, or the values of an attribute. */
export type Ranked = "local-root" | "span" | "thread" | { attribute: string };

/** Options of `diff`. */
export interface DiffOptions extends FlameOptions {
  /** The selection is a part of the baseline: compares it with the rest of the baseline. */
  rest?: boolean;
  /** Compares shares of the total (the default), so that the sizes of the selections do not matter; or values. */
  normalised?: boolean;
}

/** Options of `changed`. */
export interface ChangedOptions extends PageOptions, Pick<DiffOptions, "rest" | "normalised"> {}

/** Options of `timeline`. */
export interface TimelineOptions {
  /** Number of equal parts of the range; 300 by default. */
  bins?: number;
  /** In nanoseconds since 1970; by default from the first to the last sample of the recording. */
  range?: ShownTime;
  /** Threads (`thread` of `threads()`) to return a strip for. */
  threads?: readonly number[];
}

/** Options of `heat`. */
export interface HeatOptions extends Pick<TimelineOptions, "range"> {
  /** Maximum number of columns, each of whole seconds; 300 by default. */
  columns?: number;
}

/** Options of `write`: those of the format (docs/formats.md). */
export type WriteSelectionOptions = Omit<
  WriteOptions,
  "format" | "payload" | "shape" | "measure" | "inStoreOrder" | "sampledOnly"
>;

/** Options of `writeAsync`. */
export interface WriteAsyncOptions extends WriteSelectionOptions, Abortable {}

/** Options of `messages`. */
export interface MessagesOptions extends WriteAsyncOptions {
  /** Bytes that a message should not exceed; 20 MiB less a reserve without it, which a Collector accepts. */
  limit?: number;
}

/** Options of `html`. */
export interface ReportOptions {
  /** The moment that the report states as that of its making; now by default. */
  now?: Date;
}

/** Options of `svg`. */
export interface PictureOptions {
  /** Light letters on a dark ground; false by default. */
  dark?: boolean;
}

/** Options of `validate`. */
export interface ValidateOptions {
  /** Receivers whose rules are checked, too (docs/validator.md). */
  for?: readonly ReceiverName[];
}

/** Options of `samples`, `stacks`, `links` and `attributes`. */
export interface PageSize {
  /** Rows that are read from the core at a time; 65,536 without it. */
  pageRows?: number;
}

/** Options of `traceRows`. */
export interface TraceRowsOptions extends PageOptions {
  /** Order: by duration (the default) or another figure, the largest first, or by name. */
  by?: TraceSort;
  /** The last row first. */
  reversed?: boolean;
}

/** The trace that `spans` is about; without an option it is the only trace. */
export interface SpansOptions {
  /** Id of the trace. */
  trace?: bigint;
  /** Id of the trace, of a local root or of a span; of several ids, the first trace that has one. */
  id?: OneOrMore<bigint>;
}

/** Options of `operations`. */
export interface OperationsOptions extends PageOptions {
  /** Order: by p95 (the default) or another figure, the largest first, or by operation. */
  by?: OperationSort;
  /** Rows: spans by their names (the default), or requests by their endpoints. */
  of?: "requests" | "spans";
  /** The last row first. */
  reversed?: boolean;
}

/** Options of `timeOf`. */
export interface TimeOfOptions {
  /** Only requests of the operation with this name. */
  operation?: string;
}

/** Options of `why`. */
export interface WhyOptions extends TimeOfOptions {
  /** Beginnings of the names of your packages: their code is the application. */
  own?: readonly string[];
}

/** Options of `blocked`. */
export interface BlockedOptions extends PageOptions {
  /** Names of holders and waiters: endpoints (the default; without one thread pools), thread pools or threads. */
  by?: BlockedBy;
}

/** Conditions on the calls of dumps, and their order. */
export interface CallsOptions extends PageOptions {
  /** Ids of calls. */
  ids?: OneOrMore<string>;
  /** Duration in milliseconds, from and below. */
  minMs?: number;
  maxMs?: number;
  /** Words that a call must have; with `-` before it, a word that it must not have. */
  query?: string;
  /** Calls with a record in the stream of calls (the default), without one, or all. */
  roots?: "recorded" | "unrecorded" | "all";
  /** Values of parameters, by name. */
  params?: Readonly<Record<string, OneOrMore<string>>>;
  /** Names of threads; all by default. */
  threads?: readonly string[];
  /** Start of the calls, in nanoseconds since 1970. */
  time?: TimeRange;
  /** Order: by duration (the default) or another figure, the largest first, or by a text. */
  by?: CallSort;
  /** The last row first. */
  reversed?: boolean;
}
