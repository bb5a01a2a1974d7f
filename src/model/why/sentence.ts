/**
 * The first sentence of Why. Of requests it has their duration and the largest parts of their time, as Time has them
 * (span-time/breakdown.ts); of other selections their extent and the hot paths of their samples. Wall samples of
 * threads that could run are no proof of a processor: only CPU samples are.
 */
import { observationsOf } from "../../core/tables/quantities.ts";
import type { Filter, ProfileSummary, SelectionTotals } from "../../core/types.ts";
import type { Why } from "../../core/view-types.ts";
import type { BreakdownName, BreakdownPart } from "../span-time/breakdown.ts";
import type { ThreadState } from "../span-time/thread-states.ts";
import { isLeast, type OTHERS, type SOURCES } from "../trace/operation-words.ts";
import { type Waited, waitedWords } from "../waits/held.ts";
import { formatCounted, formatNanos, formatPercent } from "../words/format.ts";
import { type Measured, measured } from "../words/measure.ts";
import { namePartsOf } from "../words/short-name.ts";
import { visible } from "../words/text.ts";
import { type Causes, NO_CAUSES, type Path } from "./causes.ts";
import { enough, isOfRequests, type Story, type StoryPart } from "./story.ts";

/** Figures of a selection, with what events tell of it. */
type ToldWhy = Why & { causes?: Causes; waited?: Waited | null };

/** A part of the first sentence. */
interface Part {
  words: string;
  /** It tells a wait for a lock. */
  isLock: boolean;
}

const STATE_WORDS: Record<ThreadState, string> = {
  running: "Running or ready to run",
  blocked: "Blocked by a monitor",
  asleep: "Asleep",
  parked: "Parked",
  waiting: "Waiting",
  io: "Input and output",
  idle: "Idle",
  gc: "Waiting for a collection",
  other: "Other",
};

/** The name of a state in a story. */
export function stateWords({ isOnCpu }: Pick<Story, "isOnCpu">, state: ThreadState): string {
  return state === "running" && isOnCpu ? "On CPU" : STATE_WORDS[state];
}

/** How a part says its state; the name of a function may follow after "in". */
const PHRASES: Record<ThreadState, string> = {
  running: "running or ready to run",
  blocked: "blocked",
  asleep: "asleep",
  parked: "parked",
  waiting: "waiting",
  io: "reading or writing",
  idle: "idle",
  gc: "waiting for a collection",
  other: "",
};

interface TimePhrase {
  words: string;
  /** States of the samples that have its function. */
  states?: readonly ThreadState[];
  /** It tells no cause, so it is left out after a part that does, unless a function is known. */
  isVague?: true;
}

/** Parts of the time of requests. */
const TIME_PHRASES: Record<BreakdownName, TimePhrase> = {
  cpu: { words: "on CPU" },
  runnable: { words: "ready to run but without a processor", states: ["running"] },
  running: { words: PHRASES.running, states: ["running"] },
  lock: { words: PHRASES.blocked, states: ["blocked"] },
  wait: { words: PHRASES.waiting, states: ["waiting"] },
  park: { words: PHRASES.parked, states: ["parked"] },
  sleep: { words: PHRASES.asleep, states: ["asleep"] },
  socket: { words: PHRASES.io, states: ["io"] },
  file: { words: PHRASES.io, states: ["io"] },
  call: { words: "in system calls", states: ["io"], isVague: true },
  idle: { words: PHRASES.idle, states: ["idle"], isVague: true },
  unknown: { words: "in another wait", states: ["waiting", "other"], isVague: true },
  "off-thread": { words: "on no thread, waiting for a callback or a result" },
  gc: { words: "GC pauses" },
  children: { words: "in child spans" },
  unsampled: { words: "not sampled" },
};

/** The time of the requests of a selection, as Time has it. */
export interface ToldTime {
  requests: number;
  /** Requests whose time is told. */
  counted: number;
  /** Of these together, ns. */
  duration: number;
  source: keyof typeof SOURCES;
  breakdown: readonly BreakdownPart[];
  /** Local roots of the selection whose time is not known. */
  unknownRoots: number;
  /** The selection is of spans without those below them. */
  isSpan?: boolean;
  /** Other requests; null if there are none. */
  rest: {
    counted: number;
    of: keyof typeof OTHERS;
    breakdown: readonly BreakdownPart[];
    /** Of one request the one with the median duration, in ns. */
    median?: { duration: number } | null;
  } | null;
}

