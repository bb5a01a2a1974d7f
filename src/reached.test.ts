/** Nothing is left over: a build, a script or a test reaches every file, another file names each exported value. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { importsOf, resolveFrom } from "../test/kit/imports.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FOLDERS = ["src", "assembly", "test", "e2e", "scripts", "bench", "fixtures"];
/** They name the first files of builds by their paths. */
const CONFIGURATIONS = ["index.html", "vite.config.ts", "vitest.config.ts", "playwright.config.ts"];

const isCode = (path: string) => /\.(?:tsx?|mjs|mts)$/.test(path) && !/\.d\.m?ts$/.test(path);
const texts = new Map(
  [
    ...CONFIGURATIONS,
    ...FOLDERS.flatMap((folder) =>
      readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: "utf8" })
        .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
        .filter((path) => isCode(path) && !path.includes("node_modules")),
    ),
  ].map((path) => [path, readFileSync(ROOT + path, "utf8")]),
);
const isProduct = (path: string) => /^(?:src|assembly)\//.test(path) && !/\.test\.tsx?$/.test(path);
/** First files of wasm modules are right in assembly/, those of test builds in testing/. */
const isFirst = (path: string) => !isProduct(path) || /^assembly\/(?:testing\/)?[\w-]+\.ts$/.test(path);
/** Files of src/ whose exports are the package's. */
const OF_PACKAGE = /^src\/(?:library\/(?:index|node|worker)|viewer\/(?:index|span-flame|worker))\.ts$/;

/** The files that a file imports, and the sources that scripts and configurations name by their paths. */
function reachedFrom(path: string, text: string, known: { has(path: string): boolean }): string[] {
  const imported = importsOf(text).map(({ specifier }) => resolveFrom(path, specifier));
  const named = isProduct(path) ? [] : [...text.matchAll(/\bsrc\/[\w/-]+\.tsx?\b/g)].map(([name]) => name);
  return [...imported, ...named]
    .map((each) => (known.has(each) ? each : `${each}.ts`))
    .filter((each) => known.has(each));
}

function unreached(files: Map<string, string>): string[] {
  const seen = new Set([...files.keys()].filter(isFirst));
  // A set's iteration goes on with what is added to it.
  for (const path of seen) for (const next of reachedFrom(path, files.get(path) ?? "", files)) seen.add(next);
  return [...files.keys()].filter((path) => !seen.has(path));
}

const EXPORT = /^export (?:abstract )?(?:async )?(?:const|let|function\*?|class|enum) (\w+)/gm;

/** Exported values that no other file names. Types are often exported for a signature that has them. */
function unnamed(files: Map<string, string>): string[] {
  const naming = new Map<string, number>();
  for (const text of files.values()) {
    for (const word of new Set(text.match(/\w+/g))) naming.set(word, (naming.get(word) ?? 0) + 1);
  }
  return [...files].flatMap(([path, text]) => {
    if (!isProduct(path) || isFirst(path) || OF_PACKAGE.test(path)) return [];
    const names = [...text.matchAll(EXPORT)].map(([, name = ""]) => name);
    return names.filter((name) => naming.get(name) === 1).map((name) => `${path}: ${name}`);
  });
}

it("every file is reached from a build, a script or a test", () => {
  expect(texts.size).toBeGreaterThan(1000);
  expect(unreached(texts)).toEqual([]);
});

it("every exported value is named by another file", () => {
  expect(unnamed(texts)).toEqual([]);
});

it("files and exports that are left over are found by this test", () => {
  const files = new Map([
    ["index.html", '<script src="./src/a.tsx">'],
    ["src/a.tsx", 'import { used } from "./b.ts";\nconst later = () => import("./c.ts");'],
    ["src/b.ts", "export const used = 1;\nexport function idle() {}\nexport interface Shape {}"],
    ["src/c.ts", ""],
    ["src/d.ts", 'import "./e.ts";'],
    ["src/e.ts", ""],
    ["assembly/index.ts", 'import { first } from "./view/first";'],
    ["assembly/view/first.ts", "export function first(): void {}"],
    ["assembly/view/second.ts", ""],
  ]);
  expect(unreached(files)).toEqual(["src/d.ts", "src/e.ts", "assembly/view/second.ts"]);
  expect(unnamed(files)).toEqual(["src/b.ts: idle"]);
});
