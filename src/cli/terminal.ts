/** What people read goes to standard error; standard output is for answers. */
import type { Core } from "../core/core.ts";
import { visible, visibleJson } from "../model/text.ts";

/**
 * One line of a message, on standard error. Every line of a terminal passes here or through `print`: line breaks, control
 * and invisible characters in it are from outside (names, paths, arguments, answers of receivers), and come out as \u000a.
 */
export function say(line: string): void {
  process.stderr.write(`${visible(line, Number.POSITIVE_INFINITY)}\n`);
}

/** One line of an answer, on standard output. */
export function print(line: string): void {
  process.stdout.write(`${visible(line, Number.POSITIVE_INFINITY)}\n`);
}

/** An answer as JSON; 64-bit numbers become decimal strings, unseen characters escapes of the same value. */
export function printJson(value: unknown): void {
  const text = JSON.stringify(value, (_, v) => (typeof v === "bigint" ? v.toString() : v), 1);
  process.stdout.write(`${visibleJson(text)}\n`);
}

/** Everything that was wrong with the inputs. */
export function sayDiagnostics(core: Core): void {
  for (const { severity, file, message } of core.diagnostics()) {
    if (severity !== "info") say(`spanflame: ${severity}: ${file}: ${message}`);
  }
}
