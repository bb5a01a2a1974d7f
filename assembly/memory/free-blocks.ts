/**
 * Free lists: the freed blocks, in one list per power-of-two size class. Halving a block to allocate a part of it is
 * quick and never undone, so after much use the free memory may be in small pieces only. `mergeFree` joins them as the
 * last resort.
 *
 *   block  | next u32 | size u32, while they are merged | … |
 */
const BLOCK_NEXT: usize = 0;
const BLOCK_SIZE: usize = 4;

export const SMALLEST_CLASS: u32 = 5;
const CLASSES: u32 = 32;

/** Heads of the lists, one u32 per size class. */
const heads: usize = memory.data(32 * 4, 4);
/** Sorted lists of 2^i blocks each, while they are merged. */
const sorted: usize = memory.data(32 * 4, 4);

export function forgetFree(): void {
  memory.fill(heads, 0, CLASSES << 2);
}

function headOf(c: u32): usize {
  return heads + ((<usize>c) << 2);
}

/** Adds a block of class `c`. */
export function give(block: usize, c: u32): void {
  store<u32>(block, load<u32>(headOf(c)), BLOCK_NEXT);
  store<u32>(headOf(c), <u32>block);
}

/** Adds `size` bytes, a multiple of 32, in pieces of the size classes, the largest first. */
export function giveRun(at: usize, size: u32): void {
  while (size !== 0) {
    const c: u32 = 31 - clz<u32>(size);
    give(at, c);
    at += (<usize>1) << c;
    size -= (<u32>1) << c;
  }
}

/** Removes a block of class `c` from the free lists; 0 if no free block is that large. */
export function take(c: u32): usize {
  for (let larger = c; larger < CLASSES; larger++) {
    const block = <usize>load<u32>(headOf(larger));
    if (block === 0) continue;
    store<u32>(headOf(larger), load<u32>(block, BLOCK_NEXT));
    // Splits the block in halves from the end: the caller gets the front.
    for (let half = larger; half > c; half--) give(block + ((<usize>1) << (half - 1)), half - 1);
    return block;
  }
  return 0;
}

/** Bytes of all blocks. */
export function freeBytes(): u64 {
  let bytes: u64 = 0;
  for (let c = SMALLEST_CLASS; c < CLASSES; c++) {
    for (let block = <usize>load<u32>(headOf(c)); block !== 0; block = <usize>load<u32>(block, BLOCK_NEXT))
      bytes += (<u64>1) << c;
  }
  return bytes;
}

/** Joins blocks that are side by side. Those that end at `top` are taken out: returns where they begin, or `top`. */
export function mergeFree(top: usize): usize {
  let block = sortedByAddress();
  forgetFree();
  while (block !== 0) {
    const start = block;
    let end = start;
    while (block === end) {
      end += load<u32>(block, BLOCK_SIZE);
      block = <usize>load<u32>(block, BLOCK_NEXT);
    }
    if (end === top) return start;
    giveRun(start, <u32>(end - start));
  }
  return top;
}

/** All blocks as one list. */
function sortedByAddress(): usize {
  memory.fill(sorted, 0, 32 * 4);
  for (let c = SMALLEST_CLASS; c < CLASSES; c++) {
    let block = <usize>load<u32>(headOf(c));
    while (block !== 0) {
      let list = block;
      block = <usize>load<u32>(list, BLOCK_NEXT);
      store<u32>(list, 0, BLOCK_NEXT);
      store<u32>(list, (<u32>1) << c, BLOCK_SIZE);
      let bin = sorted;
      for (; load<u32>(bin) !== 0; bin += 4) {
        list = joined(<usize>load<u32>(bin), list);
        store<u32>(bin, 0);
      }
      store<u32>(bin, <u32>list);
    }
  }
  let all: usize = 0;
  for (let bin = sorted; bin < sorted + 32 * 4; bin += 4) all = joined(<usize>load<u32>(bin), all);
  return all;
}

/** Two sorted lists as one. */
function joined(a: usize, b: usize): usize {
  let first: usize = 0;
  let last: usize = 0;
  while (a !== 0 && b !== 0) {
    const next = a < b ? a : b;
    if (last === 0) first = next;
    else store<u32>(last, <u32>next, BLOCK_NEXT);
    last = next;
    if (next === a) a = <usize>load<u32>(a, BLOCK_NEXT);
    else b = <usize>load<u32>(b, BLOCK_NEXT);
  }
  const rest = a !== 0 ? a : b;
  if (last === 0) return rest;
  store<u32>(last, <u32>rest, BLOCK_NEXT);
  return first;
}
