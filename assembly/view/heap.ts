/**
 * A heap of candidates: the widest comes out first, of equals the one that went in first.
 *
 *   entry | width i64 | candidate u32 | 0 |     16 bytes
 */
import { Block } from "./block";

const ENTRY_WIDTH: usize = 0;
const ENTRY_CANDIDATE: usize = 8;
const ENTRY_BYTES: usize = 16;

const entries: Block = changetype<Block>(memory.data(8, 8));
let count: u32 = 0;

export function forgetHeap(): void {
  entries.drop();
  count = 0;
}

export function clearHeap(): void {
  entries.drop();
  count = 0;
}

export function heapSize(): u32 {
  return count;
}

function at(i: u32): usize {
  return entries.at + <usize>i * ENTRY_BYTES;
}

/** Candidates are numbered as they come, so of equal widths the lower number was there first. */
function isBefore(a: usize, b: usize): bool {
  const left = load<i64>(a, ENTRY_WIDTH);
  const right = load<i64>(b, ENTRY_WIDTH);
  return left > right || (left === right && load<u32>(a, ENTRY_CANDIDATE) < load<u32>(b, ENTRY_CANDIDATE));
}

function swap(a: usize, b: usize): void {
  const width = load<u64>(a, ENTRY_WIDTH);
  const candidate = load<u64>(a, ENTRY_CANDIDATE);
  store<u64>(a, load<u64>(b, ENTRY_WIDTH), ENTRY_WIDTH);
  store<u64>(a, load<u64>(b, ENTRY_CANDIDATE), ENTRY_CANDIDATE);
  store<u64>(b, width, ENTRY_WIDTH);
  store<u64>(b, candidate, ENTRY_CANDIDATE);
}

export function pushWidest(width: i64, candidate: u32): void {
  entries.keep(<usize>(count + 1) * ENTRY_BYTES, <usize>count * ENTRY_BYTES);
  let i = count++;
  store<i64>(at(i), width, ENTRY_WIDTH);
  store<u64>(at(i), candidate, ENTRY_CANDIDATE);
  while (i > 0) {
    const parent = (i - 1) >> 1;
    if (!isBefore(at(i), at(parent))) break;
    swap(at(i), at(parent));
    i = parent;
  }
}

/** Takes the widest candidate out; the heap is not empty. */
export function popWidest(): u32 {
  const candidate = load<u32>(at(0), ENTRY_CANDIDATE);
  count--;
  swap(at(0), at(count));
  let i: u32 = 0;
  while (true) {
    let child: u32 = 2 * i + 1;
    if (child >= count) break;
    if (child + 1 < count && isBefore(at(child + 1), at(child))) child++;
    if (!isBefore(at(child), at(i))) break;
    swap(at(i), at(child));
    i = child;
  }
  return candidate;
}
