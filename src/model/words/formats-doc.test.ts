/** Prints the table of docs/formats.md from the rows: `npm run docs` writes it, this test compares it with them. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { formatsTable } from "../../../test/kit/doc-tables.ts";

const FILE = "../../../docs/formats.md";
const START =
  "<!-- Printed from src/core/tables/formats.ts and src/model/words/shown-formats.ts by `npm run docs`. -->";
const END = "<!-- Printed until here. -->";

it("docs/formats.md has the table of the rows", async () => {
  const text = readFileSync(new URL(FILE, import.meta.url), "utf8");
  const [before = "", rest = ""] = text.split(START);
  const [, after = ""] = rest.split(END);
  expect(after).not.toBe("");
  await expect(`${before}${START}\n\n${formatsTable()}\n\n${END}${after}`).toMatchFileSnapshot(FILE);
});
