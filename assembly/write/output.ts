/**
 * Output of a writer for the host: a table of segments, to be joined in order. Bytes are written once, into runs of
 * blocks that never move; the small headers in front of them are made when the lengths after them are known.
 *
 *   run      a chain of blocks: | next of the run u32 | next of all u32 | size u32 | used u32 | bytes … | slack |
 *   segment  | pointer u32 | length u32 |            pointer 0: the host puts the payload, of this length, here
 *
 * The slack lets a writer store 16 bytes at once even if fewer are used.
 */
import * as Segment from "../abi/segment";
import { alloc, regrow, release } from "../memory/arena";
import { onGiveUp } from "../memory/resets";
import { MAX_PROFILES } from "../store/profiles";
import { beginAdded, dropAdded } from "./added";

/** Head of a block. */
const BLOCK_NEXT: usize = 0;
const BLOCK_NEXT_OF_ALL: usize = 4;
const BLOCK_SIZE: usize = 8;
const BLOCK_USED: usize = 12;
const HEAD: u32 = 16;
const SLACK: u32 = 32;
const FIRST_BLOCK: u32 = 1 << 14;
/** Blocks double up to this size: that of a block of observations, whose place they may take. */
const LARGEST_BLOCK: u32 = 1 << 20;

let allBlocks: usize = 0;

/** Nothing is asked of the samples after the message, so its writer may give them back as soon as it has them. */
export let isLast: bool = false;
let isNextLast: bool = false;

/** Segments of the last written message, until `freeOutput`. */
export let segmentCount: u32 = 0;
let segmentRows: usize = 0;
let segmentCapacity: u32 = 0;

/** Content of the last written message. Observations are values with their timestamps. */
export let writtenProfiles: u32 = 0;
export let writtenSamples: u32 = 0;
export let writtenObservations: u32 = 0;

@unmanaged
export class Run {
  /** Where the next byte goes. */
  at: usize;
  /** End of the current block, without its slack. */
  end: usize;
  first: usize;
  last: usize;
  wish: u32;
  /** Bytes of the closed blocks. */
  closed: u64;

  init(): void {
    this.at = 0;
    this.end = 0;
    this.first = 0;
    this.last = 0;
    this.wish = FIRST_BLOCK;
    this.closed = 0;
  }

  /** Room for `n` contiguous bytes; the caller writes them and moves `at`. */
  need(n: u64): usize {
    if (<u64>(this.end - this.at) < n) this.open(n);
    return this.at;
  }

  private open(n: u64): void {
    this.close();
    const wish = n + <u64>HEAD + <u64>SLACK;
    let size = this.wish;
    if (size < LARGEST_BLOCK) this.wish = size << 1;
    if (wish > <u64>size) {
      // An impossible request is the signal for running out of memory.
      size = wish > 0x8000_0000 ? 0xffff_ffff : (<u32>1) << (32 - clz<u32>(<u32>wish - 1));
    }
    const block = alloc(size);
    store<u32>(block, 0, BLOCK_NEXT);
    store<u32>(block, <u32>allBlocks, BLOCK_NEXT_OF_ALL);
    store<u32>(block, size, BLOCK_SIZE);
    store<u32>(block, 0, BLOCK_USED);
    allBlocks = block;
    if (this.last !== 0) store<u32>(this.last, <u32>block, BLOCK_NEXT);
    else this.first = block;
    this.last = block;
    this.at = block + HEAD;
    this.end = block + size - SLACK;
  }

  private close(): void {
    if (this.last === 0) return;
    const used = <u32>(this.at - this.last) - HEAD;
    this.closed += used;
    store<u32>(this.last, used, BLOCK_USED);
  }

  /** Bytes of the run; nothing is added to it any more. */
  finish(): u64 {
    this.close();
    this.end = this.at;
    return this.closed;
  }

  /** Appends the finished run to the message. */
  emit(): void {
    for (let block = this.first; block !== 0; block = <usize>load<u32>(block, BLOCK_NEXT)) {
      addSegment(block + HEAD, load<u32>(block, BLOCK_USED));
    }
  }
}

