/** Columns of u32 over the store's tables, one entry per row: first marks, later the indices in the message. */

export function at(column: usize, row: u32): u32 {
  return load<u32>(column + ((<usize>row) << 2));
}

export function put(column: usize, row: u32, v: u32): void {
  store<u32>(column + ((<usize>row) << 2), v);
}

export function mark(column: usize, row: u32): void {
  store<u32>(column + ((<usize>row) << 2), 1);
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
