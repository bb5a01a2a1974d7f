/**
 * Units of addresses by .debug_aranges (DWARF 5, section 6.1.2).
 *
 *   set   length · version u16 · offset of the unit · address size u8 · segment size u8 · padding to a pair
 *         · pairs of address and length, ended by a pair of zeros
 */

import * as Section from "../../abi/elf-section";
import * as Found from "../../abi/faults/dwarf-fault";
import { streamOf } from "../elf/image";
import * as pages from "../elf/pages";
import { addressAt, firstFrom, lookupCount } from "../elf/symbols";
import { hint, hintAt } from "./places";
import { isKept } from "./ranges";
import { found, image } from "./unit";

const LONG: u32 = 0xffff_ffff;
/** Pairs that may cover addresses again and again. */
const MOST_COVERS: u64 = 1 << 26;

let offset: u64 = 0;
let covers: u64 = 0;

export function beginAranges(): void {
  offset = 0;
  covers = 0;
}

/** Reads on; to be repeated while pages are missing. True at the end. */
export function readAranges(): bool {
  const stream = streamOf(image, Section.DebugAranges);
  const size = pages.sizeOf(stream);
  pages.trim();
  while (offset < size) {
    pages.seek(stream, offset, size);
    let length: u64 = pages.readU32();
    let offsetSize: u32 = 4;
    if (length === LONG) {
      length = pages.readU64();
      offsetSize = 8;
    }
    const start = pages.position();
    if (pages.missed) return false;
    if (pages.over || length > size - start) {
      found(Found.Aranges, Section.DebugAranges, offset);
      return true;
    }
    readSet(stream, start, start + length, offsetSize);
    if (pages.missed) return false;
    offset = start + length;
  }
  return true;
}

function readSet(stream: u32, start: u64, end: u64, offsetSize: u32): void {
  pages.seek(stream, start, end);
  const version = pages.readU16();
  const unit = pages.word(offsetSize);
  const addressSize = pages.readU8();
  const segmentSize = pages.readU8();
  if (version !== 2 || (addressSize !== 8 && addressSize !== 4) || segmentSize !== 0) {
    found(Found.Aranges, Section.DebugAranges, offset);
    return;
  }
  const pair = (<u64>addressSize) << 1;
  pages.skip((pair - ((pages.position() - offset) % pair)) % pair);
  while (pages.left() >= pair) {
    const address = pages.word(addressSize);
    const length = pages.word(addressSize);
    if (pages.missed) return;
    if (address === 0 && length === 0) break;
    if (length > 0 && isKept(address)) cover(address, length, unit);
  }
}

function cover(address: u64, length: u64, unit: u64): void {
  for (let i = firstFrom(address); i < lookupCount && addressAt(i) - address < length; i++) {
    if (covers++ >= MOST_COVERS) {
      found(Found.Fuel, Section.DebugAranges, offset);
      return;
    }
    if (hintAt(i) === 0) hint(i, unit);
  }
}
