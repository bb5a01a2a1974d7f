/** Parser of decimal digits. */

/** After the digits of the last call. */
export let digitsEnd: usize = 0;
/** The number of the last call is above the requested limit. */
export let isTooLarge: bool = false;

/** The number that the digits from `p` on form, which may be zero digits; `most` is at least 9. */
export function decimal(p: usize, end: usize, most: u64): u64 {
  let n: u64 = 0;
  isTooLarge = false;
  for (; p < end; p++) {
    const digit = <u64>load<u8>(p) - 0x30;
    if (digit > 9) break;
    if (n > (most - digit) / 10) isTooLarge = true;
    n = n * 10 + digit;
  }
  digitsEnd = p;
  return n;
}

/** Ids as hex digits in a text. */

/** The id that `hexId` read, in two halves. */
export let hexHigh: u64 = 0;
export let hexLow: u64 = 0;

const MOST_DIGITS: u32 = 32;

/** Reads the `n` bytes at `p`; false if they are no id of 1 to 32 hex digits. */
export function hexId(p: usize, n: u32): bool {
  hexHigh = 0;
  hexLow = 0;
  if (n === 0 || n > MOST_DIGITS) return false;
  for (let i: u32 = 0; i < n; i++) {
    const digit = digitOf(load<u8>(p + i));
    if (digit > 15) return false;
    hexHigh = (hexHigh << 4) | (hexLow >> 60);
    hexLow = (hexLow << 4) | <u64>digit;
  }
  return true;
}

/** Value of a hex digit of either case, above 15 for any other character. */
function digitOf(byte: u32): u32 {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : 16;
}
