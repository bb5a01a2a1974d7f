/**
 * Check for invalid UTF-8: overlong forms, surrogates, truncated sequences (RFC 3629), which a decoder would repair
 * silently.
 */

const STRICT = new TextDecoder("utf-8", { fatal: true });

export function isUtf8(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end && (bytes[at] ?? 0) < 0x80) at++;
  if (at === end) return true;
  try {
    STRICT.decode(bytes.subarray(at, end));
    return true;
  } catch {
    return false;
  }
}
