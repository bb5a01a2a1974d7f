/** Findings of a selection: the rules whose figure reaches a limit (rules.ts, or a file of the user). */

import type { Accepts } from "../../core/answers/function-names.ts";
import type { Held } from "../../core/held.ts";
import { isOfKind } from "../../core/tables/kinds.ts";
import { observationsOf } from "../../core/tables/quantities.ts";
import type { Filter, ProfileSummary, Selection } from "../../core/types.ts";
import type { StackRule, Why } from "../../core/view-types.ts";
import { exactPattern } from "../query/pattern.ts";
import type { FindingRule } from "../span-time/rule-types.ts";
import type { Blocked } from "../waits/held.ts";
import { callerOf, type Path, type ToldEvents } from "./causes.ts";
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
  /** Of such events: the function of the application that most of the time is in. */
  path?: Path;
  /** Time of all threads that the finding is about, in ns, by which findings are ordered; null where it is no time. */
  nanos: number | null;
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
  /** Events that last as long as a thread waits, without those of idle threads; all of them if it is absent. */
  told?: readonly ToldEvents[];
  /** Functions of the application. */
  accepts?: Accepts;
}

/** Fewer samples than this are chance. */
const LEAST_SAMPLES = 3;
const LEAST_EVENTS = 10;
/** Values of an attribute that are compared with a rule's. */
const VALUES = 500;
const THREAD = { kind: "attribute", key: "thread.name" } as const;

/** Profiles of events that last as long as a thread waits: their figure is a time, and no share of all such waits. */
const isOfWaits = isOfKind("park", "sleep", "socket", "file");
/** Profiles of threads that were seen at a place. */
const isTimed = isOfKind("cpu", "wall", "native");

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

/** At most so many functions are taken from the files of a rule. */
const NAMES = 100;
/** Rules with the names of a recording, the latest of each table. */
const named = new WeakMap<readonly FindingRule[], { key: string; rules: readonly FindingRule[] }>();

/** The rules with functions of files by their names. Those without such functions and without others are left out. */
function namedRules(held: Held, rules: readonly FindingRule[]): readonly FindingRule[] {
  const ofFiles = rules.filter(({ files }) => files !== undefined);
  if (ofFiles.length === 0) return rules;
  const files = ofFiles.map((rule) => rule.files ?? "");
  const found = held.core.views.namesInFiles(files, NAMES);
  const key = found.map((names) => names.join("\n")).join("\0");
  const known = named.get(rules);
  if (known?.key === key) return known.rules;
  const made = rules.flatMap((rule) => {
    const names = found[ofFiles.indexOf(rule)] ?? [];
    const any = [rule.any, ...names.map(exactPattern)].filter((each) => each !== undefined).join("|");
    if (rule.files === undefined) return [rule];
    return any === "" ? [] : [{ ...rule, any }];
  });
  named.set(rules, { key, rules: made });
  return made;
}

/** Warnings first, then the longest; those without a time come last, the farthest above their limit first. */
export function* findingsOf(
  held: Held,
  profiles: readonly ProfileSummary[],
  wanted: Selection,
  all: readonly FindingRule[],
  extent: Extent,
): Generator<void, Finding[]> {
  const rules = namedRules(held, all);
  const asked = new Set(rules.flatMap((rule) => rule.in));
  const answers: Answer[] = [];
  for (const profile of profiles) {
    if (!namesOf(profile).some((name) => asked.has(name))) continue;
    const events = isOfWaits(profile) ? extent.told : undefined;
    const filter = events === undefined ? wanted.filter : events.find((each) => each.profile === profile)?.filter;
    if (filter !== undefined) answers.push({ profile, filter, ...answerOf(held, profile, filter, rules) });
    yield;
  }
  const found: (Finding & { excess: number })[] = [];
  for (const [i, rule] of rules.entries()) {
    const own = answers.filter(({ profile, samples }) => samples > 0 && placeOf(profile, rule.in) >= 0);
    const answer = own.find(({ profile }) => profile.id === wanted.profile) ?? byOrder(own, rule.in);
    const measured = ofExtent(rule, extent) ?? (answer && measure(rule, i, answer, extent));
    if (measured === undefined || measured.amount < rule.info) continue;
    const { name, why, advice } = rule;
    const events =
      measured.figure === "time" && answer !== undefined ? eventsOf(held, rule, answer, measured, extent) : {};
    const tone = measured.amount >= rule.warning ? "warning" : "info";
    const excess = measured.amount / rule.warning + (tone === "warning" ? 1e6 : 0);
    const isAll = answer !== undefined && isOfAll(rule, answer.profile);
    const patterns = isAll ? [] : [rule.any, rule.leaf, rule.outermost];
    const pattern = patterns.filter((each) => each !== undefined).join("|");
    const profile = isOfExtent(rule) ? null : (answer?.profile.id ?? null);
    const about = { profile, why, advice, pattern, attribute: rule.attribute ?? null };
    found.push({ name, tone, ...measured, ...events, ...about, excess });
    yield;
  }
  const size = ({ nanos }: Finding) => nanos ?? -1;
  const isNote = ({ tone }: Finding) => Number(tone === "info");
  return found
    .sort((a, b) => isNote(a) - isNote(b) || size(b) - size(a) || b.excess - a.excess)
    .map(({ excess: _, ...finding }) => finding);
}

