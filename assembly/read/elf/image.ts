/**
 * The headers of an ELF file (System V ABI, chapters 4 and 5; gABI "Compressed sections"): class, segments, the
 * sections that names and lines need, build id. Little endian, 32 and 64 bits.
 *
 *   image   row of abi/elf-image.ts; its file and its sections are streams (pages.ts)
 */

import * as ElfImage from "../../abi/elf-image";
import * as Kind from "../../abi/elf-kind";
import * as Section from "../../abi/elf-section";
import * as Fault from "../../abi/faults/image-fault";
import * as Damage from "../../abi/faults/section-fault";
import * as Packing from "../../abi/section-packing";
import { alloc } from "../../memory/arena";
import { isText } from "../../memory/ascii";
import { Buffer, newBuffer } from "../../memory/buffer";
import { onReset } from "../../memory/resets";
import {
  keep,
  left,
  missed,
  openStream,
  over,
  position,
  readU8,
  readU16,
  readU32,
  STREAMS_PER_IMAGE,
  seek,
  sizeOf,
  skip,
  word,
} from "./pages";

const MOST_IMAGES: u32 = 8;
const HEADER_64: u64 = 64;
const HEADER_32: u64 = 52;
/** Segments and sections that are read; a real file has some thirty. */
const MOST_SEGMENTS: u64 = 4096;
const MOST_SECTIONS: u64 = 1 << 20;

const ET_REL: u32 = 1;
const ET_CORE: u32 = 4;
const PT_LOAD: u32 = 1;
const PT_NOTE: u32 = 4;
const SHT_SYMTAB: u32 = 2;
const SHT_NOTE: u32 = 7;
const SHT_NOBITS: u32 = 8;
const SHT_DYNSYM: u32 = 11;
const SHF_COMPRESSED: u64 = 0x800;
const PF_EXECUTE: u64 = 1;
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
const LONGEST_NAME: u32 = 24;
/** Larger side sections are read page by page, and their pages released. */
const LARGEST_KEPT: u64 = 32 << 20;
/** Unpacked bytes that a section may have in any case, and for each packed byte: real ones have up to 20. */
const FREE_EXPANSION: u64 = 16 << 20;
const MOST_EXPANSION: u64 = 40;

let images: usize = 0;
export let imageCount: u32 = 0;
/** Name of the current section. */
let name: usize = 0;
let nameSize: u32 = 0;

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

/** Address and end of each section, for symbols without a size: u64 each. One list for each image. */
let extents: usize = 0;

onReset((): void => {
  const bytes = <usize>MOST_IMAGES * ElfImage.BYTES;
  images = alloc(bytes);
  memory.fill(images, 0, bytes);
  imageCount = 0;
  name = alloc(LONGEST_NAME);
  extents = alloc((<usize>MOST_IMAGES) << 2);
  for (let i: u32 = 0; i < MOST_IMAGES; i++) store<u32>(extents + ((<usize>i) << 2), 0);
});

export function imageRow(image: u32): usize {
  return images + <usize>image * ElfImage.BYTES;
}

export function streamOf(image: u32, section: u32): u32 {
  return image * STREAMS_PER_IMAGE + section;
}

export function sectionRow(image: u32, section: u32): usize {
  return imageRow(image) + ElfImage.SECTIONS + <usize>section * ElfImage.SECTION_BYTES;
}

export function hasSection(image: u32, section: u32): bool {
  return load<u32>(sectionRow(image, section), ElfImage.SECTION_THERE) !== 0;
}

/** A new image over a file of `size` bytes; MOST_IMAGES when there is no room for it. */
export function newImage(size: u64): u32 {
  if (imageCount === MOST_IMAGES) return MOST_IMAGES;
  const image = imageCount++;
  openStream(streamOf(image, Section.File), size);
  return image;
}

/** Address space of a file: whether an executable segment has the address. */
export function isCode(image: u32, address: u64): bool {
  return inSegment(image, address, PF_EXECUTE);
}

export function isMapped(image: u32, address: u64): bool {
  return inSegment(image, address, 0);
}

function inSegment(image: u32, address: u64, flags: u64): bool {
  const row = imageRow(image);
  const count = load<u32>(row, ElfImage.LOADS);
  let at = <usize>load<u32>(row, ElfImage.LOAD_ROWS);
  for (let i: u32 = 0; i < count; i++, at += ElfImage.LOAD_BYTES) {
    const isIn = address - load<u64>(at, ElfImage.LOAD_ADDRESS) < load<u64>(at, ElfImage.LOAD_SIZE);
    if (isIn && (load<u64>(at, ElfImage.LOAD_FLAGS) & flags) === flags) return true;
  }
  return false;
}

