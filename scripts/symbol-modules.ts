/** The modules that symbols need: the reader, and the demangler of its package. Those who load them read them there. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const DEMANGLER = fileURLToPath(import.meta.resolve("gecko-profiler-demangle/index_bg.wasm"));

export function copySymbolModules(folder: string): void {
  copyFileSync("build/symbols.wasm", join(folder, "symbols.wasm"));
  copyFileSync(DEMANGLER, join(folder, "demangle.wasm"));
}
