/** Rules for sending a message again: https://opentelemetry.io/docs/specs/otlp/#otlphttp-response */

/** Every other answer is final. */
const RETRYABLE = new Set([429, 502, 503, 504]);

export const ATTEMPTS = 5;
const FIRST_WAIT_MS = 1000;
const LONGEST_BACKOFF_MS = 30_000;
/** A receiver that asks for more is not waited for. */
export const LONGEST_WAIT_MS = 300_000;

export function isRetryable(status: number): boolean {
  return RETRYABLE.has(status);
}

/**
 * Node's codes of failures that another attempt may not meet. A name that does not exist is final, as is a refused
 * certificate.
 */
const TRANSIENT =
  /^(ECONN(REFUSED|RESET|ABORTED)|E(NET|HOST)(UNREACH|DOWN)|EPIPE|ETIMEDOUT|EAI_AGAIN|UND_ERR_(SOCKET|(CONNECT|HEADERS|BODY)_TIMEOUT))$/;

/**
 * Whether a request that failed without an answer can succeed when it is sent again. Node gives the cause; browsers
 * give no cause, so their failures are all sent again.
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error) || error.name === "TimeoutError") return true;
  const { cause } = error;
  if (!(cause instanceof Error)) return true;
  return "code" in cause && TRANSIENT.test(String(cause.code));
}

/** The delay that a Retry-After header requests, as seconds or as a date; null if it has neither. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/**
 * Twice as long after each attempt, the first of which is 1; up to half of it less by `random`, which is in [0, 1),
 * lest all senders return at once.
 */
export function backoffMs(attempt: number, random: number): number {
  const longest = Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
  return Math.round(longest * (0.5 + random / 2));
}
