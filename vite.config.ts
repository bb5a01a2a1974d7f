/** The page: a static site in dist/ that any web server can host under any path. */
import { sep } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { buildCore } from "./scripts/build-core.mjs";
import { lean } from "./scripts/lean-bindings.ts";
import { LEAN_D3 } from "./scripts/lean-d3.ts";
import { offlineFiles } from "./scripts/offline-files.ts";
import { packedSample } from "./scripts/packed-sample.ts";
import { pageChunks, WORKER_GROUPS, wordless } from "./scripts/page-chunks.ts";
import { ENGINE, pageEngine } from "./scripts/pattern-engine.ts";
import { reportPage } from "./scripts/report-page.mjs";
import { demanglerLicence } from "./scripts/symbol-modules.ts";
import { collectPackages, thirdPartyNotices } from "./scripts/third-party.ts";
import { SECURITY_HEADERS } from "./src/cli/serve/security-headers.ts";

/** asc has no watch mode: while developing, a change in assembly/ compiles the core again and reloads the page. */
function rebuildCore(): Plugin {
  return {
    name: "spanflame:rebuild-core",
    apply: "serve",
    configureServer({ config, watcher, ws }) {
      const assembly = `${config.root}${sep}assembly${sep}`;
      let last = Promise.resolve();
      const rebuild = async () => {
        try {
          const { built } = await buildCore();
          if (built) ws.send({ type: "full-reload" });
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          config.logger.error(message);
          ws.send({ type: "error", err: { message, stack: "" } });
        }
      };
      watcher.on("all", (_event, file) => {
        if (file.startsWith(assembly)) last = last.then(rebuild);
      });
    },
  };
}

/** Vite's dev client needs inline scripts and styles; the built page and the servers of it keep the policy. */
function withoutPolicyInDev(): Plugin {
  return {
    name: "spanflame:without-policy-in-dev",
    apply: "serve",
    transformIndexHtml: {
      order: "pre",
      handler: (html) => html.replace(/<meta\s[^>]*http-equiv="Content-Security-Policy"[^>]*>/is, ""),
    },
  };
}

/** Page and worker are built apart; both are in assets/, beside the engine. */
const { fileName, plugin: engine } = pageEngine();
const chunks = pageChunks();
/** A warning fails a build (scripts/builds.mjs), and how long plugins took is no warning. */
const CHECKS = { bundlerTimings: false };
const PATHS = { [ENGINE]: `./${fileName}` };

export default defineConfig({
  base: "./",
  plugins: [
    react(),
    reportPage([collectPackages()]),
    rebuildCore(),
    withoutPolicyInDev(),
    engine,
    chunks.plugin,
    demanglerLicence(),
    thirdPartyNotices(),
    offlineFiles(),
    packedSample(),
  ],
  worker: {
    format: "es",
    plugins: () => [collectPackages(), wordless(), lean()],
    rolldownOptions: {
      checks: CHECKS,
      external: [ENGINE],
      output: { paths: PATHS, codeSplitting: { groups: WORKER_GROUPS } },
    },
  },
  resolve: LEAN_D3,
  build: {
    outDir: "dist",
    target: "es2022",
    // The package has no maps, so its scripts name none.
    sourcemap: "hidden",
    // A data: address would need its own word in the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: CHECKS,
      input: {
        main: fileURLToPath(new URL("./index.html", import.meta.url)),
        // Its place decides what it may serve: that of the page.
        "service-worker": fileURLToPath(new URL("./src/offline/service-worker.ts", import.meta.url)),
      },
      external: [ENGINE],
      output: {
        paths: PATHS,
        codeSplitting: { groups: chunks.groups },
        entryFileNames: ({ name }) => (name === "service-worker" ? "[name].js" : "assets/[name]-[hash].js"),
      },
    },
  },
  preview: { headers: { ...SECURITY_HEADERS } },
});
