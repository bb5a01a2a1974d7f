/** The help of a command: a sentence, examples, and the options by group. */
import { Help } from "commander";
import { COMMANDS, VIEW } from "./commands.ts";
import type { CommandRow, Example, OptionRow } from "./rows.ts";

const NARROWEST = 60;
const WIDEST = 110;

/** A help page for lines of `columns` characters. `name` is that of the command, "" for the viewer and the commands. */
export function helpOf(name: string, row: CommandRow, columns = WIDEST): string {
  const helper = new Help();
  helper.prepareContext({ helpWidth: Math.min(WIDEST, Math.max(NARROWEST, columns)) });
  const lists: [title: string, items: [term: string, about: string][]][] = [
    ["Examples:", row.examples.map(exampleItem)],
    ...(name === "" ? [["Commands:", commandItems()] as [string, [string, string][]]] : []),
    ...row.groups.map(({ title, options }): [string, [string, string][]] => {
      const shown = options.filter(({ hidden }) => hidden !== true);
      return [`${title}:`, shown.map((option) => [termOf(option), aboutOf(option)])];
    }),
  ];
  const [examples, ...rest] = lists.map(([title, items]) => {
    const width = Math.max(...items.map(([term]) => term.length));
    return helper.formatItemList(
      title,
      items.map(([term, about]) => helper.formatItem(term, width, about, helper)),
      helper,
    );
  });
  const wrapped = (text: string) => (text.includes("\n  ") ? text : helper.boxWrap(text, helper.helpWidth ?? WIDEST));
  const parts = [
    [wrapped(`${row.about}.`), ""],
    examples ?? [],
    [`Usage: ${usageOf(name, row)}`, ""],
    ...rest,
    ...(row.notes ?? []).map((note) => [wrapped(note), ""]),
    ...(name === "" ? [[wrapped("spanflame help COMMAND lists the options of a command. docs/cli.md has more.")]] : []),
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

function exampleItem({ args, about }: Example): [string, string] {
  return [`spanflame ${args}`, about];
}

function commandItems(): [string, string][] {
  return Object.entries(COMMANDS).map(([name, { about }]) => [name, about]);
}

/** `-o, --output OUT`. */
export function termOf({ name, short, value }: OptionRow): string {
  return [short === undefined ? "" : `-${short},`, `--${name}`, value].filter(Boolean).join(" ");
}

/** With the values that it accepts. */
export function aboutOf({ about, choices, many, last }: OptionRow): string {
  const values = choices === undefined ? "" : `: ${choices.join(", ")}`;
  return `${about}${values}${many === true && last !== true ? " (several times)" : ""}`;
}

/** The page of a command or, without a name, that of the viewer and all commands. Null: there is no such command. */
export function helpPage(name: string | undefined, columns?: number): string | null {
  if (name === undefined) return helpOf("", VIEW, columns);
  if (!Object.hasOwn(COMMANDS, name)) return null;
  return helpOf(name, COMMANDS[name as keyof typeof COMMANDS], columns);
}
