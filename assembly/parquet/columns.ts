/** Columns before their encoding: values that are there, codes of few values, levels, least and most values. */
import { runEnd } from "./encodings";

function get(column: usize, i: u32): u32 {
  return load<u32>(column + ((<usize>i) << 2));
}

function put(column: usize, i: u32, value: u32): void {
  store<u32>(column + ((<usize>i) << 2), value);
}

/** Entries of a table by the numbers in `keys`. */
export function mapped(keys: usize, count: u32, table: usize, out: usize): void {
  for (let i: u32 = 0; i < count; i++) put(out, i, get(table, get(keys, i)));
}

/** The highest of some numbers with a sign; 0 if all are negative. */
export function highest(numbers: usize, count: u32): i32 {
  let most: i32 = 0;
  for (let i: u32 = 0; i < count; i++) most = max(most, <i32>get(numbers, i));
  return most;
}

/** `mapped` for numbers of 64 bits. */
export function pairs(keys: usize, count: u32, table: usize, out: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    store<u64>(out + ((<usize>i) << 3), load<u64>(table + ((<usize>get(keys, i)) << 3)));
  }
}

/** Writes `pairs` of nanoseconds as microseconds. */
export function micros(keys: usize, count: u32, table: usize, out: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    store<u64>(out + ((<usize>i) << 3), load<u64>(table + ((<usize>get(keys, i)) << 3)) / 1000);
  }
}

/**
 * Numbers codes in the order in which they first occur, and leaves out those that are missing (`none`, if
 * `isNullable`). Writes the new codes over the old ones, the old code of each to `used`, how often each occurs to
 * `counts`, a level for each row to `definition`, and the place of the first value of each page to `cuts`, then the
 * number of values. `numbers` has a zero for each old code. Returns how many codes there are.
 */
export function localise(
  codes: usize,
  rows: u32,
  isNullable: bool,
  none: u32,
  pageRows: u32,
  numbers: usize,
  used: usize,
  counts: usize,
  definition: usize,
  cuts: usize,
): u32 {
  let n: u32 = 0;
  let count: u32 = 0;
  let cut = cuts;
  for (let from: u32 = 0; from < rows; from += pageRows) {
    store<u32>(cut, n);
    cut += 4;
    const to = min(rows, from + pageRows);
    for (let i = from, end = from; i < to; i = end) {
      const code = get(codes, i);
      end = i + 1;
      if (end < to && get(codes, end) === code) end = runEnd<u32>(codes, i, to);
      if (isNullable) {
        const isThere = code !== none;
        const level: u8 = isThere ? 1 : 0;
        // Most runs of ids have one row.
        if (end === i + 1) store<u8>(definition + i, level);
        else memory.fill(definition + i, level, end - i);
        if (!isThere) continue;
      }
      let number = get(numbers, code);
      if (number === 0) {
        put(used, count, code);
        put(counts, count, 0);
        number = ++count;
        put(numbers, code, number);
      }
      put(counts, number - 1, get(counts, number - 1) + end - i);
      for (const last = n + end - i; n < last; n++) put(codes, n, number - 1);
    }
  }
  store<u32>(cut, n);
  return count;
}

/** Leaves out the zeros of a column of 64-bit numbers, which are missing values, page by page. */
export function presentLongs(words: usize, rows: u32, pageRows: u32, definition: usize, cuts: usize): void {
  let to = words;
  let cut = cuts;
  for (let i: u32 = 0; i < rows; i++) {
    if (i % pageRows === 0) {
      store<u32>(cut, <u32>((to - words) >> 3));
      cut += 4;
    }
    const value = load<u64>(words + ((<usize>i) << 3));
    store<u8>(definition + i, value !== 0 ? 1 : 0);
    store<u64>(to, value);
    to += value !== 0 ? 8 : 0;
  }
  store<u32>(cut, <u32>((to - words) >> 3));
}

/** Writes the least and the most of some numbers of 64 bits. */
export function longEnds(words: usize, count: u32, out: usize): void {
  let least = i64.MAX_VALUE;
  let most = i64.MIN_VALUE;
  for (let i: u32 = 0; i < count; i++) {
    const value = load<i64>(words + ((<usize>i) << 3));
    least = min(least, value);
    most = max(most, value);
  }
  store<i64>(out, least);
  store<i64>(out, most, sizeof<i64>());
}

/** Writes the least and the most rank of some codes. */
export function rankEnds(codes: usize, count: u32, ranks: usize, out: usize): void {
  let least = u32.MAX_VALUE;
  let most: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const rank = get(ranks, get(codes, i));
    least = min(least, rank);
    most = max(most, rank);
  }
  store<u32>(out, least);
  store<u32>(out, most, sizeof<u32>());
}

/**
 * Levels of rows with lists: row i has the items [offsets[i], offsets[i + 1]). An empty list has the level `empty`,
 * rows that are marked in `absent` have level 0; `absent` may be 0. Writes the place of each page's first level to
 * `cuts`, then the number of levels.
 */
export function nestedLevels(
  offsets: usize,
  rows: u32,
  pageRows: u32,
  absent: usize,
  empty: u8,
  most: u8,
  definition: usize,
  repetition: usize,
  cuts: usize,
): void {
  let n: usize = 0;
  let cut = cuts;
  for (let row: u32 = 0; row < rows; row++) {
    if (row % pageRows === 0) {
      store<u32>(cut, <u32>n);
      cut += 4;
    }
    const count = get(offsets, row + 1) - get(offsets, row);
    store<u8>(repetition + n, 0);
    if (count === 0) {
      store<u8>(definition + n++, absent !== 0 && load<u8>(absent + row) !== 0 ? 0 : empty);
      continue;
    }
    memory.fill(definition + n, most, count);
    memory.fill(repetition + n + 1, 1, count - 1);
    n += count;
  }
  store<u32>(cut, <u32>n);
}

/**
 * Codes of numbers of 64 bits, in the order in which they first occur; writes the different ones to `found`. `slots`
 * has 2^bits zeros, at least twice as many as different numbers. Returns how many there are; `most` + 1 if there are
 * more.
 */
export function distinct(
  words: usize,
  count: u32,
  most: u32,
  slots: usize,
  bits: u32,
  codes: usize,
  found: usize,
): u32 {
  const mask = ((<u32>1) << bits) - 1;
  let n: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const value = load<u64>(words + ((<usize>i) << 3));
    const mixed = (value ^ (value >> 29)) * 0x9e3779b97f4a7c15;
    let slot = <u32>(mixed >> (64 - <u64>bits));
    for (;;) {
      const number = get(slots, slot);
      if (number === 0) {
        if (n === most) return most + 1;
        store<u64>(found + ((<usize>n) << 3), value);
        put(slots, slot, ++n);
        put(codes, i, n - 1);
        break;
      }
      if (load<u64>(found + ((<usize>(number - 1)) << 3)) === value) {
        put(codes, i, number - 1);
        break;
      }
      slot = (slot + 1) & mask;
    }
  }
  return n;
}