/** The time of the requests of a selection, if the sentence about it has that: it is known for all of them. */
export function toldTime(filter: Filter, time: ToldTime | null): ToldTime | null {
  return time === null || time.unknownRoots > 0 || !isOfRequests(filter)
    ? null
    : { ...time, isSpan: filter.span !== undefined };
}

/** Shares from which parts are told: the first one and pauses, and others. */
const MOST_PARTS = 3;
const LEAST_FIRST = 0.01;
const LEAST_PART = 0.05;
const NAME = 80;

/** `Ops$Pricing.compute`: class and method. */
export function shortFunction(name: string): string {
  const { owner, method } = namePartsOf(name);
  return visible(owner + method, NAME);
}

/** `time`: of the requests, if the selection is of whole ones. */
export function whySentence(why: ToldWhy, story: Story | null, time: ToldTime | null = null): string {
  const few = story !== null && !enough(story.samples);
  const waited = time === null && story !== null ? waitedParts(why, story) : null;
  const parts = waited?.parts ?? (time === null ? samplesParts(why, few ? null : story) : timeParts(why, story, time));
  // The length of a whole recording is that of its chunks, which the page states beside it. From the first to the last
  // sample of other selections is no time that somebody waited for.
  const length = why.everything && parts.length === 0 ? extentOf(why) : "";
  const extent = waited?.extent ?? (time === null ? length : durationOf(time));
  const first = [extent, parts.map((part) => part.words).join(", ")].filter((each) => each !== "");
  const held = why.waited && parts.some(({ isLock }) => isLock) ? waitedWords(why.waited) : "";
  const words = few
    ? `Only ${formatCounted(story.samples ?? 0, "sample")}: too few to rank${parts.length > 0 ? " the rest" : ""}.`
    : "";
  const rest = story === null || few || waited !== null ? "" : restWords(story, parts.length);
  return [sentence(first.join(": ")), held, words, rest, story?.peers ? peerWords(story.peers, time) : ""]
    .filter((each) => each !== "")
    .join(" ");
}

/** The samples that the sentence is of, all of one profile. */
export interface ToldSamples {
  profile: Measured;
  totals: SelectionTotals;
  observations: number | null;
  /** Observations that shares are of. */
  counted: number | null;
}

/** `profile`: that is asked about. */
export function toldSamples(
  { story, totals, observations }: Pick<Why, "totals" | "observations"> & { story: Story | null },
  profile: Measured,
  profileOf: (id: number) => ProfileSummary | undefined,
): ToldSamples {
  const other = story === null || story.profile === profile.id ? undefined : profileOf(story.profile);
  if (story === null || story.profile !== (other ?? profile).id)
    return { profile, totals, observations, counted: observations };
  const { aside } = story;
  const of = other === undefined ? profile : measured(other, 0);
  const whole = { samples: story.totals.samples + aside.samples, value: story.totals.value + aside.value };
  const all = other === undefined ? observations : observationsOf(of, whole);
  return { profile: of, totals: whole, observations: all, counted: story.samples };
}

/** Profiles of events that the sentence tells of, beside the samples of its story. */
export function eventsTold(why: ToldWhy, story: Story | null, time: ToldTime | null): number[] {
  const isTold = time === null && story !== null && waitedParts(why, story) !== null;
  return isTold
    ? [...new Set((why.causes ?? NO_CAUSES).waits.map(({ profile }) => profile))].sort((a, b) => a - b)
    : [];
}

/** From the first sample to the last one. */
function extentOf({ pauses: { time } }: Why): string {
  const extent = time === null ? 0 : Number(time.to - time.from);
  return extent === 0 ? "" : formatNanos(extent);
}

/** Part of the time of the selection in pauses, 0 to 1. */
function pauseShare({ pausesKnown, pauses: { time, nanos } }: Why): number {
  const extent = time === null ? 0 : Number(time.to - time.from);
  return extent > 0 && pausesKnown ? Math.min(1, nanos / extent) : 0;
}

function durationOf({ requests, counted, duration, source, isSpan }: ToldTime): string {
  const least = isLeast(source) ? "≥ " : "";
  const each = `${least}${formatNanos(duration / counted)}`;
  // The time of a request has that of the spans below it; samples of a span are its own.
  if (requests === 1) return isSpan === true ? `${each} with its child spans` : each;
  return `${formatCounted(requests, "request")} of ${each} on average`;
}

