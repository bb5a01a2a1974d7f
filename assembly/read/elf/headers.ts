/**
 * The headers of an ELF file (System V ABI, chapters 4 and 5): class, segments, the sections that names and lines need,
 * build id. Little endian, 32 and 64 bits.
 */

import * as ElfImage from "../../abi/elf-image";
import * as Kind from "../../abi/elf-kind";
import * as Section from "../../abi/elf-section";
import * as Fault from "../../abi/faults/image-fault";
import * as Damage from "../../abi/faults/section-fault";
import { newBuffer } from "../../memory/buffer";
import { damage, fault, hasSection, imageRow, keepExtents, sectionRow, streamOf } from "./image";
import { readMachO } from "./macho";
import { left, missed, over, position, readU8, readU16, readU32, seek, sizeOf, skip, word } from "./pages";
import { clearName, isNamed, isSplitName, knownName, putSection, readName } from "./sections";

const HEADER_64: u64 = 64;
const HEADER_32: u64 = 52;
/** Segments and sections that are read; a real file has some thirty. */
const MOST_SEGMENTS: u64 = 4096;
const MOST_SECTIONS: u64 = 1 << 20;

const MACH_O: u32 = 0xfeedface;
const MACH_O_64: u32 = 0xfeedfacf;
const ET_REL: u32 = 1;
const ET_CORE: u32 = 4;
const PT_LOAD: u32 = 1;
const PT_NOTE: u32 = 4;
const SHT_SYMTAB: u32 = 2;
const SHT_NOTE: u32 = 7;
const SHT_NOBITS: u32 = 8;
const SHT_DYNSYM: u32 = 11;
const SHF_COMPRESSED: u64 = 0x800;
/** The number of segments or sections is in section 0. */
const ESCAPED_SEGMENTS: u64 = 0xffff;
const NT_GNU_BUILD_ID: u32 = 3;
const LONGEST_ID: u32 = 64;
/** Names of notes, as little-endian words. */
const GNU: u32 = 0x00554e47;
const GO: u32 = 0x00006f47;
const NT_GO_BUILD_ID: u32 = 4;
const LONGEST_GO_ID: u32 = 128;
const MOST_NOTES: u64 = 4096;

/** One section header. */
let headName: u32 = 0;
let headType: u32 = 0;
let headFlags: u64 = 0;
let headAddress: u64 = 0;
let headOffset: u64 = 0;
let headSize: u64 = 0;
let headLink: u32 = 0;
let headInfo: u32 = 0;
let headEntry: u64 = 0;

/** Reads the headers of an image; to be repeated while pages are missing. */
export function readHeaders(image: u32): void {
  const row = imageRow(image);
  memory.fill(row, 0, ElfImage.BYTES);
  const file = streamOf(image, Section.File);
  const size = sizeOf(file);
  seek(file, 0, size);
  const kind = kindOf(readU32(), readU8(), readU8());
  store<u32>(row, kind, ElfImage.KIND);
  if (missed) return;
  if (kind === <u32>Kind.MachO) {
    seek(file, 0, size);
    readMachO(image, readU32() === MACH_O_64);
  }
  if (kind !== <u32>Kind.Elf) return;
  seek(file, 4, size);
  const is64 = readU8() === 2;
  const header = is64 ? HEADER_64 : HEADER_32;
  if (size < header) {
    store<u32>(row, Kind.BadHeader, ElfImage.KIND);
    return;
  }
  const wide: u32 = is64 ? 8 : 4;
  store<u32>(row, wide, ElfImage.WORD);
  seek(file, 16, size);
  const type = readU16();
  store<u32>(row, type, ElfImage.TYPE);
  if (type === ET_REL) fault(row, Fault.NotLinked);
  if (type === ET_CORE) fault(row, Fault.CoreDump);
  store<u32>(row, readU16(), ElfImage.MACHINE);
  skip(4);
  word(wide);
  const segmentsAt = word(wide);
  const sectionsAt = word(wide);
  skip(6);
  const segmentSize = <u64>readU16();
  let segments = <u64>readU16();
  const headSizeOfSection = <u64>readU16();
  let sections = <u64>readU16();
  let names = readU16();
  if (sectionsAt !== 0 && sectionsAt < size) {
    readSectionHead(file, sectionsAt, is64);
    if (sections === 0) sections = headSize;
    if (names === 0xffff) names = headLink;
    if (segments === ESCAPED_SEGMENTS) segments = headInfo;
  }
  if (segments === 0 && sections === 0) fault(row, Fault.Empty);
  readSegments(image, segmentsAt, segments, segmentSize, is64);
  readSections(image, sectionsAt, sections, headSizeOfSection, names, is64);
}

