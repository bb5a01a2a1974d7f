/** The modules that symbols need: the reader and the demangler, loaded from the package when a command needs them. */
import { readFile } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { createInflate } from "node:zlib";
import { type ByteSource, piecesOf } from "../../bytes/byte-source.ts";
import { Demangler } from "../../symbols/demangle.ts";
import type { SymbolTools } from "../../symbols/library.ts";
import { UNPACKERS } from "../../symbols/streams.ts";

export async function symbolTools(): Promise<SymbolTools> {
  const [reader, demangler] = await Promise.all([
    // Of the library, beside the command line.
    readFile(new URL("../dist-lib/symbols.wasm", import.meta.url)).then((bytes) => WebAssembly.compile(bytes)),
    readFile(new URL("../dist-lib/demangle.wasm.gz", import.meta.url)).then((bytes) => Demangler.createPacked(bytes)),
  ]);
  return {
    module: reader,
    readable: (linkage) => demangler.readable(linkage),
    unpackers: { ...UNPACKERS, zlib: inflate },
  };
}

/** Compressed bytes that are read at once, and decompressed bytes of a piece. */
const PIECE = 1 << 18;
const CHUNK = 1 << 20;

/**
 * The decompressed bytes of a zlib stream; Node makes the next piece while the last one is used. Throws what zlib
 * reports if they are damaged.
 */
async function* inflate(source: ByteSource): AsyncGenerator<Uint8Array> {
  const stream = createInflate({ chunkSize: CHUNK });
  // What goes wrong is thrown by the iteration, too.
  pipeline(Readable.from(piecesOf(source, PIECE)), stream, () => {});
  yield* stream;
}
