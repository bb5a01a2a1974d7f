/**
 * What compressed files hold, as streams: memory does not grow with them. gzip by the platform's own decompressor (all
 * members), zstd by fzstd (all frames), zip by fflate (entry by entry), lz4 by lz4.ts.
 */
import { Unzip, type UnzipFile, UnzipInflate } from "fflate";
import { Decompress } from "fzstd";
import type { ByteSource } from "./byte-source.ts";
import { unpackLz4 } from "./lz4.ts";
import { StreamSource } from "./stream-source.ts";

export type Packing = "gzip" | "zstd" | "lz4";

/** Packed bytes are handed over in pieces of this size. */
const PIECE = 1 << 18;

async function* piecesOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const piece = await source.slice(at, at + PIECE);
    if (piece.length === 0) return;
    yield piece;
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

async function* zstdStream(source: ByteSource): AsyncGenerator<Uint8Array> {
  const out: Uint8Array[] = [];
  const unpacker = new Decompress((piece) => out.push(piece));
  for await (const piece of piecesOf(source)) {
    unpacker.push(piece);
    yield* out.splice(0);
  }
  unpacker.push(new Uint8Array(0), true);
  yield* out.splice(0);
}

function lz4Stream(source: ByteSource): AsyncIterable<Uint8Array> {
  let at = 0;
  return unpackLz4(async (n) => {
    const bytes = await source.slice(at, at + n);
    at += bytes.length;
    return bytes;
  });
}

const STREAMS: Record<Packing, (source: ByteSource) => AsyncIterable<Uint8Array>> = {
  gzip: gzipStream,
  zstd: zstdStream,
  lz4: lz4Stream,
};

/** The unpacked bytes of a file that is packed as a whole. */
export function unpacked(packing: Packing, source: ByteSource): StreamSource {
  return new StreamSource(STREAMS[packing](source));
}

export interface Entry {
  /** Path inside the archive. */
  name: string;
  source: StreamSource;
}

/**
 * The entries of a zip archive in the order in which they stand in it, one at a time: an entry must be read, as far as
 * it is wanted, before the next one is asked for. Throws where the archive itself is broken.
 */
export async function* zipEntries(archive: ByteSource): AsyncGenerator<Entry> {
  const pieces = piecesOf(archive);
  const waiting: UnzipFile[] = [];
  const unzip = new Unzip((file) => waiting.push(file));
  unzip.register(UnzipInflate);
  let over = false;
  const feed = async (): Promise<void> => {
    const { done, value } = await pieces.next();
    over = done === true;
    unzip.push(value ?? new Uint8Array(0), over);
  };
  while (!over || waiting.length > 0) {
    const file = waiting.shift();
    if (file === undefined) {
      await feed();
      continue;
    }
    if (file.name.endsWith("/")) continue;
    const source = new StreamSource(entryBytes(file, feed, () => over));
    yield { name: file.name, source };
    // What its reader left of it, so that the archive goes on behind it.
    while (!source.ended) await source.ahead(source.byteLength, source.byteLength + PIECE);
  }
}

async function* entryBytes(
  file: UnzipFile,
  feed: () => Promise<void>,
  over: () => boolean,
): AsyncGenerator<Uint8Array> {
  const out: Uint8Array[] = [];
  let ended = false;
  let fault: Error | null = null;
  file.ondata = (error, piece, final) => {
    if (error !== null) fault = error;
    else out.push(piece);
    ended ||= final || error !== null;
  };
  file.start();
  for (;;) {
    yield* out.splice(0);
    if (fault !== null) throw fault;
    if (ended) return;
    if (over()) throw new Error("zip: the archive ends inside an entry");
    await feed();
  }
}
