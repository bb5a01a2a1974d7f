#!/usr/bin/env node
/**
 * The builds after the core, each with its sources: `builds.mjs [--force] [NAME…]` makes those that are missing or old,
 * or all of them. `npm run build`, `npm start` and the tests use it.
 */
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildCore } from "./build-core.mjs";
import { ROOT, run, runTool } from "./run.mjs";
import { isStale } from "./stale.mjs";

const SOURCES = [
  "src",
  "build/core.wasm",
  "build/symbols.wasm",
  "build/parquet.wasm",
  "build/demangle.wasm",
  "scripts/report-page.mjs",
  "scripts/pattern-engine.ts",
  "scripts/third-party.ts",
  "package-lock.json",
];

/** The library and the command line share its output. */
const THREAD = ["vite", "build", "--config", "vite.thread.config.ts"];

/** `output` is the file that is written last; `steps` are tools or scripts with their arguments. */
const BUILDS = {
  page: {
    output: "dist/index.html",
    sources: [
      ...SOURCES,
      "public",
      "index.html",
      "vite.config.ts",
      "scripts/offline-files.ts",
      "scripts/packed-sample.ts",
      "scripts/page-chunks.ts",
    ],
    steps: [["vite", "build"]],
  },
  library: {
    output: "dist-lib/types/src/library/index.d.ts",
    sources: [
      ...SOURCES,
      "vite.lib.config.ts",
      "vite.thread.config.ts",
      "vite.viewer.config.ts",
      "tsconfig.lib.json",
      "tsconfig.viewer.json",
      "scripts/shadow-styles.ts",
      "scripts/reads-only.ts",
      "scripts/viewer-types.mjs",
      "scripts/prune-types.mjs",
    ],
    steps: [
      ["vite", "build", "--config", "vite.lib.config.ts"],
      THREAD,
      ...["react", "element", "worker"].map((mode) => [
        "vite",
        "build",
        "--config",
        "vite.viewer.config.ts",
        "--mode",
        mode,
      ]),
      ["tsc", "-p", "tsconfig.viewer.json"],
      ["scripts/viewer-types.mjs"],
      ["tsc", "-p", "tsconfig.lib.json"],
      ["scripts/prune-types.mjs"],
    ],
  },
  "command line": {
    output: "dist-node/cli.js",
    sources: [
      ...SOURCES,
      "vite.node.config.ts",
      "vite.thread.config.ts",
      "scripts/symbol-modules.ts",
      "scripts/node-version.mjs",
      "scripts/end-with-parent.mjs",
    ],
    steps: [["vite", "build", "--config", "vite.node.config.ts"], THREAD],
  },
};

/** Makes one of them, whether it is stale or not. Throws if that fails. */
export async function makeBuild(name) {
  for (const [tool, ...args] of BUILDS[name].steps) {
    // Vitest's mode would make a build for development.
    const env = { NODE_ENV: "production" };
    const quiet = tool === "vite" ? ["--logLevel", "warn"] : [];
    const isScript = tool.endsWith(".mjs");
    const { code } = isScript
      ? await run(process.execPath, [tool, ...args], { env })
      : await runTool(tool, [...args, ...quiet], { env });
    if (code !== 0) throw new Error(`the build of the ${name} failed`);
  }
}

/** Whether one is missing, or older than its sources; the core is taken as it is. */
export function isBuildStale(name) {
  const { output, sources } = BUILDS[name];
  const from = sources.map((path) => join(ROOT, path));
  return isStale([join(ROOT, output)], from);
}

/** Makes the stale ones, with a line for each. Throws if that fails. */
export async function buildStale(names, log = console.log) {
  const { built } = await buildCore();
  if (built) log("Built the core.");
  for (const name of names) {
    if (!isBuildStale(name)) continue;
    await makeBuild(name);
    log(`Built the ${name}.`);
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({ options: { force: { type: "boolean" } }, allowPositionals: true });
  const names = positionals.length > 0 ? positionals : Object.keys(BUILDS);
  try {
    if (values.force) for (const name of names) await makeBuild(name);
    else await buildStale(names);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
