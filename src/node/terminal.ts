/** Terminal output: messages go to standard error, answers to standard output. */
import { isMainThread } from "node:worker_threads";
import { FirstOfKind } from "../core/reading/first-of-kind.ts";
import type { Diagnostic } from "../core/types.ts";
import { answerMarkdown, type MarkdownCall } from "../model/words/answer-markdown.ts";
import { formatCount, formatCounted } from "../model/words/format.ts";
import { cut, visible, visibleLines } from "../model/words/text.ts";
import { ProgressLine } from "./progress.ts";
import { OutputError, writeAll } from "./write-all.ts";

const encoder = new TextEncoder();
const USUAL_COLUMNS = 80;

/**
 * One line of a message, on standard error. Every line of output passes through this function or `print`: line breaks,
 * control and invisible characters in it are from outside (names, paths, arguments, answers of receivers), and are
 * printed as \u000a.
 */
export function say(line: string): void {
  progress.clear();
  said.push(line.replace(/^spanflame: /, ""));
  if (said.length > MOST_SAID) said.shift();
  toStandardError(`${visible(line, Number.POSITIVE_INFINITY)}\n`);
}

/** The latest messages. */
const said: string[] = [];
const MOST_SAID = 100;

function toStandardError(text: string): void {
  try {
    writeAll(2, encoder.encode(text), "standard error");
  } catch {
    // There is no other place to report this.
  }
}

let isQuiet = false;

/** The progress line of this process. */
export const progress = new ProgressLine({
  now: () => performance.now(),
  columns: () => {
    const isDrawable = !isQuiet && process.stderr.isTTY && process.env.TERM !== "dumb";
    return isDrawable ? process.stderr.columns || USUAL_COLUMNS : null;
  },
  write: toStandardError,
});

/** Of `--quiet`. */
export function setQuiet(quiet: boolean): void {
  isQuiet = quiet;
}

/** A line of a successful command: totals, or messages that were sent. */
export function note(line: string): void {
  if (!isQuiet) say(line);
}

const noted = new Set<string>();

/** A line that several parts of a command may have to say. Threads say nothing. */
export function noteOnce(line: string): void {
  if (!isMainThread || noted.has(line)) return;
  noted.add(line);
  note(line);
}

const asked = new Set<string>();

/** A warning about a subject, which is looked for once. Threads say nothing. */
export function sayOnce(subject: string, find: () => string | null): void {
  if (!isMainThread || asked.has(subject)) return;
  asked.add(subject);
  const line = find();
  if (line !== null) say(line);
}

/** The reader of an answer closed the pipe, as `head` does: it has seen enough, and there is nothing more to do. */
export class ReaderLeft extends Error {}

let hasAnswered = false;

/** Forgets what earlier commands of the process printed. */
export function startTerminal(): void {
  said.length = 0;
  noted.clear();
  hasAnswered = false;
  isQuiet = false;
  markdown = null;
}

let markdown: MarkdownCall | null = null;

/** Answers are printed as Markdown, where --json would print an object. */
export function answerAsMarkdown(call: MarkdownCall): void {
  markdown = call;
}

function answer(text: string, end = "\n"): void {
  progress.clear();
  hasAnswered = true;
  try {
    writeAll(1, encoder.encode(text + end), "standard output");
  } catch (error) {
    if (error instanceof OutputError && error.isClosed) throw new ReaderLeft();
    throw error;
  }
}

/** One line of an answer, on standard output. */
export function print(line: string): void {
  answer(visible(line, Number.POSITIVE_INFINITY));
}

/** Characters of a line of the terminal that the answer goes to; infinite for pipes and files. */
export function answerWidth(): number {
  return process.stdout.isTTY ? process.stdout.columns || USUAL_COLUMNS : Number.POSITIVE_INFINITY;
}

/** Text of a file on standard output, as it is: CSV, collapsed stacks. */
export function printText(text: string): void {
  answer(text, "");
}

/** Characters of a name in a row: a name may have a million. --json has all of them. */
const NAME_CAP = 1000;

