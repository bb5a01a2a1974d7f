/** The command line, from the same sources as the page, with nothing left to install. */
import { chmodSync, copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { ENGINE, OF_LIBRARY, writeEngine } from "./scripts/pattern-engine.ts";
import { reportPage } from "./scripts/report-page.mjs";
import { copySymbolModules } from "./scripts/symbol-modules.ts";
import { collectPackages, thirdPartyNotices } from "./scripts/third-party.ts";

const OUT = "dist-node";
/** An optional package of the user. */
const DUCKDB = "@duckdb/node-api";

/** The package has one copy of the core and of the engine for patterns, in the library (vite.lib.config.ts). */
function withCore(): Plugin {
  return {
    name: "spanflame:with-core",
    writeBundle() {
      mkdirSync("dist-lib", { recursive: true });
      copyFileSync("build/core.wasm", join("dist-lib", "core.wasm"));
      writeEngine(join("dist-lib", OF_LIBRARY));
      copySymbolModules(OUT);
      copyFileSync("build/parquet.wasm", join(OUT, "parquet.wasm"));
      chmodSync(join(OUT, "cli.js"), 0o755);
    },
  };
}

export default defineConfig({
  publicDir: false,
  plugins: [reportPage([collectPackages()]), withCore(), thirdPartyNotices()],
  ssr: { noExternal: true, external: [ENGINE, DUCKDB] },
  build: {
    ssr: true,
    target: "node20",
    outDir: OUT,
    emptyOutDir: true,
    sourcemap: "hidden",
    minify: true,
    rolldownOptions: {
      input: {
        cli: "src/cli/main.ts",
        "convert-worker": "src/cli/convert-worker.ts",
        "export-worker": "src/cli/export-worker.ts",
      },
      external: [ENGINE, DUCKDB],
      output: {
        paths: { [ENGINE]: `../dist-lib/${OF_LIBRARY}` },
        entryFileNames: "[name].js",
        chunkFileNames: "shared-[hash].js",
        // Loading many files costs time, and loading a large one memory (20 bytes for each of its bytes): what every
        // command needs, what reading and `convert` need beside it, and the other modules of several commands.
        codeSplitting: {
          groups: [
            { name: "start", test: /src\/cli\/run\.ts$/, priority: 3 },
            { name: "reading", test: /src\/cli\/(read|convert)\.ts$/, priority: 2 },
            { name: "commands", minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
});
