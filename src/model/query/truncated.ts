/**
 * Truncated stacks: the recorder kept their innermost frames only, and the reader puts a frame `[truncated]` above.
 * The place of the known frames is unknown, and nothing guesses it: they are below that frame, left out, or begin at
 * the root as if they were whole.
 */
import type { Chipped } from "./chips.ts";
import { exactPattern } from "./pattern.ts";

/** Name of the frame (assembly/read/jfr/frame-location.ts). */
export const TRUNCATED = "[truncated]";
export const TRUNCATED_PATTERN = exactPattern(TRUNCATED);

export const TRUNCATED_CHOICES = ["shown", "left-out", "at-root"] as const;
export type Truncated = (typeof TRUNCATED_CHOICES)[number];

const isOf = ({ pattern }: { pattern: string }) => pattern === TRUNCATED_PATTERN;

/** How truncated stacks are shown: by the filter that leaves them out, or the merged frame. */
export function truncatedOf({ filter, shape }: Chipped): Truncated {
  if (filter.frames?.some((frame) => isOf(frame) && frame.exclude === true)) return "left-out";
  return shape.merged.includes(TRUNCATED_PATTERN) ? "at-root" : "shown";
}

/** The state with truncated stacks shown in another way: a filter or a merged frame, with its chip. */
export function withTruncated<State extends Chipped>(state: State, how: Truncated): State {
  const { frames: all = [], ...others } = state.filter;
  const frames = all.filter((frame) => !isOf(frame));
  if (how === "left-out") frames.push({ pattern: TRUNCATED_PATTERN, exclude: true });
  const merged = state.shape.merged.filter((pattern) => pattern !== TRUNCATED_PATTERN);
  if (how === "at-root") merged.push(TRUNCATED_PATTERN);
  const filter = frames.length === 0 ? others : { ...others, frames };
  return { ...state, filter, shape: { ...state.shape, merged } };
}
