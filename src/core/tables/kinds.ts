/** Questions about kinds of profiles. The table that finds the kinds is meanings.ts: the page has them from answers. */
import type { Meaning, ProfileKind } from "../types.ts";

/** Types that name any sample: the type of the period has the kind. */
export const BARE = /^(samples?|count|events?|delay|contentions)$/;

const NANOS: Readonly<Record<string, number>> = { n: 1, u: 1e3, µ: 1e3, m: 1e6, s: 1e9 };

/** Nanoseconds of a unit of time; null for other units. */
export function nanosOfUnit(unit: string): number | null {
  const [, prefix] = /^([nuµm]|nano|micro|milli|)s(ec(ond)?s?)?$/.exec(unit.toLowerCase()) ?? [];
  return prefix === undefined ? null : (NANOS[prefix === "micro" ? "u" : prefix[0] || "s"] ?? null);
}

/** Types of recordings that name a kind in other words. */
const OUR_WORDS: Readonly<Record<string, ProfileKind>> = {
  "alloc-samples": "alloc",
  "live-heap": "live",
  "lock-contention": "lock",
  "queue-time": "queue",
};

/** The kind that a word names, if it names one: a kind, or the type that recordings have of it. */
export function kindOfWord(word: string): ProfileKind {
  return Object.hasOwn(OUR_WORDS, word) ? OUR_WORDS[word]! : (word as ProfileKind);
}

export interface Meant {
  otlpType: string;
  unit: string;
  empty?: true;
  meaning: Meaning;
}

/** The profile of a kind: by time or bytes before numbers, by a specific type before `samples`, else the first. */
export function profileOfKind<T extends Meant>(profiles: readonly T[], kind: ProfileKind): T | undefined {
  const own = profiles.filter(({ meaning, empty }) => meaning.kind === kind && empty !== true);
  const measured = own.filter(({ unit, meaning }) => meaning.nanos !== null || unit === "bytes");
  return measured.find(({ otlpType }) => !BARE.test(otlpType)) ?? measured[0] ?? own[0];
}

/** The profile that a word of a user names: its type, in the recording or in OTLP, or its kind. */
export function profileNamed<T extends Meant & { type: string }>(profiles: readonly T[], word: string): T | undefined {
  const kind = kindOfWord(word);
  return (
    profiles.find(({ type }) => type === word) ??
    profiles.find(({ otlpType }) => otlpType === word) ??
    (kind === "other" ? undefined : profileOfKind(profiles, kind))
  );
}

export function isOfKind(...kinds: ProfileKind[]): (profile: Pick<Meant, "meaning">) => boolean {
  return ({ meaning }) => kinds.includes(meaning.kind);
}
