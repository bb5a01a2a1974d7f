/** Texts in UTF-16 with a byte order mark, as PowerShell's `>` writes them, as UTF-8 without one. */
import type { ByteSource } from "./byte-source.ts";

const PIECE = 1 << 18;

const LITTLE = [0xff, 0xfe];
const BIG = [0xfe, 0xff];

/** Whether a file begins with the mark of UTF-16, and not with that of UTF-32. */
export function isUtf16(head: Uint8Array): boolean {
  const [a, b, c, d] = head;
  if (head.length < 4 || (c === 0 && d === 0)) return false;
  return (a === LITTLE[0] && b === LITTLE[1]) || (a === BIG[0] && b === BIG[1]);
}

/** Lone surrogates, and a byte after the last unit, become U+FFFD. */
export async function* utf8OfUtf16(source: ByteSource): AsyncGenerator<Uint8Array> {
  const [first] = await source.slice(0, 1);
  // The decoder takes the mark off.
  const decoder = new TextDecoder(first === LITTLE[0] ? "utf-16le" : "utf-16be");
  const encoder = new TextEncoder();
  for (let at = 0; ; ) {
    const piece = await source.slice(at, at + PIECE);
    const text = encoder.encode(decoder.decode(piece, { stream: piece.length > 0 }));
    if (text.length > 0) yield text;
    if (piece.length === 0) return;
    at += piece.length;
  }
}
