/** The sum of a selection's self times. */
import { TOP_BYTES, TOP_SELF } from "../../assembly/abi/top-row.ts";
import type { Access } from "./access.ts";

/** The self time of all functions: that of the selection without its samples that have no stack. */
export function selfSum({ wasm, memory }: Access): bigint {
  const end = wasm.topFunctions(false) * TOP_BYTES;
  const at = wasm.topRows();
  let sum = 0n;
  for (let p = at; p < at + end; p += TOP_BYTES) sum += memory.i64(p + TOP_SELF);
  return sum;
}
