/**
 * A heap of candidates: the widest comes out first, of equals the one that went in first.
 *
 *   entry | width i64 | candidate u32 | 0 |     16 bytes
 */
import { Block } from "./block";

const ENTRY: usize = 16;

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
  return entries.at + <usize>i * ENTRY;
}

/** Candidates are numbered as they come, so of equal widths the lower number was there first. */
function isBefore(a: usize, b: usize): bool {
  const left = load<i64>(a);
  const right = load<i64>(b);
  return left > right || (left === right && load<u32>(a, 8) < load<u32>(b, 8));
}

function swap(a: usize, b: usize): void {
  const width = load<u64>(a);
  const candidate = load<u64>(a, 8);
  store<u64>(a, load<u64>(b));
  store<u64>(a, load<u64>(b, 8), 8);
  store<u64>(b, width);
  store<u64>(b, candidate, 8);
}

export function pushWidest(width: i64, candidate: u32): void {
  entries.keep(<usize>(count + 1) * ENTRY, <usize>count * ENTRY);
  let i = count++;
  store<i64>(at(i), width);
  store<u64>(at(i), candidate, 8);
  while (i > 0) {
    const parent = (i - 1) >> 1;
    if (!isBefore(at(i), at(parent))) break;
    swap(at(i), at(parent));
    i = parent;
  }
}

/** Takes the widest candidate out; the heap is not empty. */
export function popWidest(): u32 {
  const candidate = load<u32>(at(0), 8);
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
