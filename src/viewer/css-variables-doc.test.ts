/** Prints the table of docs/embedding.md from the rows: `npm run docs` writes it, this test compares it with them. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CSS_VARIABLES } from "./css-variables.ts";

const FILE = "../../docs/embedding.md";
const START = "<!-- Printed from src/viewer/css-variables.ts by `npm run docs`. -->";
const END = "<!-- Printed until here. -->";

function table(): string {
  return [
    "| variable | of |",
    "|---|---|",
    ...CSS_VARIABLES.map(({ name, about }) => `| \`${name}\` | ${about} |`),
  ].join("\n");
}

it("docs/embedding.md has the table of the rows", async () => {
  const text = readFileSync(new URL(FILE, import.meta.url), "utf8");
  const [before = "", rest = ""] = text.split(START);
  const [, after = ""] = rest.split(END);
  expect(after).not.toBe("");
  await expect(`${before}${START}\n\n${table()}\n\n${END}${after}`).toMatchFileSnapshot(FILE);
});
