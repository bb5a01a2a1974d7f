/** Runs the command line: picks the command, turns its outcome into an exit code. */
import { existsSync } from "node:fs";
import { VERSION } from "../core/version.ts";
import { OptionError } from "../model/query/filters.ts";
import { shellWords } from "../model/query/written/command-line.ts";
import { USUAL_TOKENS } from "../model/words/answer-markdown.ts";
import { countOf, withHolders } from "../node/arguments.ts";
import { ExitCode, UsageError } from "../node/exit.ts";
import { inputsOf } from "../node/inputs.ts";
import { refuseInputs } from "../node/same-file.ts";
import { settle } from "../node/settle.ts";
import {
  answerAsMarkdown,
  note,
  print,
  printFailure,
  progress,
  ReaderLeft,
  say,
  setQuiet,
  startTerminal,
} from "../node/terminal.ts";
import { type CallOf, COMMANDS, type CommandName, VIEW } from "../node/usage/commands.ts";
import { helpOf } from "../node/usage/help.ts";
import { JSON_OPTION } from "../node/usage/options.ts";
import { parse } from "../node/usage/parser.ts";
import { type CommandRow, optionsOf } from "../node/usage/rows.ts";
import { didYouMean, notOneOf } from "../node/usage/suggest.ts";

type Run<Name extends CommandName> = (call: CallOf<Name>) => Promise<ExitCode> | ExitCode;

/** The function of each command, loaded when it is needed. */
const RUN: { [Name in CommandName]: () => Promise<Run<Name>> } = {
  info: async () => (await import("./ask/info.ts")).info,
  spans: async () => (await import("./ask/spans.ts")).spans,
  trace: async () => (await import("./ask/trace.ts")).trace,
  calls: async () => (await import("./calls/calls.ts")).calls,
  pauses: async () => (await import("./calls/pauses.ts")).pauses,
  dictionary: async () => (await import("./calls/dictionary.ts")).dictionary,
  top: async () => (await import("./ask/top.ts")).top,
  waits: async () => (await import("./ask/waits.ts")).waits,
  events: async () => (await import("./ask/events.ts")).events,
  why: async () => (await import("./ask/why.ts")).why,
  diff: async () => (await import("./diff/diff.ts")).diff,
  gate: async () => (await import("./diff/diff.ts")).gate,
  convert: async () => (await import("./convert/convert.ts")).convert,
  export: async () => (await import("../fleet/export.ts")).exportRecordings,
  compact: async () => (await import("../fleet/compact.ts")).compact,
  remove: async () => (await import("../fleet/remove.ts")).remove,
  verify: async () => (await import("../fleet/compact.ts")).verify,
  record: async () => {
    const [{ record }, { serve }] = await Promise.all([import("./record/record.ts"), import("./serve/serve.ts")]);
    return (call) => record(call, serve);
  },
  push: async () => (await import("./push/push.ts")).push,
  receive: async () => (await import("./receive/receive.ts")).receive,
  query: async () => (await import("../fleet/query.ts")).query,
  open: async () => {
    const [{ open }, { serve }] = await Promise.all([import("../fleet/open-data-set.ts"), import("./serve/serve.ts")]);
    return (call) => open(call, serve);
  },
  symbols: async () => (await import("./symbols/symbols.ts")).symbols,
  symbolize: async () => (await import("./symbols/symbolize.ts")).symbolize,
  validate: async () => (await import("./validate.ts")).validate,
  guide: async () => (await import("./guide.ts")).guide,
  schemas: async () => (await import("./guide.ts")).schemas,
  completion: async () => (await import("./completion.ts")).completion,
  help: async () => (await import("./help.ts")).help,
};

/** Options that may come before the command. */
const BEFORE = new Set(["-q", "--quiet"]);

function commandIn(args: readonly string[]): { name: CommandName | ""; rest: string[] } {
  const at = args.findIndex((arg) => !BEFORE.has(arg));
  const first = args[at] ?? "";
  if (!Object.hasOwn(COMMANDS, first)) return { name: "", rest: [...args] };
  return { name: first as CommandName, rest: [...args.slice(0, at), ...args.slice(at + 1)] };
}

/** A first word like `inof` is more likely a command than a file that does not exist. */
function refuseMistypedCommand(args: readonly string[]): void {
  const word = args.find((arg) => !BEFORE.has(arg)) ?? "";
  if (!/^\w[\w-]*$/.test(word) || existsSync(word)) return;
  const like = didYouMean(word, Object.keys(COMMANDS));
  throw new UsageError(
    `${JSON.stringify(word)} is no command and no file${like || "; spanflame help lists the commands"}`,
  );
}

