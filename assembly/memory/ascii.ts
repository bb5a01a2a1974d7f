/** ASCII texts that are constants of the core, and numbers as hex digits. */

/** Whether the `n` bytes at `p` are this text. */
export function isText(p: usize, n: u32, text: string): bool {
  if (n !== <u32>text.length) return false;
  for (let i: u32 = 0; i < n; i++) if (<i32>load<u8>(p + i) !== text.charCodeAt(i)) return false;
  return true;
}

/** Writes the lowest `n` hex digits of `v` at `p`, lower case, the highest first; returns the place after them. */
export function putHex(p: usize, v: u64, n: u32): usize {
  for (let shift = <i32>(n << 2) - 4; shift >= 0; shift -= 4) {
    const digit = <u8>((v >> shift) & 15);
    store<u8>(p, digit + (digit < 10 ? 0x30 : 0x57));
    p += 1;
  }
  return p;
}
