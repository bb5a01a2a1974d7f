/**
 * The thread of Node that reads chunks for the library and the command line, in one file: a thread has to be ready by
 * the time that its first chunk is due.
 */
import { defineConfig } from "vite";
import { readsOnly } from "./scripts/reads-only.ts";

export default defineConfig({
  publicDir: false,
  plugins: [readsOnly()],
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: "node20",
    outDir: "dist-lib",
    emptyOutDir: false,
    minify: true,
    rolldownOptions: {
      input: { "chunk-thread": "src/library/chunk-thread.ts" },
      output: { entryFileNames: "[name].js", codeSplitting: false },
    },
  },
});
