/** Prints the tables of docs/parquet/layout.md from the schema: `npm run docs` writes them, this test compares them. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ALL_TABLES, type Column, type Table } from "../parquet/schema.ts";

const DOCUMENT = new URL("../../../docs/parquet/layout.md", import.meta.url);
const START = /(<!-- Printed from [^\n]* -->\n)[\s\S]*(<!-- Printed until here. -->)/;

const TYPES: Record<Column["type"], string> = {
  text: "BYTE_ARRAY (UTF-8)",
  int32: "INT32",
  int64: "INT64",
  timestamp: "INT64 (TIMESTAMP, microseconds, UTC)",
  bytes16: "FIXED_LEN_BYTE_ARRAY(16)",
  "list<int32>": "LIST of INT32",
  "list<text>": "LIST of BYTE_ARRAY (UTF-8)",
  "map<text,text>": "MAP of BYTE_ARRAY (UTF-8)",
};

function row({ name, type, nullable, bloom, about }: Column): string {
  const notes = [nullable === true ? "may be null" : "", bloom === true ? "bloom filter" : ""];
  const kind = [TYPES[type], ...notes.filter((note) => note !== "")].join(", ");
  return `| \`${name}\` | ${kind} | ${about} |`;
}

function section({ name, about, sort, columns }: Table): string {
  const head = ["| column | Parquet type | meaning |", "|---|---|---|"];
  return [`### ${name}`, "", `${about} Sorted by ${sort}.`, "", ...head, ...columns.map(row), ""].join("\n");
}

it("docs/parquet/layout.md has the tables of the schema", async () => {
  const document = readFileSync(DOCUMENT, "utf8");
  const tables = ALL_TABLES.map(section);
  const printed = document.replace(START, (_, start: string, end: string) => `${start}\n${tables.join("\n")}\n${end}`);
  await expect(printed).toMatchFileSnapshot(DOCUMENT.pathname);
});
