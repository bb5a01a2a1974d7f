#!/usr/bin/env node
/**
 * The builds after the core, each with its sources: `builds.mjs [--force] [NAME…]` makes those that are missing or old,
 * or all of the package. `npm run build`, `npm start` and the tests use it.
 */
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildCore, isCoreStale } from "./build-core.mjs";
import { ROOT, run, runTool } from "./run.mjs";
import { isStale } from "./stale.mjs";

const CONFIG = "scripts/vite.package.config.ts";
const SOURCES = [
  "src",
  "build/core.wasm",
  "build/symbols.wasm",
  "build/parquet.wasm",
  "build/demangle.wasm.gz",
  "scripts/report-page.mjs",
  "scripts/lean-d3.ts",
  "scripts/pattern-engine.ts",
  "scripts/symbol-modules.ts",
  "scripts/third-party.ts",
  "package-lock.json",
];

const packageBuild = (mode) => ["vite", "build", "--config", CONFIG, "--mode", mode];

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
      "scripts/lean-bindings.ts",
    ],
    steps: [["vite", "build"]],
  },
  library: {
    output: "dist-lib/types/src/library/index.d.ts",
    sources: [
      ...SOURCES,
      CONFIG,
      "scripts/shadow-styles.ts",
      "scripts/reads-only.ts",
      "scripts/viewer-types.mjs",
      "scripts/prune-types.mjs",
    ],
    steps: [
      ...["library", "chunk-thread", "viewer", "viewer-element", "viewer-worker"].map(packageBuild),
      ["tsc", "-p", "src/viewer/tsconfig.types.json"],
      ["scripts/viewer-types.mjs"],
      ["tsc", "-p", "src/library/tsconfig.types.json"],
      ["scripts/prune-types.mjs"],
    ],
  },
  "command line": {
    output: "dist-node/cli.js",
    sources: [...SOURCES, CONFIG, "scripts/node-version.mjs", "scripts/end-with-parent.mjs"],
    // The library shares the thread.
    steps: ["command-line", "chunk-thread"].map(packageBuild),
  },
  // Of `npm start`, and not of the package.
  server: {
    output: "dist-server/cli.js",
    sources: [...SOURCES, "scripts/build-server.mjs"],
    steps: [["scripts/build-server.mjs"]],
  },
};
const OF_PACKAGE = ["page", "library", "command line"];

/** Makes one, whether it is stale or not; `options` are for Vite. Throws if that fails or the bundler warns. */
export async function makeBuild(name, options = []) {
  for (const [tool, ...args] of BUILDS[name].steps) {
    // Vitest's mode would make a build for development.
    const env = { NODE_ENV: "production" };
    const isVite = tool === "vite";
    const { code, output } = tool.endsWith(".mjs")
      ? await run(process.execPath, [tool, ...args], { env })
      : await runTool(tool, [...args, ...(isVite ? [...QUIET, ...options] : [])], {
          env,
          ...(isVite && PIPED),
        });
    if (output !== "") console.error(output);
    if (code !== 0) throw new Error(`the build of the ${name} failed`);
    if (output.trim() !== "") throw new Error(`the build of the ${name} printed a warning`);
  }
}

/** Told to run its configuration, Vite does not bundle it: on a busy machine it warns of the time that this takes. */
const QUIET = ["--logLevel", "warn", "--configLoader", "runner"];
const PIPED = { stdio: ["ignore", "pipe", "pipe"] };

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

/**
 * What `npm start` serves: the page, and the part of the command line that serves it. If the core is stale it is
 * compiled as a draft and the page is built with it, without maps. Both are dated so that they are stale for all other
 * builds.
 */
export async function buildToServe(log = console.log) {
  if (!isCoreStale()) await buildStale(["page"], log);
  else {
    const ofPage = BUILDS.page.sources.filter((path) => !path.startsWith("build/"));
    await draft("core", ["assembly", "asconfig.json"], () => buildCore({ isDraft: true }), log);
    await draft(
      "page",
      ["assembly", "asconfig.json", ...ofPage],
      () => makeBuild("page", ["--sourcemap", "false"]),
      log,
    );
    utimesSync(join(ROOT, BUILDS.page.output), 0, 0);
  }
  if (isBuildStale("server")) await makeBuild("server");
}

/** A file in build/ has the date of the last draft. */
async function draft(name, sources, make, log) {
  const stamp = join(ROOT, "build", `draft-${name}`);
  const started = new Date();
  if (
    !isStale(
      [stamp],
      sources.map((path) => join(ROOT, path)),
    )
  )
    return;
  await make();
  writeFileSync(stamp, "");
  utimesSync(stamp, started, started);
  log(name === "core" ? "Built the core, a draft that is slower than that of npm run build." : `Built the ${name}.`);
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({ options: { force: { type: "boolean" } }, allowPositionals: true });
  const names = positionals.length > 0 ? positionals : OF_PACKAGE;
  try {
    if (values.force) for (const name of names) await makeBuild(name);
    else await buildStale(names);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
