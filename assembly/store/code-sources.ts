/**
 * Where classes are from, as recordings and dumps state it: modules of packages (`java.base@17.0.15`), and archives of
 * functions (`lib/shop-1.2.jar`).
 *
 *   source   | function or 0 | package or 0 | text | 0 |      the first row of a function counts
 */
import { KeyTable, ownKeyTable } from "../memory/key-table";
import { onReset } from "../memory/resets";
import { ownRowTable, RowTable } from "../memory/row-table";

const WORDS: u32 = 4;
const FEWEST: u32 = 64;
export const codeSources: RowTable = ownRowTable(WORDS, FEWEST);
const FUNCTION: u32 = 0;
const PACKAGE: u32 = 1;
const TEXT: u32 = 2;

/** Texts by function, of the rows before `indexed`. */
const texts: KeyTable = ownKeyTable(64);
let indexed: u32 = 1;

onReset((): void => {
  indexed = 1;
});

export function noteSource(fn: u32, text: u32): void {
  note(fn, 0, text);
}

/** `home`: slashed, as a recording has it. */
export function notePackage(home: u32, text: u32): void {
  note(0, home, text);
}

function note(fn: u32, home: u32, text: u32): void {
  codeSources.put(FUNCTION, fn);
  codeSources.put(PACKAGE, home);
  codeSources.put(TEXT, text);
  codeSources.intern();
}

/** The text of a function, 0 if it has none. */
export function textOfFunction(fn: u32): u32 {
  for (; indexed < codeSources.count; indexed++) {
    const key = <u64>codeSources.get(indexed, FUNCTION);
    if (key !== 0 && texts.find(key) === 0) texts.add(key, codeSources.get(indexed, TEXT));
  }
  return texts.find(<u64>fn);
}

/** Rows from 1 on. */
export function sourceCount(): u32 {
  return codeSources.count;
}

/** The rows, with row 0. */
export function sourceRows(): usize {
  return codeSources.row(0);
}

/** What is read next is of another process, whose classes are from elsewhere. */
export function forgetSources(): void {
  codeSources.drop();
  codeSources.create(WORDS, FEWEST);
  texts.clear();
  indexed = 1;
}
