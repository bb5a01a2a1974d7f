/** Bytes that come in pieces as small as a test wants, so that everything is cut everywhere. */
import type { ByteSource } from "../../src/bytes/byte-source.ts";

export function piecesOf(bytes: Uint8Array, size: () => number): ByteSource {
  return { byteLength: bytes.length, slice: async (start) => bytes.slice(start, start + size()) };
}
