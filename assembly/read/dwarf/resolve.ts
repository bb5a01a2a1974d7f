/**
 * Functions and lines of the addresses, from the DWARF of one image. Steps in this order, each repeated while pages are
 * missing:
 *
 *   aranges   units of addresses by .debug_aranges
 *   units     entries of these units; if an address has none, all units are read for their ranges
 *   names     names of functions that are in other units, or in a supplement by dwz
 *   split     entries that were split off into other files, which the host opens one after the other (split.ts)
 *   lines     line tables of the units; of all units where there is no .debug_info
 */

import * as ElfImage from "../../abi/elf-image";
import * as Section from "../../abi/elf-section";
import * as Found from "../../abi/faults/dwarf-fault";
import * as CalledRow from "../../abi/rows/called-row";
import * as LookupRow from "../../abi/rows/lookup-row";
import { Buffer, newBuffer } from "../../memory/buffer";
import { SORTED_BYTES, sortRows } from "../../memory/sort";
import { hasSection, imageRow, isCode, streamOf } from "../elf/image";
import { ensure, missed, sizeOf, trim } from "../elf/pages";
import { addressAt, firstFrom, lookupAt, lookupCount } from "../elf/symbols";
import { addAbbreviations, beginAbbreviations } from "./abbreviations";
import { beginAranges, readAranges } from "./aranges";
import { beginContainers } from "./containers";
import { beginFiles, fileBase, fileFolder, fileName, readFile } from "./files";
import { NONE } from "./forms";
import { allowLines, programEnd, readProgram, settleFiles } from "./lines";
import { IN_SUPPLEMENT, nameScope, nameScopes } from "./names";
import { addUnit, beginPlaces, dropUnits, hintAt, isHinted, placeUnit, unitAt, unitCount, unitRow } from "./places";
import { addList, addRange, beginRanges, clearRanges, rangeCount, rangeEnd, rangeStart } from "./ranges";
import { beginSplits, dropSplits, noteSplit, openSplit, splitCount, stepSplit } from "./split";
import { beginTree, dropScopes, scopeAt, scopeCount, walk } from "./tree";
import {
  beginUnits,
  found,
  hasHigh,
  highAddress,
  image,
  infoImage,
  infoStream,
  isTypes,
  loadAbbreviations,
  lowAddress,
  NO_IMAGE,
  rangesClass,
  rangesValue,
  readFrom,
  readHeader,
  readRoot,
  setFolder,
  setStringsBase,
  splitName,
  supplement,
  unitEnd,
  unitOffset,
} from "./unit";

const ARANGES: u32 = 0;
const UNITS: u32 = 1;
const HEADERS: u32 = 2;
const NAMES: u32 = 3;
const LINES: u32 = 4;
const ALL_LINES: u32 = 5;
const SPLIT: u32 = 6;
const DONE: u32 = 7;
/** Rounds of names in other units: entries that refer to each other. */
const MOST_ROUNDS: u32 = 16;
/** Bytes of units that are walked, in sizes of .debug_info: units of a damaged file may overlap. */
const MOST_WALKED: u64 = 2;

let stage: u32 = DONE;
/** Offset of the next unit or line table. */
let next: u64 = 0;
/** All units are read for their ranges. */
let isScanning: bool = false;
/** u64: offsets of all units, ascending, once they are known; of the supplement, too. */
let offsets: Buffer = changetype<Buffer>(0);
let others: Buffer = changetype<Buffer>(0);
/** Jobs in the order of their places (memory/sort.ts): scopes without a name, units with a line table. */
let jobs: Buffer = changetype<Buffer>(0);
let job: u32 = 0;
let rounds: u32 = 0;
let walked: u64 = 0;

/** `ofImage`: the file with DWARF; `supplement`: NO_IMAGE without one. The addresses are there. */
export function beginResolving(ofImage: u32, itsSupplement: u32): void {
  beginUnits(ofImage, itsSupplement);
  beginPlaces();
  beginAbbreviations(streamOf(ofImage, Section.DebugAbbrev));
  beginRanges();
  beginTree();
  beginContainers();
  beginFiles();
  allowLines();
  beginAranges();
  if (itsSupplement !== NO_IMAGE) addAbbreviations(streamOf(itsSupplement, Section.DebugAbbrev));
  beginSplits();
  offsets = newBuffer(1 << 12);
  others = newBuffer(1 << 12);
  jobs = newBuffer(<u32>SORTED_BYTES * 64);
  walked = 0;
  rounds = 0;
  stage = ARANGES;
}

/** One step. True at the end. */
export function stepResolving(): bool {
  switch (stage) {
    case ARANGES:
      if (readAranges()) beginScan();
      break;
    case UNITS:
      stepUnit();
      break;
    case HEADERS:
      stepHeader();
      break;
    case NAMES:
      stepName();
      break;
    case SPLIT:
      if (stepSplit()) stage = DONE;
      break;
    case LINES:
      stepLines();
      break;
    case ALL_LINES:
      stepAllLines();
      break;
    default:
      break;
  }
  return stage === DONE;
}

