/** Tables of the documents, as they are printed from the tables of the code. */
import { FORMATS, OUTPUT_OPTIONS, type OutputRow } from "../../src/core/tables/formats.ts";
import { SHOWN_FORMATS, shownRow } from "../../src/model/words/shown-formats.ts";
import { COMMANDS } from "../../src/node/usage/commands.ts";
import { usageOf } from "../../src/node/usage/help.ts";

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

/** A row for each output format. */
export function formatsTable(): string {
  return [
    "| `--format` | file names | profiles in one file | compressed | about | options |",
    "|---|---|---|---|---|---|",
    ...[...FORMATS, ...SHOWN_FORMATS].map(tableRow),
  ].join("\n");
}

/** A row for each command. */
export function commandsTable(): string {
  const rows = Object.entries(COMMANDS).map(([name, row]) => `| \`${usageOf(name, row)}\` | ${row.about}. |`);
  return ["| command | |", "|---|---|", ...rows].join("\n");
}
