/**
 * Names that symbols give to locations known by their address, beside the rows: a location that is named has these
 * lines instead of the recorded ones, and its address in the space of the library's file. No row changes, so symbols
 * can be removed again.
 *
 *   entry   | base u64 | (function u32 | line u32 | column u32)^n |     n = 0: the file knows no name for the address
 */

import { Buffer, newBuffer } from "../memory/buffer";
import { BytesTable, newBytesTable } from "../memory/bytes-table";
import { KeyTable, newKeyTable } from "../memory/key-table";
import { onReset } from "../memory/resets";
import * as LineRow from "./rows/line-row";
import { internFunction, internString } from "./tables";

const ENTRY_BASE: usize = 0;
const ENTRY_LINES: usize = 8;

/** Entry by location; 0 until symbols are used. */
let entryOf: KeyTable = changetype<KeyTable>(0);
let entries: BytesTable = changetype<BytesTable>(0);
let draft: Buffer = changetype<Buffer>(0);
/** Whether any location has an entry. */
export let hasSymbols: bool = false;

onReset((): void => {
  entryOf = changetype<KeyTable>(0);
  hasSymbols = false;
});

/** Removes all names; the first call makes the tables. */
export function clearSymbols(): void {
  if (changetype<usize>(entryOf) === 0) {
    entries = newBytesTable(64);
    draft = newBuffer(256);
    entryOf = newKeyTable(64);
  } else if (hasSymbols) {
    hasSymbols = false;
    entryOf.free();
    entryOf.create(64);
  }
}

/** String of the text of `n` bytes at `p`, which is valid UTF-8. */
export function symbolText(p: usize, n: u32): u32 {
  return internString(p, n);
}

/** Function of a symbol; all three are strings. */
export function symbolFunction(name: u32, linkageName: u32, file: u32): u32 {
  return internFunction(name, linkageName, file, 0);
}

/** The lines of the next location follow; `base` is the address of an offset 0 in the library's file. */
export function beginSymbol(base: u64): void {
  draft.size = 0;
  draft.u64(base);
}

/** Adds a line, innermost first. */
export function symbolLine(fn: u32, line: u32, column: u32): void {
  draft.u32(fn);
  draft.u32(line);
  draft.u32(column);
}

/** Gives the lines to a location. */
export function endSymbol(location: u32): void {
  entryOf.put(<u64>location, entries.intern(draft.at, draft.size));
  hasSymbols = true;
}

/** Lines that symbols give to the location, 0 if they give none. */
export function symbolLines(location: u32): u32 {
  const entry = entryOf.find(<u64>location);
  return entry === 0 ? 0 : (entries.size(entry) - <u32>ENTRY_LINES) / <u32>LineRow.BYTES;
}

/** Pointer to the first of them; only if there are any. */
export function firstSymbolLine(location: u32): usize {
  return entries.pointer(entryOf.find(<u64>location)) + ENTRY_LINES;
}

/** The base of the location's library, 0 without symbols. */
export function symbolBase(location: u32): u64 {
  const entry = entryOf.find(<u64>location);
  return entry === 0 ? 0 : load<u64>(entries.pointer(entry), ENTRY_BASE);
}
