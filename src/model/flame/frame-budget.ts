/**
 * The number of frames that a drawing may have without holding up the main thread: learnt from the earlier drawings on
 * this machine. The first one is small enough for a slow machine; a fast one has its full share from then on.
 */
const FIRST = 470;
const LEAST = 450;
const MOST = 1000;
/** What scripts of a drawing may take; style, layout and paint come on top, about as much again. */
const TARGET_MS = 10;
/** Drawings of a few frames say more about the clock than about frames. */
const TELLING = 100;

export class FrameBudget {
  /** Milliseconds a frame took, the newer drawings weighing more; 0 while nothing is known. */
  private perFrame = 0;

  /** Frames to ask for. */
  frames(): number {
    if (this.perFrame === 0) return FIRST;
    return Math.round(Math.min(MOST, Math.max(LEAST, TARGET_MS / this.perFrame)));
  }

  /** Takes in that a drawing of `count` frames held the main thread for `ms`. */
  drew(count: number, ms: number): void {
    if (count < TELLING || !(ms > 0)) return;
    const now = ms / count;
    this.perFrame = this.perFrame === 0 ? now : (this.perFrame + now) / 2;
  }
}
