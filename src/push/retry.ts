/** When a message is sent again: https://opentelemetry.io/docs/specs/otlp/#otlphttp-response */

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

/** What a Retry-After header asks for, as seconds or as a date; null where it says neither. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/**
 * Twice as long after each attempt, the first of which is 1; up to half of it less by `random`, which is in [0, 1), lest
 * all senders return at once.
 */
export function backoffMs(attempt: number, random: number): number {
  const longest = Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
  return Math.round(longest * (0.5 + random / 2));
}
