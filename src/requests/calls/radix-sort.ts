/** Orders of a million calls: stable radix sort of row numbers by columns. */

const DIGIT = 16;
const DIGITS = 1 << DIGIT;
const SIGN = 0x8000_0000;

/** `rows` in ascending order of a column; rows of one value keep their order, and those of NaN are last. */
export function sortedBy(rows: Uint32Array, column: Float64Array | Uint32Array): Uint32Array {
  if (column instanceof Uint32Array) return byWord(rows, column);
  const bits = new Uint32Array(column.buffer, column.byteOffset, 2 * column.length);
  const low = new Uint32Array(column.length);
  const high = new Uint32Array(column.length);
  const order = new Uint32Array(rows.length);
  let known = 0;
  let unknown = rows.length;
  for (const row of rows) {
    if (Number.isNaN(column[row]!)) {
      order[--unknown] = row;
      continue;
    }
    order[known++] = row;
    // The bits of a positive number ascend with it; those of a negative one descend, and are below. −0 is 0.
    const top = bits[2 * row + 1]!;
    const isNegative = top >>> 31 === 1 && column[row] !== 0;
    high[row] = isNegative ? ~top : top | SIGN;
    low[row] = isNegative ? ~bits[2 * row]! : bits[2 * row]!;
  }
  order.subarray(known).reverse();
  order.set(byWord(byWord(order.subarray(0, known), low), high));
  return order;
}

/** By unsigned 32-bit numbers. */
function byWord(rows: Uint32Array, keys: Uint32Array): Uint32Array {
  return byDigit(byDigit(rows, keys, 0), keys, DIGIT);
}

function byDigit(rows: Uint32Array, keys: Uint32Array, shift: number): Uint32Array {
  const places = new Uint32Array(DIGITS + 1);
  for (const row of rows) places[((keys[row]! >>> shift) & (DIGITS - 1)) + 1]!++;
  if (places.includes(rows.length)) return rows;
  for (let digit = 1; digit <= DIGITS; digit++) places[digit]! += places[digit - 1]!;
  const sorted = new Uint32Array(rows.length);
  for (const row of rows) sorted[places[(keys[row]! >>> shift) & (DIGITS - 1)]!++] = row;
  return sorted;
}
