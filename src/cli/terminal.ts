/** What people read goes to standard error; standard output is for answers. */
import type { Diagnostic } from "../core/types.ts";
import { visible, visibleJson } from "../model/text.ts";
import { OutputError, writeAll } from "./write-all.ts";

const encoder = new TextEncoder();

/**
 * One line of a message, on standard error. Every line of a terminal passes here or through `print`: line breaks, control
 * and invisible characters in it are from outside (names, paths, arguments, answers of receivers), and come out as \u000a.
 */
export function say(line: string): void {
  try {
    writeAll(2, encoder.encode(`${visible(line, Number.POSITIVE_INFINITY)}\n`), "standard error");
  } catch {
    // There is no other place to report this.
  }
}

/** The reader of an answer closed the pipe, as `head` does: it has seen enough, and there is nothing more to do. */
export class ReaderLeft extends Error {}

function answer(text: string): void {
  try {
    writeAll(1, encoder.encode(`${text}\n`), "standard output");
  } catch (error) {
    if (error instanceof OutputError && error.code === "EPIPE") throw new ReaderLeft();
    throw error;
  }
}

/** One line of an answer, on standard output. */
export function print(line: string): void {
  answer(visible(line, Number.POSITIVE_INFINITY));
}

/** An answer as JSON; 64-bit numbers become decimal strings, unseen characters escapes of the same value. */
export function printJson(value: unknown): void {
  const text = JSON.stringify(value, (_, v) => (typeof v === "bigint" ? v.toString() : v), 1);
  answer(visibleJson(text));
}

/** Everything that was wrong with the inputs. */
export function sayDiagnostics(diagnostics: readonly Diagnostic[]): void {
  for (const { severity, file, message } of diagnostics) {
    if (severity !== "info") say(`spanflame: ${severity}: ${file}: ${message}`);
  }
}
