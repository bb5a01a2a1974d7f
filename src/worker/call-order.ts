/** Orders of a million calls: stable radix sort of row numbers by columns. */

const DIGIT = 16;
const DIGITS = 1 << DIGIT;

/** `rows` in ascending order of a column; rows of one value keep their order, and those of NaN are last. */
export function sortedBy(rows: Uint32Array, column: Float64Array | Uint32Array): Uint32Array {
  const low = new Uint32Array(column.length);
  const high = new Uint32Array(column.length);
  const known: number[] = [];
  const unknown: number[] = [];
  const bits = new DataView(new ArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
  for (const row of rows) {
    const value = column[row]!;
    if (Number.isNaN(value)) {
      unknown.push(row);
      continue;
    }
    known.push(row);
    // −0 is 0. The bits of a positive number ascend with it; those of a negative one descend, and are below.
    bits.setFloat64(0, value + 0);
    const top = bits.getUint32(0);
    const isNegative = top >>> 31 === 1;
    high[row] = isNegative ? ~top : top | 0x8000_0000;
    low[row] = isNegative ? ~bits.getUint32(4) : bits.getUint32(4);
  }
  let order = Uint32Array.from(known);
  for (const [half, shift] of [
    [low, 0],
    [low, DIGIT],
    [high, 0],
    [high, DIGIT],
  ] as const) {
    order = sortedByDigit(order, half, shift);
  }
  const all = new Uint32Array(rows.length);
  all.set(order);
  all.set(unknown, order.length);
  return all;
}

function sortedByDigit(rows: Uint32Array<ArrayBuffer>, keys: Uint32Array, shift: number): Uint32Array<ArrayBuffer> {
  const places = new Uint32Array(DIGITS + 1);
  const digitOf = (row: number) => (keys[row]! >>> shift) & (DIGITS - 1);
  for (const row of rows) places[digitOf(row) + 1]!++;
  if (rows.length === 0 || places[digitOf(rows[0]!) + 1] === rows.length) return rows;
  for (let digit = 1; digit <= DIGITS; digit++) places[digit]! += places[digit - 1]!;
  const sorted = new Uint32Array(rows.length);
  for (const row of rows) sorted[places[digitOf(row)]!++] = row;
  return sorted;
}
