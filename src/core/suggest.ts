/** Values of all attributes over all profiles, searched by text: endpoints, operations, threads and others. */
import type { Held } from "./held.ts";
import type { ProfileSummary, RankFind } from "./types.ts";
import type { SuggestedRoot, SuggestedValue } from "./view-types.ts";

const THREAD = "thread.name";
/** Values of a key that are known, those with most samples. */
const MOST_VALUES = 5000;
/** Characters of a value that are searched. */
const SEARCHED = 400;

interface Value extends SuggestedValue {
  /** In small letters. */
  text: string;
}

/** Values by key, those with most samples first. */
export type ValueIndex = Map<string, Value[]>;

/** Reads all values once; they are the same for every search. */
export function indexValues(held: Held, profiles: readonly ProfileSummary[]): ValueIndex {
  const keys = new Set([...profiles.flatMap((each) => Object.keys(each.samplesWithAttribute)), THREAD]);
  const views = held.about(null, {});
  return new Map(
    [...keys].map((key) => {
      const { rows } = views.rank({ kind: "attribute", key }, 0, MOST_VALUES, { sort: "samples" });
      const values = rows.map(({ label, samples }) => {
        return { key, value: label, samples, text: label.slice(0, SEARCHED).toLowerCase() };
      });
      return [key, values];
    }),
  );
}

/**
 * The best `limit` values of each key that contain all words of a text: those that begin with it first, then by
 * samples. A key that contains the text has its most frequent values; `key=part` searches that key only.
 */
export function findValues(index: ValueIndex, text: string, limit: number): SuggestedValue[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [];
  const at = wanted.indexOf("=");
  const part = wanted.slice(at + 1).trim();
  return [...index].flatMap(([key, values]) => {
    const name = key.toLowerCase();
    if (at > 0 && !name.includes(wanted.slice(0, at).trim())) return [];
    const all = at <= 0 && name.includes(wanted);
    const words = part.split(/\s+/);
    const found = all ? [...values] : values.filter(({ text }) => words.every((word) => text.includes(word)));
    const first = (value: Value) => (value.text.startsWith(part) ? 0 : 1);
    return found
      .sort((a, b) => first(a) - first(b) || b.samples - a.samples)
      .slice(0, limit)
      .map(({ value, samples }) => ({ key, value, samples }));
  });
}

/** Local roots whose ids begin so, those with most samples first. */
export function findRoots(held: Held, find: RankFind, about: readonly string[], limit: number): SuggestedRoot[] {
  const { rows } = held.about(null, {}).rank({ kind: "local-root" }, 0, limit, { sort: "samples", find, about });
  return rows.map(({ id, samples, about }) => ({ id, samples, about }));
}
