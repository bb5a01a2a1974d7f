/**
 * The kinds of filters, one row each: its conditions in a `Filter`, its parameters in the URL hash, its words,
 * and its options of the command line: what the help says of them, how their texts are read, and how a condition is
 * printed. A condition is shown as a chip, which is the condition with its kind.
 */

import type {
  AttributeFilter,
  CallPart,
  CallPartName,
  Filter,
  FrameFilter,
  ProfileSummary,
  RootFrameFilter,
  SpanChoice,
  TimeRange,
} from "../../core/types.ts";
import { decoded, encoded, MOST_FILTERS, patternsIn } from "../words/hash-text.ts";
import { decimalId, hexId, idWord, isTrace, parseId, shortId } from "../words/ids.ts";
import { formatMoment, formatSpan, type Zeros, zeroOf } from "../words/moments.ts";
import { readId } from "../words/pasted-ids.ts";
import { visible } from "../words/text.ts";
import { CONTEXT_KEY } from "./attribute.ts";
import { givesWay, parseParts, partFileName, partWords, printPart } from "./call-chips.ts";
import { momentIn, NO_MOMENT } from "./moment.ts";
import { exactName, loadedPattern, patternWords } from "./pattern.ts";
import { ROOT_CHOICES, rootLevel, rootWord } from "./root-by.ts";
import { choiceWords, parseChoice, printChoice } from "./span-choice.ts";

/** A condition of each kind. */
export interface Conditions {
  file: { name: string };
  "local-root": { id: bigint };
  span: { id: bigint };
  "no-span": object;
  attribute: AttributeFilter;
  frame: FrameFilter;
  /** A root frame by the name of its level (root-by.ts). */
  "root-frame": Pick<RootFrameFilter, "by" | "name" | "exclude">;
  time: TimeRange;
  /** On calls of dumps (call-chips.ts). */
  calls: CallPart;
  /** Spans of an operation, by duration and start (query/span-choice.ts). */
  spans: SpanChoice;
}

export type FilterKind = keyof Conditions;
export type FilterChip = { [Kind in FilterKind]: { kind: Kind } & Conditions[Kind] }[FilterKind];

export interface ChipWords {
  label: string;
  value: string;
  /** Uncut, ids in both notations. */
  full: string;
}

/** An option of the command line that cannot be read. */
export class OptionError extends Error {}

interface FilterOption<Condition> {
  /** The word for its value in the help; a flag has none. */
  value?: string;
  /** A phrase without a full stop. */
  about: string;
  /** The last one counts. */
  single?: true;
  /** Names that it had in the version before. */
  former?: readonly string[];
  /** The condition that a text is, `""` of a flag. Throws OptionError. `option`: with its dashes. */
  read(text: string, option: string): Condition | Promise<Condition>;
}

interface FilterRow<Condition> {
  field: keyof Filter;
  /** The conditions of a filter. */
  of(filter: Filter): Condition[];
  /** The field's value for at least one condition; a kind that has a single one takes the last. */
  value(conditions: Condition[]): NonNullable<Filter[keyof Filter]>;
  /** Whether a condition gives way to another, unless that is added as an alternative. */
  replaced(old: Condition, by: Condition): boolean;
  /** Kinds of which nothing could be left beside this one. */
  excludes: readonly FilterKind[];
  /** Whether it is meaningful for another recording: ids and moments are of the one that they were taken from. */
  portable: boolean;

  /** Parameters of the hash, in the order of its links. */
  print(condition: Condition): [parameter: string, text: string];
  parse(hash: URLSearchParams): Condition[];

  /** Times count from the beginning of their file. */
  words(condition: Condition, zeros: Zeros): ChipWords;
  /** The words after "No sample" where nothing is left. */
  absence(conditions: Condition[]): string[];
  /** Why no sample can be left, as far as the profile alone tells; else null. */
  reason?(filter: Filter, profile: ProfileSummary): string | null;
  /** A part of a download's name; null where the name has the condition already. */
  fileName(condition: Condition): string | null;

  /** Options of the command line by name, in the order of the help. */
  options: Readonly<Record<string, FilterOption<Condition>>>;
  /** What several options together are. */
  joined?(conditions: Condition[]): Condition[];
  /** Options that are read as the condition; null where none are. */
  args(condition: Condition): readonly string[] | null;
}

const MAX_TIME = (1n << 64n) - 1n;

