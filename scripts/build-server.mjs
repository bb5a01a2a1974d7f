#!/usr/bin/env node
/**
 * The command line as `npm start` needs it, in dist-server/: it serves the page, and has no core, no threads and no
 * data sets. A bundler without plugins makes it in a tenth of the processor time of dist-node/.
 */
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const OUT = "dist-server";
const LIBRARY = "dist-lib";

await build({
  entryPoints: { cli: "src/cli/main.ts" },
  outdir: OUT,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  packages: "external",
  // Of commands that are not served.
  external: ["virtual:*"],
  logLevel: "warning",
});
// For `--symbols`, where the command line has them.
mkdirSync(LIBRARY, { recursive: true });
for (const file of ["symbols.wasm", "demangle.wasm.gz"]) copyFileSync(join("build", file), join(LIBRARY, file));
