/** Byte runs compared with ASCII texts that are known when the core is compiled. */

/** Whether the `n` bytes at `p` are this text. */
export function isText(p: usize, n: u32, text: string): bool {
  if (n !== <u32>text.length) return false;
  for (let i: u32 = 0; i < n; i++) if (<i32>load<u8>(p + i) !== text.charCodeAt(i)) return false;
  return true;
}
