/**
 * Radix sort: a million rows in tens of ms, stable, without comparisons.
 *
 *   record: | key u64 | payload u64 |     16 bytes
 */
import { Block } from "./block";

const other: Block = changetype<Block>(memory.data(16, 4));
/** Eight histograms of 256 u32, one per byte of the key. */
const histograms: usize = memory.data(8 * 256 * 4, 8);

export const RECORD_PAYLOAD: usize = 8;
export const RECORD_BYTES: usize = 16;

/** Turns a signed value into a key under which larger values come first. */
export function descending(value: i64): u64 {
  return ~(<u64>value ^ 0x8000_0000_0000_0000);
}

/** Sorts `n` records at `at` by key, ascending and unsigned; equal keys keep their order. */
export function sortRecords(at: usize, n: u32): void {
  if (n < 2) return;
  memory.fill(histograms, 0, 8 * 256 * 4);
  const end = at + <usize>n * RECORD_BYTES;
  for (let p = at; p < end; p += RECORD_BYTES) {
    let key = load<u64>(p);
    for (let h = histograms; h < histograms + 8 * 1024; h += 1024) {
      const q = h + ((<usize>key & 0xff) << 2);
      store<u32>(q, load<u32>(q) + 1);
      key >>= 8;
    }
  }
  let from = at;
  let to = other.fit(<usize>n * RECORD_BYTES);
  for (let digit: u32 = 0; digit < 8; digit++) {
    const h = histograms + ((<usize>digit) << 10);
    const shift = (<u64>digit) << 3;
    // A byte that all keys share orders nothing.
    if (load<u32>(h + ((<usize>(load<u64>(from) >> shift) & 0xff) << 2)) === n) continue;
    let next = <u32>to;
    for (let q = h; q < h + 1024; q += 4) {
      const size = load<u32>(q);
      store<u32>(q, next);
      next += size * <u32>RECORD_BYTES;
    }
    const last = from + <usize>n * RECORD_BYTES;
    for (let p = from; p < last; p += RECORD_BYTES) {
      const key = load<u64>(p);
      const q = h + ((<usize>(key >> shift) & 0xff) << 2);
      const out = <usize>load<u32>(q);
      store<u32>(q, <u32>(out + RECORD_BYTES));
      store<u64>(out, key);
      store<u64>(out, load<u64>(p, RECORD_PAYLOAD), RECORD_PAYLOAD);
    }
    const swap = from;
    from = to;
    to = swap;
  }
  if (from !== at) memory.copy(at, from, <usize>n * RECORD_BYTES);
  other.drop();
}

/** How many of the values equal to what `kthLargest` returned belong to the `k` largest. */
export let tiesWithin: u32 = 0;

/** The `k`-th largest (from 1) of `n` u64 at `at`, k ≤ n; the values are moved about. */
export function kthLargest(at: usize, n: u32, k: u32): u64 {
  let prefix: u64 = 0;
  for (let shift: i32 = 56; shift >= 0; shift -= 8) {
    memory.fill(histograms, 0, 1024);
    const end = at + ((<usize>n) << 3);
    for (let p = at; p < end; p += 8) {
      const q = histograms + ((<usize>(load<u64>(p) >> <u64>shift) & 0xff) << 2);
      store<u32>(q, load<u32>(q) + 1);
    }
    let digit: u32 = 255;
    for (;;) {
      const size = load<u32>(histograms + ((<usize>digit) << 2));
      if (k <= size || digit === 0) break;
      k -= size;
      digit--;
    }
    prefix |= (<u64>digit) << (<u64>shift);
    // Only values that share the digits so far can still be the one.
    let out = at;
    for (let p = at; p < end; p += 8) {
      const value = load<u64>(p);
      if ((<u32>(value >> <u64>shift) & 0xff) !== digit) continue;
      store<u64>(out, value);
      out += 8;
    }
    n = <u32>((out - at) >> 3);
  }
  tiesWithin = k;
  return prefix;
}
