/** The first sentence of Why: extent, hot path in application code, pauses, and the other requests of the endpoint. */
import type { Why } from "../../core/view-types.ts";
import { formatCounted, formatNanos } from "../words/format.ts";
import { namePartsOf } from "../words/short-name.ts";
import { visible } from "../words/text.ts";
import { ENOUGH, type Story, type StoryPart } from "./story.ts";
import type { ThreadState } from "./thread-states.ts";

export const STATE_WORDS: Record<ThreadState, string> = {
  running: "Running",
  blocked: "Blocked by a monitor",
  asleep: "Asleep",
  parked: "Parked",
  waiting: "Waiting",
  io: "Input and output",
  other: "Other",
};

/** How a part of the story says its state. */
const PHRASES: Record<ThreadState, (name: string) => string> = {
  running: (name) => `in ${name} (CPU)`,
  blocked: (name) => `blocked in ${name}`,
  asleep: (name) => `asleep in ${name}`,
  parked: (name) => `parked in ${name}`,
  waiting: (name) => `waiting in ${name}`,
  io: (name) => `reading or writing in ${name}`,
  other: (name) => `in ${name}`,
};

/** Shares from which parts are told: the first one, and others. */
const MOST_PARTS = 3;
const LEAST_FIRST = 0.01;
const LEAST_PART = 0.05;
const LEAST_PAUSES = 0.01;
const NAME = 80;

/** `Ops$Pricing.compute`: class and method. */
export function shortFunction(name: string): string {
  const { owner, method } = namePartsOf(name);
  return visible(owner + method, NAME);
}

/** `71 %`; below a percent with a decimal. */
export function roundPercent(share: number): string {
  const percent = 100 * share;
  if (percent > 0 && percent < 0.1) return "<0.1 %";
  return `${percent < 1 && percent > 0 ? percent.toFixed(1) : Math.round(percent)} %`;
}

export function whySentence(why: Why, story: Story | null): string {
  const { time, nanos } = why.pauses;
  const extent = time === null ? 0 : Number(time.to - time.from);
  const duration = extent === 0 ? "" : `${why.everything ? "" : "≥ "}${formatNanos(extent)}`;
  const pauses =
    extent > 0 && why.pausesKnown && nanos / extent >= LEAST_PAUSES ? `${roundPercent(nanos / extent)} GC pauses` : "";
  const told = story === null ? [] : toldParts(story);
  const few = story !== null && story.samples < ENOUGH;
  const parts = [...(few ? [] : told), pauses].filter((each) => each !== "");
  const first = [duration, parts.join(", ")].filter((each) => each !== "").join(": ");
  const rest = story === null || few ? "" : restWords(story, told.length);
  const words = few ? `Only ${formatCounted(story.samples, "sample")}: too few to rank.` : "";
  return [sentence(first), words, rest, story?.peers ? peerWords(story.peers) : ""]
    .filter((each) => each !== "")
    .join(" ");
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

function toldParts({ parts }: Story): string[] {
  return parts
    .slice(0, MOST_PARTS)
    .filter(({ share }, i) => share >= (i === 0 ? LEAST_FIRST : LEAST_PART))
    .map(({ name, caller, state, share }: StoryPart) => {
      return `${roundPercent(share)} ${PHRASES[state](pathWords({ caller, name }))}`;
    });
}

function peerWords({ value, requests, medianNanos, difference }: NonNullable<Story["peers"]>): string {
  const name = visible(value, NAME);
  const median = medianNanos === null ? "too few for a median" : `median ≥ ${formatNanos(medianNanos)}`;
  const own = `Other ${name} requests (${requests}): ${median}`;
  if (difference === null) return sentence(own);
  const { name: fn, share, otherShare } = difference;
  return sentence(
    `${own}, ${roundPercent(otherShare)} in ${shortFunction(fn)} where this one has ${roundPercent(share)}`,
  );
}

function sentence(text: string): string {
  return text === "" ? "" : `${text}.`;
}
