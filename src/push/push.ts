/**
 * OTLP over HTTP: one message to one receiver, with retries as the specification allows them
 * (https://opentelemetry.io/docs/specs/otlp/#otlphttp). Uses only functions that both browsers and Node have.
 */
import type { OtlpFormat } from "../core/types.ts";
import { SEND } from "../model/words/outward.ts";
import { type PartialSuccess, readPartialSuccess, readStatus } from "./answer.ts";
import { NotAllowed } from "./cross-origin.ts";
import { VERSION, VERSION_HEADER } from "./headers.ts";
import { ATTEMPTS, backoffMs, isRetryable, isTransient, LONGEST_WAIT_MS, retryAfterMs } from "./retry.ts";

/** A receiver of OTLP over HTTP, and how to send to it. */
export interface Receiver {
  /** The URL that `profilesUrl` returns. */
  url: string;
  /** In addition to the headers that describe the body. */
  headers?: Record<string, string>;
  /** Compresses the message. */
  gzip?: boolean;
  /** Maximum time of one request, until its answer is read. */
  timeoutMs?: number;
}

/** A failed attempt that will be repeated. */
export interface Retry {
  /** Number of attempts so far. */
  attempt: number;
  /** Maximum number of attempts. */
  attempts: number;
  /** Why it failed, in words. */
  reason: string;
  /** Milliseconds until the next attempt. */
  waitMs: number;
}

/** The result of sending one message. */
export type Outcome =
  /** All profiles were accepted. `message` is the receiver's warning, or empty. */
  | ({ result: "accepted" } & Pick<PartialSuccess, "message">)
  /** The receiver rejected some profiles. Do not send the message again, because it accepted the others. */
  | ({ result: "partial" } & PartialSuccess)
  /** The status is success, but the answer cannot be read, so profiles may be lost. `message` is the reason. */
  | { result: "unreadable"; status: number; message: string }
  /** `status` is that of HTTP, or 0 without an answer. `notAllowed`: the browser keeps the answer from the page. */
  | { result: "refused"; status: number; message: string; notAllowed?: true };

/** Functions of the environment that pushing needs, replaceable in tests. */
export interface World {
  fetch: typeof fetch;
  /** Milliseconds since 1970. */
  now: () => number;
  /** In [0, 1). */
  random: () => number;
  sleep: (ms: number) => Promise<void>;
}