function beginScan(): void {
  isScanning = false;
  for (let i: u32 = 0; i < lookupCount; i++) {
    if (hintAt(i) === 0 && isCode(image, addressAt(i))) isScanning = true;
  }
  next = 0;
  stage = hasSection(image, Section.DebugInfo) ? UNITS : ALL_LINES;
  if (stage === UNITS && !isScanning) next = nextHint(0);
}

/** The first unit from `from` on that .debug_aranges has for an address; the end if there is none. */
function nextHint(from: u64): u64 {
  let best = sizeOf(infoStream());
  for (let i: u32 = 0; i < lookupCount; i++) {
    const offset = hintAt(i);
    if (offset !== 0 && offset - 1 >= from && offset - 1 < best) best = offset - 1;
  }
  return best;
}

// ---- units ----

function stepUnit(): void {
  if (next >= sizeOf(infoStream())) {
    beginNames();
    return;
  }
  const isSound = readHeader(next);
  if (missed) return;
  const end = unitEnd;
  if (isSound && !isTypes) {
    const units = unitCount();
    const scopes = scopeCount();
    if (!readUnit()) {
      if (missed) {
        forgetUnit(units + 1);
        dropUnits(units);
        dropScopes(scopes);
        dropSplits(units);
        return;
      }
      found(Found.Units);
    }
  } else if (!isSound) found(Found.Units);
  if (isScanning) {
    offsets.u64(next);
    next = end;
  } else next = nextHint(next + 1);
  // Not before a repetition, which needs all pages of its unit.
  trim();
}

/** Takes back what a walk that has to be repeated gave to addresses. */
function forgetUnit(unit: u32): void {
  for (let i: u32 = 0; i < lookupCount; i++) {
    if (unitAt(i) !== unit) continue;
    placeUnit(i, 0);
    store<u32>(lookupAt(i), 0, LookupRow.SCOPE);
  }
}

function readUnit(): bool {
  if (!readRoot()) return false;
  const offset = unitOffset;
  const unit = addUnit();
  let isWanted = false;
  const count = isHinted(offset) ? lookupCount : 0;
  for (let i: u32 = 0; i < count; i++) {
    if (hintAt(i) !== offset + 1 || unitAt(i) !== 0) continue;
    placeUnit(i, unit);
    isWanted = true;
  }
  let isLoose = false;
  if (isScanning) {
    clearRanges();
    if (rangesClass !== NONE) addList(rangesClass, rangesValue);
    else if (hasHigh) addRange(lowAddress, highAddress);
    else isLoose = true;
    if (missed) return false;
    for (let i: u32 = 0; i < rangeCount(); i++) {
      if (claim(rangeStart(i), rangeEnd(i), unit)) isWanted = true;
    }
  }
  if (!isWanted && !isLoose) {
    dropUnits(unit - 1);
    return true;
  }
  walked += unitEnd - offset;
  if (walked > sizeOf(infoStream()) * MOST_WALKED) {
    found(Found.Fuel);
    return true;
  }
  const end = unitEnd;
  if (!ensure(infoStream(), offset, end - offset)) {
    walked -= end - offset;
    return false;
  }
  walk(unit, isLoose);
  if (!missed) nameScopes(unit);
  if (!missed && splitName !== 0) noteSplit(unit);
  if (missed) walked -= end - offset;
  return !missed;
}

/** Gives the addresses of a range that have no unit to this one. */
function claim(start: u64, end: u64, unit: u32): bool {
  let any = false;
  for (let i = firstFrom(start); i < lookupCount && addressAt(i) < end; i++) {
    if (hintAt(i) !== 0 || unitAt(i) !== 0) continue;
    placeUnit(i, unit);
    any = true;
  }
  return any;
}

// ---- names in other units ----

function beginNames(): void {
  jobs.size = 0;
  job = 0;
  const count = scopeCount();
  for (let scope: u32 = 1; scope < count; scope++) {
    const origin = load<u64>(scopeAt(scope), CalledRow.ORIGIN);
    if (origin === 0 || load<u32>(scopeAt(scope), CalledRow.IS_USED) === 0) continue;
    jobs.u64(origin - 1);
    jobs.u64(scope);
  }
  const left = jobs.size / <u32>SORTED_BYTES;
  if (left === 0 || rounds === MOST_ROUNDS) {
    if (left !== 0) found(Found.Fuel, Section.DebugInfo, load<u64>(jobs.at));
    readFrom(image);
    // The host opens the files of split units first.
    if (splitCount() > 0) stage = DONE;
    else beginLines();
    return;
  }
  sortRows(jobs.at, left);
  rounds++;
  beginHeaders();
}

