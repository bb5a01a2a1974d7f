/**
 * Blocks of linear memory by power-of-two size class. The stub runtime's own allocator wraps silently at 4 GiB, so
 * nothing here uses it: every size is checked in 64 bits, and running out is distinguished from other traps by
 * `exhausted`.
 *
 *   [ static data | blocks, bump allocated ........ | reserve while reading | TAIL: 64 bytes outside of all blocks ]
 *
 * The tail lets a reader load up to 64 bytes from the last byte of any block. Blocks are not cleared.
 *
 * Running out is a trap, and the instance continues after it (reset.ts). So every owner of memory keeps this order: get
 * the new block first, then change the owner's fields, then free the old block. A trap then leaves the owner as it was.
 */
import { forgetFree, freeBytes, give, giveRun, mergeFree, SMALLEST_CLASS, take } from "./free-blocks";

/** Bytes after the last block: they may be read, never written. */
const TAIL: u64 = 64;
const PAGE: u64 = 65536;

let top: u64 = 0;
let memoryEnd: u64 = 0;
let reserved: usize = 0;
let reservedSize: u32 = 0;
/** No block ends beyond this. */
let limit: u64 = 0x1_0000_0000;
/** A reader is active: it leaves an eighth of the bytes before it to the views and writers. */
let reading: bool = false;

/** True once a block could not be had; the trap that follows means "out of memory". */
export let exhausted: bool = false;
/** Bytes that were missing then. */
export let missingBytes: f64 = 0;

/** Drops all blocks. All earlier pointers are void. */
export function resetArena(): void {
  forgetFree();
  top = (<u64>__heap_base + 63) & ~(<u64>63);
  memoryEnd = <u64>memory.size() * PAGE;
  reservedSize = 0;
  clearExhausted();
}

/** Clears the trap's flag: the next block is requested as if no trap had occurred. */
export function clearExhausted(): void {
  reading = false;
  exhausted = false;
}

/** Bytes that the core may use, at most the 4 GiB of wasm memory. Holds over resets. */
export function setMemoryLimit(bytes: f64): void {
  limit = min<u64>(<u64>bytes, 0x1_0000_0000);
}

/** To be called around everything for which a reader allocates. */
export function setReading(on: bool): void {
  reading = on;
}

/** Bytes in use or on a free list. */
export function arenaBytes(): f64 {
  return <f64>top;
}

/** Bytes in use. */
export function usedBytes(): f64 {
  return <f64>(top - freeBytes());
}

function classOf(size: u32): u32 {
  const bits: u32 = 32 - clz<u32>(size - 1);
  return bits < SMALLEST_CLASS ? SMALLEST_CLASS : bits;
}

/** `size` bytes after all blocks, 0 where memory ends before that. */
function extend(size: u64): usize {
  const end = top + size;
  // Memory that was grown but not touched costs an address range only.
  const need = end + TAIL + (reading ? end >> 3 : 0);
  if (need > limit) {
    missingBytes = <f64>(need - limit);
    return 0;
  }
  if (need > memoryEnd) {
    const missing = (need - memoryEnd + PAGE - 1) / PAGE;
    // A sixteenth more than needed: growing is a system call, and a doubling would double the footprint.
    const wish = missing + ((memoryEnd / PAGE) >> 4);
    if (memory.grow(<i32>wish) < 0 && memory.grow(<i32>missing) < 0) {
      missingBytes = <f64>(need - memoryEnd);
      return 0;
    }
    memoryEnd = <u64>memory.size() * PAGE;
  }
  const block = <usize>top;
  top = end;
  return block;
}

/**
 * The host's input buffer: a block of exactly `size` bytes rounded up to 64, or 0 when memory is exhausted. There is
 * one at a time: a new one frees the one before. `toRead`: it is for a chunk or a message.
 */
export function tryReserve(size: u64, toRead: bool): usize {
  let rounded = (size + 63) & ~(<u64>63);
  reading = toRead;
  let block = extend(rounded);
  if (block === 0) {
    merge();
    block = extend(rounded);
  }
  reading = false;
  if (block === 0 && rounded <= 0x8000_0000) {
    // All of it is the buffer, so that all of it is freed.
    const c = classOf(<u32>rounded);
    block = take(c);
    rounded = (<u64>1) << c;
  }
  if (block === 0) return 0;
  freeReserved();
  reserved = block;
  reservedSize = <u32>rounded;
  return block;
}

/**
 * The host's input buffer with room for `size` bytes and with its content kept. Returns 0 if memory is exhausted, and
 * the buffer stays unchanged. The last block grows in place, so a buffer can be filled in pieces. The buffer holds a
 * chunk or a message.
 */
export function growReserved(size: u64): usize {
  reading = true;
  const at = growBuffer((size + 63) & ~(<u64>63));
  reading = false;
  return at;
}

function growBuffer(rounded: u64): usize {
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

/** Gives back the host's input buffer. */
export function freeReserved(): void {
  giveRun(reserved, reservedSize);
  reservedSize = 0;
}

/** Joins free blocks that are side by side, and room after the last block in use. */
export function merge(): void {
  top = mergeFree(<usize>top);
}

/** A block of class `c`, 0 if no memory is left. */
function find(c: u32): usize {
  const block = take(c);
  return block !== 0 ? block : extend((<u64>1) << c);
}

/** A block of at least `size` bytes. Traps (with `exhausted` set) if no memory is left. */
export function alloc(size: u64): usize {
  let block: usize = 0;
  if (size <= 0x8000_0000) {
    const c = classOf(size < 1 ? 1 : <u32>size);
    block = find(c);
    if (block === 0) {
      merge();
      block = find(c);
    }
  } else {
    missingBytes = <f64>size;
  }
  if (block === 0) {
    exhausted = true;
    unreachable();
  }
  return block;
}

/** Tables of these sizes grow to four times their size, larger and smaller ones to twice. */
const QUADRUPLED: usize = 1 << 21;
const DOUBLED: usize = 1 << 25;

/**
 * By how many bits a table of `bytes` is shifted when it grows. A block that is not used to its end costs addresses
 * and no memory, unlike the smaller blocks of the same table that were copied and freed before it.
 */
export function growth(bytes: usize): u32 {
  const isPlenty = top + ((<u64>bytes) << 3) < limit >> 3;
  return bytes >= QUADRUPLED && bytes < DOUBLED && isPlenty ? 2 : 1;
}

/** Gives back a block of `alloc(size)`. */
export function release(block: usize, size: usize): void {
  if (block === 0) return;
  give(block, classOf(<u32>size < 1 ? 1 : <u32>size));
}

/** A larger block with the first `used` bytes of `block`, which is freed. Traps where `alloc` does. */
export function regrow(block: usize, size: usize, used: usize, newSize: usize): usize {
  // A doubling of the largest block wraps to 0.
  const fresh = alloc(newSize < size ? (<u64>size) << 1 : newSize);
  memory.copy(fresh, block, used);
  release(block, size);
  return fresh;
}
