/** Bytes that come in pieces as small as a test wants, so that everything is cut everywhere. */
import type { Source } from "../../src/bytes/window.ts";

export function piecesOf(bytes: Uint8Array, size: () => number): Source {
  return { slice: async (start) => bytes.slice(start, start + size()) };
}
