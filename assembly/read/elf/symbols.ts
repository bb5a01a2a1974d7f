/**
 * Symbols for addresses. The tables are read once, entry by entry, and nothing of them is kept but what the addresses
 * need: for each address, the symbols with the last start at or before it, and the innermost one that encloses it.
 *
 *   addresses   a₀ < a₁ < a₂ …; a symbol starts in the gap before the first address that is not below its start
 *   gap i       the last start in it, the symbols without a size there, the last end of those with a size
 *   cover i     the symbols with the last start among those whose range has aᵢ
 *
 * A symbol without a size names what follows up to the next symbol, at most to the end of its section and of a sized
 * symbol around its start.
 */

import * as ElfImage from "../../abi/elf-image";
import * as Kind from "../../abi/elf-kind";
import * as Damage from "../../abi/faults/section-fault";
import * as LookupRow from "../../abi/rows/lookup-row";
import { alloc } from "../../memory/arena";
import { damage, imageCount, imageRow, isCodeSection, isMapped, sectionEnd, sectionRow, streamOf } from "./image";
import { clearMissed, missed, readU8, readU16, readU32, readU64, seek, sizeOf, trim, word } from "./pages";
import { sourceOf, textOf } from "./texts";

const NOTYPE: u32 = 0;
const FUNC: u32 = 2;
const IFUNC: u32 = 10;
const GLOBAL: u32 = 1;
const WEAK: u32 = 2;
const EM_ARM: u32 = 40;
/** Of Mach-O: bits of a symbol's type and flags. */
const N_STAB: u32 = 0xe0;
const N_TYPE: u32 = 0x0e;
const N_SECT: u32 = 0x0e;
const N_EXT: u32 = 1;
const N_WEAK_DEF: u32 = 0x80;
const UNDERSCORE: u32 = 0x5f;
const DOLLAR: u32 = 0x24;
/** Symbols at one start that are kept; more are aliases of aliases. */
const MOST_CANDIDATES: u32 = 8;
/** Symbols between two looks at the pages in memory. */
const ENTRIES_AT_ONCE: u64 = 1 << 16;
/** Addresses that all symbols together may cover: of symbols that enclose each other. */
const MOST_COVERS: u64 = 1 << 27;

@unmanaged
class Candidates {
  start: u64;
  count: u32;
  isThere: bool;
  rows: usize;
}

@unmanaged
class Gap {
  /** Of the last start: the symbols without a size, and the end of their section. */
  bare: Candidates;
  sectionEnd: u64;
  /** The last end of a sized symbol that starts in the gap. */
  end: u64;
  cover: Candidates;
}

export let lookups: usize = 0;
export let lookupCount: u32 = 0;
let gaps: usize = 0;
let candidateRows: usize = 0;
let table: u32 = 0;
let image: u32 = 0;
let entry: u64 = 0;
let covers: u64 = 0;

/** Room for `n` addresses, LookupRow.BYTES each, to be filled in ascending order by the host. */
export function newLookups(n: u32): usize {
  lookupCount = n;
  const size = <usize>n * LookupRow.BYTES;
  lookups = alloc(size);
  memory.fill(lookups, 0, size);
  return lookups;
}

/** To be called once the addresses are there. */
export function beginSymbols(): void {
  const size = <usize>(lookupCount + 1) * offsetof<Gap>();
  gaps = alloc(size);
  memory.fill(gaps, 0, size);
  const bytes = <usize>MOST_CANDIDATES * LookupRow.CANDIDATE_BYTES;
  candidateRows = alloc(<u64>(lookupCount + 1) * bytes * 2);
  const list = <usize>offsetof<Candidates>();
  for (let i: u32 = 0; i <= lookupCount; i++) {
    const gap = gapAt(i);
    const rows = candidateRows + <usize>i * bytes * 2;
    gap.bare = changetype<Candidates>(alloc(list));
    gap.cover = changetype<Candidates>(alloc(list));
    memory.fill(changetype<usize>(gap.bare), 0, list);
    memory.fill(changetype<usize>(gap.cover), 0, list);
    gap.bare.rows = rows;
    gap.cover.rows = rows + bytes;
  }
  covers = 0;
  for (let i: u32 = 0; i < lookupCount; i++) {
    for (let k: u32 = 0; k < imageCount; k++) {
      if (isMapped(k, addressAt(i))) store<u32>(lookupAt(i), 1, LookupRow.MAPPED);
    }
  }
}

