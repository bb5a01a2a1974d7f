/** Findings of a selection: the rules whose figure reaches a limit (rules.ts, or a file of the user). */

import type { Held } from "../../core/held.ts";
import { observationsOf } from "../../core/tables/quantities.ts";
import type { ProfileSummary, Selection } from "../../core/types.ts";
import type { StackRule, Why } from "../../core/view-types.ts";
import type { FindingRule } from "../span-time/rule-types.ts";
import type { Blocked } from "../waits/held.ts";
import type { KeptContext } from "./kept-context.ts";

export interface Finding {
  name: string;
  tone: "info" | "warning";
  figure: FindingRule["figure"];
  /** Percent, or events per second. */
  amount: number;
  /** The event that counts the events of a rate, where the recorder leaves out some of them. */
  counter?: string;
  /** Of events with a duration: their time together, in ns, and the threads that they are of. */
  waits?: { nanos: number; threads: number };
  /** Who blocks whom most. */
  blocked?: Blocked;
  /** The recorder left out events, so the amount is larger. */
  atLeast?: true;
  /** The profile that the figure is of; null for pauses and context. */
  profile: number | null;
  /** Samples that the figure is based on, about. */
  samples: number;
  why: string;
  advice: string;
  /** Stacks that the finding is about: a pattern, or values of an attribute; neither where it is about all of them. */
  pattern: string;
  attribute: { key: string; values: readonly string[] } | null;
}

/** The selection as a whole, over all profiles. */
export interface Extent {
  nanos: number;
  pauseNanos: number;
  /** Null without a trace file. */
  kept: KeptContext | null;
  /** The longest first. */
  blocked: readonly Blocked[];
  rates?: Why["rates"];
}

/** Fewer samples than this are chance. */
const LEAST_SAMPLES = 3;
const LEAST_EVENTS = 10;
/** Values of an attribute that are compared with a rule's. */
const VALUES = 500;

/** Rules as the core takes them, one array for each table, because the core keeps what it made of an array. */
const stackRules = new WeakMap<readonly FindingRule[], StackRule[]>();

function stackRulesOf(rules: readonly FindingRule[]): StackRule[] {
  const kept = stackRules.get(rules);
  if (kept !== undefined) return kept;
  const made = rules.map(({ any, leaf, outermost, unless }): StackRule => {
    if (any === undefined && leaf === undefined && outermost === undefined)
      return unless === undefined ? {} : { any: unless };
    return {
      ...(any === undefined ? {} : { any }),
      ...(leaf === undefined ? {} : { leaf }),
      ...(outermost === undefined ? {} : { outermost }),
      ...(unless === undefined ? {} : { unless }),
    };
  });
  stackRules.set(rules, made);
  return made;
}

/** Warnings first, then those farthest above their limit. */
export function* findingsOf(
  held: Held,
  profiles: readonly ProfileSummary[],
  wanted: Selection,
  rules: readonly FindingRule[],
  extent: Extent,
): Generator<void, Finding[]> {
  const asked = new Set(rules.flatMap((rule) => rule.in));
  const answers: Answer[] = [];
  for (const profile of profiles) {
    if (!namesOf(profile).some((name) => asked.has(name))) continue;
    answers.push({ profile, ...answerOf(held, profile, wanted, rules) });
    yield;
  }
  const found = rules.flatMap((rule, i): (Finding & { excess: number })[] => {
    const own = answers.filter(({ profile, samples }) => samples > 0 && placeOf(profile, rule.in) >= 0);
    const answer = own.find(({ profile }) => profile.id === wanted.profile) ?? byOrder(own, rule.in);
    const measured = ofExtent(rule, extent) ?? (answer && measure(rule, i, answer, extent));
    if (measured === undefined || measured.amount < rule.info) return [];
    const { name, figure, why, advice } = rule;
    const tone = measured.amount >= rule.warning ? "warning" : "info";
    const excess = measured.amount / rule.warning + (tone === "warning" ? 1e6 : 0);
    const pattern = [rule.any, rule.leaf, rule.outermost].filter((each) => each !== undefined).join("|");
    const profile = isOfExtent(rule) ? null : (answer?.profile.id ?? null);
    return [
      { name, tone, figure, ...measured, profile, why, advice, pattern, attribute: rule.attribute ?? null, excess },
    ];
  });
  return found.sort((a, b) => b.excess - a.excess).map(({ excess: _, ...finding }) => finding);
}

interface Answer {
  profile: ProfileSummary;
  samples: number;
  value: bigint;
  threads: number;
  /** By rule. */
  stacks: bigint[];
  attributes: (bigint | null)[];
  /** Value of the samples that a rule leaves out. */
  excepted: bigint[];
}

