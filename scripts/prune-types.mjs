#!/usr/bin/env node
/**
 * Declarations that the package's entries need: deletes all others of `dist-lib/types`. tsc emits one for each source
 * file of the library, also for files whose types no public type names.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

const FOLDER = "dist-lib/types";
const NAMED = /(?:\bfrom|\bimport)\s*\(?\s*["'](\.[^"']+)["']/g;

const { exports } = JSON.parse(readFileSync("package.json", "utf8"));
const needed = new Set();

function need(file) {
  if (needed.has(file)) return;
  needed.add(file);
  // A missing file is an error: the types of the package would be broken.
  for (const [, name] of readFileSync(file, "utf8").matchAll(NAMED)) {
    need(join(dirname(file), name.replace(/(\.d)?\.[jt]sx?$/, ".d.ts")));
  }
}

for (const { types } of Object.values(exports)) if (types?.startsWith(`./${FOLDER}/`)) need(join(types));
for (const name of readdirSync(FOLDER, { recursive: true })) {
  const file = join(FOLDER, name);
  if (file.endsWith(".d.ts") && !needed.has(file)) rmSync(file);
}
