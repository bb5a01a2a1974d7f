/** Sorting of row numbers by whole numbers, digit by digit from the lowest one: stable. */

const DIGIT: u32 = 11;
const BUCKETS: u32 = 1 << DIGIT;
const DIGITS: u32 = 6;
/** For each digit its buckets: how many rows there are, then the place of the next one. */
const starts: usize = memory.data(6 * 2048 * 4, 4);

/**
 * Sorts `count` row numbers by the entries of `keys`, numbers of 64 bits. `room` has space for as many rows. Returns
 * where they are: `rows` or `room`.
 */
export function sortRows(rows: usize, count: u32, keys: usize, room: usize): usize {
  let from = rows;
  let to = room;
  const differing = counted(rows, count, keys);
  for (let digit: u32 = 0; digit < DIGITS; digit++) {
    const shift = digit * DIGIT;
    if (((differing >> shift) & (BUCKETS - 1)) === 0) continue;
    let sum: u32 = 0;
    for (let b: u32 = 0; b < BUCKETS; b++) {
      const place = starts + ((<usize>(digit * BUCKETS + b)) << 2);
      const own = load<u32>(place);
      store<u32>(place, sum);
      sum += own;
    }
    for (let i: u32 = 0; i < count; i++) {
      const row = load<u32>(from + ((<usize>i) << 2));
      const place = bucket(load<u64>(keys + ((<usize>row) << 3)), digit);
      const next = load<u32>(place);
      store<u32>(place, next + 1);
      store<u32>(to + ((<usize>next) << 2), row);
    }
    const done = to;
    to = from;
    from = done;
  }
  return from;
}

/**
 * Keys of the second sort, for rows in the order of their times: the group, the number of the request by its first row,
 * then the type. Requests are numbered in `numbers`, which has a zero for each; request 0 is none.
 */
export function orderKeys(
  rows: usize,
  count: u32,
  requests: usize,
  groups: usize,
  types: usize,
  typeCount: u32,
  numbers: usize,
  keys: usize,
): void {
  let known: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const row = <usize>load<u32>(rows + ((<usize>i) << 2));
    const request = load<u32>(requests + (row << 2));
    const place = numbers + ((<usize>request) << 2);
    if (request !== 0 && load<u32>(place) === 0) store<u32>(place, ++known);
    const group = ((<u64>load<u32>(groups + (row << 2))) << 32) | load<u32>(place);
    store<u64>(keys + (row << 3), group * typeCount + load<u32>(types + (row << 2)));
  }
}

function bucket(key: u64, digit: u32): usize {
  return starts + ((<usize>(digit * BUCKETS + <u32>((key >> (digit * DIGIT)) & (BUCKETS - 1)))) << 2);
}

/** Counts the rows of all buckets. Returns the bits in which the keys are not all the same. */
function counted(rows: usize, count: u32, keys: usize): u64 {
  if (count === 0) return 0;
  memory.fill(starts, 0, (<usize>(DIGITS * BUCKETS)) << 2);
  const first = load<u64>(keys + ((<usize>load<u32>(rows)) << 3));
  let bits: u64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const key = load<u64>(keys + ((<usize>load<u32>(rows + ((<usize>i) << 2))) << 3));
    bits |= first ^ key;
    for (let digit: u32 = 0; digit < DIGITS; digit++) {
      const place = bucket(key, digit);
      store<u32>(place, load<u32>(place) + 1);
    }
  }
  return bits;
}
