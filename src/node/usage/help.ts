/** The help of a command: a sentence, examples, and the options by group. */
import { Help } from "commander";
import { COMMANDS, VIEW } from "./commands.ts";
import type { CommandRow, Example, NoteList, OptionRow } from "./rows.ts";

const NARROWEST = 60;
const WIDEST = 80;
/** Beside the longest term of a list on the narrowest terminal. */
const LEAST_BESIDE = 16;
const MORE =
  "spanflame guide says which command answers which question, spanflame help COMMAND lists its options. docs/cli.md has more.";

const widthFor = (columns: number) => Math.min(WIDEST, Math.max(NARROWEST, columns));

/** A text in lines for a terminal of `columns` characters. */
export function wrapped(text: string, columns = WIDEST): string {
  return new Help().boxWrap(text, widthFor(columns));
}

/** A help page for lines of `columns` characters. `name` is that of the command, "" for the viewer and the commands. */
export function helpOf(name: string, row: CommandRow, columns = WIDEST): string {
  const wide = widthFor(columns);
  const helper = new Help();
  helper.prepareContext({ helpWidth: wide });
  helper.minWidthToWrap = LEAST_BESIDE;
  const groups = row.groups.map(({ title, options }): NoteList => {
    const shown = options.filter(({ hidden }) => hidden !== true);
    return { title, items: shown.map((option) => [termOf(option), aboutOf(option)]) };
  });
  const listed = ({ title, items }: NoteList) => {
    const width = Math.max(...items.map(([term]) => term.length));
    return helper.formatItemList(
      helper.boxWrap(`${title}:`, wide),
      items.map(([term, about]) => helper.formatItem(term, width, about, helper)),
      helper,
    );
  };
  const parts = [
    [wrapped(`${row.about}.`, wide), ""],
    ["Examples:", ...examplesFor(row.examples, wide), ""],
    [`Usage: ${usageOf(name, row)}`, ""],
    ...(name === "" ? [listed({ title: "Commands", items: commandItems() })] : []),
    ...groups.map(listed),
    ...(row.notes ?? []).map((note) => (typeof note === "string" ? [wrapped(note, wide), ""] : listed(note))),
    ...(name === "" ? [[wrapped(MORE, wide)]] : []),
  ];
  return parts.flat().join("\n").trimEnd();
}

/** `spanflame convert IN… [options]`. */
export function usageOf(name: string, { operands: { value, count, second, choices } }: CommandRow): string {
  const word = choices === undefined ? value : choices.join("|");
  const some = second === undefined ? `${word}…` : `${word} [${second}]`;
  const operand = { none: "", one: word, two: word, some, any: `[${word}…]` }[count];
  return ["spanflame", name, operand, "[options]"].filter(Boolean).join(" ");
}

/** Commands with what they do beside them, or above them where a line would be too long. */
function examplesFor(examples: readonly Example[], width: number): string[] {
  const commands = examples.map(({ args }) => `  spanflame ${args}`);
  const longest = Math.max(...commands.map(({ length }) => length));
  const fits = examples.every(({ about }) => longest + 2 + about.length <= width);
  return commands.flatMap((command, i) => {
    const { about } = examples[i]!;
    const above = new Help().boxWrap(about, width - 4).replace(/^/gm, "  # ");
    return fits ? [`${command.padEnd(longest)}  ${about}`] : [above, command];
  });
}

function commandItems(): [string, string][] {
  return Object.entries(COMMANDS).map(([name, { about }]) => [name, about]);
}

/** `-o, --output OUT`. */
export function termOf({ name, short, value }: OptionRow): string {
  return [short === undefined ? "" : `-${short},`, `--${name}`, value].filter(Boolean).join(" ");
}

/** With the values that it accepts. */
export function aboutOf({ about, choices, many }: OptionRow): string {
  const values = choices === undefined ? "" : `: ${choices.join(", ")}`;
  return `${about}${values}${many === true ? " (several times)" : ""}`;
}

/** The page of a command or, without a name, that of the viewer and all commands. Null: there is no such command. */
export function helpPage(name: string | undefined, columns?: number): string | null {
  if (name === undefined) return helpOf("", VIEW, columns);
  if (!Object.hasOwn(COMMANDS, name)) return null;
  return helpOf(name, COMMANDS[name as keyof typeof COMMANDS], columns);
}
