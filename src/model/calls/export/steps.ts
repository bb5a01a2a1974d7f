/**
 * Enters and exits of one call in the order of time, for formats that have every invocation. Dumps have milliseconds
 * and clocks that are set back: an enter or an exit that would be before the one in front of it is at the same
 * moment, so that times never descend and a frame is open while its callees are.
 */
import type { ListedFrame } from "../../../core/dump.ts";

export interface Step {
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
