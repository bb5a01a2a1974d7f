/** The parts that go to a receiver, one after the other. No program waits long for a receiver that hangs. */
import { setTimeout as sleep } from "node:timers/promises";
import { profilesUrl } from "../push/endpoint.ts";

/** For one part, with all attempts, and for those that are left when the program ends. */
const MOST_MS = 30_000;
const LAST_MS = 5000;
const MOST_WAITING = 5;

export class Sending {
  /** Settles when all parts so far are sent or lost; never rejects. */
  done: Promise<void> = Promise.resolve();
  private readonly url: string;
  private readonly warn: (message: string) => void;
  private readonly last = new AbortController();
  private waiting = 0;

  constructor(url: string, warn: (message: string) => void) {
    this.url = url;
    this.warn = warn;
  }

  add(bytes: Uint8Array): void {
    if (this.waiting === MOST_WAITING) {
      this.warn("a part is lost: the receiver is slower than parts are made");
      return;
    }
    this.waiting++;
    this.done = this.done.then(async () => {
      await this.send(bytes).catch(({ message }) => this.warn(`the receiver did not take a part: ${message}`));
      this.waiting--;
    });
  }

  /** Gives the receiver some seconds from now on. */
  hurry(): void {
    setTimeout(() => this.last.abort(new Error("the program has ended")), LAST_MS).unref();
  }

  private async send(bytes: Uint8Array): Promise<void> {
    const { PLATFORM, push } = await import("../push/push.ts");
    const late = AbortSignal.any([this.last.signal, AbortSignal.timeout(MOST_MS)]);
    const world: typeof PLATFORM = {
      ...PLATFORM,
      fetch: (url, init) => fetch(url, { ...init, signal: AbortSignal.any([late, init?.signal ?? late]) }),
      sleep: (ms) => sleep(ms, undefined, { signal: late }),
    };
    const sent = push(bytes, "otlp", { url: profilesUrl(this.url), gzip: true }, () => {}, world);
    const outcome = await sent.catch((error: Error) => ({ result: "refused", message: error.message }));
    if (outcome.result !== "accepted") throw new Error(late.aborted ? String(late.reason.message) : outcome.message);
  }
}
