/**
 * Meanings of profiles. Each producer names its types differently, so no question asks for a type: it asks for the kind
 * in `ProfileSummary.meaning`, which this table alone finds, by the words that profile and period have.
 */

import type { Meaning, ProfileKind } from "../types.ts";
import { BARE, isOfKind, kindOfWord, type Meant, nanosOfUnit } from "./kinds.ts";

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
  [null, BARE],
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

/** The kind that a word of a user names; undefined for other words. */
export function kindAsked(word: string): ProfileKind | undefined {
  const wanted = kindOfWord(word);
  return KINDS.find(([kind]) => kind === wanted)?.[0] ?? undefined;
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
