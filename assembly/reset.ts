import { clearExhausted, merge } from "./memory/arena";
import { resetMerge } from "./merge/merge";
import { resetPart } from "./merge/part";
import { close, resetInput } from "./read/input";
import { hush } from "./store/diagnostics";
import { shrinkToMark } from "./store/mark";
import { dropColumn } from "./store/roots";
import { dropStaged } from "./store/samples";
import { resetStore } from "./store/store";
import { resetViews } from "./view/views";
import { abandonOutput } from "./write/abandon";

/** An empty core: every pointer handed out before is void. Memory that was grown stays grown. */
export function reset(): void {
  giveUp();
  resetStore();
  resetInput();
  resetPart();
  resetMerge();
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

function giveUp(): void {
  clearExhausted();
  hush(false);
  dropStaged();
  close();
  abandonOutput();
  resetViews();
  dropColumn();
}
