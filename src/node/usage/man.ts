/** The man page, in roff's man macros (man-pages(7)), made from the table. */
import { COMMANDS, VIEW } from "./commands.ts";
import { ENVIRONMENT } from "./environment.ts";
import { EXIT_CODES } from "./exit-codes.ts";
import { aboutOf, termOf, usageOf } from "./help.ts";
import type { CommandRow, OptionGroup } from "./rows.ts";

/** A text in roff: its escape character, and characters that begin a request at the start of a line. */
function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("…", "...")
    .replace(/^([.'])/gm, "\\&$1");
}

const bold = (text: string) => `.B ${roff(text)}`;

function item(term: string, about: string): string[] {
  return [".TP", bold(term), roff(about)];
}

function groupLines({ title, options }: OptionGroup): string[] {
  const shown = options.filter(({ hidden }) => hidden !== true);
  return [".PP", `.I ${roff(title)}`, ...shown.flatMap((option) => item(termOf(option), `${aboutOf(option)}.`))];
}

function commandLines(name: string, row: CommandRow): string[] {
  return [
    `.SS ${roff(usageOf(name, row))}`,
    `${roff(row.about)}.`,
    ...row.groups.filter(({ title }) => title !== "General" || name === "").flatMap(groupLines),
    ...(row.notes ?? []).flatMap((note) =>
      typeof note === "string"
        ? [".PP", roff(note)]
        : [".PP", `.I ${roff(note.title)}`, ...note.items.flatMap(([term, about]) => item(term, `${about}.`))],
    ),
  ];
}

export function manPage(version: string): string {
  const rows: [string, CommandRow][] = [["", VIEW], ...Object.entries(COMMANDS)];
  return [
    '.\\" Printed from src/node/usage/commands.ts by `npm run docs`.',
    `.TH SPANFLAME 1 "" "spanflame ${version}" "User Commands"`,
    ".SH NAME",
    "spanflame \\- flame graphs and OTLP profiles of one span, from JFR recordings",
    ".SH SYNOPSIS",
    ...rows.flatMap(([name, row], i) => [...(i === 0 ? [] : [".br"]), bold(usageOf(name, row))]),
    ".SH EXAMPLES",
    ...rows.flatMap(([, row]) => row.examples.flatMap(({ args, about }) => item(`spanflame ${args}`, `${about}.`))),
    ".SH COMMANDS",
    ...rows.flatMap(([name, row]) => commandLines(name, row)),
    ".SH EXIT STATUS",
    ...EXIT_CODES.flatMap(([code, about]) => item(code, `${about}.`)),
    ".SH ENVIRONMENT",
    ...ENVIRONMENT.flatMap(({ name, about }) => item(name, `${about}.`)),
    "",
  ].join("\n");
}
