/** What a thread did at a moment, in lines for a tooltip. */
import type { BreakdownName } from "../span-time/breakdown.ts";
import { PART_WORDS } from "../span-time/words.ts";
import { formatCounted, formatNanos } from "../words/format.ts";
import { hexId } from "../words/ids.ts";
import { visible } from "../words/text.ts";
import { shortClass } from "./held.ts";
import { byDuration, type Held, type Wait } from "./waits.ts";

export interface State {
  part: BreakdownName;
  /** Ns since 1970. */
  from: bigint;
  to: bigint;
  /** Samples that tell it, 0 if an event states it. */
  samples: number;
  /** "" where it is not known. */
  request: string;
  wait: Wait | null;
  /** Outermost first. */
  stack: string[];
}

/** Stretches of one wait, and frames, that a tooltip has room for. */
const HOLDERS = 3;
const FRAMES = 12;
const NAME = 100;

/** `lock 12.5 ms for Stock`, `held by POST /reindex (worker-3, request 0x…) for 12.5 ms`, the request, the stack. */
export function stateLines({ part, from, to, samples, request, wait, stack }: State): string[] {
  const length = `${PART_WORDS[part].name} ${formatNanos(Number(to - from))}`;
  const told = samples === 0 ? length : `${length}, by ${formatCounted(samples, "sample")}`;
  const frames = stack.toReversed().slice(0, FRAMES);
  return [
    wait === null ? told : `${told}${onWords(wait)}`,
    ...(wait === null ? [] : holderLines(wait)),
    ...(request === "" ? [] : [`in ${visible(request, NAME)}`]),
    ...frames.map((name) => visible(name || "(no name)", NAME)),
    ...(stack.length > FRAMES ? [`… ${stack.length - FRAMES} more`] : []),
  ];
}

/** ` for Stock`, ` on db.shop:5432`; "" where it is not known. */
export function onWords({ class: name, target }: Pick<Wait, "class" | "target">): string {
  if (name !== null) return ` for ${shortClass(name)}`;
  return target === null ? "" : ` on ${visible(target, NAME)}`;
}

function holderLines({ kind, held }: Wait): string[] {
  if (held.length === 0) return kind === "monitor" ? ["the holder is unknown"] : [];
  const longest = held.toSorted(byDuration);
  const lines = longest.slice(0, HOLDERS).map((each) => `held by ${holderName(each)} for ${lengthOf(each)}`);
  return held.length > HOLDERS ? [...lines, `… and ${held.length - HOLDERS} more holders`] : lines;
}

/** `POST /reindex (worker-3, request 0x…)`. */
export function holderName({ operation, thread, localRoot }: Held): string {
  const name = visible(operation ?? (thread || "a thread without a name"), NAME);
  const about = [
    ...(operation === null || thread === "" ? [] : [visible(thread, NAME)]),
    ...(localRoot === null ? [] : [`request 0x${hexId(localRoot)}`]),
  ];
  return about.length === 0 ? name : `${name} (${about.join(", ")})`;
}

function lengthOf({ durationNano, certain }: Held): string {
  return `${formatNanos(Number(durationNano))}${certain ? "" : ", inferred"}`;
}