function kindOf(magic: u32, fileClass: u32, order: u32): u32 {
  if (magic === 0x464c457f) {
    if (fileClass !== 1 && fileClass !== 2) return Kind.BadHeader;
    if (order === 2) return Kind.BigEndian;
    return order === 1 ? Kind.Elf : Kind.BadHeader;
  }
  if (magic === MACH_O || magic === MACH_O_64) return Kind.MachO;
  if (magic === bswap<u32>(MACH_O) || magic === bswap<u32>(MACH_O_64)) return Kind.BigEndian;
  // Class files of Java begin alike; their version is where the number of architectures is.
  if ((magic === 0xbebafeca || magic === 0xbfbafeca) && fileClass === 0 && order === 0) return Kind.Fat;
  return (magic & 0xffff) === 0x5a4d ? Kind.Pe : Kind.Unknown;
}

/** Entries of a table that are inside the file. */
function fitting(at: u64, count: u64, bytes: u64, size: u64, most: u64): u64 {
  if (at === 0 || bytes === 0 || at >= size) return 0;
  const there = (size - at) / bytes;
  const fits = count < there ? count : there;
  return fits < most ? fits : most;
}

/** Program headers: segments that are loaded, and notes. */
function readSegments(image: u32, at: u64, count: u64, bytes: u64, is64: bool): void {
  const row = imageRow(image);
  const file = streamOf(image, Section.File);
  const size = sizeOf(file);
  const least: u64 = is64 ? 56 : 32;
  const fits = bytes < least ? 0 : fitting(at, count, bytes, size, MOST_SEGMENTS);
  if (fits < count) fault(row, Fault.Segments);
  const loads = newBuffer(ElfImage.LOAD_BYTES * 16);
  const wide: u32 = is64 ? 8 : 4;
  let isFirst = true;
  for (let i: u64 = 0; i < fits; i++) {
    seek(file, at + i * bytes, size);
    const type = readU32();
    let flags: u64 = is64 ? readU32() : 0;
    const offset = word(wide);
    const address = word(wide);
    word(wide);
    const inFile = word(wide);
    const inMemory = word(wide);
    if (!is64) flags = readU32();
    if (type === PT_LOAD) {
      if (isFirst) store<u64>(row, address - offset, ElfImage.BASE);
      isFirst = false;
      loads.u64(address);
      loads.u64(inMemory);
      loads.u64(flags);
      loads.u64(offset);
      loads.u64(inFile);
    } else if (type === PT_NOTE) findBuildIds(row, file, offset, inFile);
  }
  store<u32>(row, loads.size / ElfImage.LOAD_BYTES, ElfImage.LOADS);
  store<u32>(row, <u32>loads.at, ElfImage.LOAD_ROWS);
}

/** note := name size u32 · descriptor size u32 · type u32 · name, padded to 4 · descriptor, padded to 4 */
function findBuildIds(row: usize, file: u32, offset: u64, size: u64): void {
  if (offset > sizeOf(file) || size > sizeOf(file) - offset) return;
  // Those of probes, which are many, are not worth their pages.
  if (load<u32>(row, ElfImage.ID_SIZE) !== 0 && size > MOST_NOTES) return;
  seek(file, offset, offset + size);
  while (left() >= 12) {
    const nameBytes = readU32();
    const bytes = readU32();
    const type = readU32();
    const start = position();
    const owner: u32 = nameBytes === 4 ? readU32() : 0;
    const described = start + ((<u64>nameBytes + 3) & ~(<u64>3));
    seek(file, described, offset + size);
    if (over) return;
    if (owner === GNU && type === NT_GNU_BUILD_ID) keepId(row + ElfImage.ID_SIZE, row + ElfImage.ID, bytes, LONGEST_ID);
    if (owner === GO && type === NT_GO_BUILD_ID)
      keepId(row + ElfImage.GO_ID_SIZE, row + ElfImage.GO_ID, bytes, LONGEST_GO_ID);
    seek(file, described, offset + size);
    skip((<u64>bytes + 3) & ~(<u64>3));
    if (over) return;
  }
}

