import { isTrace } from "../words/ids.ts";

/** Ids of AWS and of Datadog begin with the second of their trace. */
const FIRST_SECOND = 1_400_000_000n;
const LAST_SECOND = 4_000_000_000n;

/** When the trace began, ns since 1970; null where its id cannot say so. Ids of others may say a time by chance. */
export function timeOfId(id: bigint): bigint | null {
  const seconds = isTrace(id) ? id >> 96n : 0n;
  return seconds > FIRST_SECOND && seconds < LAST_SECOND ? seconds * 1_000_000_000n : null;
}
