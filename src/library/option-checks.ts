/** The checks of the library's options, and the values of absent ones. */

import { RANK_SORTS, type RankFind } from "../core/rank-types.ts";
import { FORMATS } from "../core/tables/formats.ts";
import { PRESETS } from "../core/tables/presets.ts";
import type { OutputFormat } from "../core/types.ts";
import type { ShownTime, TopOrder } from "../core/view-types.ts";
import { ROOTS } from "../model/calls/call-filter.ts";
import { CALL_SORTS, OPERATION_SORTS, TRACE_SORTS } from "../model/query/query.ts";
import type { BlockedBy } from "../model/waits/held.ts";
import { eventsOf } from "../requests/events.ts";
import { RECEIVER_NAMES } from "../validate/receiver-names.ts";
import {
  type Check,
  type Checks,
  isBoolean,
  isCount,
  isFunction,
  isLimit,
  isRootId,
  isSize,
  isText,
  isTime,
  listOf,
  oneOf,
  oneOrMore,
  recordOf,
  wrong,
} from "./check.ts";
import type * as Options from "./options.ts";
import { isNames, isOnly, isRange } from "./selection-checks.ts";

/** Rows of a page without a number. */
export const PAGE_ROWS = 65_536;
export const LIMIT = 100;
export const WIDTH = 1200;
export const BINS = 300;

export const isCoreSource: Check = (value, option) => {
  const isBytes = ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
  if (typeof value === "string" || value instanceof URL || isBytes || value instanceof WebAssembly.Module) return;
  wrong(option, value, "an address, the bytes of core.wasm, or a WebAssembly.Module");
};

const isSignal: Check = (value, option) => {
  if (typeof value !== "object" || value === null || !("aborted" in value)) wrong(option, value, "an AbortSignal");
};

export const OPEN: Checks<Options.OpenOptions> = {
  signal: isSignal,
  onProgress: isFunction,
  events: eventsOf,
  names: isNames,
  traceLabel: oneOrMore(isText),
  spanLabel: oneOrMore(isText),
  only: isOnly,
  // Their reader checks them, as inputs.
  traces: () => {},
  symbols: () => {},
  infer: isBoolean,
  spans: isBoolean,
  wasm: isCoreSource,
};

export const OPEN_PATH: Checks<Options.OpenPathOptions> = { ...OPEN, jobs: isSize };

const PAGE: Checks<Options.PageOptions> = { offset: isCount, limit: isLimit };

export const TOP: Checks<Options.TopOptions> = {
  ...PAGE,
  by: oneOf(["self", "total", "name"] satisfies TopOrder[]),
  reversed: isBoolean,
  find: isText,
};

const isWidth: Check = (value, option) => {
  if (typeof value !== "number" || !(value > 0)) wrong(option, value, "a number of pixels above 0");
};

export const FLAME: Checks<Options.FlameOptions> = { focus: isCount, width: isWidth, past: isCount };
export const SANDWICH: Checks<Options.SandwichOptions> = { width: isWidth, path: listOf(isCount) };
export const DIFF: Checks<Options.DiffOptions> = { ...FLAME, rest: isBoolean, normalised: isBoolean };
export const CHANGED: Checks<Options.ChangedOptions> = { ...PAGE, rest: isBoolean, normalised: isBoolean };

const isFound: Check = (value, option) => {
  type Found = { ids?: RankFind; text?: RankFind; pattern?: RankFind };
  recordOf<Found>({ ids: isIdRanges, text: isText, pattern: isText })(value, option);
  if (Object.keys(value as object).length !== 1) wrong(option, value, "an object with ids, text or pattern");
};

const isIdRanges = listOf((value, option) => {
  if (!Array.isArray(value) || value.length !== 2) wrong(option, value, "a pair of ids");
  for (const id of value) isRootId(id, option);
});

export const RANK: Checks<Options.RankOptions> = {
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

export const TIMELINE: Checks<Options.TimelineOptions> = { bins: isSize, range: isShownTime, threads: listOf(isCount) };
export const HEAT: Checks<Options.HeatOptions> = { columns: isSize, range: isShownTime };
export const VALIDATE: Checks<Options.ValidateOptions> = { for: listOf(oneOf(RECEIVER_NAMES)) };
export const PAGES: Checks<Options.PageSize> = { pageRows: isSize };

const isResource: Check = (value, option) => {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    wrong(option, value, "an object of attributes");
  for (const [key, each] of Object.entries(value)) {
    const isValue = ["string", "bigint", "number", "boolean"].includes(typeof each) || each instanceof Uint8Array;
    if (!isValue)
      wrong(`${option}.${key}`, each, "a string, a bigint, a number, a boolean or the bytes of an AnyValue");
  }
};

export const WRITE: Checks<Options.WriteSelectionOptions> = {
  pretty: isBoolean,
  preset: oneOf(PRESETS.map(({ name }) => name)),
  timestamps: isBoolean,
  resource: isResource,
};

export const MESSAGES: Checks<Options.MessagesOptions> = { ...WRITE, signal: isSignal, limit: isSize };
export const WRITE_ASYNC: Checks<Options.WriteAsyncOptions> = { ...WRITE, signal: isSignal };

/** Throws `format.unknown` unless it is the name of an output format. */
export function checkFormat(format: unknown): asserts format is OutputFormat {
  const names = FORMATS.map(({ name }) => name as string);
  if (!names.includes(format as string)) wrong("the format", format, `one of ${names.join(", ")}`, "format.unknown");
}

export const REPORT: Checks<Options.ReportOptions> = {
  now: (value, option) => {
    if (!(value instanceof Date) || Number.isNaN(value.getTime())) wrong(option, value, "a valid Date");
  },
};
export const PICTURE: Checks<Options.PictureOptions> = { dark: isBoolean };

export const TRACE_ROWS: Checks<Options.TraceRowsOptions> = { ...PAGE, by: oneOf(TRACE_SORTS), reversed: isBoolean };
export const SPANS: Checks<Options.SpansOptions> = { trace: isRootId, id: oneOrMore(isRootId) };
export const OPERATIONS: Checks<Options.OperationsOptions> = {
  ...PAGE,
  by: oneOf(OPERATION_SORTS),
  of: oneOf(["requests", "spans"]),
  reversed: isBoolean,
};
export const TIME_OF: Checks<Options.TimeOfOptions> = { operation: isText };
export const WHY: Checks<Options.WhyOptions> = { ...TIME_OF, own: listOf(isText) };
export const WAITS: Checks<Options.PageOptions> = PAGE;
export const BLOCKED: Checks<Options.BlockedOptions> = {
  ...PAGE,
  by: oneOf(["endpoint", "thread-pool", "thread"] satisfies BlockedBy[]),
};
export const CALLS: Checks<Options.CallsOptions> = {
  ...PAGE,
  ids: oneOrMore(isText),
  minMs: isCount,
  maxMs: isCount,
  query: isText,
  roots: oneOf(ROOTS),
  params: (value, option) => {
    if (typeof value !== "object" || value === null) wrong(option, value, "an object of values by name");
    for (const [name, each] of Object.entries(value)) oneOrMore(isText)(each, `${option}.${name}`);
  },
  threads: listOf(isText),
  time: isRange,
  by: oneOf(CALL_SORTS),
  reversed: isBoolean,
};
