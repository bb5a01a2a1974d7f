/**
 * Lines of addresses: the program of a line table (DWARF 5, section 6.2). A row holds from its address up to that of
 * the next row of its sequence. Sequences of code that the linker dropped are passed.
 */

import * as Section from "../../abi/elf-section";
import * as Found from "../../abi/faults/dwarf-fault";
import * as LookupRow from "../../abi/rows/lookup-row";
import { streamOf } from "../elf/image";
import * as pages from "../elf/pages";
import { addressAt, firstFrom, lookupAt, lookupCount } from "../elf/symbols";
import { fileBase, fileFolder, fileName, readFile, readOldFile, readTables } from "./files";
import { unitAt } from "./places";
import { isKept } from "./ranges";
import { found, image } from "./unit";

const LONG: u32 = 0xffff_ffff;
const COPY: u32 = 1;
const ADVANCE_PC: u32 = 2;
const ADVANCE_LINE: u32 = 3;
const SET_FILE: u32 = 4;
const SET_COLUMN: u32 = 5;
const CONST_ADD_PC: u32 = 8;
const FIXED_ADVANCE_PC: u32 = 9;
const END_SEQUENCE: u32 = 1;
const SET_ADDRESS: u32 = 2;
const DEFINE_FILE: u32 = 3;
const MOST_OPCODES: u32 = 256;
/** Bytes of programs that are run, in sizes of .debug_line: units of a damaged file may share a long program. */
const MOST_RUN: u64 = 3;
const FREE_RUN: u64 = 1 << 20;

/** Numbers of arguments of the standard opcodes. */
const operands: usize = memory.data(MOST_OPCODES);

/** Offset after the program. */
export let programEnd: u64 = 0;
let fuel: u64 = 0;
let unit: u32 = 0;

let minimum: u64 = 1;
let mostOps: u64 = 1;
let lineBase: i32 = 0;
let lineRange: u32 = 1;
let opcodeBase: u32 = 1;

/** The state machine, and the row before. */
let address: u64 = 0;
let opIndex: u64 = 0;
let file: u32 = 1;
let line: u32 = 1;
let column: u32 = 0;
let rowAddress: u64 = 0;
let rowFile: u32 = 0;
let rowLine: u32 = 0;
let rowColumn: u32 = 0;
/** 0 before the first row of a sequence, 1 in a sequence, 2 in one that is passed. */
let stage: u32 = 0;
/** The first address that is not below `rowAddress`. */
let nextLookup: u32 = 0;

export function allowLines(): void {
  fuel = pages.sizeOf(streamOf(image, Section.DebugLine)) * MOST_RUN + FREE_RUN;
}

/**
 * Runs the program at `offset` for the addresses of a unit; of unit 0 are those without one. To be repeated while pages
 * are missing. Returns false if it cannot be read; `programEnd` is then where the next one starts, or the end.
 */
export function readProgram(offset: u64, unitRow: u32, wordSize: u32): bool {
  const stream = streamOf(image, Section.DebugLine);
  const size = pages.sizeOf(stream);
  programEnd = size;
  unit = unitRow;
  pages.seek(stream, offset, size);
  let length: u64 = pages.readU32();
  let offsetSize: u32 = 4;
  if (length === LONG) {
    length = pages.readU64();
    offsetSize = 8;
  }
  const start = pages.position();
  if (pages.missed) return false;
  if (pages.over || length > size - start) return broken(offset);
  programEnd = start + length;
  if (!pages.ensure(stream, start, length)) return false;
  if (length > fuel) {
    found(Found.Fuel, Section.DebugLine, offset);
    return false;
  }
  fuel -= length;
  pages.seek(stream, start, programEnd);
  const version = pages.readU16();
  if (version < 2 || version > 5) {
    found(Found.Version, Section.DebugLine, offset);
    return false;
  }
  let addressSize = wordSize;
  if (version >= 5) {
    addressSize = pages.readU8();
    pages.readU8();
  }
  const headerLength = pages.word(offsetSize);
  const code = pages.position() + headerLength;
  if (pages.over || headerLength > programEnd - pages.position()) return broken(offset);
  minimum = pages.readU8();
  mostOps = version >= 4 ? pages.readU8() : 1;
  if (mostOps === 0) mostOps = 1;
  pages.readU8();
  lineBase = <i32>(<i8>pages.readU8());
  lineRange = pages.readU8();
  opcodeBase = pages.readU8();
  for (let i: u32 = 1; i < opcodeBase; i++) store<u8>(operands + i, <u8>pages.readU8());
  if (pages.over || lineRange === 0 || opcodeBase === 0) return broken(offset);
  readTables(version, programEnd, addressSize, offsetSize);
  pages.seek(stream, code, programEnd);
  run(addressSize);
  if (pages.over) broken(offset);
  return true;
}

