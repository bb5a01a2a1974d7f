/** Ids of a run's dictionary: which are possible, and which were used without a text. */
import { RUN_SHORT } from "../../abi/run-row";
import { Run, wordCount, wordOf } from "../../store/runs";

/** Ids above a dictionary that was cut: agents flush it last. */
const BEYOND: u32 = 1 << 16;

/** To be called when the dictionary was read. `cut`: it may have been longer. */
export function endWords(run: Run, cut: bool): void {
  run.wordLimit = wordCount(run) + (cut ? BEYOND : 0);
}

export function isWord(run: Run, id: i32): bool {
  if (id < 0 || <u32>id >= run.wordLimit) return false;
  if (wordOf(run, id) === 0) noteShort(run, id);
  return true;
}

function noteShort(run: Run, id: u32): void {
  const lowest = load<u32>(run.row, RUN_SHORT);
  if (lowest === 0 || id + 1 < lowest) store<u32>(run.row, id + 1, RUN_SHORT);
}
