/** Escapes inside JSON strings (RFC 8259, section 7). */

const BACKSLASH = 0x5c;
const HEX_DIGITS = 4;
/** Bytes of the longest escape, `\u0041`. */
export const ESCAPE_BYTES = 2 + HEX_DIGITS;

const UNITS = new Int16Array(128).fill(-1);
for (const [letter, unit] of Object.entries({
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  '"': '"',
  "\\": "\\",
  "/": "/",
})) {
  UNITS[letter.charCodeAt(0)] = unit.charCodeAt(0);
}
const U = 0x75;

/** How long the escape at `at` is by its second byte. */
export const escapeLength = (bytes: Uint8Array, at: number) => (bytes[at + 1] === U ? ESCAPE_BYTES : 2);

/** The UTF-16 unit of the escape at `at`; −1 if there is no escape, or if it is incomplete before `end`. */
export function escaped(bytes: Uint8Array, at: number, end: number): number {
  if (bytes[at] !== BACKSLASH || at + escapeLength(bytes, at) > end) return -1;
  if (bytes[at + 1] !== U) return UNITS[bytes[at + 1] ?? 0] ?? -1;
  let unit = 0;
  for (let i = at + 2; i < at + ESCAPE_BYTES; i++) {
    const digit = hexDigit(bytes[i] ?? 0);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

/** Value of a character as a hex digit of either case, −1 if it is not a hex digit. */
export function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
