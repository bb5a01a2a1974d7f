/**
 * The builds of the package beside the page, one for each mode (scripts/builds.mjs has their order):
 *
 *   library         dist-lib/: one module for each source file, so that bundlers leave out what a program does not use.
 *                   The same modules run in browsers, workers and Node. Our code has its names, without comments and
 *                   spaces: programs are minified by their own bundlers.
 *   chunk-thread    dist-lib/chunk-thread.js: the thread of Node that reads chunks for the library and the command
 *                   line, in one file: a thread has to be ready by the time that its first chunk is due
 *   viewer          the embedded flame graph (src/viewer/) as React component and element, with the React of the page
 *   viewer-element  the element with everything in it
 *   viewer-worker   the worker of both; it loads the library's core.wasm
 *   command-line    dist-node/: from the same sources as the page, with nothing left to install
 *
 * The viewer's builds are each one module and the parts that it loads later. They are minified, because they are also
 * used without a bundler.
 */
import { chmodSync, copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type UserConfig } from "vite";
import { LEAN_D3 } from "./lean-d3.ts";
import { ENGINE, minified, OF_LIBRARY, writeEngine } from "./pattern-engine.ts";
import { readsOnly } from "./reads-only.ts";
import { reportPage } from "./report-page.mjs";
import { shadowStyles } from "./shadow-styles.ts";
import { demanglerLicence } from "./symbol-modules.ts";
import { collectPackages, thirdPartyNotices } from "./third-party.ts";

/** A warning fails a build (scripts/builds.mjs), and how long plugins took is no warning. */
const CHECKS = { bundlerTimings: false };
const LIBRARY = "dist-lib";
const COMMAND_LINE = "dist-node";
/** An optional package of the user. */
const DUCKDB = "@duckdb/node-api";

const sourceOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Entries of package.json's `exports`: name in `dist-lib/`, source, as in src/library/tsconfig.types.json. */
const ENTRIES = {
  index: "src/library/index.ts",
  node: "src/library/node.ts",
  worker: "src/library/worker.ts",
  "worker-script": "src/library/worker-script.ts",
  record: "src/record/index.ts",
};

/** The modules of the package, which library, viewer and command line load from one place. */
function copyModules(): void {
  mkdirSync(LIBRARY, { recursive: true });
  for (const file of ["core.wasm", "symbols.wasm", "demangle.wasm.gz"])
    copyFileSync(join("build", file), join(LIBRARY, file));
}

/** The core lies beside the modules that load it; its bindings' types lie where the emitted types look for them. */
function withCore(): Plugin {
  return {
    name: "spanflame:with-core",
    writeBundle() {
      copyModules();
      const types = join(LIBRARY, "types", "build", "core.d.ts");
      mkdirSync(dirname(types), { recursive: true });
      copyFileSync("build/core.d.ts", types);
      copyFileSync("src/library/core.wasm.d.ts", join(LIBRARY, "core.wasm.d.ts"));
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

/**
 * A build for servers leaves `new URL(…, import.meta.url)` as it is. Packages are taken in their builds for browsers:
 * those for Node import modules that bundlers for browsers refuse.
 */
const FOR_BROWSERS = {
  noExternal: true as const,
  resolve: { conditions: ["browser", "module", "import", "default"], externalConditions: [] },
};

const library: UserConfig = {
  plugins: [
    reportPage([collectPackages()]),
    minifyPackages(),
    plainAddresses(),
    withCore(),
    demanglerLicence(),
    thirdPartyNotices(),
  ],
  ssr: FOR_BROWSERS,
  build: {
    ssr: true,
    target: "es2022",
    outDir: LIBRARY,
    emptyOutDir: true,
    minify: false,
    rolldownOptions: {
      // The platform of Node has a helper for packages in CommonJS that imports `node:module`.
      platform: "browser",
      input: ENTRIES,
      output: {
        minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, legalComments: "inline" } },
        preserveModules: true,
        preserveModulesRoot: "src",
        entryFileNames: ({ name }) => placeOf(name),
      },
    },
  },
};

const chunkThread: UserConfig = {
  plugins: [readsOnly()],
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: "node20",
    rolldownOptions: {
      input: { "chunk-thread": "src/node/chunk-thread.ts" },
      output: { entryFileNames: "[name].js", codeSplitting: false },
    },
  },
};

/** The engine for patterns is in the library's build already; the viewer loads it from there. */
const PATHS = { [ENGINE]: `./${OF_LIBRARY}` };
const REACT = ["react", "react/jsx-runtime", "react-dom", "react-dom/client"];
/** light-dark() stays as it is, so that it follows the scheme of the page around. */
const CSS_TARGET = ["chrome123", "firefox120", "safari17.5"];

