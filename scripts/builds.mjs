#!/usr/bin/env node
/**
 * The builds after the core, each with its sources: `builds.mjs [NAME…]` makes those again that are missing or older
 * than their sources. `npm start` and the tests use it.
 */
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { buildCore } from "./build-core.mjs";
import { ROOT, runTool } from "./run.mjs";
import { isStale } from "./stale.mjs";

const SOURCES = ["src", "build/core.wasm", "scripts/report-page.mjs", "scripts/third-party.ts", "package-lock.json"];

/** `output` is the file that is written last; `steps` are tools with their arguments. */
const BUILDS = {
  page: {
    output: "dist/index.html",
    sources: [...SOURCES, "public", "index.html", "vite.config.ts"],
    steps: [["vite", "build"]],
  },
  library: {
    output: "dist-lib/types/src/library/index.d.ts",
    sources: [...SOURCES, "vite.lib.config.ts", "tsconfig.lib.json"],
    steps: [
      ["vite", "build", "--config", "vite.lib.config.ts"],
      ["tsc", "-p", "tsconfig.lib.json"],
    ],
  },
  "command line": {
    output: "dist-node/cli.js",
    sources: [...SOURCES, "vite.node.config.ts"],
    steps: [["vite", "build", "--config", "vite.node.config.ts"]],
  },
};

/** Builds what is stale, with a line for each. Throws if a build fails. */
export async function buildStale(names = Object.keys(BUILDS), log = console.log) {
  const { built } = await buildCore();
  if (built) log("Built the core.");
  for (const name of names) {
    const { output, sources, steps } = BUILDS[name];
    if (!isStale([join(ROOT, output)], [...sources.map((path) => join(ROOT, path))])) continue;
    for (const [tool, ...args] of steps) {
      const quiet = tool === "vite" ? ["--logLevel", "warn"] : [];
      // Vitest's mode would make a build for development.
      const { code } = await runTool(tool, [...args, ...quiet], { env: { NODE_ENV: "production" } });
      if (code !== 0) throw new Error(`the build of the ${name} failed`);
    }
    log(`Built the ${name}.`);
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await buildStale(argv.length > 2 ? argv.slice(2) : undefined);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
