/** The CLI and the library for Node, from the same sources as the page, with nothing left to install. */
import { chmodSync, copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { reportPage } from "./scripts/report-page.mjs";
import { collectPackages, thirdPartyNotices } from "./scripts/third-party.ts";

const OUT = "dist-node";

/**
 * The core lies beside the code that reads it; chunks too, so that `./core.wasm` holds wherever a module lands.
 * Its bindings' types lie where the library's emitted ones (tsconfig.lib.json) look for them.
 */
function withCore(): Plugin {
  return {
    name: "spanflame:with-core",
    writeBundle() {
      copyFileSync("build/core.wasm", join(OUT, "core.wasm"));
      mkdirSync(join(OUT, "types", "build"), { recursive: true });
      copyFileSync("build/core.d.ts", join(OUT, "types", "build", "core.d.ts"));
      chmodSync(join(OUT, "cli.js"), 0o755);
    },
  };
}

export default defineConfig({
  publicDir: false,
  plugins: [reportPage([collectPackages()]), withCore(), thirdPartyNotices()],
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: "node20",
    outDir: OUT,
    emptyOutDir: true,
    sourcemap: true,
    rolldownOptions: {
      input: { cli: "src/cli/main.ts", index: "src/index.ts" },
      output: { entryFileNames: "[name].js", chunkFileNames: "shared-[hash].js" },
    },
  },
});
