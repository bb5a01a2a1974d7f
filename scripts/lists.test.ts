/** No test lists the rows of a table by hand: such a list lacks the next row, and nobody notices. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { INPUT_FORMATS } from "../src/core/inputs/formats.ts";
import { FORMATS } from "../src/core/tables/formats.ts";
import { VIEWS } from "../src/model/query/query.ts";
import { SHOWN_FORMATS } from "../src/model/words/shown-formats.ts";
import { COMMANDS } from "../src/node/usage/commands.ts";

const TABLES: readonly (readonly string[])[] = [
  VIEWS,
  Object.keys(COMMANDS),
  [...FORMATS, ...SHOWN_FORMATS].map(({ name }) => name),
  Object.keys(INPUT_FORMATS),
];

/** Fewer ids are examples. */
const MANY = 3;

/** Lists that are right to be by hand. */
const BY_HAND: Readonly<Record<string, string>> = {
  "e2e/page/listeners.spec.ts": "some views are enough, and the graph has to be the last",
  "src/ui/views/views.test.ts": "the answers that are expected of the table",
};

/** Lists of texts that are all ids of one table, a line each. */
function listsIn(file: string, text: string): string[] {
  return [...text.matchAll(/\[\s*("[\w-]+"(?:,\s*"[\w-]+")*),?\s*\]/g)].flatMap(({ 1: all = "", index }) => {
    const ids = [...all.matchAll(/"([\w-]+)"/g)].map(([, id = ""]) => id);
    const isByHand = ids.length >= MANY && TABLES.some((table) => ids.every((id) => table.includes(id)));
    return isByHand ? [`${file}:${text.slice(0, index).split("\n").length}: ${ids.join(", ")}`] : [];
  });
}

const ROOT = fileURLToPath(new URL("..", import.meta.url));

function testsIn(folder: string): string[] {
  return readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && (/^(?:e2e|test)\//.test(path) || /\.test\.\w+$/.test(path)));
}

it("tests make their lists from the tables", () => {
  const files = ["e2e", "test", "src", "scripts"].flatMap(testsIn);
  expect(files.length).toBeGreaterThan(300);
  const found = files.map((file) => ({ file, lists: listsIn(file, readFileSync(`${ROOT}${file}`, "utf8")) }));
  expect(found.filter(({ file }) => BY_HAND[file] === undefined).flatMap(({ lists }) => lists)).toEqual([]);
  const needless = Object.keys(BY_HAND).filter(
    (path) => !found.some(({ file, lists }) => file === path && lists.length),
  );
  expect(needless).toEqual([]);
});

it("a list by hand is found by this test", () => {
  const list = (...ids: string[]) => `x([${ids.map((id) => `"${id}"`).join(", ")}])`;
  expect(listsIn("a.ts", `\n${list("flame", "top", "tree")}`)).toEqual(["a.ts:2: flame, top, tree"]);
  expect(listsIn("a.ts", list("otlp", "pprof", "html").replaceAll(" ", "\n  "))).toHaveLength(1);
  // Examples, and texts of something else.
  for (const ids of [
    ["flame", "top"],
    ["flame", "top", "other"],
    ["flame", "otlp", "info"],
  ])
    expect(listsIn("a.ts", list(...ids))).toEqual([]);
});
