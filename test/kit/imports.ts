/** Which files a source file imports, read off its text. */
import { posix } from "node:path";

export interface Import {
  specifier: string;
  typeOnly: boolean;
  /** Loaded when it is used, or in a worker. */
  isLazy?: true;
}

/** Imports, re-exports, dynamic imports and worker entries, read off the text: formatted code needs no parser. */
export function importsOf(text: string): Import[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const statement = /^(?:import|export)\s(type\s(?=\s*[\w{*]))?(?:[^"'`;]*?\sfrom\s*)?["']([^"']+)["']/gm;
  const dynamic = /\bimport\(\s*["']([^"']+)["']|new URL\(\s*["']([^"']+\.[jt]sx?)["'],\s*import\.meta\.url/g;
  const found: Import[] = [];
  for (const [, type, specifier = ""] of code.matchAll(statement))
    found.push({ specifier, typeOnly: type !== undefined });
  for (const [, module, worker] of code.matchAll(dynamic))
    found.push({ specifier: module ?? worker ?? "", typeOnly: false, isLazy: true });
  return found;
}

/** A specifier as the tables write it: relative ones as a path from the root, without a bundler's ?query. */
export function resolveFrom(file: string, specifier: string): string {
  const path = specifier.replace(/\?.*$/, "");
  return path.startsWith(".") ? posix.join(posix.dirname(file), path) : path;
}
