/**
 * Decompression of whole files as streams: memory does not grow with the file size. gzip by gzip.ts, zstd by zstd.ts,
 * lz4 by lz4.ts; texts in UTF-16 by utf16.ts. Archives of several files: zip.ts, multipart.ts.
 */
import type { ByteSource } from "./byte-source.ts";
import type { Expansion } from "./expansion.ts";
import { unpackGzip } from "./gzip.ts";
import { unpackLz4 } from "./lz4.ts";
import { StreamSource } from "./stream-source.ts";
import { takeFrom } from "./take.ts";
import { utf8OfUtf16 } from "./utf16.ts";
import { unpackZstd } from "./zstd.ts";

export { multipartEntries } from "./multipart.ts";
export { type Entry, zipEntries } from "./zip.ts";

export type Packing = "gzip" | "zstd" | "lz4" | "utf-16";

const STREAMS: Record<Packing, (source: ByteSource) => AsyncIterable<Uint8Array>> = {
  gzip: unpackGzip,
  zstd: (source) => unpackZstd(takeFrom(source)),
  lz4: (source) => unpackLz4(takeFrom(source)),
  "utf-16": utf8OfUtf16,
};

/** The decompressed bytes of a file that is compressed as a whole. */
export function unpacked(packing: Packing, source: ByteSource, expansion: Expansion): StreamSource {
  return new StreamSource(expansion.limit(STREAMS[packing](source)));
}
