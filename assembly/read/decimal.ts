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
