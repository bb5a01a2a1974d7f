/**
 * Source file of a call-tree node. Nodes are merged by name, so it is only known if all functions of that name agree.
 */
import { functionName } from "../store/frames";
import { FUNCTION_FILE_NAME, functions } from "../store/tables";
import { functionOf, shownName } from "./frame-names";

/** The file of all functions of this name (with or without a line), 0 where it is not said or not one. */
export function fileOf(name: u32): u32 {
  const fn = functionOf(name);
  let file: u32 = 0;
  for (let i: u32 = 1; i < functions.count; i++) {
    const other = functions.get(i, FUNCTION_FILE_NAME);
    if (other === 0 || other === file || shownName(functionName(i)) !== fn) continue;
    if (file !== 0) return 0;
    file = other;
  }
  return file;
}
