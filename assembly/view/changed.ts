/**
 * The functions of two selections, those first whose own share differs most, then those whose total does.
 *
 *   row | name u32 | 0 | self i64 | total i64 | baseline self i64 | baseline total i64 |     40 bytes
 *
 * Shares are of each selection's whole when normalised; else values are compared as they are.
 */
import { Block } from "./block";
import { nodeCount, treeAgain, treeName } from "./call-tree";
import { baseValueOf, baseWhole } from "./diff";
import { functionOf, nameAt, nameCount, nameIndex } from "./frame-names";
import { descending, RECORD_BYTES, sortRecords } from "./order";
import { selectedValue } from "./selection";
import { selfAt, totalAt, weigh } from "./weights";

const ROW_BYTES: usize = 40;
/** Shares are compared as whole numbers. */
const FRACTION: f64 = 1099511627776; // 2^40

const rows: Block = changetype<Block>(memory.data(8, 8));
/** self, total, baseline self, baseline total: i64 each per name. */
const sums: Block = changetype<Block>(memory.data(8, 8));
const records: Block = changetype<Block>(memory.data(8, 8));

export function resetChanged(): void {
  rows.drop();
  sums.drop();
  records.drop();
}

/** Computes the rows against the baseline kept, or what that has beside the selection, and returns their number. */
export function changedFunctions(rest: bool, normalised: bool): u32 {
  weigh();
  const at = sums.zeroed((<usize>nameCount()) << 5);
  for (let node: u32 = 1; node < nodeCount; node++) {
    const total = load<i64>(totalAt + ((<usize>node) << 3));
    const base = baseValueOf(node, true, rest);
    if (total === 0 && base === 0) continue;
    const q = at + ((<usize>nameIndex(functionOf(load<u32>(treeName + ((<usize>node) << 2))))) << 5);
    store<i64>(q, load<i64>(q) + load<i64>(selfAt + ((<usize>node) << 3)));
    store<i64>(q, load<i64>(q, 16) + baseValueOf(node, false, rest), 16);
    if (load<u8>(treeAgain + node) !== 0) continue;
    store<i64>(q, load<i64>(q, 8) + total, 8);
    store<i64>(q, load<i64>(q, 24) + base, 24);
  }
  const whole = selectedValue();
  const base = baseWhole(rest);
  const scale = normalised && whole > 0 ? FRACTION / <f64>whole : 1;
  const baseScale = normalised && base > 0 ? FRACTION / <f64>base : 1;
  const count = order(at, scale, baseScale);
  let out = rows.fit(<usize>count * ROW_BYTES);
  const end = records.at + <usize>count * RECORD_BYTES;
  for (let r = records.at; r < end; r += RECORD_BYTES) {
    const index = load<u32>(r, 8);
    store<u64>(out, nameAt(index));
    memory.copy(out + 8, at + ((<usize>index) << 5), 32);
    out += ROW_BYTES;
  }
  sums.drop();
  records.drop();
  return count;
}

export function changedRows(): usize {
  return rows.at;
}

/** Puts the names that weigh something in either into `records`, in order. */
function order(at: usize, scale: f64, baseScale: f64): u32 {
  let count: u32 = 0;
  let p = records.fit(<usize>nameCount() * RECORD_BYTES);
  for (let index: u32 = 0; index < nameCount(); index++) {
    const q = at + ((<usize>index) << 5);
    if ((load<i64>(q, 8) | load<i64>(q, 24) | load<i64>(q) | load<i64>(q, 16)) === 0) continue;
    store<u64>(p, key(q + 8, scale, baseScale));
    store<u64>(p, index, 8);
    p += RECORD_BYTES;
    count++;
  }
  sortRecords(records.at, count);
  for (let r = records.at; r < p; r += RECORD_BYTES) {
    store<u64>(r, key(at + ((<usize>load<u32>(r, 8)) << 5), scale, baseScale));
  }
  sortRecords(records.at, count);
  return count;
}

/** Larger differences come first. */
function key(sum: usize, scale: f64, baseScale: f64): u64 {
  return descending(<i64>Math.abs(<f64>load<i64>(sum) * scale - <f64>load<i64>(sum, 16) * baseScale));
}
