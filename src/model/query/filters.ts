/**
 * The kinds of filters, one row each: its conditions in a `Filter`, its parameters in the URL hash, its words. Their
 * options, which are not in the page's first load, are in written/filter-options.ts. A condition is shown as a chip,
 * which is the condition with its kind.
 */

import type {
  AttributeFilter,
  CallPart,
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
import { visible } from "../words/text.ts";
import { CONTEXT_KEY } from "./attribute.ts";
import { givesWay, parseParts, partFileName, partWords, printPart } from "./call-chips.ts";
import { exactName, patternWords } from "./pattern.ts";
import { rootLevel, rootWord } from "./root-by.ts";
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
}

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
  },
};

/** Kinds of the span or request that a sample belongs to. */
export const CONTEXT_KINDS: readonly FilterKind[] = ["local-root", "span", "no-span"];

export const FILTER_KINDS = Object.keys(FILTERS) as FilterKind[];

/** The row of a kind, for conditions of that kind only. */
export function filterRow(kind: FilterKind): FilterRow<object> {
  return FILTERS[kind] as FilterRow<object>;
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
export function pairIn(text: string): { key: string; value: string } | null {
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
