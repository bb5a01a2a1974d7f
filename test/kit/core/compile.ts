/**
 * Entries of assembly/testing/, compiled for the tests that look inside the core. A module is kept in .cache/ under the
 * hash of its sources, because several files of tests use it.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../build-once.ts";

const FLAGS = "--config none --runtime stub --bindings raw --noAssert --uncheckedBehavior always --enable simd -O2";

const modules = new Map<string, Promise<WebAssembly.Module>>();

/** The module of the entry with that name. */
export function compileTesting(name: string): Promise<WebAssembly.Module> {
  const module = modules.get(name) ?? load(name);
  modules.set(name, module);
  return module;
}

async function load(name: string): Promise<WebAssembly.Module> {
  const args = [`assembly/testing/${name}.ts`, "--baseDir", ROOT, ...FLAGS.split(" "), "-o", "out.wasm"];
  const kept = join(ROOT, ".cache", "testing", `${name}-${hashOf(args)}.wasm`);
  if (existsSync(kept)) return WebAssembly.compile(readFileSync(kept));
  const wasm = await compile(args);
  mkdirSync(dirname(kept), { recursive: true });
  // In one step: another file of tests may read it.
  const partial = `${kept}.${process.pid}`;
  writeFileSync(partial, wasm);
  renameSync(partial, kept);
  return WebAssembly.compile(wasm);
}

async function compile(args: string[]): Promise<Uint8Array<ArrayBuffer>> {
  // Loaded only when there is something to compile: the compiler takes a second to start.
  const { default: asc } = await import("assemblyscript/asc");
  let wasm: Uint8Array<ArrayBuffer> | undefined;
  const { error, stderr } = await asc.main(args, {
    writeFile(name, contents) {
      if (name === "out.wasm") wasm = new Uint8Array(contents as Uint8Array);
    },
  });
  if (error !== null || wasm === undefined) throw new Error(`asc: ${error?.message}\n${stderr.toString()}`);
  return wasm;
}

/** Of the arguments, all sources and the compiler. */
function hashOf(args: string[]): string {
  const hash = createHash("sha256").update(args.slice(3).join(" "));
  const compiler = "node_modules/assemblyscript/package.json";
  const sources = readdirSync(join(ROOT, "assembly"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .sort()
    .map((path) => join("assembly", path));
  for (const path of [compiler, ...sources]) hash.update(path).update(readFileSync(join(ROOT, path)));
  return hash.digest("hex").slice(0, 16);
}
