/** Types of the table of commands: a command, its groups of options, and the values that they parse to. */

/** An option, under its long name without dashes. */
export interface OptionRow {
  name: string;
  /** Its letter. */
  short?: string;
  /** Names that it had in the version before: accepted, with a note. */
  former?: readonly string[];
  /** The word for its value in the help. An option without is a flag. */
  value?: string;
  /** Can be given several times. */
  many?: true;
  /** All values that it accepts; the command refuses others. */
  choices?: readonly string[];
  /** Some of the values that it accepts, for completion. */
  known?: readonly string[];
  /** Its value is a path: of inputs, unless it is a folder. */
  path?: "file" | "folder";
  /** Its value is a file that is written. */
  isOutput?: true;
  /** A phrase without a full stop. */
  about: string;
  /** Accepted but not listed. */
  hidden?: true;
}

/** Options under one heading of the help. */
export interface OptionGroup {
  title: string;
  options: readonly OptionRow[];
}

export interface Example {
  /** After `spanflame`. */
  args: string;
  about: string;
}

export interface NoteList {
  title: string;
  items: readonly (readonly [term: string, about: string])[];
}

export interface CommandRow {
  /** A sentence that begins with a verb, without a full stop. */
  about: string;
  /** The word for its operands in the help, and how many it takes. */
  operands: {
    value: string;
    count: "none" | "one" | "two" | "some" | "any";
    /** Where it is given, none is needed. */
    orOption?: string;
    /** A second one of another kind, which may be left out. */
    second?: string;
    choices?: readonly string[];
    path?: "file";
  };
  examples: readonly Example[];
  groups: readonly OptionGroup[];
  /** Paragraphs and lists after the options. */
  notes?: readonly (string | NoteList)[];
}

type ValueOf<Row> = Row extends { value: string } ? (Row extends { many: true } ? string[] : string) : boolean;

/** Values of the options of groups, by long name. */
export type Values<Groups extends readonly OptionGroup[]> = {
  [Row in Groups[number]["options"][number] as Row["name"]]?: ValueOf<Row> | undefined;
};

/** The option that a command line names by `--name`, `-n` or a former name. */
export function rowOf(rows: readonly OptionRow[], flag: string): OptionRow | undefined {
  const own = rows.find(({ name, short }) => flag === `--${name}` || flag === `-${short}`);
  return own ?? rows.find(({ former }) => former?.some((name) => flag === `--${name}`));
}

/** The options of a command, in the order of its help. */
export function optionsOf({ groups }: Pick<CommandRow, "groups">): readonly OptionRow[] {
  return groups.flatMap(({ options }) => options);
}
