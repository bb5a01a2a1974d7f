/** The subject of a report or a picture, in words. */
import type { FileSummary, Filter, SelectionTotals, TimeRange } from "../core/types.ts";
import { type ChipWords, chipWords } from "../model/query/chip-words.ts";
import { chipsOf } from "../model/query/chips.ts";
import type { FlameGrouping, QueryState } from "../model/query/query.ts";
import { samplesWithInferred } from "../model/trace/coverage.ts";
import { valueWords } from "../model/words/answer-words.ts";
import { formatPercent } from "../model/words/format.ts";
import { type Measured, measureWord } from "../model/words/measure.ts";
import type { Zeros } from "../model/words/moments.ts";
import { visible } from "../model/words/text.ts";

/** How the graph is made and drawn. */
export type Drawing = Pick<QueryState, "shape" | "look" | "grouping" | "past" | "search">;

export interface Subject {
  /** Of the displayed files. */
  names: readonly string[];
  files: readonly FileSummary[];
  profile: Measured;
  totals: SelectionTotals;
  /** Samples of them whose context is inferred. */
  inferred?: number | undefined;
  filter: Filter;
  drawing: Drawing;
  /** First and last moment of the recording. */
  time: TimeRange | null;
  /** Where times count from. */
  zeros: Zeros;
  /** Names of threads by number. */
  threads?: ReadonlyMap<string, string>;
}

const GROUPING_WORDS: Record<FlameGrouping, string> = {
  stacks: "what calls what, from the threads down",
  callers: "callers, from the functions on top of the stacks",
};

/** `shop.jfr, other.jfr and 2 more`. */
export function namesWords(names: readonly string[]): string {
  const [first = "recording", second, ...more] = names.map((name) => visible(baseName(name), 120));
  if (second === undefined) return first;
  return more.length === 0 ? `${first} and ${second}` : `${first}, ${second} and ${more.length} more`;
}

function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/** `cpu`, and `alloc-samples by objects` where there is a choice. */
export function profileWords(profile: Measured): string {
  const type = visible(profile.type, 80);
  return profile.measures.length < 2 ? type : `${type} by ${visible(measureWord(profile, profile.measure), 80)}`;
}

/** `175 samples, 12 of them inferred · ≈ 1.75 s · 42.1 % of the profile`. */
export function totalsWords({ profile, totals, inferred = 0 }: Subject): string {
  const share = `${formatPercent(totals.value, profile.value)} of the profile`;
  const samples = profile.exact ? [] : [samplesWithInferred(totals.samples, inferred)];
  return [...samples, valueWords(profile, totals), share].filter((part) => part !== "").join(" · ");
}

export function groupingWords({ drawing }: Subject): string {
  return GROUPING_WORDS[drawing.grouping];
}

export function filtersOf({ filter, drawing: { shape }, zeros, threads }: Subject): ChipWords[] {
  return chipsOf({ filter, shape }).map((chip) => chipWords(chip, zeros, threads));
}
