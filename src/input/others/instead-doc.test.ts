/** Prints the table of docs/inputs.md from the rows: `npm run docs` writes it, this test compares it with them. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { NOT_READ } from "./instead.ts";

const FILE = "../../../docs/inputs.md";
const START = "<!-- Printed from src/input/others/instead.ts by `npm run docs`. -->";
const END = "<!-- Printed until here. -->";

it("docs/inputs.md has the table of files that are not read", async () => {
  const text = readFileSync(new URL(FILE, import.meta.url), "utf8");
  const [before = "", rest = ""] = text.split(START);
  const [, after = ""] = rest.split(END);
  expect(after).not.toBe("");
  const rows = NOT_READ.map(({ what, instead }) => `| ${what} | ${instead} |`);
  const table = ["| the file is | instead |", "|---|---|", ...rows].join("\n");
  await expect(`${before}${START}\n\n${table}\n\n${END}${after}`).toMatchFileSnapshot(FILE);
});