/** In the order of chips. */
export const FILTERS: { readonly [Kind in FilterKind]: FilterRow<Conditions[Kind]> } = {
  file: {
    field: "file",
    of: ({ file }) => (file === undefined ? [] : [{ name: file }]),
    value: (files) => files.at(-1)!.name,
    replaced: () => true,
    excludes: [],
    portable: false,
    print: ({ name }) => ["file", name],
    parse: (hash) => (hash.get("file") ? [{ name: hash.get("file")! }] : []),
    words: ({ name }) => ({ label: "file", value: visible(name, 80), full: `file ${visible(name)}` }),
    absence: () => [],
    fileName: () => null,
    options: {
      file: {
        value: "NAME",
        about: "samples of the input with this name, or of the inputs in this folder or archive; info lists the names",
        single: true,
        read: (name) => ({ name }),
      },
    },
    // It is the only input of the command.
    args: () => [],
  },

  "local-root": {
    field: "localRoot",
    of: ({ localRoot = [] }) => [localRoot].flat().map((id) => ({ id })),
    value: (roots) => roots.map(({ id }) => id),
    replaced: () => true,
    // A span of another root would leave nothing.
    excludes: ["span", "no-span"],
    portable: false,
    print: ({ id }) => ["root", decimalId(id)],
    parse: (hash) => idsIn(hash.getAll("root")),
    words: ({ id }) => idWords("local-root", id),
    reason: (_, profile) => withoutIds(profile),
    absence: (roots) => [`carries ${idWord("local-root", roots[0]!.id)} ${anyOf(roots)}`],
    fileName: ({ id }) => `root-${decimalId(id)}`,
    options: {
      "local-root": {
        value: "ID",
        about: "samples of this request: decimal, 0x-hex, or hex with at least one letter",
        read: rootOf,
      },
      "trace-id": {
        value: "ID",
        about: "samples of this trace: 32 hex digits, a traceparent, a header of B3 or Datadog, or a log line with one",
        read: rootOf,
      },
    },
    args: ({ id }) => ["--local-root", idText(id)],
  },

  span: {
    field: "span",
    of: ({ span = [] }) => [span].flat().map((id) => ({ id })),
    value: (spans) => spans.map(({ id }) => id),
    replaced: () => true,
    excludes: ["no-span"],
    portable: false,
    print: ({ id }) => ["span", id.toString()],
    parse: (hash) => idsIn(hash.getAll("span")).filter(({ id }) => !isTrace(id)),
    words: ({ id }) => idWords("span", id),
    reason: (_, profile) => withoutIds(profile),
    absence: (spans) => [`carries span ${anyOf(spans)}`],
    fileName: ({ id }) => `span-${id}`,
    options: { span: { value: "ID", about: "samples of this span", read: spanOf } },
    args: ({ id }) => ["--span", idText(id)],
  },

  "no-span": {
    field: "noSpan",
    of: ({ noSpan = false }) => (noSpan ? [{}] : []),
    value: () => true,
    replaced: () => true,
    excludes: ["local-root", "span"],
    portable: true,
    print: () => ["no-span", "yes"],
    parse: (hash) => (hash.get("no-span") === "yes" ? [{}] : []),
    words: () => ({
      label: "without",
      value: "span",
      full: "without a span: neither a span id nor the id of a request",
    }),
    absence: () => ["is without a span"],
    reason: ({ span, localRoot }, { samples, samplesWithSpan, inferredSpan = 0 }) => {
      if (span !== undefined || localRoot !== undefined)
        return "A sample without a span has no span id and no request: these filters exclude each other.";
      return samples === samplesWithSpan + inferredSpan ? "Every sample of this profile has a span." : null;
    },
    fileName: () => "no-span",
    options: { "no-span": { about: "samples with neither a span id nor a local root", read: () => ({}) } },
    args: () => ["--no-span"],
  },

  attribute: {
    field: "attributes",
    of: ({ attributes = [] }) => attributes,
    value: (attributes) => attributes,
    replaced: (old, by) => !old.exclude && !by.exclude && old.key === by.key,
    excludes: [],
    portable: true,
    print: ({ key, value, exclude }) => [exclude === true ? "not-attr" : "attr", `${encoded(key)}=${value}`],
    parse: (hash) => [
      ...attributesIn(hash.getAll("attr")),
      ...attributesIn(hash.getAll("not-attr")).map((filter) => ({ ...filter, exclude: true })),
    ],
    words: ({ key, value, exclude }) => {
      if (key === CONTEXT_KEY) return contextWords(exclude === true);
      const sign = exclude ? "≠" : "=";
      const label = `${visible(key, 60)} ${sign}`;
      return { label, value: visible(value, 80), full: `${visible(key)} ${sign} ${visible(value)}` };
    },
    absence: (filters) =>
      filters.map(({ key, value, exclude }) => {
        return `carries ${visible(key, 60)} ${exclude ? "≠" : "="} ${visible(value, 80)}`;
      }),
    fileName: ({ key, value, exclude }) => `${exclude ? "not-" : ""}${key}-${value}`,
    options: {
      attr: {
        value: "KEY=VALUE or KEY!=VALUE",
        about: "samples with, or with != without, this attribute value",
        read: signedPair,
      },
      thread: {
        value: "NAME",
        about: "samples of the thread with this name",
        read: (value) => ({ key: "thread.name", value }),
      },
    },
    args: ({ key, value, exclude }) => pairArgs("attr", key, value, exclude),
  },

  frame: {
    field: "frames",
    of: ({ frames = [] }) => frames,
    value: (frames) => frames,
    replaced: () => false,
    excludes: [],
    portable: true,
    print: ({ pattern, exclude }) => [exclude === true ? "not-frame" : "frame", pattern],
    parse: (hash) => [
      ...patternsIn(hash.getAll("frame")).map((pattern) => ({ pattern })),
      ...patternsIn(hash.getAll("not-frame")).map((pattern) => ({ pattern, exclude: true })),
    ],
    words: ({ pattern, exclude }) => frameWords(pattern, exclude ? ["without", "no frame"] : ["with", "frame"]),
    absence: (filters) =>
      filters.map(({ pattern, exclude }) => `has ${exclude ? "no" : "a"} frame ${visible(patternWords(pattern), 60)}`),
    fileName: ({ pattern, exclude }) => `${exclude ? "not-" : ""}${pattern}`,
    options: {
      frame: {
        value: "REGEX",
        about: "samples with a function that matches (RE2 syntax; case-sensitive if REGEX has a capital letter)",
        read: frameOf,
      },
      "not-frame": {
        value: "REGEX",
        about: "samples without such a function",
        read: async (pattern, option) => ({ ...(await frameOf(pattern, option)), exclude: true }),
      },
    },
    args: ({ pattern, exclude }) => [`--${exclude === true ? "not-frame" : "frame"}=${pattern}`],
  },

  "root-frame": {
    field: "rootFrames",
    of: ({ rootFrames = [] }) => rootFrames.map(({ by, name, exclude }) => ({ by, name, ...(exclude && { exclude }) })),
    value: (conditions) =>
      conditions.flatMap((condition) => {
        const level = rootLevel(condition.by);
        return level === null ? [] : { ...level, ...condition };
      }),
    replaced: (old, by) => !old.exclude && !by.exclude && old.by === by.by,
    excludes: [],
    portable: true,
    print: ({ by, name, exclude }) => [exclude ? "not-root-frame" : "root-frame", `${encoded(by)}=${name}`],
    parse: (hash) => [
      ...rootFramesIn(hash.getAll("root-frame")),
      ...rootFramesIn(hash.getAll("not-root-frame")).map((condition) => ({ ...condition, exclude: true })),
    ],
    words: ({ by, name, exclude }) => {
      const label = `${rootWord(by)}${exclude ? " ≠" : ""}`;
      return { label, value: visible(name, 80), full: `${label} ${visible(name)}` };
    },
    absence: (conditions) =>
      conditions.map(({ by, name, exclude }) => `is ${exclude ? "not " : ""}of ${rootWord(by)} ${visible(name, 80)}`),
    fileName: ({ by, name, exclude }) => `${exclude ? "not-" : ""}${by}-${name}`,
    options: {
      "root-frame": {
        value: "LEVEL=NAME",
        about:
          "samples below, or with != not below, a root frame of --root-by, such as endpoint=/checkout or thread-pool=http-*",
        read(text, option) {
          const { key: by, value: name, ...exclude } = signedPair(text, option);
          if (rootLevel(by) !== null) return { by, name, ...exclude };
          throw new OptionError(`${option}: ${JSON.stringify(by)} is not one of ${ROOT_CHOICES.join(", ")}`);
        },
      },
      endpoint: {
        value: "E",
        about: "samples of this endpoint, such as 'GET /checkout'; spans --by endpoint lists them",
        read: (name) => ({ by: "endpoint", name }),
      },
    },
    args: ({ by, name, exclude }) => pairArgs("root-frame", by, name, exclude),
  },

  time: {
    field: "time",
    of: ({ time }) => (time === undefined ? [] : [time]),
    value: (ranges) => ranges.at(-1)!,
    replaced: () => true,
    excludes: [],
    portable: false,
    print: ({ from, to }) => ["time", `${from}-${to}`],
    parse: (hash) => timeIn(hash.get("time") ?? ""),
    words: ({ from, to }, zeros) => {
      const zero = zeroOf(zeros, from);
      const moment = formatMoment(from, 3);
      if (zero === null) return { label: "time", value: moment, full: moment };
      const value = formatSpan(from - zero, to - zero);
      return { label: "time", value, full: `${value}, from ${moment}` };
    },
    absence: () => ["was taken in this range of time"],
    fileName: ({ from, to }) => `time-${from}-${to}`,
    options: {
      since: {
        value: "TIME",
        about:
          "samples from this time on: a duration before now such as 1d, ISO 8601 (UTC without a zone), or ns since 1970",
        single: true,
        former: ["from"],
        read: (text, option) => ({ from: momentOf(text, option), to: MAX_TIME }),
      },
      until: {
        value: "TIME",
        about: "samples before this time",
        single: true,
        former: ["to"],
        read: (text, option) => ({ from: 0n, to: momentOf(text, option) }),
      },
    },
    joined: ([first, ...others]) => {
      if (first === undefined) return [];
      const both = others.reduce(({ from, to }, other) => {
        return { from: other.from > from ? other.from : from, to: other.to < to ? other.to : to };
      }, first);
      return [both];
    },
    args: ({ from, to }) => ["--since", `${from}`, "--until", `${to}`],
  },

  calls: {
    field: "calls",
    of: ({ calls = [] }) => calls,
    value: (parts) => parts,
    replaced: givesWay,
    excludes: [],
    portable: false,
    print: printPart,
    parse: parseParts,
    words: partWords,
    absence: () => ["is of these calls"],
    fileName: partFileName,
    // Their options are those of the group for calls (src/cli/calls/dump-calls.ts).
    options: {},
    args: partArgs,
  },

  spans: {
    field: "spans",
    of: ({ spans }) => (spans === undefined ? [] : [spans]),
    value: (choices) => choices.at(-1)!,
    replaced: () => true,
    excludes: ["no-span"],
    portable: false,
    print: (choice) => ["spans", printChoice(choice)],
    parse: (hash) => [parseChoice(hash.get("spans") ?? "") ?? []].flat(),
    words: choiceWords,
    absence: () => ["is of these spans"],
    fileName: (choice) => `spans-${printChoice(choice)}`,
    options: {},
    args: () => null,
  },
};

