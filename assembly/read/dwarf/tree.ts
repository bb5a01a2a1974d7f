/**
 * Functions at addresses: one walk over the entries of a unit (DWARF 5, section 3.3). The entry that was read last
 * among those that have an address wins: entries of inlined functions follow the entry of the function around them. The
 * chain of an address is that entry with the entries around it, up to the function that was not inlined.
 *
 *   open entry   an entry of a function whose children are being read; becomes a scope (abi/rows/called-row.ts) once
 *                it, or an entry inside it, has an address that is looked up
 */

import * as Found from "../../abi/faults/dwarf-fault";
import * as CalledRow from "../../abi/rows/called-row";
import * as LookupRow from "../../abi/rows/lookup-row";
import { alloc } from "../../memory/arena";
import { Buffer, newBuffer } from "../../memory/buffer";
import { ended, missed, over, position, seek, skip, uleb } from "../elf/pages";
import { addressAt, firstFrom, lookupAt, lookupCount } from "../elf/symbols";
import { attributeOf, Declaration, declarationOf } from "./abbreviations";
import * as At from "./at";
import { CONSTANT, formClass, formValue, NONE, VARIES } from "./forms";
import { placeUnit, unitAt } from "./places";
import { addList, addRange, clearRanges, rangeCount, rangeEnd, rangeStart } from "./ranges";
import * as Tag from "./tag";
import { addressOf, entriesAt, found, infoStream, loadAbbreviations, readValue, unitEnd } from "./unit";

/** Functions inside functions that are followed. */
const DEEPEST: u32 = 256;
/** Addresses that all entries together may have: entries of a damaged file may all have all. */
const MOST_COVERS: u64 = 1 << 27;
/** Functions that have an address: an address has some five, and those that others replace. */
const MOST_SCOPES: u32 = 1 << 21;

@unmanaged
class OpenEntry {
  /** Depth of its children. */
  depth: u32;
  scope: u32;
  isInlined: bool;
  offset: u64;
  /** + 1; 0 if there is none. */
  callFile: u32;
  callLine: u32;
  callColumn: u32;
}

let open: usize = 0;
let openCount: u32 = 0;
let scopes: Buffer = changetype<Buffer>(0);
let covers: u64 = 0;
/** Row of the unit whose entries are read. */
let unit: u32 = 0;
/** The unit does not say where its code is: its functions do. */
let isLoose: bool = false;

export function beginTree(): void {
  open = alloc(<u64>(DEEPEST + 1) * offsetof<OpenEntry>());
  scopes = newBuffer(1024);
  memory.fill(scopes.need(CalledRow.BYTES), 0, CalledRow.BYTES);
  scopes.size = CalledRow.BYTES;
  covers = 0;
}

export function scopeRows(): usize {
  return scopes.at;
}

export function scopeCount(): u32 {
  return scopes.size / CalledRow.BYTES;
}

export function scopeAt(scope: u32): usize {
  return scopes.at + <usize>scope * CalledRow.BYTES;
}

/** Forgets the scopes from `count` on, of a walk that has to be repeated. */
export function dropScopes(count: u32): void {
  scopes.size = count * CalledRow.BYTES;
}

function openAt(i: u32): OpenEntry {
  return changetype<OpenEntry>(open + <usize>i * offsetof<OpenEntry>());
}

/** Reads the entries of the current unit. */
export function walk(unitRow: u32, loose: bool): void {
  unit = unitRow;
  isLoose = loose;
  openCount = 0;
  loadAbbreviations();
  seek(infoStream(), entriesAt, unitEnd);
  let depth: u32 = 0;
  while (!ended()) {
    const offset = position();
    const code = uleb();
    if (code === 0) {
      if (depth <= 1) return;
      depth--;
      while (openCount > 0 && openAt(openCount - 1).depth > depth) openCount--;
      continue;
    }
    const declaration = declarationOf(code);
    if (declaration === null) {
      found(Found.Units);
      return;
    }
    const tag = declaration.tag;
    if (tag === Tag.SUBPROGRAM || tag === Tag.INLINED_SUBROUTINE) readFunction(declaration, offset, depth);
    else passEntry(declaration);
    if (over || missed) {
      if (!missed) found(Found.Units);
      return;
    }
    if (declaration.hasChildren !== 0) depth++;
    else if (depth === 0) return;
  }
}