/** How many threads the events of a finding are of, and where most of their time is. */
function eventsOf(held: Held, rule: FindingRule, answer: Answer, { nanos }: Measured, { accepts }: Extent) {
  const { profile, filter } = answer;
  const { any, leaf, outermost, unless, except } = isOfAll(rule, profile) ? ({} as FindingRule) : rule;
  // Threads of stacks with a leaf are those of all events.
  const frames = (leaf ?? outermost ?? any === undefined) ? [] : [{ pattern: any! }];
  if (unless !== undefined) frames.push({ pattern: unless, exclude: true } as (typeof frames)[0]);
  const left = (except?.values ?? []).map((value) => ({ key: except?.key ?? "", value, exclude: true }));
  const views = held.about(profile.id, {
    ...filter,
    ...(left.length > 0 && { attributes: [...(filter.attributes ?? []), ...left] }),
    ...(frames.length > 0 && { frames: [...(filter.frames ?? []), ...frames] }),
  });
  const threads = views.rank(THREAD, 0, 0).count;
  const [first] = accepts === undefined ? [] : views.topNearest(accepts, 1).rows;
  const path = first && accepts && { name: first.name, caller: callerOf(views, first.name, accepts) };
  return { waits: { nanos: nanos ?? 0, threads }, ...(path !== undefined && { path }) };
}

interface Answer {
  profile: ProfileSummary;
  filter: Filter;
  samples: number;
  value: bigint;
  /** By rule. */
  stacks: bigint[];
  attributes: (bigint | null)[];
  /** Value of the samples that a rule leaves out. */
  excepted: bigint[];
}

function answerOf(
  held: Held,
  profile: ProfileSummary,
  filter: Filter,
  rules: readonly FindingRule[],
): Omit<Answer, "profile" | "filter"> {
  const views = held.about(profile.id, filter);
  const totals = views.totals();
  const samples = observationsOf(profile, totals) ?? totals.samples;
  const { value } = totals;
  if (samples === 0) return { samples, value, stacks: [], attributes: [], excepted: [] };
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
  return { samples, value, stacks: views.stackValues(stackRulesOf(rules)), attributes, excepted };
}

function byOrder(answers: readonly Answer[], order: readonly string[]): Answer | undefined {
  const place = ({ profile }: Answer) => placeOf(profile, order);
  const isFew = ({ samples }: Answer) => Number(samples < LEAST_SAMPLES);
  return [...answers].sort((a, b) => place(a) - place(b) || isFew(a) - isFew(b) || Number(b.value - a.value))[0];
}

/** What a rule may call a profile: its kind, or its type without the event. */
function namesOf({ type, meaning }: ProfileSummary): string[] {
  return [meaning.kind, type.split(":", 1)[0] ?? type];
}

function placeOf(profile: ProfileSummary, order: readonly string[]): number {
  const names = namesOf(profile);
  return order.findIndex((each) => names.includes(each));
}

type Measured = Pick<Finding, "figure" | "amount" | "samples" | "nanos" | "counter" | "atLeast" | "blocked">;