function broken(offset: u64): bool {
  found(Found.Lines, Section.DebugLine, offset);
  return false;
}

function startSequence(): void {
  address = 0;
  opIndex = 0;
  file = 1;
  line = 1;
  column = 0;
  stage = 0;
}

function run(addressSize: u32): void {
  startSequence();
  while (!pages.ended() && !pages.over) {
    const opcode = pages.readU8();
    if (opcode >= opcodeBase) {
      const adjusted = opcode - opcodeBase;
      advance(adjusted / lineRange);
      line += lineBase + (adjusted % lineRange);
      emit();
    } else if (opcode === 0) extended(addressSize);
    else standard(opcode);
  }
}

function advance(operations: u64): void {
  if (mostOps === 1) {
    address += minimum * operations;
    return;
  }
  address += minimum * ((opIndex + operations) / mostOps);
  opIndex = (opIndex + operations) % mostOps;
}

function standard(opcode: u32): void {
  switch (opcode) {
    case COPY:
      emit();
      return;
    case ADVANCE_PC:
      advance(pages.uleb());
      return;
    case ADVANCE_LINE:
      line += <u32>pages.sleb();
      return;
    case SET_FILE:
      file = <u32>pages.uleb();
      return;
    case SET_COLUMN:
      column = <u32>pages.uleb();
      return;
    case CONST_ADD_PC:
      advance((255 - opcodeBase) / lineRange);
      return;
    case FIXED_ADVANCE_PC:
      address += pages.readU16();
      opIndex = 0;
      return;
    default:
      for (let i: u32 = load<u8>(operands + opcode); i > 0; i--) pages.uleb();
  }
}

function extended(addressSize: u32): void {
  const length = pages.uleb();
  const start = pages.position();
  if (length === 0) return;
  const opcode = pages.readU8();
  if (opcode === END_SEQUENCE) {
    settle(address);
    startSequence();
  } else if (opcode === SET_ADDRESS) {
    const bytes = <u32>(length - 1);
    address = pages.word(bytes <= 8 ? bytes : addressSize);
    opIndex = 0;
  } else if (opcode === DEFINE_FILE) readOldFile();
  // What this reader does not know has its length, too.
  const passed = pages.position() - start;
  if (passed < length) pages.skip(length - passed);
}

/** A row at the current address. */
function emit(): void {
  if (stage === 2) return;
  if (stage === 0) {
    if (!isKept(address)) {
      stage = 2;
      return;
    }
    stage = 1;
    nextLookup = firstFrom(address);
  } else settle(address);
  rowAddress = address;
  rowFile = file;
  rowLine = line;
  rowColumn = column;
}

/** Gives the row before to the addresses from its own up to `end`. */
function settle(end: u64): void {
  if (stage !== 1) return;
  if (end < rowAddress) {
    nextLookup = firstFrom(end);
    return;
  }
  for (; nextLookup < lookupCount && addressAt(nextLookup) < end; nextLookup++) {
    const row = lookupAt(nextLookup);
    if (unitAt(nextLookup) !== unit || load<u32>(row, LookupRow.HAS_LINE) !== 0) continue;
    store<u32>(row, 1, LookupRow.HAS_LINE);
    store<u32>(row, rowLine, LookupRow.LINE);
    store<u32>(row, rowColumn, LookupRow.COLUMN);
    store<u32>(row, rowFile, LookupRow.FILE);
    // Its number for now: the program may add files.
    store<u32>(row, PENDING, LookupRow.BASE);
  }
}

/** The file of a row is still a number. */
const PENDING: u32 = 0xffff_ffff;

/** Turns the numbers of files that this program gave to addresses into texts. */
export function settleFiles(): void {
  for (let i: u32 = 0; i < lookupCount; i++) {
    const row = lookupAt(i);
    if (load<u32>(row, LookupRow.BASE) !== PENDING) continue;
    readFile(load<u32>(row, LookupRow.FILE));
    store<u32>(row, fileBase, LookupRow.BASE);
    store<u32>(row, fileFolder, LookupRow.FOLDER);
    store<u32>(row, fileName, LookupRow.FILE);
  }
}
