/**
 * The progress line: one line on the terminal of standard error that is written over itself and disappears at the end.
 * A command that takes less than half a second shows no progress.
 */
import { cut, visible } from "../model/words/text.ts";

const FIRST_MS = 500;
const NEXT_MS = 100;
/** Returns to the beginning of the line, and deletes what is right of the cursor (ECMA-48: CR, and EL). */
const LINE_START = "\r";
const DELETE_REST = "\u001b[K";

/** What the line needs of its surroundings, replaceable in tests. */
export interface ProgressWorld {
  /** Milliseconds. */
  now(): number;
  /** Width of the terminal; null where nothing must be drawn: a pipe, a file, a terminal without a cursor, --quiet. */
  columns(): number | null;
  write(text: string): void;
}

export class ProgressLine {
  private readonly world: ProgressWorld;
  private next: number;
  private isDrawn = false;

  constructor(world: ProgressWorld) {
    this.world = world;
    this.next = world.now() + FIRST_MS;
  }

  /** Draws the words if it is time. To be called often. */
  show(words: () => string): void {
    const now = this.world.now();
    if (now < this.next) return;
    this.next = now + NEXT_MS;
    const columns = this.world.columns();
    if (columns === null) return;
    // A line as wide as the terminal would wrap, and its beginning would stay.
    this.world.write(`${LINE_START}${cut(visible(words()), Math.max(1, columns - 2))}${DELETE_REST}`);
    this.isDrawn = true;
  }

  /** Makes room for other output. The next `show` draws again. */
  clear(): void {
    if (!this.isDrawn) return;
    this.isDrawn = false;
    this.world.write(LINE_START + DELETE_REST);
  }

  /** Shows the words while something is awaited. */
  async during<T>(words: () => string, work: Promise<T>): Promise<T> {
    const timer = setInterval(() => this.show(words), NEXT_MS);
    try {
      return await work;
    } finally {
      clearInterval(timer);
    }
  }
}
