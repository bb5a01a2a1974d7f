/**
 * Address ranges of an entry (DWARF 5, sections 2.17 and 7.25): low and high address, a list of .debug_ranges, or one
 * of .debug_rnglists. Ranges of code that the linker dropped are left out.
 */

import * as Section from "../../abi/elf-section";
import * as Found from "../../abi/faults/dwarf-fault";
import { Buffer, newBuffer } from "../../memory/buffer";
import { isCode, streamOf } from "../elf/image";
import { ended, missed, over, peek, readU8, seek, sizeOf, uleb, word } from "../elf/pages";
import { CONSTANT, LIST_INDEX } from "./forms";
import * as unit from "./unit";

const RANGE_BYTES: u32 = 16;
/** Entries of lists that are read for all units: entries of a damaged file may share a long list. */
const MOST_ENTRIES: u64 = 1 << 25;

const END_OF_LIST: u32 = 0;
const BASE_INDEX: u32 = 1;
const START_END_INDEX: u32 = 2;
const START_INDEX_LENGTH: u32 = 3;
const OFFSET_PAIR: u32 = 4;
const BASE: u32 = 5;
const START_END: u32 = 6;
const START_LENGTH: u32 = 7;

let ranges: Buffer = changetype<Buffer>(0);
let fuel: u64 = 0;

export function beginRanges(): void {
  ranges = newBuffer(RANGE_BYTES * 16);
  fuel = MOST_ENTRIES;
}

export function clearRanges(): void {
  ranges.size = 0;
}

export function rangeCount(): u32 {
  return ranges.size / RANGE_BYTES;
}

export function rangeStart(i: u32): u64 {
  return load<u64>(ranges.at + <usize>i * RANGE_BYTES);
}

export function rangeEnd(i: u32): u64 {
  return load<u64>(ranges.at + <usize>i * RANGE_BYTES, sizeof<u64>());
}

/** Whether code at an address is in the file: a linker leaves 0, 1, -1 or -2 of code that it dropped. */
export function isKept(address: u64): bool {
  return address > 1 && address < unit.addressMask() - 1 && isCode(unit.image, address);
}

export function addRange(start: u64, end: u64): void {
  if (start >= end || !isKept(start)) return;
  ranges.u64(start);
  ranges.u64(end);
}

/** Adds the ranges of a list that an attribute refers to. The cursor moves. */
export function addList(kind: u32, value: u64): void {
  if (unit.version < 5) {
    addOldList(unit.rangesFrom() + value);
    return;
  }
  const stream = streamOf(unit.infoImage, Section.DebugRnglists);
  let at = value;
  if (kind === LIST_INDEX) {
    if (value > sizeOf(stream)) {
      damaged(Section.DebugRnglists, unit.listsBase);
      return;
    }
    at = unit.listsBase + peek(stream, unit.listsBase + value * <u64>unit.offsetSize, unit.offsetSize);
  } else if (kind !== CONSTANT) return;
  addNewList(stream, at);
}

/** Pairs of addresses relative to a base; the largest address as the first is followed by another base. */
function addOldList(at: u64): void {
  const stream = streamOf(unit.image, Section.DebugRanges);
  const mask = unit.addressMask();
  let base: u64 = unit.hasLow ? unit.lowAddress : 0;
  seek(stream, at, sizeOf(stream));
  while (!ended() && !missed && isFuelled(Section.DebugRanges, at)) {
    const start = word(unit.addressSize);
    const end = word(unit.addressSize);
    if (over) break;
    if (start === 0 && end === 0) return;
    if (start === mask) base = end;
    else if (base < mask - 1 && !(start <= 1 && end <= 1)) addRange((base + start) & mask, (base + end) & mask);
  }
  if (ended() || over) damaged(Section.DebugRanges, at);
}

function addNewList(stream: u32, at: u64): void {
  const mask = unit.addressMask();
  let base: u64 = unit.hasLow ? unit.lowAddress : 0;
  seek(stream, at, sizeOf(stream));
  while (!ended() && !missed && isFuelled(Section.DebugRnglists, at)) {
    const kind = readU8();
    let start: u64 = 0;
    let end: u64 = 0;
    switch (kind) {
      case BASE_INDEX:
        base = unit.indexedAddress(uleb());
        continue;
      case BASE:
        base = word(unit.addressSize);
        continue;
      case START_END_INDEX:
        start = unit.indexedAddress(uleb());
        end = unit.indexedAddress(uleb());
        break;
      case START_INDEX_LENGTH:
        start = unit.indexedAddress(uleb());
        end = start + uleb();
        break;
      case OFFSET_PAIR:
        start = uleb();
        end = uleb();
        if (base >= mask - 1) continue;
        start = (base + start) & mask;
        end = (base + end) & mask;
        break;
      case START_END:
        start = word(unit.addressSize);
        end = word(unit.addressSize);
        break;
      case START_LENGTH:
        start = word(unit.addressSize);
        end = start + uleb();
        break;
      case END_OF_LIST:
        return;
      default:
        damaged(Section.DebugRnglists, at);
        return;
    }
    if (over) break;
    addRange(start, end);
  }
  if (ended() || over) damaged(Section.DebugRnglists, at);
}

function damaged(section: u32, at: u64): void {
  if (!missed) unit.found(Found.Ranges, section, at);
}

function isFuelled(section: u32, at: u64): bool {
  if (fuel > 0) {
    fuel--;
    return true;
  }
  unit.found(Found.Fuel, section, at);
  return false;
}
