/** The wasm modules of symbols, the reader and the demangler, written beside the scripts that load them. */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import type { Plugin } from "vite";
import { addPackageOf } from "./third-party.ts";

/** For builds that ship the demangler, which no bundler sees: their notices need its licence. */
export function demanglerLicence(): Plugin {
  const buildStart = () => addPackageOf(fileURLToPath(import.meta.resolve("gecko-profiler-demangle/index_bg.wasm")));
  return { name: "spanflame:demangler-licence", apply: "build", buildStart };
}

export function copySymbolModules(folder: string): void {
  copyFileSync(join("build", "symbols.wasm"), join(folder, "symbols.wasm"));
  // A fifth of its size; the page has another copy, in a compression that browsers read.
  writeFileSync(join(folder, "demangle.wasm.br"), brotliCompressSync(readFileSync(join("build", "demangle.wasm"))));
}