export function lookupAt(i: u32): usize {
  return lookups + <usize>i * LookupRow.BYTES;
}

export function addressAt(i: u32): u64 {
  return load<u64>(lookupAt(i), LookupRow.ADDRESS);
}

/** Index of the first address that is not below `address`. */
export function firstFrom(address: u64): u32 {
  let low: u32 = 0;
  let high = lookupCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (addressAt(middle) < address) low = middle + 1;
    else high = middle;
  }
  return low;
}

function gapAt(i: u32): Gap {
  return changetype<Gap>(gaps + <usize>i * offsetof<Gap>());
}

/** `section`: Symtab or Dynsym of the image. */
export function beginTable(ofImage: u32, section: u32): void {
  image = ofImage;
  table = section;
  entry = 0;
}

/** Reads on in the table; to be repeated while pages are missing. True at its end. */
export function readTable(): bool {
  const stream = streamOf(image, table);
  const names = streamOf(image, table + 1);
  const isMachO = load<u32>(imageRow(image), ElfImage.KIND) === <u32>Kind.MachO;
  const is64 = load<u32>(imageRow(image), ElfImage.WORD) === 8;
  let least: u64 = is64 ? 24 : 16;
  if (isMachO) least = is64 ? 16 : 12;
  const stated = <u64>load<u32>(sectionRow(image, table), ElfImage.SECTION_ENTRY);
  const bytes = stated < least ? least : stated;
  const count = sizeOf(stream) / bytes;
  trim();
  const end = entry + ENTRIES_AT_ONCE < count ? entry + ENTRIES_AT_ONCE : count;
  for (; entry < end; entry++) {
    clearMissed();
    seek(stream, entry * bytes, sizeOf(stream));
    if (isMachO ? !readMachOEntry(names, is64) : !readEntry(names, is64)) return false;
  }
  return entry >= count;
}

/**
 * An entry of ELF (System V ABI, "Symbol Table"). False if a page is missing.
 *
 *   32 bits   name u32 · address u32 · size u32 · info u8 · u8 · section u16
 *   64 bits   name u32 · info u8 · u8 · section u16 · address u64 · size u64
 */
function readEntry(names: u32, is64: bool): bool {
  const name = readU32();
  let info: u32;
  let section: u32;
  let address: u64;
  let size: u64;
  if (is64) {
    info = readU8();
    readU8();
    section = readU16();
    address = readU64();
    size = readU64();
  } else {
    address = readU32();
    size = readU32();
    info = readU8();
    readU8();
    section = readU16();
  }
  if (missed) return false;
  const type = info & 15;
  if (section === 0 || address === 0 || name === 0) return true;
  if (type !== FUNC && type !== IFUNC && type !== NOTYPE) return true;
  if (!hasName(name, names)) return true;
  if (type === NOTYPE) {
    if (!isCodeSection(image, section)) return true;
    seek(names, name, sizeOf(names));
    const isMapping = readU8() === DOLLAR;
    if (missed) return false;
    if (isMapping) return true;
  } else if (load<u32>(imageRow(image), ElfImage.MACHINE) === EM_ARM) address &= ~(<u64>1);
  const bind = info >> 4;
  let rank: u32 = type === NOTYPE ? 4 : 0;
  if (bind === WEAK) rank += 1;
  else if (bind !== GLOBAL) rank += 2;
  addSymbol(address, size, section, sourceOf(names, name), rank);
  return true;
}

/**
 * An entry of Mach-O (Apple's <mach-o/nlist.h>): name u32 · type u8 · section u8 · flags u16 · address, which has no
 * size. False if a page is missing.
 */