/** Whether a person reads the answer. Scripts read the lines of a pipe, which have neither heads nor estimates. */
export function isForPeople(): boolean {
  return process.stdout.isTTY === true;
}

type TableRow = readonly [...numbers: string[], name: string];

/**
 * Rows of an answer: columns of numbers, as wide as their widest text and aligned to the right, and a name at the end.
 * Only a terminal gets the head.
 */
export function printTable(body: readonly TableRow[], head?: TableRow): void {
  const widths: number[] = [];
  const rows = head !== undefined && body.length > 0 && isForPeople() ? [head, ...body] : body;
  for (const row of rows) {
    for (const [i, text] of row.slice(0, -1).entries()) widths[i] = Math.max(widths[i] ?? 0, text.length);
  }
  for (const row of rows) {
    const numbers = row.slice(0, -1).map((text, i) => text.padStart(widths[i] ?? 0));
    print([...numbers, cut(row.at(-1) ?? "", NAME_CAP)].join("  "));
  }
}

/** Version of the shapes that docs/schema/ describes. */
const SCHEMA = 1;

/**
 * An answer as JSON (docs/json.md); 64-bit numbers become decimal strings, unseen characters escapes of the same value.
 */
export function printJson(value: object): void {
  if (markdown === null) answer(jsonText({ schema: SCHEMA, ...value }));
  else answer(visibleLines(answerMarkdown(value, markdown)));
}

/** With --json, a command that could not answer prints its messages. */
export function printFailure(exit: number): void {
  if (!hasAnswered) printJson({ exit, messages: said });
}

/** Rows that `printLongJson` makes a text of at a time. */
const ROWS_AT_A_TIME = 1000;

/** Prints an answer as JSON whose list `rows` under the name `key` may be longer than a text can be. */
export function printLongJson<Key extends string>(
  value: Readonly<Record<Key, readonly object[]>> & object,
  key: Key,
): void {
  if (markdown !== null) {
    printJson(value);
    return;
  }
  const rows = value[key];
  const [before = "", after = ""] = jsonText({ schema: SCHEMA, ...value, [key]: [] }).split(`\n "${key}": []`);
  answer(`${before}\n "${key}": [`, "");
  for (let from = 0; from < rows.length; from += ROWS_AT_A_TIME) {
    const part = jsonText(rows.slice(from, from + ROWS_AT_A_TIME)).slice(1, -2);
    answer(from === 0 ? part : `,${part}`, "");
  }
  answer(`${rows.length === 0 ? "" : "\n"}]${after}`);
}

function jsonText(value: object): string {
  return visibleLines(JSON.stringify(value, (_, v) => (typeof v === "bigint" ? v.toString() : v), 1));
}

/** Lines of one kind of diagnostic, and rows of one list, that a terminal gets: --json has more. */
const SHOWN = { perFile: 20, overall: 200 };
const MOST_ROWS = 100;

/** The name of an input for people. */
export function inputName(name: string): string {
  return name === "-" ? "standard input" : name;
}

/** Errors and warnings, the first of each kind. Answers report a reached limit for the profile that they use. */
export function sayDiagnostics(diagnostics: readonly Diagnostic[]): void {
  const shown = new FirstOfKind(SHOWN);
  for (const diagnostic of diagnostics) {
    const { code, severity, file, message } = diagnostic;
    if (severity === "info" || code === "jfr.event.throttled" || !shown.takes(diagnostic)) continue;
    say(`spanflame: ${severity}: ${inputName(file)}: ${message}`);
  }
  for (const { code, severity, count } of shown.leftOut()) {
    say(`spanflame: ${severity}: … and ${formatCount(count)} more of ${code}; info --json lists more of them`);
  }
}

/** The first rows of a list of an answer, each by `show`, and how many more there are. */
export function printFirst<T>(rows: readonly T[], noun: string, show: (row: T) => void): void {
  for (const row of rows.slice(0, MOST_ROWS)) show(row);
  const more = rows.length - MOST_ROWS;
  if (more > 0) print(`  … and ${formatCounted(more, `more ${noun}`)}; --json lists all`);
}
