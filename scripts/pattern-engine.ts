/**
 * The engine for patterns (re2js, 150 KB) as one file of a build, for all scripts that load it: page and worker, or
 * command line and library, are built apart, and each would have a copy.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import type { Plugin } from "vite";
import { addPackageOf } from "./third-party.ts";

export const ENGINE = "re2js";
/** Where the library's build has it; the viewer and the command line load it from there. */
export const OF_LIBRARY = "packages/re2js/build/index.js";
const SOURCE = fileURLToPath(new URL("../node_modules/re2js/build/index.js", import.meta.url));

/** Code of packages has no comments that help, except those on licences. */
export function minified(code: string): string {
  return transformSync(code, { minify: true, format: "esm", legalComments: "inline" }).code;
}

/** The engine as an asset of the page, beside its scripts. */
export function pageEngine(): { fileName: string; plugin: Plugin } {
  const source = minified(readFileSync(SOURCE, "utf8"));
  const fileName = `${ENGINE}-${createHash("sha256").update(source).digest("hex").slice(0, 8)}.js`;
  const plugin: Plugin = {
    name: "spanflame:pattern-engine",
    apply: "build",
    buildStart: () => addPackageOf(SOURCE),
    generateBundle() {
      this.emitFile({ type: "asset", fileName: `assets/${fileName}`, source });
    },
  };
  return { fileName, plugin };
}

/** Writes the engine of a library that is not built. */
export function writeEngine(path: string): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, minified(readFileSync(SOURCE, "utf8")));
}
