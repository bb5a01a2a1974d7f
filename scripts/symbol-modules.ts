/** The wasm modules of symbols, the reader and the demangler, copied beside the scripts that load them. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { addPackageOf } from "./third-party.ts";

// Builds that import this ship the demangler, which no bundler sees: their notices need its licence.
addPackageOf(fileURLToPath(import.meta.resolve("gecko-profiler-demangle/index_bg.wasm")));

export function copySymbolModules(folder: string): void {
  for (const name of ["symbols.wasm", "demangle.wasm"]) copyFileSync(join("build", name), join(folder, name));
}
