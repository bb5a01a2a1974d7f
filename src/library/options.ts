/** Options of the library's functions: their types, and the checks that each passes. */
import { FORMATS } from "../core/formats.ts";
import { PRESETS } from "../core/presets.ts";
import { RANK_SORTS, type RankFind } from "../core/rank-types.ts";
import type { OpenRun, RootLevel, RunRule, Shape } from "../core/shape.ts";
import type {
  AttributeFilter,
  ExtraEvent,
  Filter,
  FrameFilter,
  OneOrMore,
  OutputFormat,
  RankHow,
  RootFrameFilter,
  TimeRange,
  WriteOptions,
} from "../core/types.ts";
import type { ShownTime, TopHow, TopOrder } from "../core/view-types.ts";
import type { ReadProgress } from "../input/open.ts";
import {
  type Check,
  type Checks,
  isBoolean,
  isCount,
  isFunction,
  isLimit,
  isRootId,
  isSize,
  isSpanId,
  isText,
  isTime,
  listOf,
  oneOf,
  oneOrMore,
  recordOf,
  wrong,
} from "./check.ts";
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

/** Options of `samples`, `stacks`, `links` and `attributes`. */
export type PageSize = {
  /** Rows that are read from the core at a time; 65,536 without it. */
  pageRows?: number;
};

/** Rows of a page without a number. */
export const PAGE_ROWS = 65_536;
export const LIMIT = 100;
export const WIDTH = 1200;
export const BINS = 300;

const isRange = recordOf<TimeRange>({ from: isTime, to: isTime }, ["from", "to"]);
const NAMES = ["recorded", "normalised"] as const satisfies readonly Names[];
const isNames = oneOf(NAMES);

const isCoreSource: Check = (value, option) => {
  const isBytes = ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
  if (typeof value === "string" || value instanceof URL || isBytes || value instanceof WebAssembly.Module) return;
  wrong(option, value, "an address, the bytes of core.wasm, or a WebAssembly.Module");
};

const isSignal: Check = (value, option) => {
  if (typeof value !== "object" || value === null || !("aborted" in value)) wrong(option, value, "an AbortSignal");
};

export const OPEN: Checks<OpenOptions> = {
  signal: isSignal,
  onProgress: isFunction,
  events: listOf(recordOf<ExtraEvent>({ event: isText, value: isText }, ["event"])),
  names: isNames,
  wasm: isCoreSource,
};

const ROOT_LEVEL = { by: isText, keys: listOf(isText), pooled: isBoolean, none: isText } satisfies Checks<RootLevel>;
const LEVEL_KEYS = ["by", "keys", "pooled", "none"] as const;

const isShape = recordOf<Partial<Shape>>({
  from: isText,
  merged: listOf(isText),
  recursion: oneOf(["kept", "direct", "all"]),
  lines: isBoolean,
  roots: listOf(recordOf<RootLevel>(ROOT_LEVEL, LEVEL_KEYS)),
  runs: listOf(recordOf<RunRule>({ name: isText, pattern: isText }, ["name", "pattern"])),
  opened: listOf(recordOf<OpenRun>({ rule: isText, below: isText }, ["rule", "below"])),
});

const isFrameFilter = recordOf<FrameFilter>({ pattern: isText, exclude: isBoolean }, ["pattern"]);
const isAttributes = listOf(
  recordOf<AttributeFilter>({ key: isText, value: isText, exclude: isBoolean }, ["key", "value"]),
);

const isIds = { span: oneOrMore(isSpanId), localRoot: oneOrMore(isRootId) };

export const SELECT: Checks<SelectOptions> = {
  ...isIds,
  noSpan: isBoolean,
  not: recordOf<NonNullable<SelectOptions["not"]>>(isIds),
  attributes: (value, option) => {
    if (Array.isArray(value)) return isAttributes(value, option);
    if (typeof value !== "object" || value === null)
      wrong(option, value, "an object of values by key, or an array of filters");
    for (const [key, each] of Object.entries(value)) oneOrMore(isText)(each, `${option}.${key}`);
  },
  frame: oneOrMore((value, option) => {
    if (typeof value !== "string") isFrameFilter(value, option);
  }),
  rootFrames: listOf(recordOf<RootFrameFilter>({ ...ROOT_LEVEL, name: isText }, [...LEVEL_KEYS, "name"])),
  time: isRange,
  file: isText,
  names: isNames,
  measure: (value, option) => {
    if (typeof value !== "string") isCount(value, option);
  },
  shape: isShape,
};