/** Address after the section `index`; 0 if the image has no such section. */
export function sectionEnd(image: u32, index: u32): u64 {
  const list = changetype<Buffer>(<usize>load<u32>(extents + ((<usize>image) << 2)));
  if (changetype<usize>(list) === 0 || index >= list.size >> 4) return 0;
  return load<u64>(list.at + ((<usize>index) << 4) + sizeof<u64>());
}

/** Whether the section `index` has code. */
export function isCodeSection(image: u32, index: u32): bool {
  const list = changetype<Buffer>(<usize>load<u32>(extents + ((<usize>image) << 2)));
  if (changetype<usize>(list) === 0 || index >= list.size >> 4) return false;
  return (load<u64>(list.at + ((<usize>index) << 4)) & 1) !== 0;
}

/** Reads the headers of an image; to be repeated while pages are missing. */
export function readHeaders(image: u32): void {
  const row = imageRow(image);
  memory.fill(row, 0, ElfImage.BYTES);
  const file = streamOf(image, Section.File);
  const size = sizeOf(file);
  seek(file, 0, size);
  const kind = kindOf(readU32(), readU8(), readU8());
  store<u32>(row, kind, ElfImage.KIND);
  if (kind !== <u32>Kind.Elf || missed) return;
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
  readSegments(image, segmentsAt, segments, segmentSize, is64);
  readSections(image, sectionsAt, sections, headSizeOfSection, names, is64);
}

function kindOf(magic: u32, fileClass: u32, order: u32): u32 {
  if (magic === 0x464c457f) {
    if (fileClass !== 1 && fileClass !== 2) return Kind.BadHeader;
    if (order === 2) return Kind.BigEndian;
    return order === 1 ? Kind.Elf : Kind.BadHeader;
  }
  if (magic === 0xfeedface || magic === 0xfeedfacf || magic === 0xcefaedfe || magic === 0xcffaedfe) return Kind.MachO;
  // A universal binary. Class files of Java begin alike; their version is where the number of architectures is.
  if (magic === 0xbebafeca && fileClass === 0 && order === 0) return Kind.MachO;
  return (magic & 0xffff) === 0x5a4d ? Kind.Pe : Kind.Unknown;
}

/** Entries of a table that are inside the file. */
function fitting(at: u64, count: u64, bytes: u64, size: u64, most: u64): u64 {
  if (at === 0 || bytes === 0 || at >= size) return 0;
  const there = (size - at) / bytes;
  const fits = count < there ? count : there;
  return fits < most ? fits : most;
}

/** Notes damage of a section. */
export function damage(image: u32, section: u32, bit: u32): void {
  const row = sectionRow(image, section);
  store<u32>(row, load<u32>(row, ElfImage.SECTION_FAULTS) | bit, ElfImage.SECTION_FAULTS);
}

function fault(row: usize, bit: u32): void {
  store<u32>(row, load<u32>(row, ElfImage.FAULTS) | bit, ElfImage.FAULTS);
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
  }
  const list = newBuffer((<u32>fits) << 4);
  store<u32>(extents + ((<usize>image) << 2), <u32>changetype<usize>(list));
  for (let i: u64 = 0; i < fits; i++) {
    readSectionHead(file, at + i * bytes, is64);
    // SHF_EXECINSTR is bit 2.
    list.u64((headFlags >> 2) & 1);
    list.u64(headAddress + headSize);
    if (headType === SHT_NOTE) findBuildIds(row, file, headOffset, headSize);
    nameSize = 0;
    let known = 0;
    if (headType === SHT_SYMTAB) known = Section.Symtab;
    else if (headType === SHT_DYNSYM) known = Section.Dynsym;
    else if (headType !== SHT_NOBITS) {
      readName(file, namesAt + <u64>headName, namesEnd);
      known = knownName();
    }
    if (known === 0 || hasSection(image, known) || headType === SHT_NOBITS) continue;
    const link = headLink;
    putSection(image, known, is64);
    if (headType !== SHT_SYMTAB && headType !== SHT_DYNSYM) continue;
    store<u32>(sectionRow(image, known), <u32>headEntry, ElfImage.SECTION_ENTRY);
    if (<u64>link >= fits) {
      damage(image, known, Damage.Nameless);
      continue;
    }
    readSectionHead(file, at + <u64>link * bytes, is64);
    putSection(image, known + 1, is64);
  }
}

