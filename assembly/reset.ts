import { clearExhausted, merge } from "./memory/arena";
import { giveUpAll, resetAll } from "./memory/resets";
import { close } from "./read/input";
import { hush } from "./store/diagnostics";
import { takeBack } from "./store/held/lists";
import { shrinkToMark } from "./store/mark";
import { dropStaged } from "./store/samples";

/** An empty core: every pointer handed out before is void. Memory that was grown stays grown. */
export function reset(): void {
  giveUp();
  resetAll();
}

/**
 * To be called after a trap with `exhausted`: closes what is open, drops the selection and frees all memory except the
 * store's and the input buffer. The store stays consistent: every table and every observation is complete.
 */
export function recover(): void {
  giveUp();
  merge();
}

/** Takes back the samples that were added after mark `i` (store/mark.ts). */
export function takeSamplesBack(i: u32): void {
  giveUp();
  shrinkToMark(i);
}

/** Takes observations of an event row back, of those numbered [first, end); returns how many (held/lists.ts). */
export function takeListBack(event: u32, first: u32, end: u32): u32 {
  giveUp();
  return takeBack(event, first, end);
}

function giveUp(): void {
  clearExhausted();
  hush(false);
  dropStaged();
  close();
  giveUpAll();
}
