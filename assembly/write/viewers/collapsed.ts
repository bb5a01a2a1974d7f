/**
 * A profile as collapsed stacks, the format of flamegraph.pl and most viewers: a line for each distinct list of names.
 *
 *   root;caller;leaf 42
 *
 * `;` in a name becomes `:`, control characters become blanks. Lines are in the order in which their stacks were read,
 * or first used (columns.ts); a stack whose values add up to 0 has no line.
 */

import { finish, mix } from "../../memory/hash";
import { onGiveUp } from "../../memory/resets";
import { Slots } from "../../memory/slots";
import * as SampleRow from "../../store/rows/sample-row";
import { sampleCount } from "../../store/samples";
import { at, mark, places, rowAt } from "../columns";
import { putSigned } from "../digits";
import { isSelected, maskedRows } from "../mask";
import { beginOutput, endScratch, newRun, Run, scratch, setTotals, zeroed } from "../output";
import { outputAt, outputCount, shownTree } from "../plan";
import { isReached, reach, reachedObservations, reachedOutputs, stackOrder } from "../reach";
import { setLayer, sumOf } from "../values";
import * as PlaceRow from "./place-row";
import {
  deepest,
  findName,
  findPlaces,
  nameAt,
  nameSize,
  placeAt,
  stackCount,
  stackOf,
  unpackStack,
} from "./shown-frames";

const slots: Slots = changetype<Slots>(memory.data(16, 8));

let run: Run = changetype<Run>(0);
/** i64 per stack. */
let sums: usize = 0;
/** Places of two stacks. */
let frames: usize = 0;
let otherFrames: usize = 0;

/**
 * Writes the samples that `mask` has a 1 for (one byte per sample row; 0 = all samples) by the plan at `plan`
 * (plan.ts), if they are of one output. Of several nothing is written but how many they are.
 */
export function writeCollapsed(mask: usize, plan: usize): void {
  beginOutput();
  reach(mask, plan);
  let lines: u32 = 0;
  if (reachedOutputs === 1) {
    run = newRun();
    findPlaces();
    frames = scratch((<u64>deepest) << 2);
    otherFrames = scratch((<u64>deepest) << 2);
    for (let i: u32 = 0; i < outputCount; i++) {
      if (isReached(i)) setLayer(outputAt(i));
    }
    lines = writeLines();
    run.finish();
    run.emit();
  }
  setTotals(reachedOutputs, lines, reachedObservations);
  endScratch();
}

/** Frees memory that a trap left allocated. */
function dropCollapsed(): void {
  slots.free();
}
onGiveUp(dropCollapsed);

function writeLines(): u32 {
  sums = scratch((<u64>stackCount) << 3);
  memory.fill(sums, 0, (<usize>stackCount) << 3);
  const used = zeroed(stackCount);
  let p = maskedRows;
  for (let row: u32 = 1; row < sampleCount; row++) {
    p += SampleRow.BYTES;
    if (!isSelected(row, p)) continue;
    const stack = stackOf(row);
    mark(used, stack);
    add(stack, sumOf(row, p));
  }
  slots.init(1024);
  // Stacks of a tree are nodes, which have the order of the tree.
  const order = shownTree === 0 ? stackOrder : 0;
  const end = places(order, stackCount);
  for (let k: u32 = 1; k < end; k++) {
    const i = rowAt(order, k);
    if (at(used, i) !== 0) join(i);
  }
  slots.free();

  let lines: u32 = 0;
  for (let k: u32 = 0; k < end; k++) {
    const i = k === 0 ? 0 : rowAt(order, k);
    if (sumAt(i) === 0) continue;
    writeLine(i);
    lines++;
  }
  return lines;
}

function sumAt(stack: u32): u64 {
  return load<u64>(sums + ((<usize>stack) << 3));
}

function add(stack: u32, v: u64): void {
  const sum = sums + ((<usize>stack) << 3);
  store<u64>(sum, load<u64>(sum) + v);
}

/** Adds a stack to an earlier one with the same names, which is where lines and addresses differ only. */
function join(stack: u32): void {
  const n = unpackStack(stack, frames);
  let h: u64 = 0;
  for (let i: u32 = 0; i < n; i++) h = mix(h, nameOf(at(frames, i)));
  const hash = finish(h);
  let i = hash & slots.mask;
  while (true) {
    const slot = load<u64>(slots.at + ((<usize>i) << 3));
    const known = <u32>slot;
    if (known === 0) break;
    if (<u32>(slot >> 32) === hash && hasNames(known, n)) {
      add(known, sumAt(stack));
      store<u64>(sums + ((<usize>stack) << 3), 0);
      return;
    }
    i = (i + 1) & slots.mask;
  }
  slots.insert(stack, hash);
}

function nameOf(place: u32): u32 {
  return load<u32>(placeAt(place), PlaceRow.NAME);
}

/** Whether the names of `stack` are those of the `n` places in `frames`. */
function hasNames(stack: u32, n: u32): bool {
  if (unpackStack(stack, otherFrames) !== n) return false;
  for (let i: u32 = 0; i < n; i++) if (nameOf(at(frames, i)) !== nameOf(at(otherFrames, i))) return false;
  return true;
}

function writeLine(stack: u32): void {
  const n = unpackStack(stack, frames);
  for (let i = n; i > 0; i--) {
    findName(at(frames, i - 1));
    const p = run.need(<u64>nameSize + 1);
    store<u8>(p, 0x3b);
    run.at = putClean(i === n ? p : p + 1);
  }
  let p = run.need(32);
  store<u8>(p, 0x20);
  p = putSigned(p + 1, <i64>sumAt(stack));
  store<u8>(p, 0x0a);
  run.at = p + 1;
}

/** The name without characters that have a meaning in a line. */
function putClean(p: usize): usize {
  for (let i: u32 = 0; i < nameSize; i++) {
    const c = load<u8>(nameAt + i);
    if (c < 0x20 || c === 0x7f) store<u8>(p + i, 0x20);
    else store<u8>(p + i, c === 0x3b ? 0x3a : c);
  }
  return p + nameSize;
}