/** Keeps the first id, whose `n` bytes are next. */
function keepId(size: usize, to: usize, n: u32, most: u32): void {
  if (load<u32>(size) !== 0 || n > most || <u64>n > left()) return;
  for (let i: u32 = 0; i < n; i++) store<u8>(to + <usize>i, <u8>readU8());
  store<u32>(size, n);
}

function readSectionHead(file: u32, at: u64, is64: bool): void {
  const wide: u32 = is64 ? 8 : 4;
  seek(file, at, sizeOf(file));
  headName = readU32();
  headType = readU32();
  headFlags = word(wide);
  headAddress = word(wide);
  headOffset = word(wide);
  headSize = word(wide);
  headLink = readU32();
  headInfo = readU32();
  word(wide);
  headEntry = word(wide);
}

function readSections(image: u32, at: u64, count: u64, bytes: u64, names: u32, is64: bool): void {
  const row = imageRow(image);
  const file = streamOf(image, Section.File);
  const size = sizeOf(file);
  const least: u64 = is64 ? 64 : 40;
  const fits = bytes < least ? 0 : fitting(at, count, bytes, size, MOST_SECTIONS);
  if (fits < count) fault(row, Fault.Sections);
  if (fits === 0) return;
  let namesAt: u64 = size;
  let namesEnd: u64 = size;
  if (<u64>names < fits) {
    readSectionHead(file, at + <u64>names * bytes, is64);
    if (headOffset <= size && headSize <= size - headOffset) {
      namesAt = headOffset;
      namesEnd = headOffset + headSize;
    } else fault(row, Fault.SectionNames);
  } else if (names !== 0 && fits === count) fault(row, Fault.SectionNames);
  const list = newBuffer((<u32>fits) << 4);
  keepExtents(image, list);
  for (let i: u64 = 0; i < fits; i++) {
    readSectionHead(file, at + i * bytes, is64);
    // SHF_EXECINSTR is bit 2.
    list.u64((headFlags >> 2) & 1);
    list.u64(headAddress + headSize);
    if (headType === SHT_NOTE) findBuildIds(row, file, headOffset, headSize);
    clearName();
    let known = 0;
    if (headType === SHT_SYMTAB) known = Section.Symtab;
    else if (headType === SHT_DYNSYM) known = Section.Dynsym;
    else if (headType !== SHT_NOBITS) {
      readName(file, namesAt + <u64>headName, namesEnd);
      known = knownName();
      if (isNamed(".text")) store<u64>(row, headAddress, ElfImage.TEXT_ADDRESS);
    }
    if (known === 0 || headType === SHT_NOBITS) continue;
    // An object file may have both; only what was split off needs no linking.
    if (isSplitName()) store<u32>(row, 1, ElfImage.IS_SPLIT);
    else if (hasSection(image, known)) continue;
    const link = headLink;
    putHead(image, known, is64);
    if (headType !== SHT_SYMTAB && headType !== SHT_DYNSYM) continue;
    store<u32>(sectionRow(image, known), <u32>headEntry, ElfImage.SECTION_ENTRY);
    if (<u64>link >= fits) {
      damage(image, known, Damage.Nameless);
      continue;
    }
    readSectionHead(file, at + <u64>link * bytes, is64);
    putHead(image, known + 1, is64);
  }
}

/** Makes the section of the current header a stream. */
function putHead(image: u32, section: i32, is64: bool): void {
  putSection(image, section, headOffset, headSize, (headFlags & SHF_COMPRESSED) !== 0, is64);
}
