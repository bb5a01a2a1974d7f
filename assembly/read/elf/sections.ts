/** Sections by their names, as streams: those that names and lines need (gABI, "Compressed sections"). */

import * as ElfImage from "../../abi/elf-image";
import * as Section from "../../abi/elf-section";
import * as Damage from "../../abi/faults/section-fault";
import * as Packing from "../../abi/section-packing";
import { alloc } from "../../memory/arena";
import { isText } from "../../memory/ascii";
import { onReset } from "../../memory/resets";
import { damage, hasSection, imageRow, sectionRow, streamOf } from "./image";
import { keep, missed, openStream, readU8, readU32, seek, sizeOf, skip, word } from "./pages";

const LONGEST_NAME: u32 = 24;
const MACH_O_NAME: u64 = 16;
const DOT: u8 = 0x2e;
const SPLIT_ENDING: u32 = 4;
/** Larger side sections are read page by page, and their pages released. */
const LARGEST_KEPT: u64 = 32 << 20;
/** Unpacked bytes that a section may have in any case, and for each packed byte: real ones have up to 20. */
const FREE_EXPANSION: u64 = 16 << 20;
const MOST_EXPANSION: u64 = 40;

/** Name of the current section. */
let name: usize = 0;
let nameSize: u32 = 0;

onReset((): void => {
  name = alloc(LONGEST_NAME);
  nameSize = 0;
});

/** The next section has no name. */
export function clearName(): void {
  nameSize = 0;
}

/** Reads the name of a section. */
export function readName(file: u32, at: u64, end: u64): void {
  nameSize = 0;
  seek(file, at, end);
  while (nameSize < LONGEST_NAME) {
    const c = readU8();
    if (c === 0) return;
    store<u8>(name + <usize>nameSize, <u8>c);
    nameSize++;
  }
}

/** Of Mach-O: the table of a Go program, and where its code begins. */
export function putGo(image: u32, at: u64, address: u64, offset: u64, size: u64): void {
  readName(streamOf(image, Section.File), at, at + MACH_O_NAME);
  if (isNamed("__text")) store<u64>(imageRow(image), address, ElfImage.TEXT_ADDRESS);
  if (isNamed("__gopclntab")) putPart(image, Section.Gopclntab, offset, size, 0);
}

/** Makes a part of the file a section; `entry`: bytes in a row of a table. */
export function putPart(image: u32, section: i32, offset: u64, size: u64, entry: u32): void {
  if (hasSection(image, section)) return;
  putSection(image, section, offset, size, false, true);
  store<u32>(sectionRow(image, section), entry, ElfImage.SECTION_ENTRY);
}

/** The same of the section whose name in Mach-O is at `at`: `__debug_info`. */
export function putNamed(image: u32, at: u64, offset: u64, size: u64): void {
  readName(streamOf(image, Section.File), at + 1, at + MACH_O_NAME);
  store<u8>(name, DOT);
  const known = knownName();
  if (known !== 0) putPart(image, known, offset, size, 0);
}

/** The section with the current name, 0 if no part of the reader needs it. `.zdebug_…` is `.debug_…`. */
export function knownName(): i32 {
  if (isNamed(".gnu_debugdata")) return Section.GnuDebugdata;
  if (isNamed(".gopclntab")) return Section.Gopclntab;
  if (isNamed(".gnu_debuglink")) return Section.GnuDebuglink;
  if (isNamed(".gnu_debugaltlink")) return Section.GnuDebugaltlink;
  let from: u32 = 0;
  if (starts(".debug_")) from = 7;
  else if (starts(".zdebug_")) from = 8;
  else return 0;
  const p = name + <usize>from;
  const n = nameSize - from - (isSplitName() ? SPLIT_ENDING : 0);
  if (isText(p, n, "info")) return Section.DebugInfo;
  if (isText(p, n, "abbrev")) return Section.DebugAbbrev;
  if (isText(p, n, "str")) return Section.DebugStr;
  if (isText(p, n, "line_str")) return Section.DebugLineStr;
  // Names of Mach-O end after 16 bytes.
  if (isText(p, n, "str_offsets") || isText(p, n, "str_offs")) return Section.DebugStrOffsets;
  if (isText(p, n, "addr")) return Section.DebugAddr;
  if (isText(p, n, "ranges")) return Section.DebugRanges;
  if (isText(p, n, "rnglists")) return Section.DebugRnglists;
  if (isText(p, n, "aranges")) return Section.DebugAranges;
  if (isText(p, n, "line")) return Section.DebugLine;
  if (isText(p, n, "cu_index")) return Section.DebugCuIndex;
  return isText(p, n, "sup") ? Section.DebugSup : 0;
}

/** Whether the section has what was split off: `.debug_info.dwo`. */
export function isSplitName(): bool {
  return nameSize > SPLIT_ENDING && isText(name + <usize>(nameSize - SPLIT_ENDING), SPLIT_ENDING, ".dwo");
}

/** Whether the section has this name. */
export function isNamed(text: string): bool {
  return isText(name, nameSize, text);
}

function starts(text: string): bool {
  const n = <u32>text.length;
  return nameSize > n && isText(name, n, text);
}

/** Makes a part of the file, which has the name that was read last, a stream. */
export function putSection(image: u32, section: i32, offset: u64, stated: u64, isPacked: bool, is64: bool): void {
  const file = streamOf(image, Section.File);
  const size = sizeOf(file);
  const row = sectionRow(image, section);
  store<u64>(row, offset, ElfImage.SECTION_OFFSET);
  if (offset >= size || stated > size - offset) {
    damage(image, section, Damage.Outside);
    if (offset >= size) return;
  }
  let bytes = stated < size - offset ? stated : size - offset;
  const start = offset;
  let unpacked = bytes;
  let packing: u32 = Packing.Plain;
  let head: u32 = 0;
  if (isPacked) {
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
  if (packing !== Packing.Plain && packing !== Packing.UnknownPacking && unpacked === 0)
    damage(image, section, Damage.Empty);
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