function readFunction(declaration: Declaration, offset: u64, depth: u32): void {
  if (openCount === DEEPEST) {
    passEntry(declaration);
    return;
  }
  const entry = openAt(openCount);
  entry.depth = depth + 1;
  entry.scope = 0;
  entry.isInlined = declaration.tag === Tag.INLINED_SUBROUTINE;
  entry.offset = offset;
  entry.callFile = 0;
  entry.callLine = 0;
  entry.callColumn = 0;
  if (declaration.hasCode === 0) {
    // Most functions of C++ are declarations.
    if (declaration.hasChildren !== 0) openCount++;
    passEntry(declaration);
    return;
  }
  let lowClass: u32 = NONE;
  let highClass: u32 = NONE;
  let listClass: u32 = NONE;
  let low: u64 = 0;
  let high: u64 = 0;
  let list: u64 = 0;
  for (let i: u32 = 0; i < declaration.count; i++) {
    const attribute = attributeOf(declaration, i);
    readValue(attribute.form, attribute.implicit);
    switch (attribute.name) {
      case At.LOW_PC:
        lowClass = formClass;
        low = formValue;
        break;
      case At.HIGH_PC:
        highClass = formClass;
        high = formValue;
        break;
      case At.RANGES:
        listClass = formClass;
        list = formValue;
        break;
      case At.CALL_FILE:
        entry.callFile = <u32>formValue + 1;
        break;
      case At.CALL_LINE:
        entry.callLine = <u32>formValue;
        break;
      case At.CALL_COLUMN:
        entry.callColumn = <u32>formValue;
        break;
      default:
        break;
    }
  }
  if (declaration.hasChildren !== 0) openCount++;
  if (over || (listClass === NONE && (lowClass === NONE || highClass === NONE))) return;
  clearRanges();
  const here = position();
  if (listClass !== NONE) addList(listClass, list);
  else {
    const start = addressOf(lowClass, low);
    addRange(start, highClass === CONSTANT ? start + high : addressOf(highClass, high));
  }
  seek(infoStream(), here, unitEnd);
  if (missed) return;
  const top = declaration.hasChildren !== 0 ? openCount - 1 : openCount;
  for (let i: u32 = 0; i < rangeCount(); i++) cover(rangeStart(i), rangeEnd(i), top);
}

/** Gives the addresses of a range to the open entry `top`. */
function cover(start: u64, end: u64, top: u32): void {
  for (let i = firstFrom(start); i < lookupCount && addressAt(i) < end; i++) {
    if (covers++ >= MOST_COVERS || scopeCount() >= MOST_SCOPES) {
      found(Found.Fuel);
      return;
    }
    const owner = unitAt(i);
    if (owner !== unit) {
      if (owner !== 0 || !isLoose) continue;
      placeUnit(i, unit);
    }
    store<u32>(lookupAt(i), scopeOf(top), LookupRow.SCOPE);
  }
}

/** Row of an open entry; makes rows for it and the entries around it. */
function scopeOf(top: u32): u32 {
  let first = top;
  while (first > 0 && openAt(first).scope === 0 && openAt(first).isInlined) first--;
  for (let i = first; i <= top; i++) {
    const entry = openAt(i);
    if (entry.scope !== 0) continue;
    const row = scopes.need(CalledRow.BYTES);
    memory.fill(row, 0, CalledRow.BYTES);
    scopes.size += CalledRow.BYTES;
    entry.scope = scopeCount() - 1;
    store<u32>(row, entry.isInlined && i > 0 ? openAt(i - 1).scope : 0, CalledRow.PARENT);
    store<u32>(row, 0, CalledRow.LINKAGE);
    store<u32>(row, 0, CalledRow.NAME);
    store<u32>(row, 0, CalledRow.QUALIFIER);
    store<u32>(row, entry.callFile, CalledRow.CALL_FILE);
    store<u32>(row, entry.callLine, CalledRow.CALL_LINE);
    store<u32>(row, entry.callColumn, CalledRow.CALL_COLUMN);
    store<u32>(row, unit, CalledRow.UNIT);
    store<u64>(row, entry.offset + 1, CalledRow.ORIGIN);
  }
  return openAt(top).scope;
}

/** The cursor is after the code of an entry; it moves to the next entry. */
export function passEntry(declaration: Declaration): void {
  if (declaration.bytes !== VARIES) {
    skip(declaration.bytes);
    return;
  }
  for (let i: u32 = 0; i < declaration.count; i++) {
    const attribute = attributeOf(declaration, i);
    readValue(attribute.form, attribute.implicit);
  }
}
