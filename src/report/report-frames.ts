/** Frames of a report: all frames that a screen shows at first, and as many others as fit into the file's limit. */
import type { FramesAnswer } from "../core/types.ts";
import { leastShown, widestFrames } from "../model/flame/widest-frames.ts";
import { PICTURE_WIDTH } from "./picture-parts.ts";

/** Frames of a report; many more would make a file that mail and chat refuse. */
export const REPORT_FRAMES = 20_000;
/** A drawing so wide shows every frame. */
export const WHOLE_WIDTH = Number.MAX_SAFE_INTEGER;

/**
 * The widest of all frames, and every one that is half a pixel wide on a screen. The graphs of a report share
 * REPORT_FRAMES.
 */
export function reportFrames(whole: FramesAnswer, graphs = 1): FramesAnswer {
  const { total } = whole.frames;
  const least = leastShown(total[0], PICTURE_WIDTH);
  const wide = total.reduce((count, value) => count + (value >= least ? 1 : 0), 0);
  return widestFrames(whole, 0, { width: WHOLE_WIDTH, budget: Math.max(Math.floor(REPORT_FRAMES / graphs), wide) });
}
