/** Prints the table of docs/formats.md from the rows: `npm run docs` writes it, this test compares it with them. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { FORMATS, OUTPUT_OPTIONS, type OutputRow } from "../../core/tables/formats.ts";
import { SHOWN_FORMATS, shownRow } from "./shown-formats.ts";

const FILE = "../../../docs/formats.md";
const START =
  "<!-- Printed from src/core/tables/formats.ts and src/model/words/shown-formats.ts by `npm run docs`. -->";
const END = "<!-- Printed until here. -->";

const code = (text: string) => `\`${text}\``;

function tableRow(row: OutputRow): string {
  const options = OUTPUT_OPTIONS.filter(({ name, pageOnly }) => row.options.includes(name) && pageOnly !== true);
  const isPageOnly = shownRow(row.name)?.pageOnly === true;
  const cells = [
    code(row.name) + (isPageOnly ? " (page only)" : ""),
    row.endings.map((ending) => code(`.${ending}`)).join(", "),
    row.single === true ? "one" : "all that are chosen",
    row.compressed === true ? "always gzip" : "",
    row.about,
    options.map(({ name }) => code(`--${name}`)).join(" "),
  ];
  return `| ${cells.join(" | ")} |`;
}

function table(): string {
  return [
    "| `--format` | file names | profiles in one file | compressed | about | options |",
    "|---|---|---|---|---|---|",
    ...[...FORMATS, ...SHOWN_FORMATS].map(tableRow),
  ].join("\n");
}

it("docs/formats.md has the table of the rows", async () => {
  const text = readFileSync(new URL(FILE, import.meta.url), "utf8");
  const [before = "", rest = ""] = text.split(START);
  const [, after = ""] = rest.split(END);
  expect(after).not.toBe("");
  await expect(`${before}${START}\n\n${table()}\n\n${END}${after}`).toMatchFileSnapshot(FILE);
});