/**
 * Bundlers of pages find a file by its address in quotation marks. The minifier makes a template of it, and leaves the
 * comment that keeps our own build from looking for the file.
 */
const ADDRESS = /new URL\(\s*(?:\/\* @vite-ignore \*\/)?\s*["`']([^"`'$]+)["`'],\s*import\.meta\.url\)/g;

function plainAddresses(): Plugin {
  return {
    name: "spanflame:plain-addresses",
    enforce: "post",
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== "chunk") continue;
        output.code = output.code.replace(ADDRESS, 'new URL("$1",import.meta.url)');
      }
    },
  };
}

/** A module for pages; lazily loaded parts are beside it. */
function viewer(name: string, entry: string, external: string[]): UserConfig {
  // With server components of React, the entry is for browsers, and so are its parts. Bundlers warn of each directive.
  const isClient = external.includes("react");
  const banner = ({ isEntry }: { isEntry: boolean }) => (isClient && isEntry ? '"use client";' : "");
  return {
    plugins: [react(), shadowStyles(), plainAddresses(), thirdPartyNotices("THIRD-PARTY-NOTICES-viewer.txt")],
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    resolve: LEAN_D3,
    build: {
      cssTarget: CSS_TARGET,
      cssCodeSplit: false,
      assetsInlineLimit: 0,
      lib: { entry: { [name]: sourceOf(entry) }, formats: ["es"] },
      rolldownOptions: {
        external: [ENGINE, ...external],
        output: { paths: PATHS, minify: true, chunkFileNames: `${name}-[name]-[hash].js`, banner },
      },
    },
  };
}

const viewerWorker: UserConfig = {
  plugins: [plainAddresses(), readsOnly()],
  ssr: { ...FOR_BROWSERS, external: [ENGINE] },
  build: {
    ssr: true,
    rolldownOptions: {
      input: { "viewer-worker": sourceOf("src/viewer/worker.ts") },
      external: [ENGINE],
      output: {
        paths: PATHS,
        minify: true,
        entryFileNames: "[name].js",
        chunkFileNames: "viewer-worker-[name]-[hash].js",
        // What starts it is one script, not one for each set of its lazy parts.
        codeSplitting: { groups: [{ name: "start", tags: ["$initial"] }] },
      },
    },
  },
};

/** The package has one copy of the modules and of the engine for patterns, in the library. */
function withModules(): Plugin {
  return {
    name: "spanflame:with-modules",
    writeBundle() {
      copyModules();
      writeEngine(join(LIBRARY, OF_LIBRARY));
      copyFileSync("build/parquet.wasm", join(COMMAND_LINE, "parquet.wasm"));
      chmodSync(join(COMMAND_LINE, "cli.js"), 0o755);
    },
  };
}

const commandLine: UserConfig = {
  plugins: [reportPage([collectPackages()]), demanglerLicence(), withModules(), thirdPartyNotices()],
  ssr: { noExternal: true, external: [ENGINE, DUCKDB] },
  build: {
    ssr: true,
    target: "node20",
    outDir: COMMAND_LINE,
    emptyOutDir: true,
    sourcemap: "hidden",
    minify: true,
    rolldownOptions: {
      input: {
        cli: "src/cli/main.ts",
        "convert-worker": "src/cli/convert/convert-worker.ts",
        "export-worker": "src/fleet/export-worker.ts",
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
            { name: "reading", test: /src\/(node\/read|cli\/convert\/convert)\.ts$/, priority: 2 },
            { name: "commands", minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
};

const MODES: Record<string, UserConfig> = {
  library,
  "chunk-thread": chunkThread,
  viewer: viewer("viewer", "src/viewer/index.ts", REACT),
  "viewer-element": viewer("viewer-element", "src/viewer/span-flame.ts", []),
  "viewer-worker": viewerWorker,
  "command-line": commandLine,
};

export default defineConfig(({ mode }) => {
  const config = MODES[mode];
  if (config === undefined) throw new Error(`--mode is one of ${Object.keys(MODES).join(", ")}`);
  // Unless a build says otherwise, it adds to the library's folder.
  const build = { target: "es2022", outDir: LIBRARY, emptyOutDir: false, minify: true, ...config.build };
  build.rolldownOptions = { ...build.rolldownOptions, checks: CHECKS };
  return { ...config, publicDir: false, build, worker: { rolldownOptions: { checks: CHECKS } } };
});
