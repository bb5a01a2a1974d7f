/** Attribute sets that mark samples with inferred context: u8 per set. Sets never change; only new ones are read. */
import { hasInferred, isInferred } from "../store/inferred";
import { sets } from "../store/tables";
import { Block } from "./block";

const marks: Block = changetype<Block>(memory.data(8, 8));
/** Sets that `marks` covers. */
let covered: u32 = 0;

export function resetInferredSets(): void {
  marks.drop();
  covered = 0;
}

/** 0 where no sample has inferred context; else 1 for each set whose samples have it. */
export function inferredSets(): usize {
  if (!hasInferred()) return 0;
  if (covered === sets.count) return marks.at;
  const at = marks.keep(sets.count, covered);
  for (let row = covered; row < sets.count; row++) store<u8>(at + row, isInferred(row) ? 1 : 0);
  covered = sets.count;
  return at;
}
