/** The summary of a selection, as text for an issue. */
import { withEstimate } from "../flame/detail.ts";
import { confidenceWords, likelyShare } from "../lists/confidence.ts";
import { signalWords } from "../recording/contention.ts";
import type { ProfileTab } from "../recording/profile-tabs.ts";
import { settingSentences } from "../recording/setting-words.ts";
import { missingIds } from "../recording/span-ids.ts";
import { durationWords, operationName } from "../trace/operation-words.ts";
import { blockedWords } from "../waits/held.ts";
import type { Finding } from "../why/findings.ts";
import {
  eventsTold,
  mainCause,
  pathWords,
  stateWords,
  type ToldSamples,
  type ToldTime,
  toldSamples,
  whySentence,
} from "../why/sentence.ts";
import { enough, type Story } from "../why/story.ts";
import type { WhySummary } from "../why/summary.ts";
import { formatCount, formatCounted, formatNanos, formatPercent, formatProfileValue } from "../words/format.ts";
import { hexId } from "../words/ids.ts";
import { type Measured, usually } from "../words/measure.ts";
import { formatClock } from "../words/moments.ts";
import { visible } from "../words/text.ts";
import type { Pool, Pools } from "./pools.ts";

export interface WhyLine {
  /** What it is of. */
  name: string;
  figure: string;
  /** 0 to 1, for a bar; null where nothing is shared out. */
  share: number | null;
}

/** A finding in words. */
export interface FindingWords extends WhyLine {
  tone: Finding["tone"];
  why: string;
  advice: string;
  finding: Finding;
}

/** A thread pool in words. */
export interface PoolWords {
  pool: Pool;
  name: string;
  threads: string;
  time: string;
  /** The largest part of its time, and the function that it is in. */
  cause: string;
  /** Of the longest one's time, 0 to 1. */
  width: number;
}

export interface WhyWords {
  sentence: string;
  headline: string;
  confidence: string;
  /** The profile that `top` is of, where the sentence is of another one; else "". */
  topOf: string;
  states: WhyLine[];
  /** By the nearest application function of each stack. */
  paths: WhyLine[];
  top: WhyLine[];
  findings: FindingWords[];
  standingOut: WhyLine[];
  /** With whom attributes are compared. */
  comparedWith: string;
  /** Empty without a filter. */
  split: WhyLine[];
  threads: WhyLine[];
  /** In place of requests; null where samples have ids. */
  pools: { rows: PoolWords[]; idle: string } | null;
  time: WhyLine[];
  settings: string[];
  /** What adds span ids to the recording; null where it has some, and for a selection. */
  missing: ReturnType<typeof missingIds>;
}

/** `time`: of the requests, if the selection is of whole ones. */
export function whyWords(
  why: WhySummary,
  profile: Measured,
  tabs: ProfileTab[],
  time: ToldTime | null = null,
): WhyWords {
  const { totals, observations, story } = why;
  const whole = Number(totals.value);
  const isTold = story !== null && enough(story.samples);
  const told = toldOf(why, profile, tabs);
  const events = eventsTold(why, story, time).flatMap((id) => tabOf(id, tabs)?.label ?? []);
  const beside = events.length === 0 ? "" : `, beside the events of ${visible(events.join(", "), 120)}`;
  const share = formatPercent(told.totals.value, told.profile.value);
  return {
    sentence: whySentence(why, story, time),
    headline: `${told.label}${amount(told)}, ${share} of the profile${asideWords(story)}${beside}`,
    confidence: `${confidenceWords(told.counted)}${signWords(why)}`,
    topOf: told.label === "" || story?.profile === profile.id ? "" : labelOf(profile, tabs),
    states: isTold ? stateLines(story) : [],
    paths: isTold ? pathLines(story) : [],
    top: why.top
      .filter(({ self }) => self > 0n)
      .map(({ name, self }): WhyLine => {
        const share = whole === 0 ? 0 : Number(self) / whole;
        const figure = `${percent(share)}${intervalOf(share, observations)}, ${formatProfileValue(self, profile)}`;
        return { name: name === "" ? "(no name)" : visible(name, 200), figure, share };
      }),
    findings: why.findings.map((finding) => findingWords(finding, tabs)),
    standingOut: why.standingOut.map(({ key, value, share, restShare }): WhyLine => {
      const figure = `${percent(share)} here, ${percent(restShare)} of the others`;
      return { name: `${visible(key, 60)} = ${visible(value, 120)}`, figure, share };
    }),
    comparedWith: story?.peers ? `other ${visible(story.peers.value, 60)} requests` : "all other samples",
    split: why.everything ? [] : splitLines(why, tabs),
    threads: why.threads.map(({ name, samples }): WhyLine => {
      const share = samples / Math.max(1, observations ?? totals.samples);
      return { name: name === "" ? "(no name)" : visible(name, 120), figure: percent(share), share };
    }),
    pools: why.pools === null ? null : poolWords(why.pools),
    time: timeLines(why),
    settings: [...signalWords(profile), ...settingSentences(profile)],
    missing: why.everything && profile.exact === undefined ? missingOf(tabs) : null,
  };
}

