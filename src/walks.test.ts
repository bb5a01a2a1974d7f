/** The walks in ARCHITECTURE.md: each stop is reached from a file before it, and there are few of them. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { importsOf, resolveFrom } from "../test/kit/imports.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MOST_STOPS = 20;
const TEXT = readFileSync(`${ROOT}ARCHITECTURE.md`, "utf8");

/** Files of a numbered list by line: the stop, and files beside the way. */
function walkOf(heading: string): string[][] {
  const [, section = ""] = TEXT.split(`### ${heading}\n`);
  const lines = section
    .split("\n#")[0]!
    .split(/\n(?=\d+\. )/)
    .filter((line) => /^\d+\. /.test(line));
  return lines.map((line) => [...line.matchAll(/`(src\/[^`]+)`/g)].map(([, file]) => file!));
}

/** Files that a file imports, also when it is used, in a worker, or as a type of what it calls there. */
function reachedFrom(file: string): string[] {
  const imports = importsOf(readFileSync(ROOT + file, "utf8"));
  return imports.map(({ specifier }) => resolveFrom(file, specifier));
}

describe.each(["A dropped file to the first graph", "`spanflame convert`"])("the walk: %s", (heading) => {
  const walk = walkOf(heading);

  it("has at most 20 stops, which exist", () => {
    expect(walk.length).toBeGreaterThan(10);
    expect(walk.length).toBeLessThanOrEqual(MOST_STOPS);
    expect(walk.flat().filter((file) => !existsSync(ROOT + file))).toEqual([]);
  });

  it("reaches each stop from a file before it", () => {
    const gaps: string[] = [];
    const passed = new Set<string>();
    for (const [at, [stop = "", ...beside]] of walk.entries()) {
      for (const file of beside) passed.add(file);
      const isReached = [...passed].some((file) => reachedFrom(file).includes(stop));
      if (at > 0 && !isReached) gaps.push(stop);
      passed.add(stop);
    }
    expect(gaps).toEqual([]);
  });

  it("passes each stop once", () => {
    const stops = walk.map(([stop]) => stop);
    expect([...new Set(stops)]).toEqual(stops);
  });
});
