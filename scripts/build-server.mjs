#!/usr/bin/env node
/**
 * The command line as `npm start` needs it, in dist-server/: it serves the page, and has no core, no threads and no
 * data sets. A bundler without plugins makes it in a tenth of the processor time of dist-node/.
 */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { build } from "esbuild";

const OUT = "dist-server";
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

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
// For `--symbols`.
copyFileSync("build/symbols.wasm", join(OUT, "symbols.wasm"));
writeFileSync(join(OUT, "demangle.wasm.br"), brotliCompressSync(readFileSync("build/demangle.wasm"), QUICK));
