/** What the page's first load consists of, as a server would pack it, and who takes how much of it. */
import { readdirSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { namedCore } from "../../scripts/build-core.mjs";
import { wasmModule } from "../../test/kit/wasm-module.ts";

const ASSETS = fileURLToPath(new URL("../../dist/assets/", import.meta.url));

/** Packed bytes by part. */
export type Parts = Record<string, number>;

export const assetPath = (name: string) => ASSETS + name;
export const assetText = (name: string) => readFileSync(assetPath(name), "utf8");

export function allScripts(): string[] {
  return readdirSync(ASSETS).filter((name) => name.endsWith(".js"));
}

export function built(prefix: string, extension: string): string {
  const found = readdirSync(ASSETS).filter((name) => name.startsWith(`${prefix}-`) && name.endsWith(extension));
  if (found.length !== 1) throw new Error(`${found.length} files ${prefix}-*${extension}`);
  return found[0] ?? "";
}

/** A script with all that it imports at once. */
export function withImports(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  const imports = assetText(name).matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g);
  for (const [, imported = ""] of imports) withImports(imported, seen);
  return seen;
}

export const packed = (bytes: Uint8Array | string) => gzipSync(bytes, { level: 9 }).length;

/** The scripts of page and worker. A module has as large a part of the packed script as of the script. */
export function scriptParts(): Parts {
  const parts: Parts = {};
  for (const entry of ["main", "worker"]) {
    for (const name of withImports(built(entry, ".js"))) {
      const code = assetText(name);
      const ratio = packed(code) / code.length;
      for (const [source, size] of sizesIn(name, code)) add(parts, `${entry}: ${partOf(source)}`, size * ratio);
    }
  }
  return parts;
}

/** Characters of a script by their source; "" for what has none. */
function sizesIn(name: string, code: string): Map<string, number> {
  const map = new SourceMap(JSON.parse(assetText(`${name}.map`)));
  const sizes = new Map<string, number>();
  for (const [line, text] of code.split(/(?<=\n)/).entries()) {
    for (let column = 0; column < text.length; column++) {
      const { originalSource: source = "" } = map.findEntry(line, column) as { originalSource?: string };
      sizes.set(source, (sizes.get(source) ?? 0) + 1);
    }
  }
  return sizes;
}

/** A package, a folder of the project, or what the bundler adds. */
function partOf(source: string): string {
  const path = source.replace(/^(?:\.\.\/)+/, "");
  const [, name] = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  return name ?? (path.split("/").slice(0, -1).slice(0, 3).join("/") || "the bundler");
}

/**
 * The first module of the core: functions by their room, other sections of the module by what they are. The build
 * leaves out the names of functions, so the core is compiled again.
 */
export async function coreParts(): Promise<Parts> {
  const bytes = readFileSync(assetPath(built("core-first", ".wasm")));
  const { sections, functions } = wasmModule(bytes);
  const { names } = wasmModule(await namedCore("first"));
  const alone = new Map([...sections].map(([id, section]) => [id, packed(section)]));
  const ratio = packed(bytes) / [...alone.values()].reduce((sum, size) => sum + size);
  const parts: Parts = {};
  for (const [id, size] of alone) if (id !== CODE) add(parts, SECTIONS[id] ?? "other sections", size * ratio);
  const ofCode = ((alone.get(CODE) ?? 0) * ratio) / functions.reduce((sum, size) => sum + size);
  functions.forEach((size, i) => {
    add(parts, roomOf(names.get(i) ?? ""), size * ofCode);
  });
  return parts;
}

const CODE = 10;
const SECTIONS: Record<number, string> = { 7: "names of exports", 11: "data" };

/** `assembly/read/jfr/chunk/openChunk` is a function of `assembly/read/jfr`. */
function roomOf(name: string): string {
  if (name.startsWith("start:")) return "beginnings of modules";
  const room = name.split("/").slice(0, -2).slice(0, 3).join("/");
  return room || "calls into the rest";
}

function add(parts: Parts, part: string, size: number): void {
  parts[part] = (parts[part] ?? 0) + size;
}

export function sumOf(parts: Parts): number {
  return Object.values(parts).reduce((sum, size) => sum + size, 0);
}

/** Who takes what, those first that have grown most since the limit was set. */
export function whoTookWhat(now: Parts, then: Parts): string {
  const names = [...new Set([...Object.keys(now), ...Object.keys(then)])];
  const rows = names.map((name) => ({ name, is: now[name] ?? 0, was: then[name] ?? 0 }));
  rows.sort((a, b) => Math.round(b.is - b.was) - Math.round(a.is - a.was) || b.is - a.is);
  const line = (cells: string[]) => cells.map((cell, i) => (i < 3 ? cell.padStart(8) : `  ${cell}`)).join("");
  const grown = (by: number) => (by > 0 ? "+" : "") + by;
  return [
    line(["bytes", "then", "grown", "part"]),
    ...rows.map(({ name, is, was }) => {
      const [size, before] = [Math.round(is), Math.round(was)];
      return line([`${size}`, `${before}`, grown(size - before), name]);
    }),
  ].join("\n");
}
