/** Parsing of the arguments that commands share: inputs, a profile type, filters. */
import { SpanflameError } from "../core/instance/error.ts";
import type { IdNames } from "../core/instance/id-names.ts";
import { extraType } from "../core/tables/extra-events.ts";
import { PRESETS } from "../core/tables/presets.ts";
import type { ExtraEvent, Filter, PresetName, Resource, RootFrameFilter } from "../core/types.ts";
import { type Chipped, withConditions } from "../model/query/chips.ts";
import { conditionsGiven, FILTER_KINDS, pairOf } from "../model/query/filters.ts";
import { loadedPattern } from "../model/query/pattern.ts";
import { MOST_LEVELS, parseRoots, ROOT_CHOICES, type RootLevel } from "../model/query/root-by.ts";
import { PRESET_NAMES, parseRule, type RunRule, withRule } from "../model/query/run-rules.ts";
import { type Shape, WHOLE } from "../model/query/shape.ts";
import { TRUNCATED_CHOICES, withTruncated } from "../model/query/truncated.ts";
import { ID_KEYS, pastedIds } from "../model/words/pasted-ids.ts";
import { UsageError } from "./exit.ts";
import { smallText } from "./small-text.ts";
import { notOneOf } from "./usage/suggest.ts";

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
  throw new UsageError(notOneOf("--truncated", how ?? "", TRUNCATED_CHOICES));
}

/** A preset, or `NAME=REGEX`. */
function ruleOf(text: string): RunRule {
  const rule = parseRule(text);
  if (rule !== null) return rule;
  throw new UsageError(notOneOf("--collapse", text, [...PRESET_NAMES, "NAME=REGEX"]));
}

/** `LEVEL[,LEVEL]`, as links have it: a comma in a key is %2C. */
function rootsOf(text: string | undefined): RootLevel[] {
  if (text === undefined) return [];
  const names = text.split(",");
  for (const name of names) {
    if (parseRoots(name).length === 1) continue;
    throw new UsageError(notOneOf("--root-by", name, ROOT_CHOICES));
  }
  if (names.length > MOST_LEVELS) throw new UsageError(`--root-by: at most ${MOST_LEVELS} levels`);
  return parseRoots(text);
}

export function presetOf(name: string | undefined): PresetName {
  if (name === undefined) return "default";
  const known = PRESETS.find((preset) => preset.name === name);
  if (known !== undefined) return known.name;
  throw new UsageError(
    notOneOf(
      "--preset",
      name,
      PRESETS.map((preset) => preset.name),
    ),
  );
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
  /** A file of mapped events. */
  events?: string | undefined;
}

/** The events of `--events`, and the one that `--event` and `--value` name, to be profiled beside the catalogue's. */
export async function extraEvents({ type, event, value, events }: ProfileChoice): Promise<ExtraEvent[]> {
  const mapped = events === undefined ? [] : await mappedEvents(events);
  if (event === undefined) return mapped;
  if (type !== undefined) throw new UsageError("--type and --event exclude each other");
  if (event === "") throw new UsageError("--event: no event is named");
  const one: ExtraEvent = value === undefined ? { event } : { event, value };
  return [...mapped.filter((each) => extraType(each) !== extraType(one)), one];
}

async function mappedEvents(path: string): Promise<ExtraEvent[]> {
  const text = await smallText("--events", path);
  try {
    return (await import("../requests/events.ts")).eventsOf(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`--events: ${path}: this is no JSON: ${error.message}`);
    if (error instanceof SpanflameError) throw new UsageError(`--events: ${path}: ${error.message}`);
    throw error;
  }
}

/** Options for names of labels with ids. */
export interface IdLabels {
  "trace-label"?: readonly string[] | undefined;
  "span-label"?: readonly string[] | undefined;
}

export function idNamesOf(values: IdLabels): IdNames {
  return { trace: values["trace-label"], span: values["span-label"] };
}

/** The filter that the options give. `values`: of the group FILTER, as `parse` returns them. */
/** The options of a command: those that ask for holders of waits need inferred context. */
export function withHolders(values: object): object {
  const { "root-by": levels = "", "root-frame": frames = [] } = values as { [option: string]: string | string[] };
  const asked = [...[levels].flat().flatMap((text) => text.split(",")), ...[frames].flat()];
  return asked.some((text) => /^holder($|!?=)/.test(text)) ? { ...values, inferred: true } : values;
}

export async function parseFilter(values: object): Promise<Filter> {
  const texts = Object.entries(values).map(([name, value]) => [name, value === true ? [""] : [value].flat()] as const);
  const given: Record<string, string[]> = Object.fromEntries(texts);
  let filter: Filter = {};
  const words = ID_OPTIONS.flatMap((option) => idWords(option, given));
  for (const kind of FILTER_KINDS) filter = withConditions(filter, kind, await conditionsGiven(kind, given));
  if (words.length > 0) filter = { ...filter, rootFrames: [...(filter.rootFrames ?? []), ...words] };
  return given["raw-names"] === undefined ? filter : { ...filter, rawNames: true };
}

const ID_OPTIONS = ["trace-id", "span"] as const;

/** Ids that are no numbers, taken out of the options: texts of attributes, if a sample has them (asked-ids.ts). */
function idWords(option: (typeof ID_OPTIONS)[number], given: Record<string, string[]>): RootFrameFilter[] {
  const texts = given[option] ?? [];
  const isWord = (text: string) => /^[\w.:-]+$/.test(text) && /[g-z]/i.test(text) && pastedIds(text, true) === null;
  const words = texts.filter(isWord);
  if (words.length > 0) given[option] = texts.filter((text) => !isWord(text));
  return words.map((name) => ({ by: ID_WORD + option, keys: ID_KEYS[option], name, pooled: false, none: "" }));
}

/** Begins the level of a condition on an id that is a word. */
export const ID_WORD = "id:";

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

/** Value of `--jobs`; 0 without it. */
export function jobsOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const jobs = countOf("--jobs", text, 1, 256);
  if (jobs === 0) throw new UsageError("--jobs: 0 is not a number of jobs");
  return jobs;
}
