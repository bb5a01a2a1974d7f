/**
 * Decimal digits to 64 bits without an intermediate bigint or double: JSON's numbers beyond 2⁵³ are exact, and a
 * message may have millions.
 */

const ZERO = 0x30;
const TWO_32 = 2 ** 32;
/** Digits at a time: 2³² × 10⁶ is below 2⁵³. */
const STEP = 6;
const POWERS = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000];

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= ZERO && byte <= ZERO + 9;

/** A number in a text; its value is valid until the next one is scanned. */
export class JsonNumber {
  /** Behind its last character. */
  stop = 0;
  /** Whether it has neither fraction nor exponent. */
  isInteger = false;
  isNegative = false;
  /** For an integer its size, without the sign, in two unsigned halves; meaningless if `isAbove64`. */
  low = 0;
  high = 0;
  isAbove64 = false;

  /** Reads the number that starts at `at`; false if the bytes up to `end` are not a number of RFC 8259. */
  scan(bytes: Uint8Array, at: number, end: number): boolean {
    this.isNegative = bytes[at] === 0x2d;
    const first = this.isNegative ? at + 1 : at;
    let stop = this.digits(bytes, first, end);
    if (stop === first || (bytes[first] === ZERO && stop > first + 1)) return false;
    this.isInteger = true;
    if (stop < end && bytes[stop] === 0x2e) {
      const fraction = stop + 1;
      stop = passDigits(bytes, fraction, end);
      if (stop === fraction) return false;
      this.isInteger = false;
    }
    if (stop < end && ((bytes[stop] ?? 0) | 0x20) === 0x65) {
      const sign = bytes[stop + 1];
      const exponent = sign === 0x2b || sign === 0x2d ? stop + 2 : stop + 1;
      stop = passDigits(bytes, exponent, end);
      if (stop === exponent) return false;
      this.isInteger = false;
    }
    this.stop = stop;
    return stop <= end;
  }

  /** Whether the integer is one of int32, uint32, int64 or uint64 (fixed64 too). */
  fits(bits: 32 | 64, signed: boolean): boolean {
    const { low, high, isNegative } = this;
    if (this.isAbove64 || (bits === 32 && high !== 0)) return false;
    const isZero = low === 0 && high === 0;
    if (!signed) return !isNegative || isZero;
    const top = bits === 32 ? low : high;
    if (top < 0x8000_0000) return true;
    // The least one has no positive counterpart.
    return isNegative && top === 0x8000_0000 && (bits === 32 || low === 0);
  }

  /** Puts the sign in: two's complement. */
  complement(): void {
    if (!this.isNegative) return;
    this.low = -this.low >>> 0;
    this.high = (~this.high + (this.low === 0 ? 1 : 0)) >>> 0;
  }

  private digits(bytes: Uint8Array, start: number, end: number): number {
    let low = 0;
    let high = 0;
    let at = start;
    for (;;) {
      let part = 0;
      let n = 0;
      for (; n < STEP && at < end; n++, at++) {
        const digit = (bytes[at] ?? 0) - ZERO;
        if (digit < 0 || digit > 9) break;
        part = part * 10 + digit;
      }
      const power = POWERS[n] ?? 1;
      const sum = low * power + part;
      low = sum >>> 0;
      high = high * power + Math.floor(sum / TWO_32);
      if (high >= TWO_32 || n < STEP) break;
    }
    this.low = low;
    this.high = high;
    this.isAbove64 = high >= TWO_32;
    return this.isAbove64 ? passDigits(bytes, at, end) : at;
  }
}

function passDigits(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && isDigit(bytes[at])) at++;
  return at;
}