/** Kinds of the span or request that a sample belongs to. */
export const CONTEXT_KINDS: readonly FilterKind[] = ["local-root", "span", "no-span"];

export const FILTER_KINDS = Object.keys(FILTERS) as FilterKind[];

/** The row of a kind, for conditions of that kind only. */
export function filterRow(kind: FilterKind): FilterRow<object> {
  return FILTERS[kind] as FilterRow<object>;
}

// ---- options ----

/** The conditions of a kind that options state, by their names, each with the texts that it was given. */
export async function conditionsGiven(kind: FilterKind, given: Readonly<Record<string, readonly string[]>>) {
  const { options, joined = (conditions) => conditions } = filterRow(kind);
  const read = Object.entries(options).flatMap(([name, option]) =>
    (given[name] ?? []).map((text) => option.read(text, `--${name}`)),
  );
  return joined(await Promise.all(read));
}

/** Conditions as options, and those that no option states, in words. */
export function argsOf(chips: readonly FilterChip[]): { args: string[]; missing: string[] } {
  const printed = chips.map((chip) => ({ chip, args: filterRow(chip.kind).args(chip) }));
  return {
    args: printed.flatMap(({ args }) => args ?? []),
    missing: printed.flatMap(({ chip, args }) =>
      args === null ? `the filter ${filterRow(chip.kind).words(chip, []).full}` : [],
    ),
  };
}

