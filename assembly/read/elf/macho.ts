/**
 * The headers of a Mach-O file (Apple's <mach-o/loader.h>): segments, the sections that names and lines need, UUID.
 * Little endian, 32 and 64 bits. The reader knows DWARF sections by the names of ELF.
 *
 *   header    magic u32 · processor u32, u32 · type u32 · commands u32 · their bytes u32 · flags u32 · [u32, 64 bits]
 *   command   number u32 · bytes u32, with these · …
 *   segment   name 16 · address · size · offset · size in the file · u32 · protection u32 · sections u32 · flags u32
 *   section   name 16 · segment 16 · address · size · offset u32 · u32 · u32 · u32 · flags u32 · …
 */

import * as ElfImage from "../../abi/elf-image";
import * as Section from "../../abi/elf-section";
import * as Fault from "../../abi/faults/image-fault";
import { Buffer, newBuffer } from "../../memory/buffer";
import { fault, imageRow, keepExtents, streamOf } from "./image";
import { left, over, position, readU8, readU32, seek, sizeOf, skip, word } from "./pages";
import { putGo, putNamed, putPart } from "./sections";

const TYPE_OBJECT: u32 = 1;
const TYPE_CORE: u32 = 4;
const HEADER: u64 = 28;
const LEAST_COMMAND: u64 = 8;
const LC_SEGMENT: u32 = 1;
const LC_SYMTAB: u32 = 2;
const LC_SEGMENT_64: u32 = 0x19;
const LC_UUID: u32 = 0x1b;
const UUID: u32 = 16;
const NAME: u32 = 16;
const WRITABLE: u32 = 2;
const EXECUTABLE: u32 = 4;
/** S_ATTR_PURE_INSTRUCTIONS and S_ATTR_SOME_INSTRUCTIONS. */
const INSTRUCTIONS: u32 = 0x8000_0400;
/** `__TE` and `XT`, `__DW` and `AR`, as little-endian words. */
const SEGMENT_START_TEXT: u32 = 0x45545f5f;
const SEGMENT_START_DWARF: u32 = 0x57445f5f;
/** Bytes in a row of the symbol table. */
const SYMBOL_64: u32 = 16;
const SYMBOL_32: u32 = 12;

/** Reads the headers of an image that begins as a Mach-O file; to be repeated while pages are missing. */
export function readMachO(image: u32, is64: bool): void {
  const row = imageRow(image);
  const file = streamOf(image, Section.File);
  const size = sizeOf(file);
  store<u32>(row, is64 ? 8 : 4, ElfImage.WORD);
  const loads = newBuffer(ElfImage.LOAD_BYTES * 8);
  const extents = newBuffer(16 * 32);
  // Sections count from 1.
  extents.u64(0);
  extents.u64(0);
  seek(file, 12, size);
  const type = readU32();
  store<u32>(row, type, ElfImage.TYPE);
  if (type === TYPE_OBJECT) fault(row, Fault.NotLinked);
  if (type === TYPE_CORE) fault(row, Fault.CoreDump);
  const count = readU32();
  if (count === 0) fault(row, Fault.Empty);
  const bytes = <u64>readU32();
  let at = HEADER + (is64 ? 4 : 0);
  const end = bytes < size - at ? at + bytes : size;
  for (let i: u32 = 0; i < count; i++) {
    seek(file, at, end);
    const command = readU32();
    const length = <u64>readU32();
    if (over || length < LEAST_COMMAND || length > end - at) {
      fault(row, Fault.Sections);
      break;
    }
    seek(file, at + LEAST_COMMAND, at + length);
    if (command === (is64 ? LC_SEGMENT_64 : LC_SEGMENT)) readSegment(image, is64, loads, extents);
    else if (command === LC_SYMTAB) readSymbolTable(image, is64);
    else if (command === LC_UUID && left() >= UUID && load<u32>(row, ElfImage.ID_SIZE) === 0) {
      for (let k: u32 = 0; k < UUID; k++) store<u8>(row + ElfImage.ID + <usize>k, <u8>readU8());
      store<u32>(row, UUID, ElfImage.ID_SIZE);
    }
    at += length;
  }
  store<u32>(row, loads.size / ElfImage.LOAD_BYTES, ElfImage.LOADS);
  store<u32>(row, <u32>loads.at, ElfImage.LOAD_ROWS);
  keepExtents(image, extents);
}

function readSegment(image: u32, is64: bool, loads: Buffer, extents: Buffer): void {
  const row = imageRow(image);
  const file = streamOf(image, Section.File);
  const wide: u32 = is64 ? 8 : 4;
  const start = readU32();
  skip(NAME - 4);
  const address = word(wide);
  const bytes = word(wide);
  const place = word(wide);
  const stored = word(wide);
  skip(4);
  const protection = readU32();
  const sections = readU32();
  skip(4);
  const isDebug = start === SEGMENT_START_DWARF;
  // A debug file has the code's segment without its bytes, so only its address counts.
  if (start === SEGMENT_START_TEXT) store<u64>(row, address, ElfImage.BASE);
  if (!isDebug && protection !== 0) {
    loads.u64(address);
    loads.u64(bytes);
    loads.u64(((protection & EXECUTABLE) !== 0 ? 1 : 0) | (protection & WRITABLE));
    loads.u64(place);
    loads.u64(stored);
  }
  const each: u64 = is64 ? 80 : 68;
  const end = position() + left();
  for (let i: u32 = 0; i < sections; i++) {
    if (left() < each) {
      fault(row, Fault.Sections);
      return;
    }
    const here = position();
    const next = here + each;
    skip(2 * NAME);
    const at = word(wide);
    const length = word(wide);
    const offset = readU32();
    skip(12);
    const flags = readU32();
    extents.u64((flags & INSTRUCTIONS) !== 0 ? 1 : 0);
    extents.u64(at + length);
    // A debug file has the sections of code without their bytes.
    if (isDebug) putNamed(image, here, offset, length);
    else if (offset !== 0) putGo(image, here, at, offset, length);
    seek(file, next, end);
  }
}

function readSymbolTable(image: u32, is64: bool): void {
  const at = readU32();
  const count = readU32();
  const namesAt = readU32();
  const namesSize = readU32();
  const each = is64 ? SYMBOL_64 : SYMBOL_32;
  if (over || count === 0) return;
  putPart(image, Section.Symtab, at, <u64>count * each, each);
  putPart(image, Section.Strtab, namesAt, namesSize, 0);
}
