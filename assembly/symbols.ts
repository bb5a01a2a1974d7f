/**
 * The functions of the module that reads symbols, apart from the core: ELF files and their DWARF, for addresses. No
 * logic here but the order of its steps. Pointers are unsigned 32-bit, sizes in bytes.
 */
import * as Status from "./abi/faults/symbol-status";
import { seedHashes } from "./memory/hash";
import { resetAll } from "./memory/resets";
import { beginLineTables, beginResolving, beginSplitUnit, stepResolving } from "./read/dwarf/resolve";
import { beginSplitFile } from "./read/dwarf/split";
import { faultPlaces, faults } from "./read/dwarf/unit";
import { readHeaders } from "./read/elf/headers";
import { newImage, renewImage } from "./read/elf/image";
import { clearMissed, clearNeeds, missed, needCount } from "./read/elf/pages";
import { beginSymbols, beginTable, endSymbols, lookups, readTable } from "./read/elf/symbols";
import { freeOrder, readTexts, textsAreRead } from "./read/elf/texts";

export { arenaBytes, exhausted, setMemoryLimit } from "./memory/arena";
export { qualifierRows } from "./read/dwarf/containers";
export { splitCount, splitRows } from "./read/dwarf/split";
export { scopeRows } from "./read/dwarf/tree";
export { imageRow } from "./read/elf/image";
export { cutStream, needCount, needRows } from "./read/elf/pages";
export { lookupCount, newLookups } from "./read/elf/symbols";
export { textBytes, textCount, textRows } from "./read/elf/texts";

const NOTHING: u32 = 0;
const HEADERS: u32 = 1;
const SYMBOLS: u32 = 2;
const RESOLVING: u32 = 3;
const TEXTS: u32 = 4;

let task: u32 = NOTHING;
let image: u32 = 0;

/** An empty module: every pointer handed out before is void. `seed` keys the hashes. */
export function reset(seed: u64): void {
  seedHashes(seed);
  resetAll();
  task = NOTHING;
}

/** Opens a file of `size` bytes: `advance` reads its headers. Returns its number, 8 if there is no room for it. */
export function openImage(size: f64): u32 {
  image = newImage(<u64>size);
  task = HEADERS;
  return image;
}

/** Opens another file with an image's number, whose texts are all copied. */
export function reopenImage(number: u32, size: f64): void {
  image = number;
  renewImage(number, <u64>size);
  task = HEADERS;
}

/** Rows of the addresses. */
export function lookupRows(): usize {
  return lookups;
}

/** The addresses are written. */
export function beginLookups(): void {
  beginSymbols();
}

/** `advance` reads a symbol table: section Symtab or Dynsym of an image. */
export function beginSymbolTable(ofImage: u32, section: u32): void {
  beginTable(ofImage, section);
  task = SYMBOLS;
}

/**
 * `advance` reads the DWARF of an image, up to the lines if parts of units were split off (`splitCount`).
 * `itsSupplement`: an image that dwz made, or NO_IMAGE.
 */
export function beginDwarf(ofImage: u32, itsSupplement: u32): void {
  beginResolving(ofImage, itsSupplement);
  task = RESOLVING;
}

/** `ofImage` has a file with split units, which is looked through for one, or for several. */
export function beginSplits(ofImage: u32): void {
  beginSplitFile(ofImage);
}

/** `advance` reads the functions of a row of `splitRows`. */
export function beginSplit(split: u32, ofImage: u32): void {
  beginSplitUnit(split, ofImage);
  task = RESOLVING;
}

/** `advance` reads the lines after the split units. */
export function beginLines(): void {
  beginLineTables();
  task = RESOLVING;
}

/** `advance` reads the texts of all answers. */
export function beginTexts(): void {
  endSymbols();
  freeOrder();
  task = TEXTS;
}

/** Reads on, until the task is done or pages are missing. */
export function advance(): u32 {
  clearNeeds();
  while (true) {
    clearMissed();
    const isDone = step();
    if (needCount() > 0) return Status.Needs;
    if (isDone && !missed) return Status.Done;
  }
}

function step(): bool {
  switch (task) {
    case HEADERS:
      readHeaders(image);
      return true;
    case SYMBOLS:
      return readTable();
    case RESOLVING:
      return stepResolving();
    case TEXTS:
      readTexts();
      return textsAreRead();
    default:
      return true;
  }
}

/** Findings about DWARF: bits of abi/faults/dwarf-fault.ts. */
export function dwarfFaults(): u32 {
  return faults;
}

/** Their places: rows of abi/dwarf-place.ts. */
export function dwarfPlaces(): usize {
  return faultPlaces;
}
