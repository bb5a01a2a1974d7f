/**
 * The first sentence of Why. Of requests it has their duration and the largest parts of their time, as Time has them
 * (span-time/breakdown.ts); of other selections their extent and the hot paths of their samples. Wall samples of
 * threads that could run are no proof of a processor: only CPU samples are.
 */
import type { Filter } from "../../core/types.ts";
import type { Why } from "../../core/view-types.ts";
import type { BreakdownName, BreakdownPart } from "../span-time/breakdown.ts";
import type { ThreadState } from "../span-time/thread-states.ts";
import { isLeast, type SOURCES } from "../trace/operation-words.ts";
import { formatCounted, formatNanos, formatPercent } from "../words/format.ts";
import { namePartsOf } from "../words/short-name.ts";
import { visible } from "../words/text.ts";
import { enough, type Story, type StoryPart } from "./story.ts";

const STATE_WORDS: Record<ThreadState, string> = {
  running: "Running or ready to run",
  blocked: "Blocked by a monitor",
  asleep: "Asleep",
  parked: "Parked",
  waiting: "Waiting",
  io: "Input and output",
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
  other: "",
};

/** Parts of the time of requests: the words of those that samples of no single state tell, else the state. */
const TIME_PHRASES: Record<BreakdownName, { state: ThreadState } | { words: string }> = {
  cpu: { words: "on CPU" },
  runnable: { words: "ready to run but without a processor" },
  running: { state: "running" },
  lock: { state: "blocked" },
  wait: { state: "waiting" },
  park: { state: "parked" },
  sleep: { state: "asleep" },
  socket: { state: "io" },
  file: { state: "io" },
  call: { words: "in system calls" },
  unknown: { words: "in another wait" },
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
    of: string;
    breakdown: readonly BreakdownPart[];
    /** Of one request the one with the median duration, in ns. */
    median?: { duration: number } | null;
  } | null;
}