const PAGE: Checks<PageOptions> = { offset: isCount, limit: isLimit };

export const TOP: Checks<TopOptions> = {
  ...PAGE,
  by: oneOf(["self", "total", "name"] satisfies TopOrder[]),
  reversed: isBoolean,
  find: isText,
};

const isWidth: Check = (value, option) => {
  if (typeof value !== "number" || !(value > 0)) wrong(option, value, "a number of pixels above 0");
};

export const FLAME: Checks<FlameOptions> = { focus: isCount, width: isWidth, past: isCount };
export const SANDWICH: Checks<SandwichOptions> = { width: isWidth, path: listOf(isCount) };
export const DIFF: Checks<DiffOptions> = { ...FLAME, rest: isBoolean, normalised: isBoolean };
export const CHANGED: Checks<ChangedOptions> = { ...PAGE, rest: isBoolean, normalised: isBoolean };

const isFound: Check = (value, option) => {
  type Found = { ids?: RankFind; text?: RankFind; pattern?: RankFind };
  recordOf<Found>({ ids: isIdRanges, text: isText, pattern: isText })(value, option);
  if (Object.keys(value as object).length !== 1) wrong(option, value, "an object with ids, text or pattern");
};

const isIdRanges = listOf((value, option) => {
  if (!Array.isArray(value) || value.length !== 2) wrong(option, value, "a pair of ids");
  for (const id of value) isRootId(id, option);
});

export const RANK: Checks<RankOptions> = {
  ...PAGE,
  sort: oneOf(RANK_SORTS),
  reversed: isBoolean,
  find: isFound,
  wholeExtents: isBoolean,
  requests: isBoolean,
  about: listOf(isText),
};

const isShownTime = recordOf<ShownTime>({ from: isTime, to: isTime, first: isCount, last: isCount, zero: isTime }, [
  "from",
  "to",
]);

export const TIMELINE: Checks<TimelineOptions> = { bins: isSize, range: isShownTime, threads: listOf(isCount) };
export const HEAT: Checks<HeatOptions> = { columns: isSize, range: isShownTime };
export const PAGES: Checks<PageSize> = { pageRows: isSize };

const isResource: Check = (value, option) => {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    wrong(option, value, "an object of attributes");
  for (const [key, each] of Object.entries(value)) {
    const isValue = ["string", "bigint", "number", "boolean"].includes(typeof each) || each instanceof Uint8Array;
    if (!isValue)
      wrong(`${option}.${key}`, each, "a string, a bigint, a number, a boolean or the bytes of an AnyValue");
  }
};

export const WRITE: Checks<WriteSelectionOptions> = {
  pretty: isBoolean,
  preset: oneOf(PRESETS.map(({ name }) => name)),
  timestamps: isBoolean,
  resource: isResource,
};

export const MESSAGES: Checks<MessagesOptions> = { ...WRITE, signal: isSignal, limit: isSize };
export const WRITE_ASYNC: Checks<WriteAsyncOptions> = { ...WRITE, signal: isSignal };

/** Throws `format.unknown` unless it is the name of an output format. */
export function checkFormat(format: unknown): asserts format is OutputFormat {
  const names = FORMATS.map(({ name }) => name as string);
  if (!names.includes(format as string)) wrong("the format", format, `one of ${names.join(", ")}`, "format.unknown");
}

/** The filter of the core for checked options. */
export function filterOf(options: SelectOptions): Filter {
  const { names, measure: _, shape: __, attributes, frame, rootFrames, ...same } = options;
  const filter: Filter = {};
  for (const [key, value] of Object.entries(same)) if (value !== undefined) Object.assign(filter, { [key]: value });
  if (attributes !== undefined) filter.attributes = attributeFilters(attributes);
  if (frame !== undefined) {
    filter.frames = [frame].flat().map((each) => (typeof each === "string" ? { pattern: each } : each));
  }
  if (rootFrames !== undefined) filter.rootFrames = [...rootFrames];
  if (names === "recorded") filter.rawNames = true;
  return filter;
}

function attributeFilters(given: NonNullable<SelectOptions["attributes"]>): AttributeFilter[] {
  if (Array.isArray(given)) return [...(given as readonly AttributeFilter[])];
  return Object.entries(given as Record<string, OneOrMore<string>>).flatMap(([key, values]) =>
    [values].flat().map((value) => ({ key, value: value as string })),
  );
}