/** Requests in the list of the slowest. */
export const SLOWEST = 8;

/** Whether a selection has a list of its slowest requests: `time` is that of its requests, null if it is of others. */
export function listsSlowest(time: Pick<ToldTime, "requests"> | null): boolean {
  return time?.requests !== 1;
}

interface SlowRequest {
  id: bigint;
  endpoint: string;
  operation: string;
  start: bigint;
  duration: number;
  source: ToldTime["source"];
  breakdown: ToldTime["breakdown"];
  function: string;
  alike: { requests: number; p95: number; source: ToldTime["source"] };
}

/** One of the slowest requests in words; `alike`: the requests of its operation, which the duration is beside. */
export function slowWords(row: SlowRequest) {
  const { id, endpoint, operation, start, duration, source, breakdown, alike } = row;
  const others = `p95 of ${formatCounted(alike.requests, "request")}: ${durationWords(alike.p95, alike.source)}`;
  return {
    name: endpoint || operationName(operation),
    duration: durationWords(duration, source),
    cause: mainCause(breakdown, duration, row.function),
    alike: alike.requests === 1 ? "the only one" : others,
    clock: formatClock(start, 3),
    id: hexId(id),
  };
}

/** Pools that are shown, and idle ones that are named. */
const MOST_POOLS = 8;
const MOST_IDLE = 12;

export function poolWords({ rows, idle }: Pools): NonNullable<WhyWords["pools"]> {
  const name = (text: string) => visible(text, 80);
  const most = Number(rows[0]?.nano ?? 1n);
  const words = rows.slice(0, MOST_POOLS).map((pool): PoolWords => {
    const within = pool.path === null ? "" : ` in ${pathWords(pool.path)}`;
    return {
      pool,
      name: name(pool.name),
      threads: formatCounted(pool.threads, "thread"),
      time: formatNanos(Number(pool.nano)),
      cause: `${mainCause(pool.parts, Number(pool.nano))}${within}`,
      width: Number(pool.nano) / most,
    };
  });
  const left = [...idle, ...rows.slice(MOST_POOLS)];
  const named = idle.slice(0, MOST_IDLE).map(({ name: pool, threads }) => {
    return threads === 1 ? name(pool) : `${name(pool)} (${formatCounted(threads, "thread")})`;
  });
  const more = left.length - named.length;
  const others = more === 0 ? [] : [`${formatCount(more)} more`];
  return { rows: words, idle: left.length === 0 ? "" : `Idle or shorter: ${[...named, ...others].join(", ")}.` };
}

/** Of shares without an error: "". */
function intervalOf(share: number, observations: number | null): string {
  if (observations === null || share < 0 || share > 1) return "";
  const [least, most] = likelyShare(share * observations, observations);
  return ` (${percent(least)} to ${percent(most)})`;
}

