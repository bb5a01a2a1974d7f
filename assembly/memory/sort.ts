/** A heap sort of rows by their keys: u64 key, u64 value. Needs no memory; equal keys may change places. */
const KEY: usize = 0;
export const SORTED_VALUE: usize = 8;
export const SORTED_BYTES: usize = 16;

export function sortRows(rows: usize, count: u32): void {
  for (let i = count >> 1; i > 0; i--) sift(rows, i - 1, count);
  for (let end = count; end > 1; end--) {
    swap(rows, rows + (<usize>end - 1) * SORTED_BYTES);
    sift(rows, 0, end - 1);
  }
}

function sift(rows: usize, from: u32, end: u32): void {
  let i = from;
  while (true) {
    let child = (i << 1) + 1;
    if (child >= end) return;
    let at = rows + <usize>child * SORTED_BYTES;
    if (child + 1 < end && load<u64>(at, KEY) < load<u64>(at + SORTED_BYTES, KEY)) {
      child++;
      at += SORTED_BYTES;
    }
    const parent = rows + <usize>i * SORTED_BYTES;
    if (load<u64>(parent, KEY) >= load<u64>(at, KEY)) return;
    swap(parent, at);
    i = child;
  }
}

function swap(a: usize, b: usize): void {
  const key = load<u64>(a, KEY);
  const value = load<u64>(a, SORTED_VALUE);
  store<u64>(a, load<u64>(b, KEY), KEY);
  store<u64>(a, load<u64>(b, SORTED_VALUE), SORTED_VALUE);
  store<u64>(b, key, KEY);
  store<u64>(b, value, SORTED_VALUE);
}
