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
  /** Of each part that is not sent yet: it ends the attempts. */
  private readonly waiting = new Set<AbortController>();
  private limit = MOST_MS;

  constructor(url: string, warn: (message: string) => void) {
    this.url = url;
    this.warn = warn;
  }

  add(bytes: Uint8Array): void {
    if (this.waiting.size === MOST_WAITING) {
      this.warn("a part is lost: the receiver is slower than parts are made");
      return;
    }
    const late = new AbortController();
    this.waiting.add(late);
    // From now on: five parts keep a program no longer than one.
    const timer = setTimeout(() => late.abort(new Error(`no answer within ${MOST_MS / 1000} s`)), MOST_MS).unref();
    this.done = this.done.then(async () => {
      await this.send(bytes, late.signal).catch(({ message }) =>
        this.warn(`the receiver did not take a part: ${message}`),
      );
      clearTimeout(timer);
      this.waiting.delete(late);
    });
  }

  /** Gives the receiver some seconds from now on. */
  hurry(): void {
    this.limit = LAST_MS;
    const end = () => {
      for (const late of this.waiting) late.abort(new Error("the program has ended"));
    };
    setTimeout(end, LAST_MS).unref();
  }

  private async send(bytes: Uint8Array, late: AbortSignal): Promise<void> {
    const { PLATFORM, push } = await import("../push/push.ts");
    late.throwIfAborted();
    const world: typeof PLATFORM = {
      ...PLATFORM,
      fetch: (url, init) => fetch(url, { ...init, signal: either(late, init?.signal ?? late) }),
      sleep: (ms) => sleep(ms, undefined, { signal: late }),
    };
    const sent = push(
      bytes,
      "otlp",
      { url: profilesUrl(this.url), gzip: true, timeoutMs: this.limit },
      () => {},
      world,
    );
    const outcome = await sent.catch((error: Error) => ({ result: "refused", message: error.message }));
    if (outcome.result !== "accepted") throw new Error(late.aborted ? String(late.reason.message) : outcome.message);
  }
}

/** `AbortSignal.any` without its fault: Node 20 forgets such signals while they are waited for. */
function either(...signals: AbortSignal[]): AbortSignal {
  const own = new AbortController();
  for (const each of signals) {
    if (each.aborted) own.abort(each.reason);
    each.addEventListener("abort", () => own.abort(each.reason), { once: true });
  }
  return own.signal;
}
