/** A call with all of its frames, as the writers of this folder take it. */
import type { ListedFrame } from "../../../core/dumps/dump.ts";
import { type Call, titleOf } from "../call.ts";
import { REACTIVE } from "../method.ts";

export interface ListedCall {
  call: Call;
  /** In the order of entering, the root first. */
  frames: readonly ListedFrame[];
}

/** Text of the dictionary of a run. */
export type WordOf = (run: number, id: number) => string;

/** Method text of a frame. */
export function frameText(run: number, method: number | null, wordOf: WordOf): string {
  return method === null ? REACTIVE : wordOf(run, method);
}

/** `/orders · http-1 · 2024-02-03T12:00:00.000Z (web/1706918400000:1:8:0)`. */
export function callTitle(call: Call): string {
  const title = titleOf(call) || call.name;
  const start = instantText(call.start);
  return `${[title, call.thread, start].filter((part) => part !== "").join(" · ")} (${call.id})`;
}

/** A time in ms since 1970 with its milliseconds; "" for times that no calendar has. */
function instantText(ms: bigint): string {
  const date = new Date(Number(ms));
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}

/** Parts of about this many characters are written at once. */
const PART = 1 << 16;

/** Texts put together to parts of a good size, because each takes a write. */
export function* inParts(texts: Iterable<string>): Generator<string> {
  let part: string[] = [];
  let length = 0;
  for (const text of texts) {
    part.push(text);
    length += text.length;
    if (length < PART) continue;
    yield part.join("");
    part = [];
    length = 0;
  }
  yield part.join("");
}

/** The rows of a JSON list, one to a line. */
export function* jsonRows(rows: Iterable<unknown>): Generator<string> {
  let separator = "\n";
  for (const row of rows) {
    yield `${separator}${JSON.stringify(row)}`;
    separator = ",\n";
  }
}

/**
 * Enters and exits of one call in the order of time, for formats that have every invocation. Dumps have milliseconds
 * and clocks that are set back: an enter or an exit that would be before the one in front of it is at the same
 * moment, so that times never descend and a frame is open while its callees are.
 */
interface Step {
  /** ms since the start of the root. */
  at: number;
  /** Index of the frame in the list. */
  frame: number;
  /** It is entered; else it is left. */
  enters: boolean;
}

/** `frames`: all of one call in the order of entering, the root first. */
export function* stepsOf(frames: readonly ListedFrame[]): Generator<Step> {
  const zero = frames[0]?.start ?? 0n;
  /** Open frames, the root first. */
  const open: number[] = [];
  let now = 0;
  const leave = function* (depth: number): Generator<Step> {
    while (open.length > depth) {
      const frame = open.pop()!;
      const { start, total } = frames[frame]!;
      now = Math.max(now, Number(start + total - zero));
      yield { at: now, frame, enters: false };
    }
  };
  for (const [frame, { depth, start }] of frames.entries()) {
    yield* leave(depth);
    now = Math.max(now, Number(start - zero));
    open.push(frame);
    yield { at: now, frame, enters: true };
  }
  yield* leave(0);
}
