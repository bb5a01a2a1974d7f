/**
 * Where the classes of functions are from, as recordings and dumps state it: a module of Java (`java.base@17.0.15`), or
 * an archive (`lib/shop-1.2.jar`).
 *
 *   source   | function | text |      the first row of a function counts
 */
import { ownRowTable, RowTable } from "../memory/row-table";

export const codeSources: RowTable = ownRowTable(2, 64);
export const SOURCE_FUNCTION: u32 = 0;
export const SOURCE_TEXT: u32 = 1;

export function noteSource(fn: u32, text: u32): void {
  codeSources.put(SOURCE_FUNCTION, fn);
  codeSources.put(SOURCE_TEXT, text);
  codeSources.intern();
}

/** Rows from 1 on. */
export function sourceCount(): u32 {
  return codeSources.count;
}

/** The text of a row. */
export function sourceText(row: u32): u32 {
  return codeSources.get(row, SOURCE_TEXT);
}
