/** Sequential reading of a source's bytes, for the readers of frames (lz4, zstd). */
import type { ByteSource } from "./byte-source.ts";

/** Gives exactly `n` bytes; fewer at the end. They are valid until the next call. */
export type Take = (n: number) => Promise<Uint8Array>;

/** Bytes asked of the source at once. */
const PIECE = 1 << 18;

export function takeFrom(source: ByteSource): Take {
  let piece: Uint8Array = new Uint8Array(0);
  let at = 0;
  let next = 0;
  return async (n) => {
    const rest = piece.subarray(at);
    if (rest.length < n) {
      const more = await source.slice(next, next + Math.max(PIECE, n - rest.length));
      next += more.length;
      piece = new Uint8Array(rest.length + more.length);
      piece.set(rest);
      piece.set(more, rest.length);
      at = 0;
    }
    const bytes = piece.subarray(at, at + n);
    at += bytes.length;
    return bytes;
  };
}

/** Passes `n` bytes without keeping them; false where there are fewer. */
export async function skip(take: Take, n: number): Promise<boolean> {
  for (let left = n; left > 0; ) {
    const { length } = await take(Math.min(left, PIECE));
    if (length === 0) return false;
    left -= length;
  }
  return true;
}
