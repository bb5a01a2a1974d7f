/** Parses the arguments of a command by its row; commander reads them, the messages are ours: one line each. */
import { Command, CommanderError, Option } from "commander";
import { UsageError } from "../exit.ts";
import { type Call, COMMANDS } from "./commands.ts";
import { type CommandRow, type OptionRow, optionsOf, rowOf } from "./rows.ts";
import { didYouMean } from "./suggest.ts";

/** `-o, --output <value>`, as commander reads it. */
function flagsOf({ name, short, value }: OptionRow): string {
  return `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : " <value>"}`;
}

/** Under its long name: commander would make `span` of `no-span`, and `splitBytes` of `split-bytes`. */
class TableOption extends Option {
  private readonly key: string;

  /** `onRepeat`: the option is given again, and its former value does not count. */
  constructor(row: OptionRow, onRepeat: (name: string) => void, key = row.name) {
    super(flagsOf(row), row.about);
    this.key = key;
    const last = (text: string, before?: string) => {
      if (before !== undefined && before !== text) onRepeat(row.name);
      return text;
    };
    if (row.value !== undefined) this.argParser(last);
    this.negate = false;
    if (row.many) this.argParser((text: string, before: string[] = []) => [...before, text]);
  }
  override attributeName(): string {
    return this.key;
  }
}

/** An option under each of its names; a former name that another option has now is that option's. */
function namesOf(row: OptionRow, rows: readonly OptionRow[], onRepeat: (name: string) => void): TableOption[] {
  const { short: _, former = [], ...rest } = row;
  const free = former.filter((name) => !rows.some((other) => other.name === name));
  const others = free.map((name) => new TableOption({ ...rest, name }, onRepeat, row.name));
  return [new TableOption(row, onRepeat), ...others];
}

/** The row as a command of commander. */
function commanderOf(name: string, row: CommandRow, onRepeat: (name: string) => void): Command {
  const command = new Command(name).helpOption(false).exitOverride();
  command.configureOutput({ outputError: () => {} });
  const rows = optionsOf(row);
  for (const option of rows.flatMap((each) => namesOf(each, rows, onRepeat))) command.addOption(option);
  return command;
}

/** The parsed arguments after the name of a command. `name` is that name, "" for the viewer. Throws UsageError. */
export function parse<const Row extends CommandRow>(name: string, row: Row, args: readonly string[]): Call<Row> {
  const notes = formerNames(row, args);
  const command = commanderOf(name, row, (option) => notes.push(`--${option} is given twice; the last one counts`));
  const rows = optionsOf(row);
  refuseOptionAsValue(rows, args);
  try {
    const { operands, unknown } = command.parseOptions([...args]);
    const values = command.opts() as Call<Row>["values"] & { help?: true; version?: true };
    if (values.help === true || values.version === true) return { inputs: operands, values };
    if (unknown[0] !== undefined) throw new UsageError(unknownOption(name, rows, unknown[0]));
    return { inputs: operands, values, ...(notes.length > 0 && { notes }) };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw new UsageError(`${args.at(-1)}: a value is missing${wordsOfValue(rows, args.at(-1) ?? "")}`);
  }
}

/** A line for each former name among the arguments. */
function formerNames(row: CommandRow, args: readonly string[]): string[] {
  const rows = optionsOf(row);
  const end = args.indexOf("--");
  const flags = args.slice(0, end < 0 ? args.length : end).flatMap((arg) => arg.split("=", 1));
  return [...new Set(flags)].flatMap((flag) => {
    const own = flag.startsWith("--") ? rowOf(rows, flag) : undefined;
    return own?.former?.includes(flag.slice(2)) ? [`${flag} is now --${own.name}`] : [];
  });
}

function wordsOfValue(rows: readonly OptionRow[], flag: string): string {
  const value = rowOf(rows, flag)?.value;
  return value === undefined ? "" : `: ${flag} ${value}`;
}

/** `-o --json` is a forgotten value rather than a file with that name. */
function refuseOptionAsValue(rows: readonly OptionRow[], args: readonly string[]): void {
  for (let i = 0; i < args.length && args[i] !== "--"; i++) {
    const arg = args[i]!;
    if (rowOf(rows, arg)?.value === undefined) continue;
    const next = args[++i] ?? "";
    if (rowOf(rows, next) !== undefined) {
      const long = `--${rowOf(rows, arg)!.name}`;
      throw new UsageError(
        `${arg}: a value is missing before ${next}; a value that is like an option is ${long}=${next}`,
      );
    }
  }
}

function unknownOption(name: string, rows: readonly OptionRow[], arg: string): string {
  const [flag = "", ...value] = arg.split("=");
  const known = rowOf(rows, flag);
  if (known !== undefined) return `${flag}: takes no value, but is given ${JSON.stringify(value.join("="))}`;
  const shown = rows.filter(({ hidden }) => hidden !== true);
  const letter = shown.find(({ short }) => short !== undefined && `-${short}`.toLowerCase() === flag.toLowerCase());
  if (letter !== undefined) return `unknown option ${flag}; did you mean -${letter.short} (--${letter.name})?`;
  const others = Object.entries(COMMANDS).flatMap(([other, row]) => (rowOf(optionsOf(row), flag) ? [other] : []));
  if (others.length > 0)
    return `unknown option ${flag}${name && ` of ${name}`}; it is an option of ${others.join(", ")}`;
  // A typo may have lost a dash.
  const words = shown.flatMap((option) => (flag.length > 2 ? [`--${option.name}`] : []));
  const like = didYouMean(flag.replace(/^-+/, "--"), words);
  if (like !== "") return `unknown option ${flag}${like}`;
  return `unknown option ${flag}; ${["spanflame", "help", name].filter(Boolean).join(" ")} lists the options`;
}