export function newRun(): Run {
  const run = changetype<Run>(scratch(offsetof<Run>()));
  run.init();
  return run;
}

export function addSegment(at: usize, n: u32): void {
  if (n === 0) return;
  if (segmentCount === segmentCapacity) {
    const bytes = <usize>segmentCapacity * Segment.BYTES;
    segmentRows = regrow(segmentRows, bytes, bytes, bytes << 1);
    segmentCapacity <<= 1;
  }
  const row = segmentRows + <usize>segmentCount * Segment.BYTES;
  store<u32>(row, <u32>at, Segment.AT);
  store<u32>(row, n, Segment.SIZE);
  segmentCount++;
}

/** The place of `n` bytes that only the host has. */
export function addPayload(n: u64): void {
  addSegment(0, n > 0xffff_ffff ? <u32>0xffff_ffff : <u32>n);
}

/** Pointer to the `segmentCount` segments. */
export function segments(): usize {
  return segmentRows;
}

export function setTotals(profiles: u32, samples: u32, observations: u32): void {
  writtenProfiles = profiles;
  writtenSamples = samples;
  writtenObservations = observations;
}

/** The next message is the last use of the samples. Of the store, only a reset may follow. */
export function writeLast(): void {
  isNextLast = true;
}

/**
 * Starts a message. The blocks of an earlier message are not freed here: the store may have been reset since, and its
 * blocks with it. The host calls `freeOutput` after each message.
 */
export function beginOutput(): void {
  isLast = isNextLast;
  isNextLast = false;
  allBlocks = 0;
  scratchCount = 0;
  segmentCount = 0;
  segmentCapacity = 64;
  segmentRows = alloc(<usize>segmentCapacity * Segment.BYTES);
  setTotals(0, 0, 0);
  beginAdded();
}

/** Gives back the message; its segments are void. */
export function freeOutput(): void {
  for (let block = allBlocks; block !== 0; ) {
    const following = <usize>load<u32>(block, BLOCK_NEXT_OF_ALL);
    release(block, load<u32>(block, BLOCK_SIZE));
    block = following;
  }
  release(segmentRows, <usize>segmentCapacity * Segment.BYTES);
  allBlocks = 0;
  segmentRows = 0;
  segmentCount = 0;
  segmentCapacity = 0;
  isNextLast = false;
}
onGiveUp(freeOutput);

/** Blocks of one message, freed together: | pointer u32 | size u32 |. */
const SCRATCH_AT: usize = 0;
const SCRATCH_SIZE: usize = 4;
const SCRATCH_BYTES: usize = 8;
/** Some for a message, and fewer than four for each of its profiles. */
const MAX_SCRATCH: u32 = 64 + 4 * MAX_PROFILES;
const scratchRows: usize = memory.data(<i32>MAX_SCRATCH * <i32>SCRATCH_BYTES);
let scratchCount: u32 = 0;

/** A block that `endScratch` frees; not cleared. */
export function scratch(size: u64): usize {
  if (scratchCount === MAX_SCRATCH) unreachable();
  const n = size > 0xffff_ffff ? <u32>0xffff_ffff : <u32>size;
  const block = alloc(n);
  const row = scratchRows + <usize>scratchCount * SCRATCH_BYTES;
  store<u32>(row, <u32>block, SCRATCH_AT);
  store<u32>(row, n, SCRATCH_SIZE);
  scratchCount++;
  return block;
}

/** `count` zeroed u32. */
export function zeroed(count: u32): usize {
  const block = scratch((<u64>count) << 2);
  memory.fill(block, 0, (<usize>count) << 2);
  return block;
}

export function endScratch(): void {
  for (let i: u32 = 0; i < scratchCount; i++) {
    const row = scratchRows + <usize>i * SCRATCH_BYTES;
    release(<usize>load<u32>(row, SCRATCH_AT), load<u32>(row, SCRATCH_SIZE));
  }
  scratchCount = 0;
  dropAdded();
}
onGiveUp(endScratch);
