/** The sample recording of the built page is packed: a third of its size, also on servers that do not compress. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const SAMPLE = "sample.jfr";

/** While developing, the page gets the file as it is in public/. */
export function packedSample(): Plugin {
  let outDir = "";
  return {
    name: "spanflame:packed-sample",
    apply: "build",
    configResolved({ root, build }) {
      outDir = resolve(root, build.outDir);
    },
    // Files of public/ are copied before the bundle is written, past all plugins.
    writeBundle() {
      writeFileSync(join(outDir, `${SAMPLE}.gz`), gzipSync(readFileSync(join(outDir, SAMPLE)), { level: 9 }));
      rmSync(join(outDir, SAMPLE));
    },
  };
}
