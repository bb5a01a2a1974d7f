/** The walks of ARCHITECTURE.md are short, and each of their files is reached from one before it. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { importsOf, resolveFrom } from "../test/kit/imports.ts";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

const MOST_FILES = 20;

interface Step {
  path: string;
  isAside: boolean;
}

function walksIn(document: string): Step[][] {
  const section = document.split(/^## /m).find((each) => each.startsWith("Two walks\n")) ?? "";
  return [...section.matchAll(/^```text\n([\s\S]*?)^```/gm)].map(([, block = ""]) =>
    block
      .trimEnd()
      .split("\n")
      .map((line) => ({ path: line.trim().split(" ")[0]!, isAside: line.startsWith(" ") })),
  );
}

/** Files that no file before them imports. Types do not count: nothing is called through them. */
function unreached(walk: readonly Step[], textOf: (path: string) => string): string[] {
  const next = new Set([walk[0]?.path]);
  return walk.flatMap(({ path }) => {
    const isReached = next.has(path);
    for (const { specifier, typeOnly } of importsOf(textOf(path)))
      if (!typeOnly) next.add(resolveFrom(path, specifier));
    return isReached ? [] : [path];
  });
}

const WALKS = walksIn(read("ARCHITECTURE.md"));

it.each([
  ["a dropped recording", 0, "src/ui/views/flame/graph-renderer.ts"],
  ["convert", 1, "src/node/replacement.ts"],
])("the walk of %s has few files, each imported by one before it", (_, index, last) => {
  const walk = WALKS[index] ?? [];
  expect(walk.at(-1)?.path).toBe(last);
  expect(walk.filter(({ isAside }) => !isAside).length).toBeLessThanOrEqual(MOST_FILES);
  expect(new Set(walk.map(({ path }) => path)).size).toBe(walk.length);
  expect(unreached(walk, read)).toEqual([]);
});

it("a file that only a later one imports, or only for its types, is not reached", () => {
  const files: Record<string, string> = {
    "a.ts": 'import { b } from "./b.ts";\nimport type { C } from "./c.ts";',
    "b.ts": "",
    "c.ts": 'import { d } from "./d.ts";',
    "d.ts": "",
  };
  const walk = ["a.ts", "d.ts", "b.ts", "c.ts"].map((path) => ({ path, isAside: false }));
  expect(unreached(walk, (path) => files[path]!)).toEqual(["d.ts", "c.ts"]);
});
