/**
 * What must be there before the page can take a file: its scripts, the worker's, and the core, as a server would pack
 * them.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";

const ASSETS = fileURLToPath(new URL("../dist/assets/", import.meta.url));
const KIB = 1024;

function packedSize(name: string): number {
  return gzipSync(readFileSync(ASSETS + name), { level: 9 }).length;
}

function built(prefix: string, extension: string): string {
  const found = readdirSync(ASSETS).filter((name) => name.startsWith(`${prefix}-`) && name.endsWith(extension));
  expect(found).toHaveLength(1);
  return found[0] ?? "";
}

/** A script with all that it imports at once. */
function withImports(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  const imports = readFileSync(ASSETS + name, "utf8").matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g);
  for (const [, imported = ""] of imports) withImports(imported, seen);
  return seen;
}

test("the engine for patterns is not in the first load, but in a file of the page and one of the worker", () => {
  const scripts = [...withImports(built("main", ".js")), ...withImports(built("worker", ".js"))];
  const has = (name: string) => readFileSync(ASSETS + name, "utf8").includes("error parsing regexp");
  expect(scripts.filter(has)).toEqual([]);
  expect(readdirSync(ASSETS).filter((name) => name.endsWith(".js") && has(name))).toHaveLength(2);
});

test("the first load stays within 150 KB of scripts and 60 KB of wasm", () => {
  const scripts = [...withImports(built("main", ".js")), ...withImports(built("worker", ".js"))];
  const bytes = scripts.reduce((sum, name) => sum + packedSize(name), 0);
  expect(bytes).toBeGreaterThan(50 * KIB);
  expect(bytes).toBeLessThanOrEqual(150 * KIB);
  expect(packedSize(built("core", ".wasm"))).toBeLessThanOrEqual(60 * KIB);
});