function signWords({ totals, top }: WhySummary): string {
  const isMixed = totals.value < 0n || top.some(({ self }) => self < 0n || self > totals.value);
  return isMixed ? " Some values are negative, so shares may be above 100 %." : "";
}

function stateLines(story: Story): WhyLine[] {
  // One state for everything is no answer.
  if (story.states.length < 2) return [];
  return story.states.map(({ state, share }) => ({ name: stateWords(story, state), figure: percent(share), share }));
}

function pathLines(story: Story): WhyLine[] {
  return story.parts.map(({ state, share, ...part }) => ({
    name: pathWords(part),
    figure: state === "other" ? percent(share) : `${percent(share)} ${inSentence(stateWords(story, state))}`,
    share,
  }));
}

function inSentence(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}

function splitLines({ split }: WhySummary, tabs: ProfileTab[]): WhyLine[] {
  return split.flatMap(({ profile: id, totals: own }): WhyLine[] => {
    const tab = tabs.find((each) => each.profile?.id === id);
    if (tab?.profile == null) return [];
    const of = usually(tab.profile);
    const share = Number(own.value) / Math.max(1, Number(of.value));
    return [{ name: visible(tab.label, 60), figure: `${withEstimate(own.value, of)}, ${percent(share)}`, share }];
  });
}

/** How findings say what they are of. */
const FIGURE_WORDS: Record<Finding["figure"], (amount: number, label: string) => string> = {
  share: (amount, label) => `${percent(amount / 100)} of ${label}`,
  time: (amount) => `${percent(amount / 100)} of the time`,
  rate: (amount) => `${amount < 10 ? amount.toFixed(1) : formatCount(Math.round(amount))} per second`,
  pauses: (amount) => `${percent(amount / 100)} of the time`,
  kept: (amount) => `${percent(amount / 100)} of the samples with spans of the trace`,
  held: (amount) => `${percent(amount / 100)} of the time`,
};

function findingWords(finding: Finding, tabs: ProfileTab[]): FindingWords {
  const { name, tone, figure, amount, profile, why, advice, counter, waits, path, blocked, atLeast = false } = finding;
  const label = tabs.find((tab) => tab.profile?.id === profile)?.label ?? "";
  const by = counter === undefined ? "" : ` by ${counter}`;
  const most = path === undefined ? "" : `, most in ${pathWords(path)}`;
  const waited =
    waits === undefined ? "" : `${formatNanos(waits.nanos)} of ${formatCounted(waits.threads, "thread")}${most}, `;
  const held = blocked === undefined ? "" : `${blockedWords(blocked)}, `;
  return {
    name: visible(name, 80),
    figure: `${atLeast ? "at least " : ""}${waited}${held}${FIGURE_WORDS[figure](amount, visible(label, 60))}${by}`,
    share: figure === "rate" ? null : Math.min(1, amount / 100),
    tone,
    why: visible(why, 400),
    advice: visible(advice, 400),
    finding,
  };
}

/**
 * How the selection lies in time. Pauses hold up every thread, so they count by when the selection was, not by what its
 * stacks say; many recorders take no sample of a thread that is in one.
 */
function timeLines({ totals, pauses, pausesKnown, gaps }: WhySummary): WhyLine[] {
  const { time, samples, nanos } = pauses;
  if (time === null) return [];
  const whole = Math.max(1, Number(time.to - time.from));
  const lines: WhyLine[] = [
    { name: "Duration (first to last sample)", figure: formatNanos(time.to - time.from), share: null },
  ];
  if (pausesKnown) {
    const covered = nanos === 0 ? "" : `, ${formatNanos(nanos)}, ${percent(nanos / whole)} of that`;
    lines.push({
      name: "GC pauses",
      figure: `${formatCounted(pauses.pauses, "pause")}${covered}`,
      share: nanos / whole,
    });
    const of = Math.max(1, totals.samples);
    const figure = `${formatCount(samples)} of ${formatCount(totals.samples)}`;
    lines.push({ name: "Samples in GC pauses", figure, share: samples / of });
  } else {
    lines.push({ name: "GC pauses", figure: "none recorded", share: null });
  }
  if (gaps.count > 0) {
    const figure = `${formatCounted(gaps.count, "stretch", "stretches")}, ${formatNanos(gaps.nanos)}`;
    lines.push({ name: "Without samples", figure, share: Math.min(1, gaps.nanos / whole) });
  }
  return lines;
}

