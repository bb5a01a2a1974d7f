/** Parsing by the table: values by their long names, and one line for each mistake. */
import { describe, expect, it } from "vitest";
import { COMMANDS, VIEW } from "./commands.ts";
import { GUIDE } from "./guide.ts";
import { helpOf } from "./help.ts";
import { parse } from "./parser.ts";
import { type CommandRow, optionsOf } from "./rows.ts";

const ROWS: [name: string, row: CommandRow][] = [["", VIEW], ...Object.entries(COMMANDS)];

describe("parse", () => {
  const read = (...args: string[]) => parse("convert", COMMANDS.convert, args);

  it("returns values under the long names of their options", () => {
    const { inputs, values } = read("a.jfr", "-o", "x.pb", "--no-span", "--split-bytes=5", "-q", "--", "-b.jfr");
    expect(inputs).toEqual(["a.jfr", "-b.jfr"]);
    expect(values).toEqual({ output: "x.pb", "no-span": true, "split-bytes": "5", quiet: true });
  });

  it("keeps a filter by span beside the flag whose name begins with no-", () => {
    expect(read("--span", "5", "--no-span", "--span", "6").values).toEqual({ span: ["5", "6"], "no-span": true });
  });

  it("collects options that can be given several times; of others the last counts", () => {
    const { values } = read("--resource", "a=1", "--resource=b=2", "--preset", "otel", "--preset", "default");
    expect(values).toEqual({ resource: ["a=1", "b=2"], preset: "default" });
    const { notes } = read("--preset", "otel", "--preset", "default", "--since", "1", "--since", "2");
    expect(notes).toEqual([
      "--preset is given twice; the last one counts",
      "--since is given twice; the last one counts",
    ]);
  });

  it("takes former names, with a note for each", () => {
    expect(read("--from", "1", "--to=2", "--from", "3")).toEqual({
      inputs: [],
      values: { since: "3", until: "2" },
      notes: ["--from is now --since", "--to is now --until", "--from is given twice; the last one counts"],
    });
    expect(() => read("--from")).toThrow("--from: a value is missing: --from TIME");
  });

  it("takes - as a file, and a value that begins with a dash", () => {
    expect(read("-", "-o-", "--frame", "-x|y")).toEqual({ inputs: ["-"], values: { output: "-", frame: ["-x|y"] } });
  });

  it.each([
    [["--xml"], "unknown option --xml; spanflame help convert lists the options"],
    [["--pretti"], "unknown option --pretti; did you mean --pretty?"],
    [["-pretty"], "unknown option -pretty; did you mean --pretty?"],
    [["-v"], "unknown option -v; did you mean -V (--version)?"],
    [["-x"], "unknown option -x; spanflame help convert lists the options"],
    [["--pretty=yes"], '--pretty: takes no value, but is given "yes"'],
    [["a.jfr", "-o"], "-o: a value is missing: -o OUT"],
    [["-o", "--pretty"], "-o: a value is missing before --pretty; a value that is like an option is --output=--pretty"],
  ])("refuses %j in one line", (args, message) => {
    expect(() => read(...args)).toThrow(message);
  });

  it("reads help and version also beside mistakes", () => {
    expect(read("--frobnicate", "--help").values).toMatchObject({ help: true });
    expect(read("-V", "x", "--nothing").values).toMatchObject({ version: true });
  });
});

describe("the table", () => {
  it.each(ROWS)("has no option twice in %j, and a phrase for each", (_, row) => {
    const options = optionsOf(row);
    const flags = options.flatMap(({ name, short }) => (short === undefined ? [name] : [name, short]));
    expect(new Set(flags).size).toBe(flags.length);
    for (const { about } of options) expect(about).toMatch(/^[A-Za-z].*[^.]$/);
  });

  const examples = [...ROWS.flatMap(([, row]) => row.examples), ...GUIDE.flatMap(({ questions }) => questions)];
  it.each(examples.map(({ args }) => args))("has an example that parses: %s", (text) => {
    const words = text.replace(/ [<>].*$/, "").split(" ");
    const name = words[0]! in COMMANDS ? words[0]! : "";
    const row: CommandRow = name === "" ? VIEW : COMMANDS[name as keyof typeof COMMANDS];
    const { inputs, values, notes } = parse(name, row, name === "" ? words : words.slice(1));
    const { count, orOption = "" } = row.operands;
    if (!["none", "any"].includes(count) && !(orOption in values)) expect(inputs).not.toEqual([]);
    expect(notes).toBeUndefined();
  });

  it.each(ROWS)(
    "has help of at most 80 columns for %j, and on a terminal of 60 nothing longer but commands",
    (name, row) => {
      const longer = (columns: number, most: number) =>
        helpOf(name, row, columns)
          .split("\n")
          .filter((line) => line.length > most);
      expect(longer(200, 80)).toEqual([]);
      expect(longer(60, 60).filter((line) => !/^( {2}|Usage: )spanflame /.test(line))).toEqual([]);
    },
  );
});