function answerOf(
  held: Held,
  profile: ProfileSummary,
  { filter }: Selection,
  rules: readonly FindingRule[],
): Omit<Answer, "profile"> {
  const views = held.about(profile.id, filter);
  const totals = views.totals();
  const samples = observationsOf(profile, totals) ?? totals.samples;
  const { value } = totals;
  if (samples === 0) return { samples, value, threads: 0, stacks: [], attributes: [], excepted: [] };
  const valueWith = ({ key, values }: { key: string; values: readonly string[] }) => {
    const { rows } = views.rank({ kind: "attribute", key }, 0, VALUES);
    return rows.reduce((sum, row) => (values.includes(row.label) ? sum + row.value : sum), 0n);
  };
  const attributes = rules.map(({ attribute }) => {
    if (attribute === undefined || !Object.hasOwn(profile.samplesWithAttribute, attribute.key)) return null;
    return valueWith(attribute);
  });
  const excepted = rules.map((rule) =>
    rule.except !== undefined && placeOf(profile, rule.in) >= 0 ? valueWith(rule.except) : 0n,
  );
  const stacks = views.stackValues(stackRulesOf(rules));
  const { except } = rules.find((rule) => rule.figure === "time" && placeOf(profile, rule.in) >= 0) ?? {};
  const left = (except?.values ?? []).map((each) => ({ key: except?.key ?? "", value: each, exclude: true }));
  const counted = { ...filter, attributes: [...(filter.attributes ?? []), ...left] };
  const threads = held.about(profile.id, counted).rank({ kind: "attribute", key: "thread.name" }, 0, 0).count;
  return { samples, value, threads, stacks, attributes, excepted };
}

function byOrder(answers: readonly Answer[], order: readonly string[]): Answer | undefined {
  const place = ({ profile }: Answer) => placeOf(profile, order);
  return [...answers].sort((a, b) => place(a) - place(b))[0];
}

/** What a rule may call a profile: its kind, or its type without the event. */
function namesOf({ type, meaning }: ProfileSummary): string[] {
  return [meaning.kind, type.split(":", 1)[0] ?? type];
}

function placeOf(profile: ProfileSummary, order: readonly string[]): number {
  const names = namesOf(profile);
  return order.findIndex((each) => names.includes(each));
}

type Measured = Pick<Finding, "amount" | "samples" | "counter" | "waits" | "atLeast" | "blocked">;

/** Nothing where the figure is based on too few samples. */
function measure(rule: FindingRule, i: number, answer: Answer, extent: Extent): Measured | undefined {
  const { nanos } = extent;
  const { profile, samples, value, threads } = answer;
  const part = partOf(rule, i, answer);
  if (part === null || part <= 0n || value <= 0n) return undefined;
  const share = Math.min(1, Number(part) / Number(value));
  const own = Math.round(share * samples);
  if (rule.figure === "share") return own < LEAST_SAMPLES ? undefined : { amount: 100 * share, samples: own };
  if (nanos <= 0) return undefined;
  const { loss } = profile;
  const least: Pick<Measured, "atLeast"> = loss === undefined ? {} : { atLeast: true };
  if (rule.figure === "rate") {
    if ((loss?.limited ?? loss?.sampled) !== undefined) return countedOf(rule, profile, extent);
    return own < LEAST_EVENTS ? undefined : { amount: own / (nanos / 1e9), samples: own, ...least };
  }
  const waited = Number(part) * (profile.meaning.nanos ?? 1);
  // Several threads wait at once, and events may begin in the selection and end after it.
  const amount = 100 * Math.min(1, waited / nanos);
  return { amount, samples: own, waits: { nanos: waited, threads }, ...least };
}

/**
 * The rate of events of which the recorder leaves out some, by the event that counts them all. It says nothing about a
 * part of the events.
 */
function countedOf(rule: FindingRule, { id }: ProfileSummary, { rates }: Extent): Measured | undefined {
  const { any, leaf, outermost, unless, attribute, except } = rule;
  const isPart = [any, leaf, outermost, unless, attribute, except].some((each) => each !== undefined);
  const rate = isPart ? undefined : rates?.find(({ profile }) => profile === id);
  return rate && { amount: rate.perSecond, samples: rate.count, counter: rate.event };
}

function partOf(rule: FindingRule, i: number, { value, stacks, attributes, excepted }: Answer): bigint | null {
  if (rule.attribute !== undefined) return attributes[i] ?? null;
  const isPattern = rule.any !== undefined || rule.leaf !== undefined || rule.outermost !== undefined;
  if (isPattern) return stacks[i] ?? null;
  return value - (rule.unless === undefined ? 0n : (stacks[i] ?? 0n)) - (excepted[i] ?? 0n);
}

/** Whether the figure of a rule is of the whole selection, and not of a profile. */
function isOfExtent({ figure }: FindingRule): boolean {
  return figure === "pauses" || figure === "kept" || figure === "held";
}

function ofExtent(rule: FindingRule, { nanos, pauseNanos, kept, blocked }: Extent): Measured | undefined {
  if (rule.figure === "kept") {
    if (kept === null || kept.late < LEAST_SAMPLES) return undefined;
    return { amount: (100 * kept.late) / kept.samples, samples: kept.late };
  }
  if (rule.figure === "held") {
    const [most] = blocked;
    if (most === undefined || nanos <= 0) return undefined;
    return { amount: 100 * Math.min(1, Number(most.durationNano) / nanos), samples: most.waits, blocked: most };
  }
  if (rule.figure !== "pauses" || nanos <= 0 || pauseNanos === 0) return undefined;
  return { amount: 100 * Math.min(1, pauseNanos / nanos), samples: 0 };
}