/** The selection is of whole requests, so that the time of these is its time. */
export function isOfRequests({ span, localRoot, spans, rawNames: _, ...others }: Filter): boolean {
  return [span, localRoot, spans].some((each) => each !== undefined) && Object.keys(others).length === 0;
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
export function whySentence(why: Why, story: Story | null, time: ToldTime | null = null): string {
  const few = story !== null && !enough(story.samples);
  const partsOf = (told: Story) => (time === null ? toldParts(told) : timeParts(told, time));
  const told = story === null || few ? [] : partsOf(story);
  const pauses = time === null ? pauseShare(why) : "";
  const parts = [...told, pauses].filter((each) => each !== "");
  // The length of a whole recording is that of its chunks, which the page states beside it.
  const length = why.everything && parts.length > 0 ? "" : extentOf(why);
  const extent = time === null ? length : durationOf(time);
  const first = [extent, parts.join(", ")].filter((each) => each !== "");
  const words = few ? `Only ${formatCounted(story.samples ?? 0, "sample")}: too few to rank.` : "";
  const rest = story === null || few ? "" : restWords(story, told.length);
  return [sentence(first.join(": ")), words, rest, story?.peers ? peerWords(story.peers, time) : ""]
    .filter((each) => each !== "")
    .join(" ");
}

/** From the first sample to the last one: other samples than those of the whole recording began earlier. */
function extentOf({ everything, pauses: { time } }: Why): string {
  const extent = time === null ? 0 : Number(time.to - time.from);
  return extent === 0 ? "" : `${everything ? "" : "≥ "}${formatNanos(extent)}`;
}

function pauseShare({ pausesKnown, pauses: { time, nanos } }: Why): string {
  const extent = time === null ? 0 : Number(time.to - time.from);
  return extent > 0 && pausesKnown && nanos / extent >= LEAST_FIRST
    ? `${formatPercent(nanos / extent, 1)} GC pauses`
    : "";
}

function durationOf({ requests, counted, duration, source, isSpan }: ToldTime): string {
  const least = isLeast(source) ? "≥ " : "";
  const each = `${least}${formatNanos(duration / counted)}`;
  // The time of a request has that of the spans below it; samples of a span are its own.
  if (requests === 1) return isSpan === true ? `${each} with its child spans` : each;
  return `${formatCounted(requests, "request")} of ${each} on average`;
}

/** The largest parts of the time, each with the function that most of its samples are in. */
function timeParts(story: Story, { counted, duration, breakdown, rest }: ToldTime): string[] {
  const share = ({ nano }: BreakdownPart) => Number(nano) / Math.max(1, duration);
  const told = [...breakdown].sort((a, b) => Number(b.nano - a.nano)).slice(0, MOST_PARTS);
  const gc = breakdown.filter(({ part }) => part === "gc");
  const others = (row: BreakdownPart) => {
    if ((rest?.of !== "endpoint" && rest?.of !== "operation") || row !== told[0]) return "";
    const nano = Number(rest.breakdown.find(({ part }) => part === row.part)?.nano ?? 0n) / rest.counted;
    return ` (${counted === 1 ? "" : `each ${formatNanos(Number(row.nano) / counted)}, `}others ${formatNanos(nano)})`;
  };
  return [...told, ...gc.filter((row) => !told.includes(row))]
    .filter((row, i) => share(row) >= (row.part === "gc" || i === 0 ? LEAST_FIRST : LEAST_PART))
    .map((row) => `${formatPercent(share(row), 1)} ${timePhrase(story, row)}${others(row)}`);
}

/** `75 % ready to run but without a processor`: the largest part of the time of a request; "" of no time. */
export function mainCause(breakdown: readonly BreakdownPart[], duration: number): string {
  const [largest] = [...breakdown].sort((a, b) => Number(b.nano - a.nano));
  if (largest === undefined || largest.nano === 0n) return "";
  const phrase = phraseOf(largest);
  return `${formatPercent(Number(largest.nano) / duration, 1)} ${"words" in phrase ? phrase.words : PHRASES[phrase.state]}`;
}

/** Where no CPU sample may be chance, a thread that is ready to run may have had a processor. */
function phraseOf({ part, low }: BreakdownPart): (typeof TIME_PHRASES)[BreakdownName] {
  return TIME_PHRASES[part === "runnable" && low === 0n ? "running" : part];
}

function timePhrase({ parts, onCpu, isOnCpu }: Story, row: BreakdownPart): string {
  const phrase = phraseOf(row);
  const path = (found: Pick<StoryPart, "caller" | "name"> | null | undefined) =>
    found ? ` in ${pathWords(found)}` : "";
  if ("words" in phrase) return phrase.words + (row.part === "cpu" ? path(onCpu) : "");
  const found = isOnCpu ? null : parts.find(({ state }) => state === phrase.state);
  return PHRASES[phrase.state] + path(found);
}

/** `Ops$Pricing.compute → Tracer.cpu`. */
export function pathWords({ caller, name }: Pick<StoryPart, "caller" | "name">): string {
  return [caller, name]
    .filter((each) => each !== "")
    .map(shortFunction)
    .join(" → ");
}

function restWords({ inLibraries }: Story, told: number): string {
  if (inLibraries) return "Few samples are in application code: set your packages under View.";
  return told > 0 ? "" : "No function of the application has 1 %.";
}

function toldParts({ parts, isOnCpu }: Story): string[] {
  return parts
    .slice(0, MOST_PARTS)
    .filter(({ share }, i) => share >= (i === 0 ? LEAST_FIRST : LEAST_PART))
    .map(({ name, caller, state, share }: StoryPart) => {
      const phrase = state === "running" && isOnCpu ? "on CPU" : PHRASES[state];
      return [formatPercent(share, 1), phrase, "in", pathWords({ caller, name })]
        .filter((each) => each !== "")
        .join(" ");
    });
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
