/**
 * Scratch memory for one chunk: bump allocated from a chain of blocks and freed all at once. Blocks above the usual
 * size are returned to the arena at the end, the first ones are kept for the next chunk.
 *
 *   block: | next u32 | size u32 | bytes … |
 */
import { alloc, release } from "./arena";
import { onReset } from "./resets";

const BLOCK_NEXT: usize = 0;
const BLOCK_SIZE: usize = 4;
const HEAD: u32 = 8;
/** Bytes of a block of usual size. */
const BLOCK: u32 = 1 << 18;

let first: usize = 0;
let current: usize = 0;
let at: usize = 0;
let end: usize = 0;

onReset((): void => {
  first = newBlock(BLOCK);
  enter(first);
});

function newBlock(size: u32): usize {
  const block = alloc(size);
  store<u32>(block, 0, BLOCK_NEXT);
  store<u32>(block, size, BLOCK_SIZE);
  return block;
}

function enter(block: usize): void {
  current = block;
  at = block + HEAD;
  end = block + load<u32>(block, BLOCK_SIZE);
}

/** `n` bytes, 8-aligned and cleared, until `endScratch`. */
export function scratch(n: u32): usize {
  const need = (n + 7) & ~7;
  if (need > <u32>(end - at)) {
    const fresh = newBlock(need + HEAD > BLOCK ? need + HEAD : BLOCK);
    store<u32>(current, <u32>fresh, BLOCK_NEXT);
    enter(fresh);
  }
  const p = at;
  at += need;
  memory.fill(p, 0, need);
  return p;
}

/** Takes everything back. */
export function endScratch(): void {
  let block = <usize>load<u32>(first, BLOCK_NEXT);
  while (block !== 0) {
    const next = <usize>load<u32>(block, BLOCK_NEXT);
    release(block, load<u32>(block, BLOCK_SIZE));
    block = next;
  }
  store<u32>(first, 0, BLOCK_NEXT);
  enter(first);
}
