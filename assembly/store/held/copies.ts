/** Samples of waits by their holders (divided.ts): rows [copiesFrom, copiesEnd), none where the end is 0. */
import { onReset } from "../../memory/resets";

export let copiesFrom: u32 = 0;
export let copiesEnd: u32 = 0;
/** Their observations, which no file has. */
export let copiedCount: u32 = 0;

onReset(dropCopied);

export function dropCopied(): void {
  setCopies(0, 0, 0);
}

export function setCopies(from: u32, end: u32, observations: u32): void {
  copiesFrom = from;
  copiesEnd = end;
  copiedCount = observations;
}

export function isCopy(row: u32): bool {
  return row - copiesFrom < copiesEnd - copiesFrom;
}
