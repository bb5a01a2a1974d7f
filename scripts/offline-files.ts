/** Build step for the service worker: passes it the list of the page's files and a version of them. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const SCRIPT = "service-worker.js";
/** Not worth keeping: maps are for developers, the sample is an offer. */
const LEFT_OUT = /\.map$|^sample\.jfr/;

export function offlineFiles(): Plugin {
  let publicDir = "";
  return {
    name: "spanflame:offline-files",
    apply: "build",
    enforce: "post",
    configResolved(config) {
      publicDir = config.publicDir;
    },
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const script = bundle[SCRIPT];
        if (script?.type !== "chunk") return;
        const built = Object.values(bundle).filter((each) => each !== script);
        const contents = new Map(built.map((each) => [each.fileName, each.type === "chunk" ? each.code : each.source]));
        for (const name of readdirSync(publicDir)) contents.set(name, readFileSync(join(publicDir, name)));
        const files = [...contents.keys()].filter((name) => !LEFT_OUT.test(name)).sort();
        const hash = createHash("sha256");
        for (const name of files) hash.update(name).update(contents.get(name) ?? "");
        script.code = script.code
          .replace("%FILES%", JSON.stringify(files).replaceAll('"', '\\"'))
          .replace("%VERSION%", hash.digest("hex").slice(0, 16));
      },
    },
  };
}
