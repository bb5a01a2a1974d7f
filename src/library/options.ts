/** Options of the library's functions; option-checks.ts has the checks that each passes. */
import type { Shape } from "../core/shape.ts";
import type {
  AttributeFilter,
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
import type { ReceiverName } from "../validate/validate.ts";
import type { CoreSource } from "./load-core.ts";

/** An option to end a call early. */
export interface Abortable {
  /** Ends the call: it rejects with the signal's reason, an `AbortError` unless the caller chose another one. */
  signal?: AbortSignal;
}

/** Options of `open`. */
export interface OpenOptions extends Abortable {
  /** Called after each slice of reading, some ten milliseconds of work. Not called after the signal's end. */
  onProgress?: (progress: ReadProgress) => void;
  /** Events outside of the catalogue (docs/events.md) to make a profile of. */
  events?: readonly ExtraEvent[];
  /**
   * Names of functions that are written and in columns: as recorded (the default), or normalised, without the parts
   * that differ from run to run. Views normalise their names in any case, unless the selection says otherwise.
   */
  names?: Names;
  /**
   * The core, where the file `core.wasm` of the package is not beside the bundle: its address, its bytes or its
   * compiled module. Without it the file of the package is found by its place.
   */
  wasm?: CoreSource;
}

/** Names of functions: as recorded, or without the parts that differ from run to run, such as `$$Lambda/0x7f…`. */
export type Names = "recorded" | "normalised";

/**
 * Decides which samples a selection has, and how their stacks are seen. All conditions must hold; of several ids, or of
 * several values of one attribute, one has to match. An absent condition holds for every sample.
 */
export interface SelectOptions {
  /** Span ids, unsigned 64-bit. `parseId` reads them from texts. */
  span?: OneOrMore<bigint>;
  /** Local root span ids, unsigned 64-bit, or trace ids of 128 bits. */
  localRoot?: OneOrMore<bigint>;
  /** Only samples without a span and without a local root. */
  noSpan?: boolean;
  /** No samples of these spans and local roots. */
  not?: { span?: OneOrMore<bigint>; localRoot?: OneOrMore<bigint> };
  /** Values by key, or a list of filters, which may also exclude values. Numbers are decimal texts. */
  attributes?: Readonly<Record<string, OneOrMore<string>>> | readonly AttributeFilter[];
  /** Stacks with a function that a pattern (RE2's syntax) finds; each pattern must find one. */
  frame?: OneOrMore<string | FrameFilter>;
  /** Samples below a root frame of a level: a thread pool, an endpoint. */
  rootFrames?: readonly RootFrameFilter[];
  /** Observations from `from` on and before `to`, in nanoseconds since 1970. */
  time?: TimeRange;
  /** Observations of one of the files, by its name; the name of an archive takes all files in it. */
  file?: string;
  /** Names of functions in patterns and views; normalised without it. */
  names?: Names;
  /** The measure that weighs the samples: its name or index in `profile.measures`; the first one without it. */
  measure?: string | number;
  /** Transforms of the call tree for views and for the formats that show stacks. */
  shape?: Partial<Shape>;
}

/** Rows of a table to return. */
export interface PageOptions {
  /** Number of rows to skip; 0 without it. */
  offset?: number;
  /** Number of rows at most; 100 without it, `Infinity` for all. */
  limit?: number;
}

/** Options of `top`. */
export interface TopOptions extends PageOptions, TopHow {
  /** Order: by self value (the default), total, or name. */
  by?: TopOrder;
}

/** Options of `flame`. */
export interface FlameOptions {
  /** Node of the call tree to zoom to; 0, the root, without it. */
  focus?: number;
  /**
   * Width of the picture in CSS pixels; 1200 without it. Frames narrower than half a pixel are hidden and counted;
   * `Infinity` returns all frames.
   */
  width?: number;
  /** Leaves out so many of the focus' widest children, to see the frames hidden beside them. */
  past?: number;
}

/** Options of `callers` and `callees`. */
export interface SandwichOptions extends Pick<FlameOptions, "width"> {
  /** Names (`nameIds` of an earlier answer) from the topmost frame, left out, down to the one zoomed to. */
  path?: readonly number[];
}

/** Options of `rank`. */
export interface RankOptions extends PageOptions, RankHow {}

/** What `rank` groups by: `"local-root"`, `"span"`, or the values of an attribute. */
export type Ranked = "local-root" | "span" | { attribute: string };

/** Options of `diff`. */
export interface DiffOptions extends FlameOptions {
  /** Compares with the rest of the baseline, of which the selection is a part. */
  rest?: boolean;
  /** By shares (the default), so that selections of different size compare; or by values. */
  normalised?: boolean;
}

/** Options of `changed`. */
export interface ChangedOptions extends PageOptions, Pick<DiffOptions, "rest" | "normalised"> {}

/** Options of `timeline`. */
export interface TimelineOptions {
  /** Equal parts of the range; 300 without it. */
  bins?: number;
  /** Nanoseconds since 1970; from the first to the last sample of the recording without it. */
  range?: ShownTime;
  /** Threads (`thread` of `threads()`) with a strip beside that of all. */
  threads?: readonly number[];
}

/** Options of `heat`. */
export interface HeatOptions extends Pick<TimelineOptions, "range"> {
  /** Columns at most, of whole seconds; 300 without it. */
  columns?: number;
}

/** Options of `write`: those of the format (docs/formats.md). */
export type WriteSelectionOptions = Omit<WriteOptions, "format" | "payload" | "shape" | "measure">;

/** Options of `writeAsync`. */
export interface WriteAsyncOptions extends WriteSelectionOptions, Abortable {}

/** Options of `messages`. */
export interface MessagesOptions extends WriteAsyncOptions {
  /** Bytes that a message should not exceed; 20 MiB less a reserve without it, which a Collector accepts. */
  limit?: number;
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
