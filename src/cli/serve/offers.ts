/** Files that arrive while the page is open, the latest last, and the pages that wait for more. */
import type { OfferedFile } from "./server.ts";

/** Below the limits of browsers and proxies for an answer. */
const LONGEST_WAIT_MS = 25_000;

export class Offers {
  private readonly files: OfferedFile[] = [];
  private readonly waiting = new Set<() => void>();

  /** All that arrived, also files that are removed: they keep their numbers. */
  readonly list = (): OfferedFile[] => this.files;

  add(file: OfferedFile): void {
    this.files.push(file);
    for (const resume of this.waiting) resume();
  }

  /** Settles when more than `count` files have arrived, or after some time. */
  readonly more = async (count: number, signal: AbortSignal): Promise<void> => {
    if (this.files.length > count || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, LONGEST_WAIT_MS);
      const { waiting } = this;
      function done() {
        clearTimeout(timer);
        waiting.delete(done);
        resolve();
      }
      signal.addEventListener("abort", done);
      waiting.add(done);
    });
  };
}
