/** Parts of constants that events refer to: the class of an object, the system of a root. */
import { enterEntry, poolEntry, wantPool } from "./constant-pools";
import { overrun } from "./cursor";
import { read } from "./plan";
import { bind, newBinding, planOf, slotPointer } from "./struct";

/** The plan that reads up to three fields of the constants of class `cls` into the slots 0 to 2. */
export function planParts(cls: u32, a: u32, b: u32, c: u32): u32 {
  wantPool(cls);
  const map = newBinding(cls);
  bind(map, a, 0);
  bind(map, b, 1);
  bind(map, c, 2);
  return planOf(cls, map);
}

/** Reads the fields of constant `key` that the plan has; false without such a constant. */
export function readParts(cls: u32, plan: u32, key: u64): bool {
  const entry = poolEntry(cls, key);
  if (entry === 0) return false;
  memory.fill(slotPointer(0), 0, 3 << 3);
  enterEntry(entry);
  return read(plan) && !overrun;
}