function readName(file: u32, at: u64, end: u64): void {
  nameSize = 0;
  seek(file, at, end);
  while (nameSize < LONGEST_NAME) {
    const c = readU8();
    if (c === 0) return;
    store<u8>(name + <usize>nameSize, <u8>c);
    nameSize++;
  }
}

/** The section with the current name, 0 if no part of the reader needs it. `.zdebug_…` is `.debug_…`. */
function knownName(): i32 {
  if (is(".gnu_debugdata")) return Section.GnuDebugdata;
  if (is(".gnu_debuglink")) return Section.GnuDebuglink;
  if (is(".gnu_debugaltlink")) return Section.GnuDebugaltlink;
  let from: u32 = 0;
  if (starts(".debug_")) from = 7;
  else if (starts(".zdebug_")) from = 8;
  else return 0;
  const p = name + <usize>from;
  const n = nameSize - from;
  if (isText(p, n, "info")) return Section.DebugInfo;
  if (isText(p, n, "abbrev")) return Section.DebugAbbrev;
  if (isText(p, n, "str")) return Section.DebugStr;
  if (isText(p, n, "line_str")) return Section.DebugLineStr;
  if (isText(p, n, "str_offsets")) return Section.DebugStrOffsets;
  if (isText(p, n, "addr")) return Section.DebugAddr;
  if (isText(p, n, "ranges")) return Section.DebugRanges;
  if (isText(p, n, "rnglists")) return Section.DebugRnglists;
  if (isText(p, n, "aranges")) return Section.DebugAranges;
  if (isText(p, n, "line")) return Section.DebugLine;
  return isText(p, n, "sup") ? Section.DebugSup : 0;
}

function is(text: string): bool {
  return isText(name, nameSize, text);
}

function starts(text: string): bool {
  const n = <u32>text.length;
  return nameSize > n && isText(name, n, text);
}

/** Makes the section of the current header a stream. */
function putSection(image: u32, section: i32, is64: bool): void {
  const file = streamOf(image, Section.File);
  const size = sizeOf(file);
  const row = sectionRow(image, section);
  store<u64>(row, headOffset, ElfImage.SECTION_OFFSET);
  if (headOffset >= size || headSize > size - headOffset) {
    damage(image, section, Damage.Outside);
    if (headOffset >= size) return;
  }
  let bytes = headSize < size - headOffset ? headSize : size - headOffset;
  const start = headOffset;
  let unpacked = bytes;
  let packing: u32 = Packing.Plain;
  let head: u32 = 0;
  if ((headFlags & SHF_COMPRESSED) !== 0) {
    seek(file, start, start + bytes);
    const type = readU32();
    if (is64) skip(4);
    unpacked = word(is64 ? 8 : 4);
    head = is64 ? 24 : 12;
    packing = Packing.UnknownPacking;
    if (type === 1) packing = Packing.Zlib;
    if (type === 2) packing = Packing.Zstd;
  } else if (nameSize > 1 && load<u8>(name, 1) === 0x7a && section !== Section.Strtab && section !== Section.Dynstr) {
    // "ZLIB", then the size as a big-endian number.
    seek(file, start, start + bytes);
    if (readU32() === 0x42494c5a) {
      unpacked = bswap<u64>(word(8));
      head = 12;
      packing = Packing.Zlib;
    } else packing = Packing.UnknownPacking;
  }
  if (packing === Packing.UnknownPacking) damage(image, section, Damage.Packing);
  if (head > 0 && bytes < <u64>head) {
    damage(image, section, Damage.Packing);
    return;
  }
  bytes -= head;
  // What a size that lies may cost.
  const most = bytes * MOST_EXPANSION + FREE_EXPANSION;
  if (packing !== Packing.Plain && unpacked > most) {
    unpacked = most;
    damage(image, section, Damage.Claim);
  }
  store<u64>(row, start + head, ElfImage.SECTION_OFFSET);
  store<u64>(row, bytes, ElfImage.SECTION_SIZE);
  store<u64>(row, unpacked, ElfImage.SECTION_UNPACKED);
  store<u32>(row, packing, ElfImage.SECTION_PACKING);
  store<u32>(row, head, ElfImage.SECTION_HEAD);
  store<u32>(row, 1, ElfImage.SECTION_THERE);
  if (missed) return;
  openStream(streamOf(image, section), packing === Packing.UnknownPacking ? 0 : unpacked);
  const isSide = section >= Section.DebugAbbrev && section <= Section.DebugRnglists;
  const isText = section === Section.DebugStr || section === Section.DebugLineStr;
  if (isSide && !isText && unpacked <= LARGEST_KEPT) keep(streamOf(image, section));
}
