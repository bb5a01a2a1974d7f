/**
 * Blocks of native memory that are freed. Whether one was is known when its file has been read: each thread writes its
 * events by itself, so one that is later in the file may have an earlier time. Until then allocations wait
 * (snapshots.ts), and what freed a block is
 *
 *   free   | address u64 | time i64 |        16 bytes
 *
 * An allocation is freed if its address is freed later, or allocated again: then what freed it was not recorded. An
 * allocation and a free of one time belong together, unless an earlier allocation is to be freed.
 */
import * as ValueKind from "../../abi/value-kind";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { SORTED_BYTES, SORTED_VALUE, sortRows } from "../../memory/sort";
import { mergeSets } from "../inferred";
import { FREED_KEY } from "../keys";
import { Waiting } from "../staged";
import { internAttribute, internText, sets } from "../tables";

const FEWEST: u32 = 1 << 8;
export const frees: Buffer = ownBuffer(FEWEST);
/** Waiting allocations: | address, or time, u64 | pointer u64 |. */
const blocks: Buffer = ownBuffer(FEWEST);
/** A set of the attribute alone, and those of both values. */
const one: usize = memory.data(4, 4);
let keptSet: u32 = 0;
let freedSet: u32 = 0;

export function noteFree(address: u64, time: i64): void {
  frees.u64(address);
  frees.u64(<u64>time);
}

/** How many events freed something in the file that is read. */
export function freeCount(): u32 {
  return frees.size / <u32>SORTED_BYTES;
}

/** Marks the waiting allocations from `from` to `end`. The rest of the core has the code. */
export let markFreed: (from: usize, end: usize) => void = markNothing;

function markNothing(_from: usize, _end: usize): void {}

/** From now on allocations are marked, also after a reset of the core. To be called before a file with frees ends. */
export function markFrees(): void {
  markFreed = markBlocks;
}

function markBlocks(from: usize, end: usize): void {
  blocks.size = 0;
  for (let p = from; p < end; p += offsetof<Waiting>()) {
    if (changetype<Waiting>(p).address === 0) continue;
    blocks.u64(changetype<Waiting>(p).address);
    blocks.u64(p);
  }
  const count = blocks.size / <u32>SORTED_BYTES;
  sortRows(blocks.at, count);
  dropOthers(count);
  const freed = freeCount();
  sortRows(frees.at, freed);
  freedSet = markSet(1);
  keptSet = markSet(0);
  let f: u32 = 0;
  for (let b: u32 = 0; b < count; ) {
    const address = keyOf(blocks, b);
    const firstBlock = b;
    for (; b < count && keyOf(blocks, b) === address; b++)
      store<u64>(rowAt(blocks, b), <u64>changetype<Waiting>(<usize>secondOf(blocks, b)).time);
    const firstFree = f;
    for (; f < freed && keyOf(frees, f) === address; f++) store<u64>(rowAt(frees, f), secondOf(frees, f));
    sortRows(rowAt(blocks, firstBlock), b - firstBlock);
    sortRows(rowAt(frees, firstFree), f - firstFree);
    markAddress(firstBlock, b, firstFree, f);
  }
  giveBack(blocks);
  giveBack(frees);
}

/** Gives the memory back: files without native memory follow. */
function giveBack(buffer: Buffer): void {
  buffer.free();
  buffer.create(FEWEST);
}

/** Drops the frees of blocks whose allocation was not recorded: most of them, where allocations are sampled. */
function dropOthers(count: u32): void {
  let to: u32 = 0;
  for (let i: u32 = 0; i < freeCount(); i++) {
    const address = keyOf(frees, i);
    let low: u32 = 0;
    for (let high = count; low < high; ) {
      const middle = (low + high) >> 1;
      if (keyOf(blocks, middle) < address) low = middle + 1;
      else high = middle;
    }
    if (low === count || keyOf(blocks, low) !== address) continue;
    memory.copy(rowAt(frees, to++), rowAt(frees, i), SORTED_BYTES);
  }
  frees.size = to * <u32>SORTED_BYTES;
}

/** Marks the blocks [b, blockEnd) of one address, whose frees are [f, freeEnd); all by time. */
function markAddress(b: u32, blockEnd: u32, f: u32, freeEnd: u32): void {
  // How many blocks are there: 0 or 1 after each time.
  let there: i32 = 0;
  while (b < blockEnd) {
    const time = keyOf(blocks, b);
    for (; f < freeEnd && keyOf(frees, f) < time; f++) there = 0;
    const first = b;
    for (; b < blockEnd && keyOf(blocks, b) === time; b++) there++;
    for (; f < freeEnd && keyOf(frees, f) === time; f++) there--;
    there = there > 0 ? 1 : 0;
    // The last one stays, if neither a free nor an allocation follows.
    const stays = there !== 0 && b === blockEnd && f === freeEnd;
    for (let i = first; i < b; i++) mark(i, !(stays && i === blockEnd - 1));
  }
}

function mark(block: u32, isFreed: bool): void {
  const row = changetype<Waiting>(<usize>secondOf(blocks, block));
  row.set = mergeSets(row.set, isFreed ? freedSet : keptSet);
}

function markSet(isFreed: u64): u32 {
  store<u32>(one, internAttribute(internText(FREED_KEY), ValueKind.Bool, isFreed));
  return sets.intern(one, 4);
}

function rowAt(rows: Buffer, i: u32): usize {
  return rows.at + <usize>i * SORTED_BYTES;
}

function keyOf(rows: Buffer, i: u32): u64 {
  return load<u64>(rowAt(rows, i));
}

function secondOf(rows: Buffer, i: u32): u64 {
  return load<u64>(rowAt(rows, i), SORTED_VALUE);
}