/** A trace has more than 64 bits, and needs no mark to be read as hex. */
const idText = (id: bigint) => (isTrace(id) ? id.toString(16).padStart(32, "0") : `0x${id.toString(16)}`);

function idOf(text: string, option: string) {
  const read = readId(text);
  if (!read.ok) throw new OptionError(`${option}: ${read.error}`);
  return read;
}

function rootOf(text: string, option: string) {
  return { id: idOf(text, option).id };
}

function spanOf(text: string, option: string): { id: bigint } {
  const { span } = idOf(text, option);
  if (span === null) throw new OptionError(`${option}: ${JSON.stringify(text)} does not fit in 64 bits`);
  return { id: span };
}

/** Null for a key that is read as another one. */
function pairArgs(option: string, key: string, value: string, exclude = false): string[] | null {
  return key.includes("=") || key.endsWith("!") ? null : [`--${option}=${key}${exclude ? "!" : ""}=${value}`];
}

/** `KEY=VALUE`, or `KEY!=VALUE` to exclude the value. */
function signedPair(text: string, option: string): AttributeFilter {
  const { key, value } = pairOf(option, text);
  return key.endsWith("!") && key.length > 1 ? { key: key.slice(0, -1), value, exclude: true } : { key, value };
}

/** Throws OptionError. */
export function pairOf(option: string, text: string): { key: string; value: string } {
  const pair = pairIn(text);
  if (pair === null) throw new OptionError(`${option}: ${JSON.stringify(text)} is not KEY=VALUE`);
  return pair;
}

