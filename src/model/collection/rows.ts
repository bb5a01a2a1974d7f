/** Rows of the table of a collection: one for each file, with its figures for a profile type and a function. */
import type { TimeRange } from "../../core/types.ts";
import type { FileSort } from "../query/query.ts";
import type { FunctionNames, KeptFacts, KeptShares } from "./facts.ts";

/** A share of a function; `atMost` where the file has it among the functions that are not listed. */
export interface FunctionShare {
  self: number;
  total: number;
  atMost: number;
}

export interface FileRow {
  /** In the order of the collection. */
  index: number;
  name: string;
  /** Null until the file was read. */
  facts: KeptFacts | null;
  /** Samples of the profile type. */
  samples: number;
  /** Function with the most self time of the type; null without a sample. */
  top: { name: string; self: number } | null;
  /** Share of the chosen function; null without a function, or without samples of the type. */
  share: FunctionShare | null;
}

/** A profile type that files of the collection have. */
export interface FileType {
  type: string;
  label: string;
  /** Files that have samples of it. */
  files: number;
}

/** In the order of the first file that has them. */
export function fileTypes(facts: readonly (KeptFacts | null)[]): FileType[] {
  const types = new Map<string, FileType>();
  for (const file of facts) {
    for (const { type, label, samples } of file?.profiles ?? []) {
      const known = types.get(type) ?? { type, label, files: 0 };
      if (samples > 0) known.files++;
      types.set(type, known);
    }
  }
  return [...types.values()];
}

/** The wanted type, else the one that most files have. */
export function chosenType(types: readonly FileType[], wanted: string): string {
  if (types.some(({ type }) => type === wanted)) return wanted;
  return (
    types.reduce<FileType | null>((most, each) => (each.files > (most?.files ?? 0) ? each : most), null)?.type ?? ""
  );
}

export interface Asked {
  type: string;
  /** "" for none. */
  function: string;
}

export function fileRow(
  index: number,
  name: string,
  facts: KeptFacts | null,
  asked: Asked,
  names: FunctionNames,
): FileRow {
  const profile = facts?.profiles.find(({ type }) => type === asked.type);
  const hasSamples = profile !== undefined && profile.samples > 0;
  return {
    ...{ index, name, facts },
    samples: profile?.samples ?? 0,
    top: hasSamples ? topOf(profile.functions, names) : null,
    share: hasSamples && asked.function !== "" ? shareOf(profile.functions, names.find(asked.function)) : null,
  };
}

function topOf({ names, self }: KeptShares, all: FunctionNames): FileRow["top"] {
  const at = self.reduce((best, share, i) => (share > (self[best] ?? -1) ? i : best), 0);
  const name = all.list[names[at] ?? -1];
  return name === undefined ? null : { name, self: self[at] ?? 0 };
}

function shareOf({ names, self, total, bound }: KeptShares, name: number): FunctionShare {
  const at = names.indexOf(name);
  if (name < 0 || at < 0) return { self: 0, total: 0, atMost: bound };
  return { self: self[at] ?? 0, total: total[at] ?? 0, atMost: 0 };
}

type Key = string | number | bigint | null;

const KEYS: Record<FileSort, (row: FileRow) => Key> = {
  start: ({ facts }) => facts?.time?.from ?? null,
  name: ({ name }) => name,
  service: ({ facts }) => facts?.service || null,
  instance: ({ facts }) => facts?.instance || null,
  samples: ({ facts, samples }) => (facts === null ? null : samples),
  top: ({ top }) => top?.name ?? null,
  share: ({ share }) => share?.total ?? null,
};

/** Texts and times ascend, figures descend; rows without a value are last. */
export function sortedRows(rows: readonly FileRow[], sort: FileSort, reversed: boolean): FileRow[] {
  const key = KEYS[sort];
  const sign = ASCENDING_FILES.includes(sort) !== reversed ? 1 : -1;
  return [...rows].sort((a, b) => {
    const [left, right] = [key(a), key(b)];
    if (left === right) return a.index - b.index;
    if (left === null) return 1;
    if (right === null) return -1;
    return left < right ? -sign : sign;
  });
}

/** Orders that begin with A or with the earliest. */
export const ASCENDING_FILES: readonly FileSort[] = ["start", "name", "service", "instance", "top"];

/** Files in the order of time; those without a time are last, in the order of the collection. */
export function inTime(rows: readonly FileRow[]): FileRow[] {
  return sortedRows(rows, "start", false);
}

/** Files that begin in a range of time. */
export function filesIn(rows: readonly FileRow[], { from, to }: TimeRange): number[] {
  return rows
    .filter(({ facts }) => facts?.time != null && facts.time.from >= from && facts.time.from < to)
    .map(({ index }) => index);
}

/** Names of functions that contain a text, those with the most matches of case first, at most `most`. */
export function functionsWith(names: FunctionNames, text: string, most: number): string[] {
  const wanted = text.toLowerCase();
  const found: string[] = [];
  for (const name of names.list) {
    if (found.length >= most) break;
    if (name.toLowerCase().includes(wanted)) found.push(name);
  }
  return found;
}
