/**
 * Units that were split off into other files (DWARF 5, sections 3.1.3 and 7.3; GNU's extension of DWARF 4): `.dwo`, one
 * for each unit, or a package `.dwp` of all. The linked file has the addresses and lines of a unit, the other one its
 * functions.
 *
 *   index    of a package (7.3.5.3): version u32 or u16 with padding · sections s u32 · units n u32 · slots m u32
 *            · ids m u64 · rows m u32, counted from 1 · numbers of sections s u32 · offsets n·s u32 · sizes n·s u32
 */
import * as Section from "../../abi/elf-section";
import * as CalledRow from "../../abi/rows/called-row";
import * as ElsewhereRow from "../../abi/rows/elsewhere-row";
import { Buffer, newBuffer } from "../../memory/buffer";
import { hasSection, streamOf } from "../elf/image";
import { ensure, missed, peek, sizeOf, trim } from "../elf/pages";
import { copyAt, copyOf, copySize } from "../elf/texts";
import { addAbbreviations } from "./abbreviations";
import { addContainers } from "./containers";
import { nameScopes } from "./names";
import { unitRow } from "./places";
import { dropScopes, scopeAt, scopeCount, walk } from "./tree";
import {
  folder,
  infoStream,
  isTypes,
  nextEpoch,
  readHeader,
  readRoot,
  readSplitFrom,
  setSkeleton,
  splitId,
  splitName,
  unitEnd,
  unitOffset,
} from "./unit";

const HEAD: u64 = 16;
const ID: u64 = 8;
const NUMBER: u64 = 4;
/** Numbers of sections in an index. */
const INFO: u32 = 1;
const ABBREV: u32 = 3;
const STR_OFFSETS: u32 = 6;
const RNGLISTS: u32 = 8;
/** Sections and slots of an index that are read. */
const MOST_SECTIONS: u64 = 16;
const MOST_SLOTS: u64 = 1 << 24;
/** Bytes of units that are read again and again, because units of a damaged file have the same id. */
const MOST_WALKED: u64 = 1 << 29;

let splits: Buffer = changetype<Buffer>(0);
let current: usize = 0;
let splitImage: u32 = 0;
let next: u64 = 0;
let end: u64 = 0;
let walked: u64 = 0;
let isPlaced: bool = false;
let abbreviationsAt: u64 = 0;
let stringsAt: u64 = 0;
let listsAt: u64 = 0;

export function beginSplits(): void {
  splits = newBuffer(ElsewhereRow.BYTES * 8);
  walked = 0;
}

export function splitRows(): usize {
  return splits.at;
}

export function splitCount(): u32 {
  return splits.size / <u32>ElsewhereRow.BYTES;
}

/** Forgets those of units from `count` on, which are read again. */
export function dropSplits(count: u32): void {
  while (
    splits.size > 0 &&
    load<u32>(splits.at + <usize>(splits.size - <u32>ElsewhereRow.BYTES), ElsewhereRow.OF) > count
  )
    splits.size -= <u32>ElsewhereRow.BYTES;
}

/** Notes that the functions of the current unit are elsewhere. */
export function noteSplit(unit: u32): void {
  const id = splitId;
  const name = copyOf(splitName);
  const base = copyOf(folder);
  if (missed) return;
  const row = splits.need(<u32>ElsewhereRow.BYTES);
  splits.size += <u32>ElsewhereRow.BYTES;
  store<u64>(row, id, ElsewhereRow.ID);
  store<u32>(row, copyAt(name), ElsewhereRow.FILE_AT);
  store<u32>(row, copySize(name), ElsewhereRow.FILE_SIZE);
  store<u32>(row, copyAt(base), ElsewhereRow.FOLDER_AT);
  store<u32>(row, copySize(base), ElsewhereRow.FOLDER_SIZE);
  store<u32>(row, unit, ElsewhereRow.OF);
  store<u32>(row, 0, ElsewhereRow.IS_READ);
}

