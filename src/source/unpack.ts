/**
 * Contents of files that are packed as a whole, as streams: memory does not grow with them. gzip by the platform's own
 * decompressor (all members), zstd by zstd.ts, lz4 by lz4.ts. Archives of several files: zip.ts.
 */
import type { ByteSource } from "./byte-source.ts";
import type { Expansion } from "./expansion.ts";
import { unpackLz4 } from "./lz4.ts";
import { StreamSource } from "./stream-source.ts";
import { takeFrom } from "./take.ts";
import { unpackZstd } from "./zstd.ts";

export { type Entry, zipEntries } from "./zip.ts";

export type Packing = "gzip" | "zstd" | "lz4";

/** Packed bytes are asked for in pieces of this size. */
const PIECE = 1 << 18;
/** And handed to gzip in these: a byte may become a thousand, and browsers keep all that one piece becomes. */
const GZIP_PIECE = 1 << 16;

async function* piecesOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const piece = await source.slice(at, at + PIECE);
    if (piece.length === 0) return;
    for (let i = 0; i < piece.length; i += GZIP_PIECE) yield piece.subarray(i, i + GZIP_PIECE);
    at += piece.length;
  }
}

function gzipStream(source: ByteSource): AsyncIterable<Uint8Array> {
  const pieces = piecesOf(source);
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value as Uint8Array<ArrayBuffer>);
    },
  });
  return iterate(packed.pipeThrough(new DecompressionStream("gzip")));
}

/** Streams are async iterable in Node, not in every browser. */
async function* iterate(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

const STREAMS: Record<Packing, (source: ByteSource) => AsyncIterable<Uint8Array>> = {
  gzip: gzipStream,
  zstd: (source) => unpackZstd(takeFrom(source)),
  lz4: (source) => unpackLz4(takeFrom(source)),
};

/** The unpacked bytes of a file that is packed as a whole. */
export function unpacked(packing: Packing, source: ByteSource, expansion: Expansion): StreamSource {
  return new StreamSource(expansion.limit(STREAMS[packing](source)));
}
