/**
 * Columns of u32 over the store's tables, one entry per row: first marks, later the indices in the message.
 *
 * Rows keep the order of the store. In a message of a selection they are numbered by their first use, because the order
 * of the store depends on samples that were read and are not selected. There a mark is the number of a use, and
 * `arrange` makes an order of the marks:
 *
 *   order   | places u32 | row u32 |^(places − 1)         0 in place of an order: that of the store
 */
import { scratch, zeroed } from "./output";

/** Rows are numbered by their first use. */
export let byUse: bool = false;
let uses: u32 = 0;

/** Starts a message. */
export function beginMarks(numberedByUse: bool): void {
  byUse = numberedByUse;
  uses = 0;
}

export function at(column: usize, row: u32): u32 {
  return load<u32>(column + ((<usize>row) << 2));
}

export function put(column: usize, row: u32, v: u32): void {
  store<u32>(column + ((<usize>row) << 2), v);
}

export function mark(column: usize, row: u32): void {
  if (byUse) use(column, row);
  else store<u32>(column + ((<usize>row) << 2), 1);
}

/** `mark` where rows are numbered by their use. */
export function use(column: usize, row: u32): void {
  if (!marked(column, row)) put(column, row, ++uses);
}

export function marked(column: usize, row: u32): bool {
  return load<u32>(column + ((<usize>row) << 2)) !== 0;
}

/** Turns the marks of `count` rows into indices, from 1 on; returns how many rows the written table has. */
export function number(column: usize, count: u32): u32 {
  store<u32>(column, 0);
  let n: u32 = 1;
  const end = column + ((<usize>count) << 2);
  for (let p = column + 4; p < end; p += 4) {
    if (load<u32>(p) !== 0) {
      store<u32>(p, n);
      n++;
    }
  }
  return n;
}

/** Turns the uses of `count` rows into indices, from 1 on; returns their order. Without uses it changes nothing: 0. */
export function arrange(column: usize, count: u32): usize {
  if (!byUse) return 0;
  put(column, 0, 0);
  const rows = zeroed(uses + 1);
  let n: u32 = 1;
  for (let row: u32 = 1; row < count; row++) {
    if (!marked(column, row)) continue;
    put(rows, at(column, row), row);
    n++;
  }
  const order = scratch((<u64>n) << 2);
  put(order, 0, n);
  n = 1;
  for (let i: u32 = 1; i <= uses; i++) {
    const row = at(rows, i);
    if (row === 0) continue;
    put(order, n, row);
    put(column, row, n);
    n++;
  }
  return order;
}

/** Places of a table of `count` rows in an order: row 0, and all rows of the store or the used ones. */
export function places(order: usize, count: u32): u32 {
  return order === 0 ? count : at(order, 0);
}

/** The row at a place above 0. */
export function rowAt(order: usize, place: u32): u32 {
  return order === 0 ? place : at(order, place);
}
