/** The outcome of a message, in words and for the next one. */
import type { Outcome, Retry } from "./push.ts";

/** Refusals of what a message holds: another one may be taken. All others would meet every message. */
const OF_THE_MESSAGE = new Set([400, 413]);

/** Whether there is no use in sending what is left. */
export function meetsEveryMessage(outcome: Outcome): boolean {
  return outcome.result === "refused" && !OF_THE_MESSAGE.has(outcome.status);
}

/** `held` says what the message holds: "341 observations". */
export function outcomeWords(outcome: Outcome, held: string): string {
  switch (outcome.result) {
    case "accepted":
      return `${held} accepted${outcome.message && `, with a warning: ${outcome.message}`}`;
    case "partial":
      return `accepted but for ${outcome.rejected} rejected profiles: ${outcome.message}`;
    case "unreadable":
      return (
        `answered with ${outcome.status}, but the rest of the answer cannot be read: ${outcome.message}. The receiver may ` +
        "have rejected some of it. It is not sent again"
      );
    case "refused":
      return `${outcome.status === 0 ? "not sent" : "refused"}: ${outcome.message}`;
  }
}

export function retryWords({ attempt, attempts, reason, waitMs }: Retry): string {
  return `${reason}; again in ${(waitMs / 1000).toFixed(1)} s (${attempt} of ${attempts})`;
}
