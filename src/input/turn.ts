/** A turn of the event loop between two slices of work, so that timers, messages and clicks are handled. */

/** Work between two turns, in milliseconds. The library promises at most 50: the last slice may take ten more. */
const SLICE_MS = 40;

/** Lets everything that waits in the event loop run once. A timer would wait for at least 1 ms, in browsers for 4. */
export function turn(): Promise<void> {
  if (typeof setImmediate === "function") return new Promise((resolve) => setImmediate(resolve));
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** Ends slices of work: `rest` waits for a turn if the slice has lasted long enough by the clock. */
export class Slices {
  private readonly now: () => number;
  private last: number;

  constructor(now: () => number = Date.now) {
    this.now = now;
    this.last = now();
  }

  async rest(): Promise<void> {
    if (this.now() - this.last < SLICE_MS) return;
    await turn();
    this.last = this.now();
  }
}
