/**
 * Columns of a table: typed arrays by row that grow. An unset row is zero, the meaning of a field that is not on the
 * wire. A 64-bit number is two halves of 32 bits: a bigint each would cost an allocation.
 */

/** Halves of 64-bit numbers take turns: low, high. */
const LOW = 0;
const HIGH = 1;

function grown<T extends Int32Array | Uint32Array>(data: T, wanted: number): T {
  const larger = new (data.constructor as new (n: number) => T)(Math.max(16, 2 * data.length, wanted));
  larger.set(data);
  return larger;
}

/** The result of a reader: the two halves of a number, sign-extended if it is signed. */
export interface Column {
  put(row: number, low: number, high: number): void;
}

/** One 32-bit number a row. */
export class Ints implements Column {
  private data = new Int32Array(0);

  get(row: number): number {
    return this.data[row] ?? 0;
  }

  set(row: number, value: number): void {
    if (row >= this.data.length) this.data = grown(this.data, row + 1);
    this.data[row] = value;
  }

  put(row: number, low: number): void {
    this.set(row, low | 0);
  }
}

/** One 64-bit number a row. */
export class Pairs implements Column {
  private data = new Uint32Array(0);

  put(row: number, low: number, high: number): void {
    if (2 * row >= this.data.length) this.data = grown(this.data, 2 * row + 2);
    this.data[2 * row + LOW] = low;
    this.data[2 * row + HIGH] = high;
  }

  low(row: number): number {
    return this.data[2 * row + LOW] ?? 0;
  }

  high(row: number): number {
    return this.data[2 * row + HIGH] ?? 0;
  }

  isZero(row: number): boolean {
    return this.low(row) === 0 && this.high(row) === 0;
  }

  isNegative(row: number): boolean {
    return this.high(row) >>> 31 === 1;
  }

  unsigned(row: number): bigint {
    return (BigInt(this.high(row)) << 32n) | BigInt(this.low(row));
  }

  signed(row: number): bigint {
    return BigInt.asIntN(64, this.unsigned(row));
  }
}

/** Any number of 32-bit numbers a row, which come one row after the other. */
export class Lists implements Column {
  /** Where the row's items begin, and how many they are. */
  private readonly starts = new Ints();
  private readonly counts = new Ints();
  private items = new Int32Array(0);
  private used = 0;

  put(row: number, low: number): void {
    const count = this.counts.get(row);
    if (count === 0) this.starts.set(row, this.used);
    this.counts.set(row, count + 1);
    if (this.used === this.items.length) this.items = grown(this.items, 0);
    this.items[this.used++] = low;
  }

  count(row: number): number {
    return this.counts.get(row);
  }

  at(row: number, i: number): number {
    return this.items[this.starts.get(row) + i] ?? 0;
  }

  /** A view of the row's items. */
  of(row: number): Int32Array {
    const start = this.starts.get(row);
    return this.items.subarray(start, start + this.counts.get(row));
  }
}

/**
 * For rows with any number of 64-bit numbers, their count, the least and the greatest, which the rules on values and
 * times need.
 */
export class Ranges implements Column {
  readonly least = new Pairs();
  readonly greatest = new Pairs();
  private readonly counts = new Ints();
  /** Turns the order of two's complement into that of unsigned numbers. */
  private readonly flip: number;

  constructor(signed: boolean) {
    this.flip = signed ? 0x8000_0000 : 0;
  }

  count(row: number): number {
    return this.counts.get(row);
  }

  put(row: number, low: number, high: number): void {
    const count = this.counts.get(row);
    this.counts.set(row, count + 1);
    if (count === 0 || this.isBelow(low, high, this.least.low(row), this.least.high(row))) {
      this.least.put(row, low, high);
    }
    if (count === 0 || this.isBelow(this.greatest.low(row), this.greatest.high(row), low, high)) {
      this.greatest.put(row, low, high);
    }
  }

  private isBelow(low: number, high: number, otherLow: number, otherHigh: number): boolean {
    if (high === otherHigh) return low < otherLow;
    return (high ^ this.flip) >>> 0 < (otherHigh ^ this.flip) >>> 0;
  }
}

/** Rows of another table that belong to a row, in order: a chain from the first one along the other table's `next`. */
export class Children implements Column {
  /** Row + 1; 0 if there is no row. */
  readonly first = new Ints();
  readonly last = new Ints();

  /** Numbers are not messages; no reader gets here. */
  put(): void {}
}
