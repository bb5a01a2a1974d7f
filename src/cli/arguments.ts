/** Parsing of the arguments that commands share: inputs, a profile type, filters. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { PRESETS } from "../core/presets.ts";
import type { ExtraEvent, Filter, PresetName, Resource } from "../core/types.ts";
import { type Chipped, withConditions } from "../model/query/chips.ts";
import { FILTER_KINDS, filterRow, pairOf } from "../model/query/filters.ts";
import { loadedPattern } from "../model/query/pattern.ts";
import { MOST_LEVELS, parseRoots, ROOT_CHOICES, type RootLevel } from "../model/query/root-by.ts";
import { PRESET_NAMES, parseRule, type RunRule, withRule } from "../model/query/run-rules.ts";
import { type Shape, WHOLE } from "../model/query/shape.ts";
import { TRUNCATED_CHOICES, withTruncated } from "../model/query/truncated.ts";
import { UsageError } from "./exit.ts";

export type Options = NonNullable<ParseArgsConfig["options"]>;

/** Options of all commands that read recordings. */
export const READ_OPTIONS = {
  event: { type: "string" },
  value: { type: "string" },
  strict: { type: "boolean" },
} as const satisfies Options;

export const FILTER_OPTIONS = {
  ...READ_OPTIONS,
  type: { type: "string" },
  "raw-names": { type: "boolean" },
  ...filterOptions(),
} as const satisfies Options;

/** The options of all filters. Only `parseFilter` reads them, so they need no separate types. */
function filterOptions(): object {
  const options = FILTER_KINDS.flatMap((kind) => Object.entries(filterRow(kind).options));
  return Object.fromEntries(
    options.map(([name, values]) => [
      name,
      values.length === 0 ? { type: "boolean" } : { type: "string", multiple: true },
    ]),
  );
}

/** Content and form of the message. */
export const MESSAGE_OPTIONS = {
  preset: { type: "string" },
  resource: { type: "string", multiple: true },
  "normalise-names": { type: "boolean" },
} as const satisfies Options;

/** Transforms of the call tree, for formats that contain stacks. */
export const SHAPE_OPTIONS = {
  "root-by": { type: "string" },
  collapse: { type: "string", multiple: true },
  truncated: { type: "string" },
} as const satisfies Options;

export async function shapeOf(values: {
  "root-by"?: string | undefined;
  collapse?: string[] | undefined;
}): Promise<Shape> {
  const runs = (values.collapse ?? []).map(ruleOf);
  for (const { pattern } of runs) {
    const { error } = await loadedPattern(pattern);
    if (error !== null) throw new UsageError(`--collapse: ${error}`);
  }
  return { ...WHOLE, roots: rootsOf(values["root-by"]), runs: runs.reduce(withRule, []) };
}

/** Filter and shape of a drawing with truncated stacks as `--truncated` has them. */
export function truncatedAs<State extends Chipped>(state: State, how: string | undefined): State {
  const known = TRUNCATED_CHOICES.find((each) => each === (how ?? "shown"));
  if (known !== undefined) return how === undefined ? state : withTruncated(state, known);
  throw new UsageError(`--truncated: ${JSON.stringify(how)} is not one of ${TRUNCATED_CHOICES.join(", ")}`);
}

/** A preset, or `NAME=REGEX`. */
function ruleOf(text: string): RunRule {
  const rule = parseRule(text);
  if (rule !== null) return rule;
  throw new UsageError(`--collapse: ${JSON.stringify(text)} is not one of ${PRESET_NAMES.join(", ")}, NAME=REGEX`);
}

/** `LEVEL[,LEVEL]`, as links have it: a comma in a key is %2C. */
function rootsOf(text: string | undefined): RootLevel[] {
  if (text === undefined) return [];
  const names = text.split(",");
  for (const name of names) {
    if (parseRoots(name).length === 1) continue;
    throw new UsageError(`--root-by: ${JSON.stringify(name)} is not one of ${ROOT_CHOICES.join(", ")}`);
  }
  if (names.length > MOST_LEVELS) throw new UsageError(`--root-by: at most ${MOST_LEVELS} levels`);
  return parseRoots(text);
}

export function presetOf(name: string | undefined): PresetName {
  if (name === undefined) return "default";
  const known = PRESETS.find((preset) => preset.name === name);
  if (known !== undefined) return known.name;
  throw new UsageError(`--preset: ${JSON.stringify(name)} is not one of ${PRESETS.map((p) => p.name).join(", ")}`);
}

/** `KEY=VALUE`: attributes of the Resource, as texts; an empty VALUE takes one out. */
export function resourceOf(texts: string[] | undefined): Resource {
  const pairs = (texts ?? []).map((text) => pairOf("--resource", text));
  return Object.fromEntries(pairs.map(({ key, value }) => [key, value]));
}

/** The profile that the options select: one of the catalogue's, or one made of an event. */
export interface ProfileChoice {
  type?: string | undefined;
  event?: string | undefined;
  value?: string | undefined;
}

/** The event that `--event` and `--value` name, to be profiled beside the catalogue's. */
export function extraEvents({ type, event, value }: ProfileChoice): ExtraEvent[] {
  if (event === undefined) return [];
  if (type !== undefined) throw new UsageError("--type and --event exclude each other");
  if (event === "") throw new UsageError("--event: no event is named");
  return [value === undefined ? { event } : { event, value }];
}

/** parseArgs with its errors as usage errors, and with a check for at least one input. */
export function parse<T extends Options>(args: string[], options: T) {
  let parsed: ReturnType<typeof parseArgs<{ options: T; allowPositionals: true; args: string[] }>>;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  return parsed;
}

export function someInputs(inputs: string[]): string[] {
  if (inputs.length === 0) throw new UsageError("no input file is given");
  if (inputs.filter((path) => path === "-").length > 1) throw new UsageError("- can be given once");
  return inputs;
}

/** The filter that the options give. `values`: of FILTER_OPTIONS, as `parse` returns them. */
export async function parseFilter(values: object): Promise<Filter> {
  const texts = Object.entries(values).map(([name, value]) => [name, value === true ? [] : [value].flat()] as const);
  const given: Record<string, string[]> = Object.fromEntries(texts);
  let filter: Filter = {};
  for (const kind of FILTER_KINDS) filter = withConditions(filter, kind, await filterRow(kind).given(given));
  return given["raw-names"] === undefined ? filter : { ...filter, rawNames: true };
}

export function countOf(
  option: string,
  text: string | undefined,
  otherwise: number,
  most: number = Number.MAX_SAFE_INTEGER,
): number {
  if (text === undefined) return otherwise;
  if (!/^\d+$/.test(text)) throw new UsageError(`${option}: ${JSON.stringify(text)} is not a number`);
  if (Number(text) > most) throw new UsageError(`${option}: ${text} is more than ${most}`);
  return Number(text);
}
