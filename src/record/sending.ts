/** The parts that go to a receiver, one after the other. No program waits long for a receiver that hangs. */
import { spawnSync } from "node:child_process";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { profilesUrl } from "../push/endpoint.ts";
import { VERSION, VERSION_HEADER } from "../push/headers.ts";

/** For one part, with all attempts, and for those that are left when the program ends. */
const MOST_MS = 30_000;
const LAST_MS = 5000;
const MOST_WAITING = 5;
/** Sends the parts that it reads, whose sizes it is given. */
const SENDER = `
const [url, headers, ...sizes] = process.argv.slice(1).map((each) => JSON.parse(each));
const chunks = [];
for await (const each of process.stdin) chunks.push(each);
let rest = Buffer.concat(chunks);
for (const size of sizes) {
  const answer = await fetch(url, { method: "POST", headers, body: rest.subarray(0, size), redirect: "manual" })
    .catch(({ message, cause }) => ({ status: cause?.code ?? message }));
  if (!answer.ok) process.exitCode = 1;
  if (!answer.ok) console.log(answer.status);
  rest = rest.subarray(size);
}`;

export class Sending {
  /** Settles when all parts so far are sent or lost; never rejects. */
  done: Promise<void> = Promise.resolve();
  private readonly url: string;
  private readonly warn: (message: string) => void;
  /** Parts that are not sent yet, by what ends the attempts. */
  private readonly waiting = new Map<AbortController, Uint8Array>();
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
    this.waiting.set(late, bytes);
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
      for (const late of this.waiting.keys()) late.abort(new Error("the program has ended"));
    };
    setTimeout(end, LAST_MS).unref();
  }

  /** At the exit of the process, which waits for no promise: another process sends what is left. */
  sendNow(): void {
    const parts = Array.from(this.waiting.values(), (bytes) => gzipSync(bytes));
    if (parts.length === 0) return;
    // Programs that have Node in them would begin again.
    if (!/^node(js)?(\.exe)?$/i.test(basename(process.execPath))) {
      this.warn("the last part is lost: call stop before the end of the program");
      return;
    }
    const headers = { "content-type": "application/x-protobuf", "content-encoding": "gzip", [VERSION_HEADER]: VERSION };
    const words = [profilesUrl(this.url), headers, ...parts.map(({ length }) => length)].map((each) =>
      JSON.stringify(each),
    );
    const { status, stdout, error } = spawnSync(process.execPath, ["--input-type=module", "-e", SENDER, ...words], {
      ...{ input: Buffer.concat(parts), timeout: LAST_MS, stdio: ["pipe", "pipe", "ignore"], windowsHide: true },
      env: { ...process.env, NODE_OPTIONS: "", SPANFLAME_RECORD: "off" },
    });
    this.waiting.clear();
    if (status !== 0)
      this.warn(`the receiver did not take the last part: ${error?.message ?? String(stdout).trim().split("\n")[0]}`);
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
