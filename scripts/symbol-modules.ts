/** The licence of the demangler, a wasm module. */
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { addPackageOf } from "./third-party.ts";

/** For builds that ship the demangler, which no bundler sees: their notices need its licence. */
export function demanglerLicence(): Plugin {
  const buildStart = () => addPackageOf(fileURLToPath(import.meta.resolve("gecko-profiler-demangle/index_bg.wasm")));
  return { name: "spanflame:demangler-licence", apply: "build", buildStart };
}
