/**
 * Blocks of linear memory by power-of-two size class. The stub runtime's own allocator wraps silently at 4 GiB, so
 * nothing here uses it: every size is checked in 64 bits, and running out is told apart from other traps by `exhausted`.
 *
 *   [ static data | blocks, bump allocated .................... | 16 bytes that no block covers ]
 *
 * The tail lets a reader load 8 bytes at the last byte of any block. Blocks are not cleared.
 */

/** Bytes behind the last block that may be read, never written. */
const TAIL: u64 = 64;
const PAGE: u64 = 65536;
const SMALLEST_CLASS: u32 = 5;

/** Heads of the free lists, one u32 per size class. */
const free: usize = memory.data(33 * 4);

let top: u64 = 0;
let memoryEnd: u64 = 0;
let reserved: usize = 0;
let reservedSize: u32 = 0;

/** True once a block could not be had; the trap that follows means "out of memory". */
export let exhausted: bool = false;

/** Forgets every block. All pointers handed out before are void. */
export function resetArena(): void {
  memory.fill(free, 0, 33 * 4);
  top = (<u64>__heap_base + 63) & ~(<u64>63);
  memoryEnd = <u64>memory.size() * PAGE;
  reservedSize = 0;
  exhausted = false;
}

/** Bytes in use or on a free list. */
export function arenaBytes(): f64 {
  return <f64>top;
}

function classOf(size: u32): u32 {
  const bits: u32 = 32 - clz<u32>(size - 1);
  return bits < SMALLEST_CLASS ? SMALLEST_CLASS : bits;
}

function headOf(c: u32): usize {
  return free + ((<usize>c) << 2);
}

function give(block: usize, c: u32): void {
  store<u32>(block, load<u32>(headOf(c)));
  store<u32>(headOf(c), <u32>block);
}

function extend(size: u64): usize {
  const end = top + size;
  if (end + TAIL > memoryEnd) {
    const missing = (end + TAIL - memoryEnd + PAGE - 1) / PAGE;
    // A sixteenth more than needed: growing is a system call, and a doubling would double the footprint.
    const wish = missing + ((memoryEnd / PAGE) >> 4);
    if (end + TAIL > 0x1_0000_0000) return 0;
    if (memory.grow(<i32>wish) < 0 && memory.grow(<i32>missing) < 0) return 0;
    memoryEnd = <u64>memory.size() * PAGE;
  }
  const block = <usize>top;
  top = end;
  return block;
}

/**
 * The host's input buffer: a block of exactly `size` bytes rounded up to 64, or 0 when memory is exhausted. There is one
 * at a time: the one before is given back where there is a new one.
 */
export function tryReserve(size: u64): usize {
  const rounded = (size + 63) & ~(<u64>63);
  const block = extend(rounded);
  if (block === 0) return 0;
  freeReserved();
  reserved = block;
  reservedSize = <u32>rounded;
  return block;
}

/**
 * The host's input buffer with room for `size` bytes and what is in it, or 0 when memory is exhausted, and the buffer is as
 * it was. The last block grows where it is, so that a buffer may be filled bit by bit.
 */
export function growReserved(size: u64): usize {
  const rounded = (size + 63) & ~(<u64>63);
  if (rounded <= <u64>reservedSize) return reserved;
  if (<u64>reserved + <u64>reservedSize === top) {
    if (extend(rounded - <u64>reservedSize) === 0) return 0;
  } else {
    const block = extend(rounded);
    if (block === 0) return 0;
    memory.copy(block, reserved, reservedSize);
    freeReserved();
    reserved = block;
  }
  reservedSize = <u32>rounded;
  return reserved;
}

/** Gives back the host's input buffer in pieces of the size classes, the largest first. */
export function freeReserved(): void {
  while (reservedSize !== 0) {
    const c: u32 = 31 - clz<u32>(reservedSize);
    give(reserved, c);
    reserved += (<usize>1) << c;
    reservedSize -= (<u32>1) << c;
  }
}

/** A block of at least `size` bytes. Traps (with `exhausted` set) when there is none. */
export function alloc(size: usize): usize {
  const c = classOf(<u32>size < 1 ? 1 : <u32>size);
  for (let larger = c; larger < 32; larger++) {
    const block = <usize>load<u32>(headOf(larger));
    if (block === 0) continue;
    store<u32>(headOf(larger), load<u32>(block));
    // Halves from the end: the front is what is handed out.
    for (let half = larger; half > c; half--) give(block + ((<usize>1) << (half - 1)), half - 1);
    return block;
  }
  const fresh = c < 32 ? extend((<u64>1) << c) : 0;
  if (fresh === 0) {
    exhausted = true;
    unreachable();
  }
  return fresh;
}

/** Gives back a block of `alloc(size)`. */
export function release(block: usize, size: usize): void {
  if (block === 0) return;
  give(block, classOf(<u32>size < 1 ? 1 : <u32>size));
}

/** A larger block with the first `used` bytes of `block`, which is given back. */
export function regrow(block: usize, size: usize, used: usize, newSize: usize): usize {
  const fresh = alloc(newSize);
  memory.copy(fresh, block, used);
  release(block, size);
  return fresh;
}
