/** The page: a static site in dist/ that any web server can host under any path. */
import { sep } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { buildCore } from "./scripts/build-core.mjs";
import { reportPage } from "./scripts/report-page.mjs";
import { SECURITY_HEADERS } from "./src/cli/security-headers.ts";

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

export default defineConfig({
  base: "./",
  plugins: [react(), reportPage(), rebuildCore(), withoutPolicyInDev()],
  worker: { format: "es" },
  // One copy each: d3-transition adds its methods to the d3-selection it finds.
  resolve: { dedupe: ["d3-selection", "d3-transition"] },
  build: {
    outDir: "dist",
    target: "es2022",
    sourcemap: true,
    // A data: address would need its own word in the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  preview: { headers: { ...SECURITY_HEADERS } },
});