/** Nothing where the figure is based on too few samples. */
function measure(rule: FindingRule, i: number, answer: Answer, extent: Extent): Measured | undefined {
  const { nanos } = extent;
  const { profile, samples, value } = answer;
  const { meaning } = profile;
  const part = partOf(rule, i, answer);
  if (part === null || part <= 0n || value <= 0n) return undefined;
  const share = Math.min(1, Number(part) / Number(value));
  const own = Math.round(share * samples);
  const figure = rule.figure === "share" && isOfWaits(profile) && meaning.nanos !== null ? "time" : rule.figure;
  const time = (figure === "time" || isTimed(profile)) && meaning.nanos !== null ? Number(part) * meaning.nanos : null;
  if (rule.figure === "share" && own < LEAST_SAMPLES) return undefined;
  if (figure === "share") return { figure, amount: 100 * share, samples: own, nanos: time };
  if (nanos <= 0) return undefined;
  const { loss } = profile;
  const least: Pick<Measured, "atLeast"> = loss === undefined ? {} : { atLeast: true };
  if (rule.figure === "rate") {
    if ((loss?.limited ?? loss?.sampled) !== undefined) return countedOf(rule, profile, extent);
    return own < LEAST_EVENTS
      ? undefined
      : { figure, amount: own / (nanos / 1e9), samples: own, nanos: null, ...least };
  }
  const waited = time ?? Number(part);
  // Several threads wait at once, and events may begin in the selection and end after it.
  const amount = 100 * Math.min(1, waited / nanos);
  return { figure, amount, samples: own, nanos: waited, ...least };
}

/**
 * The rate of events of which the recorder leaves out some, by the event that counts them all. It says nothing about a
 * part of the events.
 */
function countedOf(rule: FindingRule, { id }: ProfileSummary, { rates }: Extent): Measured | undefined {
  const { any, leaf, outermost, unless, attribute, except } = rule;
  const isPart = [any, leaf, outermost, unless, attribute, except].some((each) => each !== undefined);
  const rate = isPart ? undefined : rates?.find(({ profile }) => profile === id);
  return rate && { figure: "rate", amount: rate.perSecond, samples: rate.count, nanos: null, counter: rate.event };
}

function partOf(rule: FindingRule, i: number, answer: Answer): bigint | null {
  const { profile, value, stacks, attributes, excepted } = answer;
  if (isOfAll(rule, profile)) return value;
  if (rule.attribute !== undefined) return attributes[i] ?? null;
  const isPattern = rule.any !== undefined || rule.leaf !== undefined || rule.outermost !== undefined;
  if (isPattern) return stacks[i] ?? null;
  return value - (rule.unless === undefined ? 0n : (stacks[i] ?? 0n)) - (excepted[i] ?? 0n);
}

/** Recorders may leave out the functions of the runtime from the stacks of events, which state what they wait for. */
function isOfAll({ state }: FindingRule, profile: ProfileSummary): boolean {
  return state !== undefined && isOfWaits(profile);
}

/** Whether the figure of a rule is of the whole selection, and not of a profile. */
function isOfExtent({ figure }: FindingRule): boolean {
  return figure === "pauses" || figure === "kept" || figure === "held";
}

function ofExtent(rule: FindingRule, { nanos, pauseNanos, kept, blocked }: Extent): Measured | undefined {
  if (rule.figure === "kept") {
    if (kept === null || kept.late < LEAST_SAMPLES) return undefined;
    return { figure: "kept", amount: (100 * kept.late) / kept.samples, samples: kept.late, nanos: null };
  }
  if (rule.figure === "held") {
    const [most] = blocked;
    if (most === undefined || nanos <= 0) return undefined;
    const waited = Number(most.durationNano);
    const amount = 100 * Math.min(1, waited / nanos);
    return { figure: "held", amount, samples: most.waits, nanos: waited, blocked: most };
  }
  if (rule.figure !== "pauses" || nanos <= 0 || pauseNanos === 0) return undefined;
  return { figure: "pauses", amount: 100 * Math.min(1, pauseNanos / nanos), samples: 0, nanos: pauseNanos };
}
