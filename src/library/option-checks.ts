/** The checks of the library's options, and the values of absent ones. */
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
  RootFrameFilter,
  TimeRange,
} from "../core/types.ts";
import type { ShownTime, TopOrder } from "../core/view-types.ts";
import { RECEIVER_NAMES } from "../validate/rules/receivers.ts";
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
import type {
  ChangedOptions,
  DiffOptions,
  FlameOptions,
  HeatOptions,
  MessagesOptions,
  Names,
  OpenOptions,
  PageOptions,
  PageSize,
  RankOptions,
  SandwichOptions,
  SelectOptions,
  TimelineOptions,
  TopOptions,
  ValidateOptions,
  WriteAsyncOptions,
  WriteSelectionOptions,
} from "./options.ts";

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
export const VALIDATE: Checks<ValidateOptions> = { for: listOf(oneOf(RECEIVER_NAMES)) };
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