export const PLATFORM: World = {
  fetch: (...args) => fetch(...args),
  now: Date.now,
  random: Math.random,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

const TIMEOUT_MS = 30_000;
/** An answer is a line or two; of a longer one only the beginning is used. */
const ANSWER_BYTES = SEND.most;
const CONTENT_TYPES: Record<OtlpFormat, string> = {
  otlp: "application/x-protobuf",
  "otlp-json": "application/json",
};

interface Attempt {
  outcome: Outcome;
  retryable: boolean;
  retryAfter: string | null;
}

/**
 * Sends a message until the answer is final. Throws only if the receiver's headers are invalid. `format`: of OTLP
 * profiles, or the content type of another body.
 */
export async function push(
  message: Uint8Array,
  format: OtlpFormat | `${string}/${string}`,
  receiver: Receiver,
  onRetry: (retry: Retry) => void = () => {},
  world: World = PLATFORM,
): Promise<Outcome> {
  const headers = new Headers(receiver.headers);
  const isOtlp = Object.hasOwn(CONTENT_TYPES, format);
  headers.set("content-type", isOtlp ? CONTENT_TYPES[format as OtlpFormat] : format);
  if (isOtlp) headers.set(VERSION_HEADER, VERSION);
  if (receiver.gzip) headers.set("content-encoding", "gzip");
  const body = receiver.gzip ? await gzip(message) : (message as Uint8Array<ArrayBuffer>);
  for (let attempt = 1; ; attempt++) {
    const { outcome, retryable, retryAfter } = await post(receiver, { headers, body }, world);
    const waitMs = retryAfterMs(retryAfter, world.now()) ?? backoffMs(attempt, world.random());
    if (!retryable || outcome.result !== "refused" || attempt === ATTEMPTS) return outcome;
    if (waitMs > LONGEST_WAIT_MS) {
      return {
        ...outcome,
        message: `${outcome.message}; the receiver asks to wait ${Math.round(waitMs / 1000)} s, which is too long`,
      };
    }
    onRetry({ attempt, attempts: ATTEMPTS, reason: outcome.message, waitMs });
    await world.sleep(waitMs);
  }
}

async function post(
  { url, timeoutMs = TIMEOUT_MS }: Receiver,
  request: { headers: Headers; body: Uint8Array<ArrayBuffer> },
  world: World,
): Promise<Attempt> {
  const answered: Response[] = [];
  const finish = (response: Response, outcome: Outcome): Attempt => {
    const retryAfter = response.headers.get("retry-after");
    return { outcome, retryable: isRetryable(response.status), retryAfter };
  };
  try {
    return await within(timeoutMs, async (signal) => {
      // A redirect could carry the headers' secrets to another receiver.
      const response = await world.fetch(url, { ...request, method: "POST", redirect: "manual", signal });
      answered.push(response);
      return finish(response, read(response, await beginningOf(response), request.headers));
    });
  } catch (error) {
    const message = reasonOf(error, timeoutMs);
    const [response] = answered;
    // The status is known, so the message is not sent again for its answer: a receiver that took it would have it
    // twice.
    if (response?.ok) return finish(response, { result: "unreadable", status: response.status, message });
    if (response !== undefined) return finish(response, read(response, new Uint8Array(0), request.headers));
    const refused = { result: "refused", status: 0, message } as const;
    if (error instanceof NotAllowed)
      return { outcome: { ...refused, notAllowed: true }, retryable: false, retryAfter: null };
    return { outcome: refused, retryable: isTransient(error), retryAfter: null };
  }
}

function read(response: Response, body: Uint8Array, sent: Headers): Outcome {
  const { status, statusText, headers } = response;
  // Receivers answer in the encoding that they were asked in.
  const type = headers.get("content-type") ?? sent.get("content-type") ?? "";
  const json = /^application\/json\b/i.test(type);
  const readable = json || /^application\/x-protobuf\b/i.test(type);
  if (response.ok) {
    const { rejected, message } = readable ? readPartialSuccess(body, json) : { rejected: 0n, message: "" };
    return rejected > 0n ? { result: "partial", rejected, message } : { result: "accepted", message };
  }
  // Browsers hide the content of a redirect.
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) {
    const to = headers.get("location");
    return { result: "refused", status, message: `a redirect${to ? ` to ${to}` : ""}, which is not followed` };
  }
  const said = readable ? readStatus(body, json) : null;
  const words = [`${status} ${statusText}`.trim(), said?.message, said?.code ? `(code ${said.code})` : ""];
  return { result: "refused", status, message: words.filter(Boolean).join(" ") };
}

/** The first ANSWER_BYTES of a body. */
async function beginningOf(response: Response): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let size = 0; reader !== undefined && size < ANSWER_BYTES; ) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    size += value.length;
  }
  await reader?.cancel();
  return new Uint8Array(await new Blob(parts).arrayBuffer()).subarray(0, ANSWER_BYTES);
}

async function gzip(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/** Node puts the reason into the error's cause, browsers hide it. */
function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer within ${timeoutMs / 1000} s`;
  const cause = error.cause as { message?: string; code?: string } | undefined;
  return cause?.message || cause?.code || error.message;
}

/**
 * The result of `work`. After `timeoutMs` its signal aborts and the promise rejects with a TimeoutError, even if `work`
 * never settles: Node's `fetch` does so after a broken content encoding. The timer keeps a process of Node alive, which
 * the timer of AbortSignal.timeout does not.
 */
async function within<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const reason = new DOMException("The time limit has passed.", "TimeoutError");
      reject(reason);
      abort.abort(reason);
    }, timeoutMs);
  });
  try {
    return await Promise.race([work(abort.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
