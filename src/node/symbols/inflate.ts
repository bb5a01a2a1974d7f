/** zlib streams by Node's own module: large pieces, of which it makes the next one while the last one is used. */
import { pipeline, Readable } from "node:stream";
import { createInflate } from "node:zlib";
import type { ByteSource } from "../../bytes/byte-source.ts";

/** Compressed bytes that are read at once, and decompressed bytes of a piece. */
const PIECE = 1 << 18;
const CHUNK = 1 << 20;

async function* piecesOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const piece = await source.slice(at, at + PIECE);
    if (piece.length === 0) return;
    yield piece;
    at += piece.length;
  }
}

/** The decompressed bytes. Throws what zlib reports if they are damaged. */
export async function* inflate(source: ByteSource): AsyncGenerator<Uint8Array> {
  const stream = createInflate({ chunkSize: CHUNK });
  // What goes wrong is thrown by the iteration, too.
  pipeline(Readable.from(piecesOf(source)), stream, () => {});
  yield* stream;
}