async function run(args: readonly string[]): Promise<ExitCode> {
  const { name, rest } = commandIn(args);
  const row: CommandRow = name === "" ? VIEW : COMMANDS[name];
  if (name === "") refuseMistypedCommand(rest);
  const { inputs, values, notes = [] } = parse(name, row, rest);
  const { help, version, quiet } = values as { help?: boolean; version?: boolean; quiet?: boolean };
  if (help === true || version === true) {
    const text = help === true ? helpOf(name, row, process.stdout.columns) : VERSION;
    for (const line of text.split("\n")) print(line);
    return ExitCode.Done;
  }
  setQuiet(quiet === true);
  for (const line of notes) note(`spanflame: ${line}`);
  checkOperands(name, row, inputs, values);
  // The files of a data set are those that it lists (same-file.ts).
  const read = row.operands.value === "DIR" ? [] : inputs;
  refuseInputs(row, () => inputsOf(read).map(({ path }) => path), values);
  const call = { inputs, values: { ...withHolders(values), ...forAssistant(row, args, values) } } as never;
  if (name === "") return (await import("./serve/serve.ts")).serve(call);
  return (await RUN[name]())(call);
}

/** With --markdown, the object of --json is the answer; a comparison is one for a pull request without --max-tokens. */
function forAssistant(
  row: CommandRow,
  args: readonly string[],
  { markdown, json, "max-tokens": most }: { markdown?: boolean; json?: boolean; "max-tokens"?: string },
): { json?: true; markdown?: false } {
  if (most !== undefined && markdown !== true) throw new UsageError("--max-tokens needs --markdown");
  const isComment = row.operands.count === "two" && most === undefined;
  if (markdown !== true || isComment) return {};
  if (json === true) throw new UsageError("--json and --markdown exclude each other");
  const maxTokens = countOf("--max-tokens", most, USUAL_TOKENS);
  if (maxTokens < LEAST_TOKENS) throw new UsageError(`--max-tokens: at least ${LEAST_TOKENS}`);
  const others = args.filter((arg, i) => !/^--(markdown|max-tokens)/.test(arg) && args[i - 1] !== "--max-tokens");
  answerAsMarkdown({
    call: `spanflame ${shellWords(args)}`,
    more: `spanflame ${shellWords([...others, "--json"])}`,
    maxTokens,
  });
  return { json: true, markdown: false };
}

/** The words around an answer. */
const LEAST_TOKENS = 300;

/** Reports an error. */
function ended(error: unknown): ExitCode {
  if (error instanceof ReaderLeft) return ExitCode.Done;
  if (error instanceof OptionError) {
    say(`spanflame: ${error.message}`);
    return ExitCode.Usage;
  }
  if (error instanceof WebAssembly.RuntimeError) {
    say(`spanflame: the decoder stopped on this input (${error.message}); none of it was kept`);
    return ExitCode.Failed;
  }
  say(`spanflame: ${error instanceof Error ? error.message : String(error)}`);
  return ExitCode.Failed;
}

/** Whether the answer of the command is JSON. Arguments with an error are not parsed. */
function asksJson(args: readonly string[]): boolean {
  const { name } = commandIn(args);
  const row: CommandRow = name === "" ? VIEW : COMMANDS[name];
  return (
    ["--json", "--markdown"].some((flag) => args.includes(flag)) &&
    optionsOf(row).some(({ about }) => about === JSON_OPTION.about)
  );
}

export async function main(args: readonly string[]): Promise<ExitCode> {
  startTerminal();
  try {
    const exit = await run(args).catch(ended);
    if (exit !== ExitCode.Done && asksJson(args)) printFailure(exit);
    return exit;
  } catch (error) {
    return ended(error);
  } finally {
    progress.clear();
    settle();
  }
}

/** Checks how many operands a command is given, and which. Throws UsageError. */
function checkOperands(name: string, row: CommandRow, inputs: readonly string[], values: object): void {
  const { count, value, choices, path, orOption } = row.operands;
  const [first, second] = inputs;
  const isNeeded = count !== "any" && count !== "none" && count !== "two" && !Object.hasOwn(values, orOption ?? "");
  if (first === undefined && isNeeded) {
    const example = (row.examples[0]?.args ?? name).replace(/ [<>].*/, "");
    const wanted = choices === undefined ? value : `one of ${choices.join(", ")}`;
    throw new UsageError(`${name} needs ${path === "file" ? "a file" : wanted}: spanflame ${example}`);
  }
  if (count === "one" && second !== undefined) {
    throw new UsageError(`${name} takes one ${path ?? value}; ${JSON.stringify(second)} is one too many`);
  }
  if (count === "two" && inputs.length !== 2) {
    throw new UsageError(`${name} needs two recordings or folders: spanflame ${row.examples[0]?.args ?? name}`);
  }
  if (choices !== undefined && first !== undefined && !choices.includes(first)) {
    throw new UsageError(notOneOf(name, first, choices));
  }
  if (inputs.filter((input) => input === "-").length > 1) throw new UsageError("- can be given once");
}
