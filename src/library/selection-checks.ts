/** The checks of the options that select samples, and the filter of the core that they are. */
import type { OpenRun, RootLevel, RunRule, Shape } from "../core/shape.ts";
import type { AttributeFilter, Filter, FrameFilter, OneOrMore, RootFrameFilter, TimeRange } from "../core/types.ts";
import { rootLevel, THREAD } from "../model/query/root-by.ts";
import {
  type Check,
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
const ROOT_FRAME = { ...ROOT_LEVEL, name: isText, exclude: isBoolean } satisfies Checks<RootFrameFilter>;

const isShape = recordOf<Partial<Shape>>({
  from: isText,
  merged: listOf(isText),
  recursion: oneOf(["kept", "direct", "all"]),
  lines: isBoolean,
  roots: listOf(recordOf<RootLevel>(ROOT_LEVEL, LEVEL_KEYS)),
  runs: listOf(
    recordOf<RunRule>({ name: isText, pattern: isText, border: isBoolean, whole: isBoolean }, ["name", "pattern"]),
  ),
  opened: listOf(recordOf<OpenRun>({ rule: isText, below: isText }, ["rule", "below"])),
});

const isFrameFilter = recordOf<FrameFilter>({ pattern: isText, exclude: isBoolean }, ["pattern"]);
const isAttributes = listOf(
  recordOf<AttributeFilter>({ key: isText, value: isText, exclude: isBoolean }, ["key", "value"]),
);

/** An option, and the parts of a member of the filter that its value is. */
interface Row {
  check: Check;
  of(value: unknown): object[] | bigint[];
}

/** Several values are several parts. */
const each = <Value>(check: Check, of: (value: Value) => object | bigint): Row => ({
  check: oneOrMore(check),
  of: (given) => ([given].flat() as Value[]).map(of) as object[],
});
const ids = (check: Check) => each<bigint>(check, (id) => id);

/** Conditions that `not` has as well: the options of each member of the filter, which are alternatives. */
const CONDITIONS = {
  span: { span: ids(isSpanId) },
  localRoot: { localRoot: ids(isRootId), traceId: ids(isRootId) },
  attributes: {
    attributes: {
      check: (value, option) => {
        if (Array.isArray(value)) return isAttributes(value, option);
        if (typeof value !== "object" || value === null)
          wrong(option, value, "an object of values by key, or an array of filters");
        for (const [key, each] of Object.entries(value)) oneOrMore(isText)(each, `${option}.${key}`);
      },
      of: (given) => attributeFilters(given as NonNullable<SelectOptions["attributes"]>),
    },
    thread: each<string>(isText, (value) => ({ key: THREAD, value })),
  },
  frames: {
    frame: each<string | FrameFilter>(
      (value, option) => {
        if (typeof value !== "string") isFrameFilter(value, option);
      },
      (frame) => (typeof frame === "string" ? { pattern: frame } : frame),
    ),
  },
  rootFrames: {
    rootFrames: {
      check: listOf(recordOf<RootFrameFilter>(ROOT_FRAME, [...LEVEL_KEYS, "name"])),
      of: (filters) => filters as RootFrameFilter[],
    },
    endpoint: each<string>(isText, (name) => ({ ...rootLevel("endpoint"), name })),
  },
} satisfies Partial<Record<keyof Filter, Partial<Record<keyof SelectOptions, Row>>>>;

type Table = typeof CONDITIONS;
type Condition = { [Member in keyof Table]: keyof Table[Member] }[keyof Table];

const ROWS = Object.values<Partial<Record<Condition, Row>>>(CONDITIONS).flatMap((rows) => Object.entries(rows));
const CHECKS = Object.fromEntries(ROWS.map(([name, { check }]) => [name, check])) as Record<Condition, Check>;

/** Conditions that are one value. */
const SINGLE = { noSpan: isBoolean, time: isRange, file: isText } satisfies Partial<Checks<Filter>>;

export const SELECT: Checks<SelectOptions> = {
  ...CHECKS,
  ...SINGLE,
  not: recordOf<NonNullable<SelectOptions["not"]>>(CHECKS),
  names: isNames,
  measure: (value, option) => {
    if (typeof value !== "string") isCount(value, option);
  },
  shape: isShape,
};

const { names: _, measure: __, shape: ___, ...ONLY } = SELECT;

export const isOnly = recordOf<OnlyOptions>({ ...ONLY, profiles: oneOrMore(isText) });

/** The filter of the core for checked options. */
export function filterOf({ not = {}, names, ...wanted }: SelectOptions): Filter {
  const filter: Record<string, unknown> = {};
  const excluded: Record<string, unknown> = {};
  for (const [member, rows] of Object.entries<Partial<Record<Condition, Row>>>(CONDITIONS)) {
    const partsOf = (given: SelectOptions) =>
      Object.entries(rows).flatMap(([name, row]) => {
        const value = given[name as Condition];
        return value === undefined ? [] : [row.of(value)];
      });
    const [parts, others] = [partsOf(wanted), partsOf(not)];
    const isOfIds = member === "span" || member === "localRoot";
    const opposite = isOfIds ? [] : others.map((each) => (each as AttributeFilter[]).map(inverted));
    if (isOfIds && others.length > 0) excluded[member] = others.flat();
    // An empty list of ids is no id, which no sample has.
    if (parts.length + opposite.length > 0) filter[member] = [...parts, ...opposite].flat();
  }
  const single = Object.entries(wanted).filter(([name, value]) => Object.hasOwn(SINGLE, name) && value !== undefined);
  return {
    ...filter,
    ...(Object.keys(excluded).length > 0 && { not: excluded }),
    ...Object.fromEntries(single),
    ...(names === "recorded" && { rawNames: true }),
  };
}

const inverted = (part: { exclude?: boolean }) => ({ ...part, exclude: part.exclude !== true });

function attributeFilters(given: NonNullable<SelectOptions["attributes"]>): AttributeFilter[] {
  if (Array.isArray(given)) return given as AttributeFilter[];
  return Object.entries(given as Record<string, OneOrMore<string>>).flatMap(([key, values]) =>
    [values].flat().map((value) => ({ key, value: value as string })),
  );
}