/** Another file is behind the image of split units. */
export function beginSplitFile(ofImage: u32): void {
  nextEpoch();
  addAbbreviations(streamOf(ofImage, Section.DebugAbbrev));
  readSplitFrom(ofImage, 0, 0, 0);
  addContainers();
}

export function openSplit(split: u32, ofImage: u32): void {
  current = splits.at + <usize>split * ElsewhereRow.BYTES;
  splitImage = ofImage;
  isPlaced = false;
  next = 0;
}

/** One step; to be repeated while pages are missing. True at the end. */
export function stepSplit(): bool {
  if (!isPlaced) {
    abbreviationsAt = 0;
    stringsAt = 0;
    listsAt = 0;
    next = 0;
    end = sizeOf(streamOf(splitImage, Section.DebugInfo));
    const isIndexed = hasSection(splitImage, Section.DebugCuIndex);
    const isThere = !isIndexed || findInIndex(load<u64>(current, ElsewhereRow.ID));
    if (missed) return false;
    if (!isThere) return true;
    isPlaced = true;
  }
  if (next >= end) return true;
  readSplitFrom(splitImage, abbreviationsAt, stringsAt, listsAt);
  const isSound = readHeader(next);
  if (missed) return false;
  const after = unitEnd;
  if (isSound && !isTypes) {
    const isRead = readIfMeant();
    if (missed) return false;
    if (isRead) return true;
  }
  next = after;
  trim();
  return false;
}

/** Reads the current unit if it is the other part. */
function readIfMeant(): bool {
  if (!readRoot() || missed || splitId !== load<u64>(current, ElsewhereRow.ID)) return false;
  const bytes = unitEnd - unitOffset;
  if (walked + bytes > MOST_WALKED || !ensure(infoStream(), unitOffset, bytes)) return false;
  const unit = load<u32>(current, ElsewhereRow.OF);
  const scopes = scopeCount();
  setSkeleton(unitRow(unit));
  walk(unit, false);
  if (!missed) nameScopes(unit);
  if (missed) {
    dropScopes(scopes);
    return false;
  }
  walked += bytes;
  // What is in another unit of the file stays without a name.
  for (let i = scopes; i < scopeCount(); i++) store<u64>(scopeAt(i), 0, CalledRow.ORIGIN);
  store<u32>(current, 1, ElsewhereRow.IS_READ);
  trim();
  return true;
}

/** Finds the places of the unit in the sections of a package. */
function findInIndex(id: u64): bool {
  const stream = streamOf(splitImage, Section.DebugCuIndex);
  const sections = peek(stream, 4, 4);
  const units = peek(stream, 8, 4);
  const slots = peek(stream, 12, 4);
  if (slots === 0 || slots > MOST_SLOTS || (slots & (slots - 1)) !== 0 || sections > MOST_SECTIONS) return false;
  const mask = slots - 1;
  const step = ((id >> 32) & mask) | 1;
  const rows = HEAD + slots * ID;
  const numbers = rows + slots * NUMBER;
  const offsets = numbers + sections * NUMBER;
  let slot = id & mask;
  for (let i: u64 = 0; i < slots; i++, slot = (slot + step) & mask) {
    const row = peek(stream, rows + slot * NUMBER, 4);
    if (missed || row === 0 || row > units) return false;
    if (peek(stream, HEAD + slot * ID, 8) !== id) continue;
    for (let k: u64 = 0; k < sections; k++) {
      const number = <u32>peek(stream, numbers + k * NUMBER, 4);
      const cell = ((row - 1) * sections + k) * NUMBER;
      const at = peek(stream, offsets + cell, 4);
      if (number === INFO) {
        next = at;
        end = min<u64>(end, at + peek(stream, offsets + units * sections * NUMBER + cell, 4));
      } else if (number === ABBREV) abbreviationsAt = at;
      else if (number === STR_OFFSETS) stringsAt = at;
      else if (number === RNGLISTS) listsAt = at;
    }
    return !missed;
  }
  return false;
}
