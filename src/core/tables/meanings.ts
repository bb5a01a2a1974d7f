/**
 * Meanings of profiles. Each producer names its types differently, so no question asks for a type: it asks for the kind
 * in `ProfileSummary.meaning`, which this table alone finds, by the words that profile and period have.
 */

import type { Meaning, ProfileKind } from "../types.ts";

/** What a message or a recording states of a profile. */
export interface Stated {
  type: string;
  unit: string;
  periodType: string;
  periodUnit: string;
  /** 0 = unknown, or several. */
  period: bigint;
}

/**
 * By the type's words in lower case, joined by hyphens: the first row that fits. Second measures are of the kind of
 * their profile; `nanos` distinguishes them. Rows without a kind name any sample: the type of the period has the kind.
 */
const KINDS: readonly (readonly [ProfileKind | null, RegExp])[] = [
  [null, /^(samples?|count|events?|delay|contentions)$/],
  ["cpu", /^(process-)?(on-?)?cpu(-(time|clock|samples?|time-samples))?$|^(task-clock|[ci]timer)$/],
  ["wall", /^wall(-?(time|clock|samples?))?$/],
  ["native-lock", /^native-lock/],
  ["native", /^native$/],
  ["live", /^(inuse|live|heap-live)-|^(heap-space|space|objects)$/],
  ["malloc", /^malloc/],
  ["direct", /^direct-alloc/],
  ["alloc", /^(memory-)?alloc|^object-sampler/],
  ["lock", /^(lock|mutex|monitor)(?!.*(release|hold|inflate))/],
  ["park", /^(park|block$)/],
  ["sleep", /^sleep/],
  ["pinned", /^pinned/],
  ["socket", /^socket/],
  ["file", /^file-/],
  ["queue", /^queue-/],
  ["off-cpu", /^off-?cpu/],
  ["exceptions", /^exception/],
  ["errors", /^errors$/],
  ["method", /^method-time/],
];

const NANOS: Readonly<Record<string, number>> = { n: 1, u: 1e3, µ: 1e3, m: 1e6, s: 1e9 };

/** Nanoseconds of a unit of time; null for other units. */
export function nanosOfUnit(unit: string): number | null {
  const [, prefix] = /^([nuµm]|nano|micro|milli|)s(ec(ond)?s?)?$/.exec(unit.toLowerCase()) ?? [];
  return prefix === undefined ? null : (NANOS[prefix === "micro" ? "u" : prefix[0] || "s"] ?? null);
}

function kindOfName(name: string): ProfileKind | null | undefined {
  const words = name
    .split(":", 1)[0]!
    .toLowerCase()
    .replace(/[_\s]+/g, "-");
  return KINDS.find(([, pattern]) => pattern.test(words))?.[0];
}

/** The kind of what a type names; of a bare number of samples, the kind of its period. */
export function kindOf({ type, periodType, periodUnit }: Pick<Stated, "type" | "periodType" | "periodUnit">) {
  const own = kindOfName(type);
  if (own !== null) return own ?? "other";
  // Go has one pair of types for waits on mutexes and on channels.
  if (periodType === "contentions") return "block";
  const sampled = kindOfName(periodType) ?? "other";
  return sampled === "cpu" && nanosOfUnit(periodUnit) === null ? "other" : sampled;
}

/** `each`: the value of one observation, as the core finds it. */
export function meaningOf(stated: Stated, each: number | null): Meaning {
  const { type, unit, periodUnit, period } = stated;
  const kind = kindOf(stated);
  const isTimed = ["cpu", "wall", "native", "off-cpu"].includes(kind);
  const isCount = unit === "samples" || (unit === "count" && (isTimed || /(^|[-_])samples?$/.test(type)));
  const step = isCount && period > 0n ? nanosOfUnit(periodUnit) : null;
  return { kind, each, nanos: nanosOfUnit(unit) ?? (step === null ? null : step * Number(period)) };
}

/** Types of recordings that name a kind in other words. */
const OUR_WORDS: Readonly<Record<string, ProfileKind>> = {
  "alloc-samples": "alloc",
  "live-heap": "live",
  "lock-contention": "lock",
  "queue-time": "queue",
};

/** The kind that a word of a user names: a kind, or the type that recordings have of it. */
export function kindAsked(word: string): ProfileKind | undefined {
  if (Object.hasOwn(OUR_WORDS, word)) return OUR_WORDS[word];
  return KINDS.find(([kind]) => kind === word)?.[0] ?? undefined;
}

interface Meant {
  otlpType: string;
  unit: string;
  empty?: true;
  meaning: Meaning;
}

/** The profile of a kind: by time or bytes before numbers, by a type of its own before `samples`, else the first. */
export function profileOfKind<T extends Meant>(profiles: readonly T[], kind: ProfileKind): T | undefined {
  const own = profiles.filter(({ meaning, empty }) => meaning.kind === kind && empty !== true);
  const measured = own.filter(({ unit, meaning }) => meaning.nanos !== null || unit === "bytes");
  return measured.find(({ otlpType }) => kindOfName(otlpType) !== null) ?? measured[0] ?? own[0];
}

/** The profile that a word of a user names: its type, in the recording or in OTLP, or its kind. */
export function profileNamed<T extends Meant & { type: string }>(profiles: readonly T[], word: string): T | undefined {
  const kind = kindAsked(word);
  return (
    profiles.find(({ type }) => type === word) ??
    profiles.find(({ otlpType }) => otlpType === word) ??
    (kind && profileOfKind(profiles, kind))
  );
}

export function isOfKind(...kinds: ProfileKind[]): (profile: Pick<Meant, "meaning">) => boolean {
  return ({ meaning }) => kinds.includes(meaning.kind);
}

/** Profiles of a kind, each measurement once: tracers write samples as a time and, beside it, as their number. */
export function distinctOfKind<T extends Meant & { samples: number; stacks: number; threads: number }>(
  profiles: readonly T[],
  kind: ProfileKind,
): T[] {
  const own = profiles.filter(isOfKind(kind));
  const times = own.filter(({ unit }) => nanosOfUnit(unit) !== null);
  return own.filter((each) => {
    const { samples, stacks, threads } = each;
    const isSame = (other: T) => other.samples === samples && other.stacks === stacks && other.threads === threads;
    return times.includes(each) || !times.some(isSame);
  });
}
