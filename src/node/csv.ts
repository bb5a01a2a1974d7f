/** CSV by RFC 4180, for answers of commands. */
import { visible } from "../model/words/text.ts";
import { printText } from "./terminal.ts";

/** Texts keep no control character, and spreadsheets take none for a formula. */
export function csvCell(content: string, isText: boolean): string {
  const safe = visible(content, Number.POSITIVE_INFINITY);
  const text = isText ? safe.replace(/^[=+\-@]/, "'$&") : safe;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function printCsvLine(cells: readonly string[]): void {
  printText(`${cells.join(",")}\r\n`);
}

/** The members of records under their names: lists and objects as JSON, null as an empty cell. */
export function printCsvRecords(names: readonly string[], records: Iterable<object>): void {
  printCsvLine(names.map((name) => csvCell(name, true)));
  for (const record of records) {
    const members = new Map<string, unknown>(Object.entries(record));
    printCsvLine(names.map((name) => cellOf(members.get(name) ?? "")));
  }
}

function cellOf(value: unknown): string {
  return csvCell(typeof value === "object" ? JSON.stringify(value) : String(value), typeof value === "string");
}