/** The largest parts of the time, each with the function that most of its samples are in, the largest first. */
function timeParts({ causes = NO_CAUSES }: ToldWhy, story: Story | null, time: ToldTime): Part[] {
  const { counted, duration, breakdown, rest } = time;
  const share = ({ nano }: BreakdownPart) => Number(nano) / Math.max(1, duration);
  const isFew = story !== null && !enough(story.samples);
  const paths = new PathWords();
  // Idle threads are no cause.
  const isIdle = ({ part }: BreakdownPart) => Number(part === "idle");
  const sorted = [...breakdown].sort((a, b) => isIdle(a) - isIdle(b) || Number(b.nano - a.nano));
  const known = sorted.flatMap((row, i) => {
    const path = pathOf(row, duration, story, causes);
    const isTold = share(row) >= (row.part === "gc" || i === 0 ? LEAST_FIRST : LEAST_PART);
    // Of few samples a part is told where its interval is one.
    const isSure = !isFew || 2n * row.low >= row.nano;
    const isNews = i === 0 || path !== null || TIME_PHRASES[row.part].isVague !== true;
    return isTold && isSure && isNews ? { row, path } : [];
  });
  const told = known.filter(({ row }, i) => i < MOST_PARTS || row.part === "gc");
  const others = (row: BreakdownPart) => {
    if ((rest?.of !== "endpoint" && rest?.of !== "operation") || row !== told[0]?.row) return "";
    const nanoOf = (name: string) =>
      Number(rest.breakdown.find(({ part }) => part === name)?.nano ?? 0n) / rest.counted;
    const nano = nanoOf(row.part);
    // Without samples the others may have as much.
    if (nano + nanoOf("unsampled") >= Number(row.nano) / counted && nanoOf("unsampled") > nano) return "";
    return ` (${counted === 1 ? "" : `each ${formatNanos(Number(row.nano) / counted)}, `}others ${formatNanos(nano)})`;
  };
  return told.map(({ row, path }) => {
    const { words } = phraseOf(row);
    const told = `${formatPercent(share(row), 1)} ${words}${paths.of(path, row.part)}${others(row)}`;
    return { words: told, isLock: row.part === "lock" };
  });
}

/** The function that a part is in: by events where they state most of it, else by the samples of its state. */
function pathOf(row: BreakdownPart, duration: number, story: Story | null, { waits, allocates }: Causes): Path | null {
  const { part, nano, measured } = row;
  if (part === "cpu") return story?.onCpu ?? null;
  if (part === "gc") return Number(nano) >= LEAST_PART * duration ? allocates : null;
  const { states = [] } = TIME_PHRASES[part];
  const stated = waits.find(({ state }) => states.includes(state)) ?? null;
  if (stated !== null && 2n * measured >= nano) return stated;
  if (story === null || !enough(story.samples)) return null;
  const sampled = story.isOnCpu ? null : story.ofStates.find(({ state }) => states.includes(state));
  return sampled ?? (states.includes("running") ? story.onCpu : stated);
}

/** Functions in words: one that was named before has no caller. */
class PathWords {
  private readonly told = new Set<string>();

  of(path: Path | null, part: BreakdownName): string {
    if (path === null) return "";
    const { name, caller } = path;
    const words = pathWords({ name, caller: this.told.has(name) ? "" : caller });
    this.told.add(name);
    return part === "gc" ? `, most allocated in ${words}` : ` in ${words}`;
  }
}

type Told = Pick<BreakdownPart, "part" | "nano"> & Partial<Pick<BreakdownPart, "low">>;

/**
 * `75 % ready to run but without a processor in Ops$Pricing.compute`: the largest part of the time of a request, and
 * the function that most of it is in ("" without one); "" of no time.
 */
export function mainCause(breakdown: readonly Told[], duration: number, name = ""): string {
  const [largest] = [...breakdown].sort((a, b) => Number(b.nano - a.nano));
  if (largest === undefined || largest.nano === 0n) return "";
  const path = name === "" ? "" : ` in ${shortFunction(name)}`;
  return `${formatPercent(Number(largest.nano) / duration, 1)} ${phraseOf(largest).words}${path}`;
}

/** Where no CPU sample may be chance, a thread that is ready to run may have had a processor. */
function phraseOf({ part, low }: Told): TimePhrase {
  return TIME_PHRASES[part === "runnable" && low === 0n ? "running" : part];
}

/** `Ops$Pricing.compute → Tracer.cpu`. */
export function pathWords({ caller, name }: Path): string {
  return [caller, name]
    .filter((each) => each !== "")
    .map(shortFunction)
    .join(" → ");
}

function restWords({ inLibraries }: Story, told: number): string {
  if (inLibraries) return "Few samples are in application code: set your packages under View.";
  return told > 0 ? "" : "No function of the application has 1 %.";
}

