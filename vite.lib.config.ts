/**
 * The library: one module for each source file, so that bundlers leave out what a program does not use. The same
 * modules run in browsers, workers and Node. Our code is not minified: programs are minified by their own bundlers.
 */
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { minified } from "./scripts/pattern-engine.ts";
import { thirdPartyNotices } from "./scripts/third-party.ts";

const OUT = "dist-lib";

/** Entries of package.json's `exports`: name in `dist-lib/`, source. tsconfig.lib.json lists the same sources. */
const ENTRIES = {
  index: "src/library/index.ts",
  node: "src/library/node.ts",
  worker: "src/library/worker.ts",
  "worker-script": "src/library/worker-script.ts",
};

/** The core lies beside the modules that load it; its bindings' types lie where the emitted types look for them. */
function withCore(): Plugin {
  return {
    name: "spanflame:with-core",
    writeBundle() {
      copyFileSync("build/core.wasm", join(OUT, "core.wasm"));
      const types = join(OUT, "types", "build", "core.d.ts");
      mkdirSync(dirname(types), { recursive: true });
      copyFileSync("build/core.d.ts", types);
      copyFileSync("src/library/core.wasm.d.ts", join(OUT, "core.wasm.d.ts"));
    },
  };
}

/**
 * Where a module is written. Those of `src/library/` are beside `core.wasm`, which they name relative to themselves.
 * npm packs no folder with the name node_modules.
 */
function placeOf(name: string): string {
  return `${name.replace(/^library\//, "").replaceAll("node_modules/", "packages/")}.js`;
}

/** Code of packages has no comments that help, and re2js is as large as the library. */
function minifyPackages(): Plugin {
  return {
    name: "spanflame:minify-packages",
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== "chunk" || !output.fileName.startsWith("packages/")) continue;
        output.code = minified(output.code);
      }
    },
  };
}

export default defineConfig({
  publicDir: false,
  plugins: [minifyPackages(), withCore(), thirdPartyNotices()],
  // A build for servers leaves `new URL(…, import.meta.url)` as it is. Packages are taken in their builds for browsers:
  // those for Node import modules that bundlers for browsers refuse.
  ssr: {
    noExternal: true,
    resolve: { conditions: ["browser", "module", "import", "default"], externalConditions: [] },
  },
  build: {
    ssr: true,
    target: "es2022",
    outDir: OUT,
    emptyOutDir: true,
    rolldownOptions: {
      input: ENTRIES,
      output: {
        preserveModules: true,
        preserveModulesRoot: "src",
        entryFileNames: ({ name }) => placeOf(name),
      },
    },
  },
});
