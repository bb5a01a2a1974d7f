/** zlib streams (RFC 1950), unpacked by the platform's decompressor. */
import type { ByteSource } from "./byte-source.ts";
import { iterate } from "./iterate.ts";

/** Packed bytes that are handed to the platform at once: a byte may become a thousand. */
const PIECE = 1 << 16;

/** The unpacked bytes. Throws what the platform reports if the data is damaged. */
export function unpackZlib(source: ByteSource): AsyncGenerator<Uint8Array> {
  let at = 0;
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const piece = await source.slice(at, at + PIECE);
      at += piece.length;
      if (piece.length === 0) controller.close();
      else controller.enqueue(piece as Uint8Array<ArrayBuffer>);
    },
  });
  return iterate(packed.pipeThrough(new DecompressionStream("deflate")));
}
