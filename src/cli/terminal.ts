/** What people read goes to standard error; standard output is for answers. */
import type { Core } from "../core/core.ts";

/** Control characters of a recording's names must not reach the terminal. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}

export function say(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}

/** One line of an answer. */
export function print(line: string): void {
  process.stdout.write(`${printable(line)}\n`);
}

/** An answer as JSON; 64-bit numbers become decimal strings. */
export function printJson(value: unknown): void {
  const text = JSON.stringify(value, (_, v) => (typeof v === "bigint" ? v.toString() : v), 1);
  process.stdout.write(`${text}\n`);
}

/** Everything that was wrong with the inputs. */
export function sayDiagnostics(core: Core): void {
  for (const { severity, file, message } of core.diagnostics()) {
    if (severity !== "info") say(`spanflame: ${severity}: ${file}: ${message}`);
  }
}
