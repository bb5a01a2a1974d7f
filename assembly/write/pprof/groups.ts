/**
 * Samples of the file: rows of the store that have stack, thread, link and attributes in common, of any profile. pprof
 * puts the values of all sample types side by side, so both measures of a profile, and profiles that were one pprof
 * file before, are in one sample.
 *
 *   groupHeads      u32 per group: its first row, in the order of the store
 *   following       u32 per row: another row of its group, 0 after the last
 */

import { finish, product } from "../../memory/hash";
import { onGiveUp } from "../../memory/resets";
import { Slots } from "../../memory/slots";
import * as SampleRow from "../../store/rows/sample-row";
import { sampleAt, sampleCount } from "../../store/samples";
import { at, places, put, rowAt } from "../columns";
import { isSelected, maskedAt, sampleOrder } from "../mask";
import { scratch, zeroed } from "../output";
import { reachedSamples } from "../reach";
import { eventAttributes } from "../writer-attributes";

export let groupHeads: usize = 0;
export let groupCount: u32 = 0;
let following: usize = 0;

const slots: Slots = changetype<Slots>(memory.data(16, 8));

/** `mixed`: rows of several profiles are selected; otherwise every row is a separate group. */
export function groupRows(mixed: bool): void {
  groupHeads = scratch((<u64>reachedSamples) << 2);
  groupCount = 0;
  following = mixed ? zeroed(sampleCount) : 0;
  if (mixed) slots.init(reachedSamples);
  for (let k: u32 = 1; k < places(sampleOrder, sampleCount); k++) {
    const row = rowAt(sampleOrder, k);
    const p = maskedAt(row);
    if (!isSelected(row, p)) continue;
    if (mixed && joined(row, p)) continue;
    put(groupHeads, groupCount, row);
    groupCount++;
  }
  if (mixed) slots.free();
}

/** Frees memory that a trap left allocated. */
function dropGroups(): void {
  slots.free();
}
onGiveUp(dropGroups);

/** The row after `row` in its group, 0 if it is the last. */
export function nextInGroup(row: u32): u32 {
  return following === 0 ? 0 : at(following, row);
}

/** Puts the row at `p` after the head of its group, if it has one. */
function joined(row: u32, p: usize): bool {
  const hash = hashOf(p);
  let i = hash & slots.mask;
  while (true) {
    const slot = load<u64>(slots.at + ((<usize>i) << 3));
    const head = <u32>slot;
    if (head === 0) break;
    if (<u32>(slot >> 32) === hash && isAlike(sampleAt(head), p)) {
      put(following, row, at(following, head));
      put(following, head, row);
      return true;
    }
    i = (i + 1) & slots.mask;
  }
  slots.insert(row, hash);
  return false;
}

function hashOf(p: usize): u32 {
  return finish(
    product(0, ((<u64>load<u32>(p, SampleRow.STACK)) << 32) | load<u32>(p, SampleRow.LINK)) +
      product(1, ((<u64>load<u32>(p, SampleRow.THREAD)) << 32) | load<u32>(p, SampleRow.SET)),
  );
}

function isAlike(a: usize, b: usize): bool {
  return (
    load<u32>(a, SampleRow.STACK) === load<u32>(b, SampleRow.STACK) &&
    load<u32>(a, SampleRow.LINK) === load<u32>(b, SampleRow.LINK) &&
    load<u32>(a, SampleRow.THREAD) === load<u32>(b, SampleRow.THREAD) &&
    load<u32>(a, SampleRow.SET) === load<u32>(b, SampleRow.SET) &&
    at(eventAttributes, load<u32>(a, SampleRow.EVENT)) === at(eventAttributes, load<u32>(b, SampleRow.EVENT))
  );
}
