/** The checks of the options that select samples, and the filter of the core that they are. */
import type { OpenRun, RootLevel, RunRule, Shape } from "../core/shape.ts";
import type { AttributeFilter, Filter, FrameFilter, OneOrMore, RootFrameFilter, TimeRange } from "../core/types.ts";
import {
  type Checks,
  isBoolean,
  isCount,
  isRootId,
  isSpanId,
  isText,
  isTime,
  listOf,
  oneOf,
  oneOrMore,
  recordOf,
  wrong,
} from "./check.ts";
import type { Names, OnlyOptions, SelectOptions } from "./options.ts";

export const isRange = recordOf<TimeRange>({ from: isTime, to: isTime }, ["from", "to"]);
const NAMES = ["recorded", "normalised"] as const satisfies readonly Names[];
export const isNames = oneOf(NAMES);

const ROOT_LEVEL = { by: isText, keys: listOf(isText), pooled: isBoolean, none: isText } satisfies Checks<RootLevel>;
const LEVEL_KEYS = ["by", "keys", "pooled", "none"] as const;

const isShape = recordOf<Partial<Shape>>({
  from: isText,
  merged: listOf(isText),
  recursion: oneOf(["kept", "direct", "all"]),
  lines: isBoolean,
  roots: listOf(recordOf<RootLevel>(ROOT_LEVEL, LEVEL_KEYS)),
  runs: listOf(recordOf<RunRule>({ name: isText, pattern: isText, border: isBoolean }, ["name", "pattern"])),
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

export const isOnly = recordOf<OnlyOptions>({
  profiles: oneOrMore(isText),
  span: SELECT.span,
  localRoot: SELECT.localRoot,
  noSpan: SELECT.noSpan,
  not: SELECT.not,
  attributes: SELECT.attributes,
  time: SELECT.time,
});

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