/** Headers of the units of a file that are not known yet. */
function beginHeaders(): void {
  next = 0;
  stage = HEADERS;
  readFrom(image);
  if (offsets.size > 0) {
    if (supplement === NO_IMAGE || others.size > 0) stage = NAMES;
    else readFrom(supplement);
  }
}

/** `advance` reads a split unit in a file that the host has opened. */
export function beginSplitUnit(split: u32, ofImage: u32): void {
  openSplit(split, ofImage);
  stage = SPLIT;
}

/** `advance` reads the lines, after the split units. */
export function beginLineTables(): void {
  readFrom(image);
  beginLines();
}

/** Headers alone, where not all units were read. */
function stepHeader(): void {
  const isOther = infoImage === supplement;
  const list = isOther ? others : offsets;
  if (next >= sizeOf(infoStream())) {
    // A file without units is not asked again.
    if (list.size === 0) list.u64(0);
    beginHeaders();
    return;
  }
  readHeader(next);
  if (missed) return;
  list.u64(next);
  next = unitEnd;
  trim();
}

function stepName(): void {
  const count = jobs.size / <u32>SORTED_BYTES;
  if (job >= count) {
    beginNames();
    return;
  }
  const row = jobs.at + <usize>job * SORTED_BYTES;
  const origin = load<u64>(row);
  const scope = <u32>load<u64>(row, sizeof<u64>());
  const isOther = (origin & IN_SUPPLEMENT) !== 0;
  const offset = origin & ~IN_SUPPLEMENT;
  readFrom(isOther ? supplement : image);
  const unit = unitWith(isOther ? others : offsets, offset);
  const isSound = readHeader(unit);
  if (missed) return;
  if (!isSound || offset >= unitEnd) {
    found(Found.Units, Section.DebugInfo, offset);
    store<u64>(scopeAt(scope), 0, CalledRow.ORIGIN);
    job++;
    return;
  }
  readRoot();
  if (!missed) loadAbbreviations();
  if (!missed) nameScope(scope);
  if (missed) return;
  // An entry that is no entry leaves its offset.
  if (load<u64>(scopeAt(scope), CalledRow.ORIGIN) === origin + 1) store<u64>(scopeAt(scope), 0, CalledRow.ORIGIN);
  trim();
  job++;
}

/** Offset of the unit around an offset. */
function unitWith(units: Buffer, offset: u64): u64 {
  let low: u32 = 0;
  let high = units.size >> 3;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (load<u64>(units.at + ((<usize>middle) << 3)) <= offset) low = middle;
    else high = middle;
  }
  return load<u64>(units.at + ((<usize>low) << 3));
}

// ---- lines ----

function beginLines(): void {
  jobs.size = 0;
  job = 0;
  stage = LINES;
  if (!hasSection(image, Section.DebugLine)) {
    stage = DONE;
    return;
  }
  const count = unitCount();
  for (let unit: u32 = 1; unit <= count; unit++) {
    const row = unitRow(unit);
    if (!row.hasLines) continue;
    jobs.u64(row.linesAt);
    jobs.u64(unit);
  }
  sortRows(jobs.at, jobs.size / <u32>SORTED_BYTES);
}

function stepLines(): void {
  if (job >= jobs.size / <u32>SORTED_BYTES) {
    stage = DONE;
    return;
  }
  const at = jobs.at + <usize>job * SORTED_BYTES;
  const unit = <u32>load<u64>(at, sizeof<u64>());
  const row = unitRow(unit);
  setFolder(row.folder);
  setStringsBase(row.stringsBase);
  const isRead = readProgram(load<u64>(at), unit, row.addressSize);
  if (!missed && isRead) {
    settleFiles();
    settleCalls(unit);
  }
  if (missed) return;
  trim();
  job++;
}

/** The files of call sites in a unit. */
function settleCalls(unit: u32): void {
  const count = scopeCount();
  for (let scope: u32 = 1; scope < count; scope++) {
    const row = scopeAt(scope);
    const file = load<u32>(row, CalledRow.CALL_FILE);
    if (load<u32>(row, CalledRow.UNIT) !== unit || load<u32>(row, CalledRow.IS_USED) === 0 || file === 0) continue;
    readFile(file - 1);
    store<u32>(row, fileBase, CalledRow.BASE);
    store<u32>(row, fileFolder, CalledRow.FOLDER);
    store<u32>(row, fileName, CalledRow.FILE);
  }
}

/** Without .debug_info: all line tables, for all addresses. */
function stepAllLines(): void {
  const stream = streamOf(image, Section.DebugLine);
  if (next >= sizeOf(stream)) {
    stage = DONE;
    return;
  }
  setFolder(0);
  const isRead = readProgram(next, 0, load<u32>(imageRow(image), ElfImage.WORD));
  if (!missed && isRead) settleFiles();
  if (missed) return;
  trim();
  next = programEnd;
}
