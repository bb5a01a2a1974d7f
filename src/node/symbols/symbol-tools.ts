/** The modules that symbols need: the reader and the demangler, loaded from the package when a command needs them. */
import { readFile } from "node:fs/promises";
import { brotliDecompressSync } from "node:zlib";
import { Demangler } from "../../symbols/demangle.ts";
import type { SymbolTools } from "../../symbols/library.ts";
import { UNPACKERS } from "../../symbols/streams.ts";
import { inflate } from "./inflate.ts";

export async function symbolTools(): Promise<SymbolTools> {
  const [reader, demangler] = await Promise.all([
    // Beside the command line: scripts/vite.package.config.ts writes them.
    readFile(new URL("./symbols.wasm", import.meta.url)).then((bytes) => WebAssembly.compile(bytes)),
    readFile(new URL("./demangle.wasm.br", import.meta.url)).then((bytes) =>
      Demangler.create(brotliDecompressSync(bytes)),
    ),
  ]);
  return {
    module: reader,
    readable: (linkage) => demangler.readable(linkage),
    unpackers: { ...UNPACKERS, zlib: inflate },
  };
}