/** Hot paths of the samples of a selection, and the pauses of its time, the largest first. */
function samplesParts(why: ToldWhy, story: Story | null): Part[] {
  const paths = new PathWords();
  const pauses = pauseShare(why);
  // Shares of CPU samples are no shares of the time that pauses take.
  const ran = story?.isOnCpu === true ? story.nanos : null;
  const isTold = ({ state }: StoryPart) => state !== "idle" && (state !== "gc" || pauses < LEAST_FIRST);
  const parts = (story?.parts ?? [])
    .filter(isTold)
    .slice(0, MOST_PARTS)
    .filter(({ share }, i) => share >= (i === 0 ? LEAST_FIRST : LEAST_PART))
    .map(({ name, caller, state, share }) => {
      const phrase = state === "running" && story?.isOnCpu ? "on CPU" : PHRASES[state];
      const words = [formatPercent(share, 1), phrase, "in", pathWords({ caller, name })];
      const told = words.filter((each) => each !== "").join(" ");
      return { size: share * (ran ?? 1), words: told, isLock: state === "blocked" };
    });
  const allocated = pauses < LEAST_PART ? "" : paths.of(why.causes?.allocates ?? null, "gc");
  if (pauses >= LEAST_FIRST) {
    const size = ran === null ? pauses : why.pauses.nanos;
    parts.push({ size, words: `GC pauses for ${formatPercent(pauses, 1)} of the time${allocated}`, isLock: false });
  }
  return parts.sort((a, b) => b.size - a.size);
}

/**
 * Without wall samples: what threads did in application code, by the events of their waits and by CPU samples as times.
 * Null where events tell no considerable wait, and where another profile is asked about.
 */
function waitedParts(why: ToldWhy, story: Story): { extent: string; parts: Part[] } | null {
  const { causes = NO_CAUSES } = why;
  const { kind, isOnCpu } = story;
  if (kind !== "cpu" && kind !== "native") return null;
  const nanos = isOnCpu ? story.nanos : 0;
  const whole = causes.waited + (nanos ?? 0);
  if (nanos === null || whole === 0 || causes.waited < LEAST_PART * whole) return null;
  const waits = causes.waits.map(({ threads, ...wait }) => ({
    share: wait.nanos / whole,
    words: `${PHRASES[wait.state]} in ${pathWords(wait)} (${formatCounted(threads, "thread")})`,
    isLock: wait.state === "blocked",
  }));
  const ran = (isOnCpu ? story.parts : []).map((part) => ({
    share: (part.share * nanos) / whole,
    words: `on CPU in ${pathWords(part)}`,
    isLock: false,
  }));
  const told = [...waits, ...ran]
    .sort((a, b) => b.share - a.share)
    .slice(0, MOST_PARTS)
    .filter(({ share }, i) => share >= (i === 0 ? LEAST_FIRST : LEAST_PART));
  const parts = told.map(({ share, words, isLock }) => ({ words: `${formatPercent(share, 1)} ${words}`, isLock }));
  const extent = `${formatNanos(whole)} of threads' time`;
  const pauses = pauseShare(why);
  const words = `GC pauses for ${formatPercent(pauses, 1)} of the clock`;
  if (pauses < LEAST_FIRST) return { extent, parts };
  if (why.pauses.nanos <= whole * (told[0]?.share ?? 0))
    return { extent, parts: [...parts, { words: `and ${words}`, isLock: false }] };
  const allocated = new PathWords().of(causes.allocates, "gc");
  return { extent: `${words}${allocated}; ${extent}`, parts };
}

/** The durations of the others are those that the time is of, where they are the same requests. */
function peerWords({ value, requests, medianNanos, difference }: NonNullable<Story["peers"]>, time: ToldTime | null) {
  const name = visible(value, NAME);
  const stated = time?.rest?.of === "endpoint" && medianNanos !== null ? time.rest.median : null;
  const nanos = stated ? stated.duration : medianNanos;
  const least = stated && time && !isLeast(time.source) ? "" : "≥ ";
  const median = nanos === null ? "too few for a median" : `median ${least}${formatNanos(nanos)}`;
  const own = `Other ${name} requests (${requests}): ${median}`;
  if (difference === null) return sentence(own);
  const { name: fn, share, otherShare } = difference;
  return sentence(
    `${own}, ${formatPercent(otherShare, 1)} in ${shortFunction(fn)} where this one has ${formatPercent(share, 1)}`,
  );
}

function sentence(text: string): string {
  return text === "" ? "" : `${text}.`;
}
