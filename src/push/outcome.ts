/** The outcome of a message: its text, and its consequence for the next message. */
import type { Outcome, Retry } from "./push.ts";

/**
 * Refusals because of a message's content: another message may be accepted. All other refusals would apply to every
 * message.
 */
const OF_THE_MESSAGE = new Set([400, 413]);

/** Whether sending the rest is useless. */
export function meetsEveryMessage(outcome: Outcome): boolean {
  return outcome.result === "refused" && !OF_THE_MESSAGE.has(outcome.status);
}

/** `held` describes the message's content: "341 observations". `parts`: what may be rejected of it. */
export function outcomeWords(outcome: Outcome, held: string, parts = "profiles"): string {
  switch (outcome.result) {
    case "accepted":
      return `${held} accepted${outcome.message && `, with a warning: ${outcome.message}`}`;
    case "partial":
      return `accepted except for ${outcome.rejected} rejected ${parts}: ${outcome.message}`;
    case "unreadable":
      return (
        `answered with ${outcome.status}, but the answer's body cannot be read: ${outcome.message}. The receiver may ` +
        "have rejected some of it. It is not sent again"
      );
    case "refused":
      return `${outcome.status === 0 ? "not sent" : "refused"}: ${outcome.message}`;
  }
}

export function retryWords({ attempt, attempts, reason, waitMs }: Retry): string {
  return `${reason}; again in ${(waitMs / 1000).toFixed(1)} s (${attempt} of ${attempts})`;
}