async function frameOf(pattern: string, option: string): Promise<FrameFilter> {
  const { error } = await loadedPattern(pattern);
  if (error !== null) throw new OptionError(`${option}: ${error}`);
  return { pattern };
}

/** Nanoseconds since 1970, of a duration before now or a time. Throws OptionError. */
export function momentOf(text: string, option: string): bigint {
  const moment = momentIn(text, Date.now());
  if (moment === null) throw new OptionError(`${option}: ${JSON.stringify(text)} ${NO_MOMENT}`);
  return moment;
}

/** Options of the group for calls that take the text of a condition. */
const CALL_OPTIONS: Partial<Record<CallPartName, string>> = {
  min: "min-ms",
  max: "max-ms",
  roots: "roots",
  text: "query",
  param: "attr",
};

function partArgs(part: CallPart): string[] | null {
  if (part.part === "ids") return part.ids.map((id) => `--call=${id}`);
  const option = CALL_OPTIONS[part.part];
  if (option !== undefined) return [`--${option}=${part.text}`];
  const at = part.part === "not-param" ? part.text.indexOf("=") : -1;
  return at > 0 ? [`--attr=${part.text.slice(0, at)}!${part.text.slice(at)}`] : null;
}

// ---- words ----

function idWords(kind: "span" | "local-root", id: bigint): ChipWords {
  const label = idWord(kind, id);
  return { label, value: decimalId(id), full: `${label} ${decimalId(id)} (0x${hexId(id)})` };
}

/** `exact` precedes the name of one function, `other` any other pattern. */
export function frameWords(pattern: string, [exact, other]: [exact: string, other: string]): ChipWords {
  const label = exactName(pattern) === null ? other : exact;
  const words = patternWords(pattern);
  return { label, value: visible(words, 80), full: `${label} ${visible(words)}` };
}

function withoutIds({ samplesWithSpan, inferredSpan = 0, inferredRoot = 0 }: ProfileSummary): string | null {
  if (samplesWithSpan + inferredSpan + inferredRoot > 0) return null;
  return "No sample of this profile carries a span id: its event type does not record one.";
}

function anyOf(ids: readonly { id: bigint }[]): string {
  return ids.map(({ id }) => shortId(id)).join(" or ");
}

/** `KEY=VALUE`; null for a text without a key. */
function pairIn(text: string): { key: string; value: string } | null {
  const at = text.indexOf("=");
  return at <= 0 ? null : { key: text.slice(0, at), value: text.slice(at + 1) };
}

// ---- the hash ----

function idsIn(texts: string[]): { id: bigint }[] {
  const ids = texts.slice(0, MOST_FILTERS).flatMap((text) => {
    const parsed = parseId(text);
    return parsed.ok ? [parsed.id] : [];
  });
  return [...new Set(ids)].map((id) => ({ id }));
}

function rootFramesIn(texts: string[]): Conditions["root-frame"][] {
  return [...new Set(texts)].slice(0, MOST_FILTERS).flatMap((text) => {
    const pair = pairIn(text);
    const by = pair && decoded(pair.key);
    return by === null || rootLevel(by) === null ? [] : [{ by, name: pair!.value }];
  });
}

function contextWords(isRecorded: boolean): ChipWords {
  return isRecorded
    ? { label: "context", value: "recorded", full: "Context that the events carry, or none" }
    : { label: "context", value: "inferred", full: "Context that is inferred" };
}

function attributesIn(texts: string[]): AttributeFilter[] {
  return [...new Set(texts)].slice(0, MOST_FILTERS).flatMap((text) => {
    const pair = pairIn(text);
    const key = pair && decoded(pair.key);
    return key === null ? [] : [{ key, value: pair!.value }];
  });
}

export function timeIn(text: string): TimeRange[] {
  const [, from, to] = /^(\d{1,19})-(\d{1,19})$/.exec(text) ?? [];
  if (from === undefined || to === undefined || BigInt(from) >= BigInt(to)) return [];
  return [{ from: BigInt(from), to: BigInt(to) }];
}
