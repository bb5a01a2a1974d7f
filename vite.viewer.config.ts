/**
 * The viewer of the package (`spanflame/viewer`) as one module with React, the graph and its styles in it. A page that
 * embeds it needs no other file but those of the worker. The worker is an entry of vite.lib.config.ts, because it
 * shares its modules with the library; so is the engine for patterns, which both load from one file.
 */
// The element starts the worker in this form, by which the bundler of a page finds the file; Vite must leave it here:
//   new Worker(new URL(/* @vite-ignore */ "./viewer-worker.js", import.meta.url), { type: "module" })
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { collectPackages } from "./scripts/third-party.ts";

/** Name in the source for the text of all styles, which the element puts into its shadow root. */
const STYLES = "__VIEWER_STYLES__";

/** The style sheet of the build becomes a text in the module. */
function inlineStyles(): Plugin {
  return {
    name: "spanflame:inline-styles",
    enforce: "post",
    generateBundle(_options, bundle) {
      let styles = "";
      for (const [file, output] of Object.entries(bundle)) {
        if (output.type !== "asset" || !file.endsWith(".css")) continue;
        styles += output.source;
        delete bundle[file];
      }
      for (const output of Object.values(bundle)) {
        if (output.type === "chunk") output.code = output.code.replace(STYLES, () => JSON.stringify(styles));
      }
    },
  };
}

export default defineConfig({
  publicDir: false,
  plugins: [react(), collectPackages(), inlineStyles()],
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  resolve: {
    dedupe: ["d3-selection"],
    alias: { "d3-transition": fileURLToPath(new URL("./src/ui/flame/lean-d3.ts", import.meta.url)) },
  },
  build: {
    target: "es2022",
    outDir: "dist-lib",
    // After the library, whose folder it is.
    emptyOutDir: false,
    minify: true,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    lib: { entry: "src/viewer/index.ts", formats: ["es"], fileName: () => "viewer.js" },
    rolldownOptions: {
      external: ["re2js"],
      output: { codeSplitting: false, paths: { re2js: "./packages/re2js/build/index.js" } },
    },
  },
});