interface Told extends ToldSamples {
  label: string;
}

/** The profile that the sentence is of, with its name where the recording has several, and its samples. */
function toldOf(why: WhySummary, profile: Measured, tabs: ProfileTab[]): Told {
  const isOne = tabs.filter((tab) => tab.profile !== null).length < 2;
  const told = toldSamples(why, profile, (id) => tabOf(id, tabs)?.profile ?? undefined);
  return { label: isOne ? "" : `${labelOf(told.profile, tabs)}: `, ...told };
}

function missingOf(tabs: readonly ProfileTab[]): WhyWords["missing"] {
  return missingIds(tabs.flatMap((tab) => tab.profile ?? []));
}

function asideWords(story: Story | null): string {
  if (story === null || story.aside.value <= 0n) return "";
  const share = Number(story.aside.value) / Number(story.aside.value + story.totals.value);
  return `, of which ${percent(share)} of idle threads are set aside`;
}

function tabOf(profile: number, tabs: ProfileTab[]): ProfileTab | undefined {
  return tabs.find((tab) => tab.profile?.id === profile);
}

function labelOf({ id, type }: Measured, tabs: ProfileTab[]): string {
  return visible(tabOf(id, tabs)?.label ?? type, 60);
}

/** The number of samples, and their value where it says more than that. */
function amount({ totals, observations, profile }: Told): string {
  const value = withEstimate(totals.value, profile);
  // Weights of recordings are described elsewhere.
  const count = profile.unit === "samples" ? totals.samples : (observations ?? totals.samples);
  const samples = formatCounted(count, "sample");
  return value.startsWith(samples) ? value : `${samples}: ${value}`;
}

function percent(share: number): string {
  return formatPercent(share, 1);
}

/** What the shares of the hottest functions are of. */
export function topAbout({ topOf }: WhyWords): string {
  return `self time${topOf === "" ? "" : ` in ${topOf}`}, 95 % confidence interval`;
}

function poolLines({ pools }: WhyWords): string[] {
  if (pools === null) return [];
  const rows = pools.rows.map(({ name, threads, time, cause }) => `- ${name} (${threads}): ${time}, ${cause}`);
  return ["", "Thread pools", ...rows, ...(pools.idle === "" ? [] : [pools.idle])];
}

/** The summary in lines, after the filters. */
export function whyText(words: WhyWords, what: string[], threadCount: number): string {
  const section = (title: string, lines: WhyLine[]) =>
    lines.length === 0 ? [] : ["", title, ...lines.map(({ name, figure }) => `- ${name}: ${figure}`)];
  const findings = words.findings.map(({ name, figure, tone, why, advice }) => {
    return `- ${name} (${tone}): ${figure}. ${why} ${advice}`.trimEnd();
  });
  return [
    what.length === 0 ? "All samples of the recording" : what.join(" · "),
    words.sentence,
    words.headline,
    words.confidence,
    ...(words.missing === null ? [] : ["", words.missing.words, `  ${words.missing.setting}`]),
    ...section("Thread states", words.states),
    ...section("Hot paths in application code", words.paths),
    ...section(`Hottest functions (${topAbout(words)})`, words.top),
    ...(findings.length === 0 ? [] : ["", "Findings", ...findings]),
    ...section(`Attributes that differ from ${words.comparedWith}`, words.standingOut),
    ...section("This selection in every profile", words.split),
    ...poolLines(words),
    ...section(`Threads (${threadCount})`, words.threads),
    ...section("Time and garbage collection", words.time),
    ...(words.settings.length === 0 ? [] : ["", "Settings", ...words.settings.map((each) => `- ${each}`)]),
  ].join("\n");
}
