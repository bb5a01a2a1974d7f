/**
 * The embedded flame graph of the package: three builds of src/viewer/, each one module of `dist-lib/` and the parts
 * that it loads later. They are minified, because they are also used without a bundler.
 *
 *   --mode react     viewer.js           React component and element, with the React of the page
 *   --mode element   viewer-element.js   the element with everything in it
 *   --mode worker    viewer-worker.js    the worker of both; it loads the library's core.wasm
 */
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type UserConfig } from "vite";
import { ENGINE, OF_LIBRARY } from "./scripts/pattern-engine.ts";
import { readsOnly } from "./scripts/reads-only.ts";
import { shadowStyles } from "./scripts/shadow-styles.ts";
import { thirdPartyNotices } from "./scripts/third-party.ts";

const sourceOf = (name: string) => fileURLToPath(new URL(`./src/viewer/${name}`, import.meta.url));

/** The engine for patterns is in the library's build already; the viewer loads it from there. */
const PATHS = { [ENGINE]: `./${OF_LIBRARY}` };
const REACT = ["react", "react/jsx-runtime", "react-dom", "react-dom/client"];
/** light-dark() stays as it is, so that it follows the scheme of the page around. */
const CSS_TARGET = ["chrome123", "firefox120", "safari17.5"];

/**
 * Bundlers of pages find a file by its address in quotation marks. The minifier makes a template of it, and leaves the
 * comment that keeps our own build from looking for the file.
 */
const ADDRESS = /new URL\(\s*(?:\/\* @vite-ignore \*\/)?\s*["`']([^"`'$]+)["`'],\s*import\.meta\.url\)/g;

function plainAddresses(): Plugin {
  return {
    name: "spanflame:plain-addresses",
    enforce: "post",
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== "chunk") continue;
        output.code = output.code.replace(ADDRESS, 'new URL("$1",import.meta.url)');
      }
    },
  };
}

/** A module for pages; lazily loaded parts are beside it. */
function page(name: string, entry: string, external: string[]): UserConfig {
  return {
    plugins: [react(), shadowStyles(), plainAddresses(), thirdPartyNotices("THIRD-PARTY-NOTICES-viewer.txt")],
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    resolve: {
      // As in vite.config.ts.
      dedupe: ["d3-selection"],
      alias: { "d3-transition": fileURLToPath(new URL("./src/ui/flame/lean-d3.ts", import.meta.url)) },
    },
    build: {
      cssTarget: CSS_TARGET,
      cssCodeSplit: false,
      assetsInlineLimit: 0,
      lib: { entry: { [name]: sourceOf(entry) }, formats: ["es"] },
      rolldownOptions: {
        external: [ENGINE, ...external],
        output: { paths: PATHS, minify: true, chunkFileNames: `${name}-[name]-[hash].js` },
      },
    },
  };
}

/** As vite.lib.config.ts builds: addresses relative to the module stay as they are. */
function worker(name: string): UserConfig {
  return {
    plugins: [plainAddresses(), readsOnly()],
    ssr: {
      noExternal: true,
      external: [ENGINE],
      resolve: { conditions: ["browser", "module", "import", "default"], externalConditions: [] },
    },
    build: {
      ssr: true,
      rolldownOptions: {
        input: { [name]: sourceOf("worker.ts") },
        external: [ENGINE],
        output: {
          paths: PATHS,
          minify: true,
          entryFileNames: "[name].js",
          chunkFileNames: `${name}-[name]-[hash].js`,
        },
      },
    },
  };
}

const MODES: Record<string, UserConfig> = {
  react: page("viewer", "index.ts", REACT),
  element: page("viewer-element", "span-flame.ts", []),
  worker: worker("viewer-worker"),
};

export default defineConfig(({ mode }) => {
  const config = MODES[mode];
  if (config === undefined) throw new Error(`vite.viewer.config.ts: --mode is one of ${Object.keys(MODES).join(", ")}`);
  // After the library, whose folder it is.
  const build = { target: "es2022", outDir: "dist-lib", emptyOutDir: false, minify: true, ...config.build };
  return { ...config, publicDir: false, build };
});