function readMachOEntry(names: u32, is64: bool): bool {
  const name = readU32();
  const type = readU8();
  const section = readU8();
  const flags = readU16();
  const address = word(is64 ? 8 : 4);
  if (missed) return false;
  // Entries for debuggers, and those without a section.
  if ((type & N_STAB) !== 0 || (type & N_TYPE) !== N_SECT || !isCodeSection(image, section)) return true;
  if (!hasName(name, names)) return true;
  seek(names, name, sizeOf(names));
  const isC = readU8() === UNDERSCORE;
  if (missed) return false;
  let rank: u32 = 2;
  if ((type & N_EXT) !== 0) rank = (flags & N_WEAK_DEF) !== 0 ? 1 : 0;
  addSymbol(address, 0, section, sourceOf(names, isC ? name + 1 : name), rank);
  return true;
}

function hasName(name: u32, names: u32): bool {
  if (<u64>name < sizeOf(names)) return true;
  damage(image, table, Damage.Nameless);
  return false;
}

function addSymbol(address: u64, size: u64, section: u32, name: u64, rank: u32): void {
  let i = firstFrom(address);
  const gap = gapAt(i);
  const bare = gap.bare;
  if (!bare.isThere || address > bare.start) {
    bare.start = address;
    bare.isThere = true;
    bare.count = 0;
  }
  if (size === 0) {
    if (address !== bare.start || i === lookupCount) return;
    gap.sectionEnd = sectionEnd(image, section);
    addCandidate(bare, name, rank);
    return;
  }
  const end = size > u64.MAX_VALUE - address ? u64.MAX_VALUE : address + size;
  if (end > gap.end) gap.end = end;
  for (; i < lookupCount && addressAt(i) - address < size && covers < MOST_COVERS; i++, covers++) {
    const cover = gapAt(i).cover;
    if (!cover.isThere || address > cover.start) {
      cover.start = address;
      cover.isThere = true;
      cover.count = 0;
    }
    if (address === cover.start) addCandidate(cover, name, rank);
  }
}

/** Keeps the preferred ones. The same symbol may be in two tables. */
function addCandidate(list: Candidates, name: u64, rank: u32): void {
  let at = list.rows + <usize>list.count * LookupRow.CANDIDATE_BYTES;
  if (list.count === MOST_CANDIDATES) {
    at = list.rows;
    for (let i: u32 = 1; i < MOST_CANDIDATES; i++) {
      const row = list.rows + <usize>i * LookupRow.CANDIDATE_BYTES;
      if (load<u32>(row, LookupRow.CANDIDATE_RANK) > load<u32>(at, LookupRow.CANDIDATE_RANK)) at = row;
    }
    if (load<u32>(at, LookupRow.CANDIDATE_RANK) <= rank) return;
  } else list.count++;
  store<u64>(at, name, LookupRow.CANDIDATE_SOURCE);
  store<u32>(at, rank, LookupRow.CANDIDATE_RANK);
}

/** Settles the symbols of each address, once all tables are read. */
export function endSymbols(): void {
  let last = gapAt(0);
  let end: u64 = 0;
  for (let i: u32 = 0; i < lookupCount; i++) {
    const gap = gapAt(i);
    if (gap.bare.isThere) last = gap;
    if (gap.end > end) end = gap.end;
    const bare = last.bare;
    const cover = gap.cover;
    let chosen = cover;
    if (bare.isThere && bare.count > 0 && !(cover.isThere && cover.start === bare.start)) {
      const isInSection = last.sectionEnd === 0 || addressAt(i) < last.sectionEnd;
      // A sized symbol around the start that ends before the address ends what has no size, too.
      if (!cover.isThere && isInSection && end <= bare.start) chosen = bare;
    }
    if (!chosen.isThere) continue;
    const row = lookupAt(i);
    for (let k: u32 = 0; k < chosen.count; k++) {
      const at = chosen.rows + <usize>k * LookupRow.CANDIDATE_BYTES;
      store<u32>(at, textOf(load<u64>(at, LookupRow.CANDIDATE_SOURCE)), LookupRow.CANDIDATE_NAME);
    }
    store<u32>(row, chosen.count, LookupRow.CANDIDATES);
    store<u32>(row, <u32>chosen.rows, LookupRow.CANDIDATE_ROWS);
  }
}
