/**
 * The current unit of .debug_info: its header (DWARF 5, section 7.5.1) and the attributes of its root.
 *
 *   header, 2 to 4   length · version u16 · abbreviations · address size u8
 *   header, 5        length · version u16 · type u8 · address size u8 · abbreviations · [id of a split unit u64 |
 *                    signature u64, offset of the type]
 *   length           u32, or ff ff ff ff and u64: all offsets have 8 bytes then
 */

import * as DwarfPlace from "../../abi/dwarf-place";
import * as Section from "../../abi/elf-section";
import * as Found from "../../abi/faults/dwarf-fault";
import { streamOf } from "../elf/image";
import * as pages from "../elf/pages";
import { copyHere, copyOf, sourceOf } from "../elf/texts";
import { attributeOf, declarationOf, isListWhole, readAbbreviations } from "./abbreviations";
import * as At from "./at";
import {
  ADDRESS,
  ADDRESS_INDEX,
  CONSTANT,
  formClass,
  formValue,
  NONE,
  readForm,
  TEXT_HERE,
  TEXT_IN_ALTERNATE,
  TEXT_IN_LINE_STR,
  TEXT_IN_STR,
  TEXT_INDEX,
} from "./forms";

const LONG: u32 = 0xffff_ffff;
const TYPE_UNIT: u32 = 2;
const SKELETON: u32 = 4;
const SPLIT_COMPILE: u32 = 5;
const SPLIT_TYPE: u32 = 6;
/** Languages of DWARF 5, section 7. */
const LANG_C89: u64 = 0x01;
const LANG_C: u64 = 0x02;
const LANG_C99: u64 = 0x0c;
const LANG_GO: u64 = 0x16;
const LANG_C11: u64 = 0x1d;
const LANG_C17: u64 = 0x2c;
const LANG_ASSEMBLER: u64 = 0x8001;
/** After length, version and sizes: the number of lists. */
const SPLIT_LISTS_HEAD: u64 = 4;

/** The image with the code, and with its lines. */
export let image: u32 = 0;
/** The image whose units are read: `image`, its supplement by dwz, or a file with what was split off. */
export let infoImage: u32 = 0;
/** The supplement; NO_IMAGE without one. */
export let supplement: u32 = 0;
export const NO_IMAGE: u32 = 0xffff_ffff;
/** Units of different files have different keys. */
let epoch: u64 = 0;
const EPOCH_SHIFT: u64 = 40;
/** The units are split off, and where the parts of the current one begin in the sections of a package. */
let isSplit: bool = false;
let abbreviationsFrom: u64 = 0;
let stringsFrom: u64 = 0;
let listsFrom: u64 = 0;
/** Where ranges of a unit that was split off by GNU's extension begin in .debug_ranges of `image`. */
let rangesBase: u64 = 0;
/** Id of the other part of the unit, and the name of its file; 0 without one. */
export let splitId: u64 = 0;
export let splitName: u64 = 0;

export let unitOffset: u64 = 0;
export let unitEnd: u64 = 0;
export let version: u32 = 0;
export let offsetSize: u32 = 4;
export let addressSize: u32 = 8;
let abbreviationsAt: u64 = 0;
/** Offset of the root. */
export let entriesAt: u64 = 0;
/** A unit without code: of types. */
export let isTypes: bool = false;

export let lowAddress: u64 = 0;
export let hasLow: bool = false;
/** `highAddress` is set, by the root alone. */
export let hasHigh: bool = false;
export let highAddress: u64 = 0;
export let rangesClass: u32 = NONE;
export let rangesValue: u64 = 0;
export let linesAt: u64 = 0;
export let hasLines: bool = false;
/** Its language may have functions in namespaces or classes. */
export let hasContainers: bool = false;
/** Place of the text of the compilation directory. */
export let folder: u64 = 0;
export let stringsBase: u64 = 0;
let addressBase: u64 = 0;
export let listsBase: u64 = 0;

/** Findings about all units, bits of abi/faults/dwarf-fault.ts. */
export let faults: u32 = 0;
/** Rows of abi/dwarf-place.ts. */
export const faultPlaces: usize = memory.data(32 * <i32>DwarfPlace.BYTES);

export function beginUnits(ofImage: u32, itsSupplement: u32): void {
  image = ofImage;
  supplement = itsSupplement;
  faults = 0;
  epoch = 1;
  readFrom(ofImage);
}

/** Units of `image` or of its supplement are read from now on. */
export function readFrom(ofImage: u32): void {
  infoImage = ofImage;
  isSplit = false;
  abbreviationsFrom = 0;
}

/** The same of a file with split units, in a package at these places. */
export function readSplitFrom(ofImage: u32, abbreviations: u64, strings: u64, lists: u64): void {
  infoImage = ofImage;
  isSplit = true;
  abbreviationsFrom = abbreviations;
  stringsFrom = strings;
  listsFrom = lists;
}

/** The image of split units has another file. */
export function nextEpoch(): void {
  epoch++;
}

/** What a unit that was split off has of the part in `image`. */
export function setSkeleton(unit: Unit): void {
  addressBase = unit.addressBase;
  rangesBase = unit.rangesBase;
  hasLow = unit.hasLow;
  lowAddress = unit.lowAddress;
}

/** Where the lists of ranges of the current unit begin. */
export function rangesFrom(): u64 {
  return isSplit ? rangesBase : 0;
}

/** A key, not 0, of an offset among those of the units of all files. */
export function keyOf(offset: u64): u64 {
  if (infoImage === image) return offset + 1;
  return (infoImage === supplement ? (<u64>1) << EPOCH_SHIFT : epoch << (EPOCH_SHIFT + 1)) | (offset + 1);
}

/** Notes a finding, with the place of the first one. */
export function found(bit: u32, section: u32 = Section.DebugInfo, offset: u64 = unitOffset): void {
  if ((faults & bit) !== 0) return;
  faults |= bit;
  const row = faultPlaces + <usize>ctz(bit) * DwarfPlace.BYTES;
  store<u32>(row, section, DwarfPlace.SECTION);
  store<u64>(row, offset, DwarfPlace.OFFSET);
}

export function infoStream(): u32 {
  return streamOf(infoImage, Section.DebugInfo);
}

/** The largest address: units that a linker dropped are there. */
export function addressMask(): u64 {
  return addressSize >= 8 ? u64.MAX_VALUE : ((<u64>1) << ((<u64>addressSize) << 3)) - 1;
}

/**
 * Reads the header of the unit at `offset`. Returns false if it cannot be read; `unitEnd` is then the offset of the
 * next unit, or the end of the section if the length lies.
 */
export function readHeader(offset: u64): bool {
  const info = infoStream();
  const size = pages.sizeOf(info);
  unitOffset = offset;
  unitEnd = size;
  pages.seek(info, offset, size);
  let length: u64 = pages.readU32();
  offsetSize = 4;
  if (length === LONG) {
    length = pages.readU64();
    offsetSize = 8;
  }
  const start = pages.position();
  if (pages.over || pages.missed || length > size - start) return false;
  unitEnd = start + length;
  version = pages.readU16();
  if (version < 2 || version > 5) {
    found(Found.Version);
    return false;
  }
  isTypes = false;
  splitId = 0;
  if (version === 5) {
    const type = pages.readU8();
    addressSize = pages.readU8();
    abbreviationsAt = pages.word(offsetSize);
    splitId = type === SKELETON || type === SPLIT_COMPILE ? pages.readU64() : 0;
    if (type === TYPE_UNIT || type === SPLIT_TYPE) {
      pages.skip(8 + offsetSize);
      isTypes = true;
    }
  } else {
    abbreviationsAt = pages.word(offsetSize);
    addressSize = pages.readU8();
  }
  entriesAt = pages.position();
  const isFit = addressSize === 4 || addressSize === 8 || addressSize === 2;
  return !pages.over && isFit && entriesAt <= unitEnd;
}

/** Loads the abbreviations of the unit; the cursor moves. */
export function loadAbbreviations(): void {
  const stream = streamOf(infoImage, Section.DebugAbbrev);
  readAbbreviations(stream, abbreviationsFrom + abbreviationsAt, addressSize, offsetSize, version);
  if (!isListWhole && !pages.missed) found(Found.Abbreviations, Section.DebugAbbrev, abbreviationsAt);
}

export function readValue(form: u32, implicit: i64): void {
  readForm(form, implicit, addressSize, offsetSize, version);
}

/** Reads the attributes of the root. Returns false if there is no root that can be read. */
export function readRoot(): bool {
  loadAbbreviations();
  hasLow = false;
  hasHigh = false;
  rangesClass = NONE;
  hasLines = false;
  hasContainers = true;
  folder = 0;
  addressBase = (<u64>offsetSize) << 1;
  rangesBase = 0;
  splitName = 0;
  // Sections of one unit have a header before it in DWARF 5; those of linked units are told below.
  const head: u64 = isSplit && version < 5 ? 0 : (<u64>offsetSize) << 1;
  stringsBase = (isSplit ? stringsFrom : 0) + head;
  listsBase = isSplit ? listsFrom + head + SPLIT_LISTS_HEAD : 0;
  let nameClass: u32 = NONE;
  let nameValue: u64 = 0;
  let lowClass: u32 = NONE;
  let highClass: u32 = NONE;
  let lowValue: u64 = 0;
  let highValue: u64 = 0;
  let folderClass: u32 = NONE;
  let folderValue: u64 = 0;
  pages.seek(infoStream(), entriesAt, unitEnd);
  const declaration = declarationOf(pages.uleb());
  if (declaration === null || pages.missed) return false;
  for (let i: u32 = 0; i < declaration.count; i++) {
    const attribute = attributeOf(declaration, i);
    readValue(attribute.form, attribute.implicit);
    switch (attribute.name) {
      case At.LOW_PC:
        lowClass = formClass;
        lowValue = formValue;
        break;
      case At.HIGH_PC:
        highClass = formClass;
        highValue = formValue;
        break;
      case At.RANGES:
        rangesClass = formClass;
        rangesValue = formValue;
        break;
      case At.STMT_LIST:
        hasLines = formClass === CONSTANT;
        linesAt = formValue;
        break;
      case At.LANGUAGE:
        hasContainers = !isPlainLanguage(formValue);
        break;
      case At.COMP_DIR:
        folderClass = formClass;
        folderValue = formValue;
        break;
      case At.STR_OFFSETS_BASE:
        stringsBase = formValue;
        break;
      case At.ADDR_BASE:
      case At.GNU_ADDR_BASE:
        addressBase = formValue;
        break;
      case At.RNGLISTS_BASE:
        listsBase = formValue;
        break;
      case At.DWO_NAME:
      case At.GNU_DWO_NAME:
        nameClass = formClass;
        nameValue = formValue;
        break;
      case At.GNU_DWO_ID:
        splitId = formValue;
        break;
      case At.GNU_RANGES_BASE:
        rangesBase = formValue;
        break;
      default:
        break;
    }
  }
  if (pages.over) return false;
  hasLow = lowClass !== NONE;
  lowAddress = addressOf(lowClass, lowValue);
  hasHigh = highClass !== NONE && hasLow;
  highAddress = highClass === CONSTANT ? lowAddress + highValue : addressOf(highClass, highValue);
  folder = placeOfText(folderClass, folderValue);
  if (nameClass !== NONE && !isSplit) splitName = placeOfText(nameClass, nameValue);
  return true;
}

function isPlainLanguage(language: u64): bool {
  switch (language) {
    case LANG_C89:
    case LANG_C:
    case LANG_C99:
    case LANG_C11:
    case LANG_C17:
    case LANG_GO:
    case LANG_ASSEMBLER:
      return true;
    default:
      return false;
  }
}

/** An address, of an attribute or by its index in .debug_addr. */
export function addressOf(kind: u32, value: u64): u64 {
  if (kind === ADDRESS_INDEX) return indexedAddress(value);
  return kind === ADDRESS || kind === CONSTANT ? value : 0;
}

export function indexedAddress(index: u64): u64 {
  const stream = streamOf(image, Section.DebugAddr);
  if (index > pages.sizeOf(stream)) return 0;
  return pages.peek(stream, addressBase + index * <u64>addressSize, addressSize);
}

/** Place of a text (elf/texts.ts); 0 if it is none. */
export function placeOfText(kind: u32, value: u64): u64 {
  if (kind === TEXT_IN_STR) return textIn(infoImage, Section.DebugStr, value);
  if (kind === TEXT_IN_LINE_STR) return textIn(infoImage, Section.DebugLineStr, value);
  if (kind === TEXT_IN_ALTERNATE) {
    if (supplement !== NO_IMAGE) return textIn(supplement, Section.DebugStr, value);
    found(Found.Alternate);
    return 0;
  }
  if (kind === TEXT_INDEX) {
    const stream = streamOf(infoImage, Section.DebugStrOffsets);
    if (value > pages.sizeOf(stream)) return 0;
    const offset = pages.peek(stream, stringsBase + value * <u64>offsetSize, offsetSize);
    return pages.missed ? 0 : textIn(infoImage, Section.DebugStr, offset);
  }
  if (kind !== TEXT_HERE) return 0;
  const here = pages.position();
  pages.seek(infoStream(), value, unitEnd);
  const place = copyHere();
  pages.seek(infoStream(), here, unitEnd);
  return place;
}

function textIn(ofImage: u32, section: u32, offset: u64): u64 {
  const stream = streamOf(ofImage, section);
  if (offset >= pages.sizeOf(stream) && !pages.missed) found(Found.Texts, section, offset);
  const source = sourceOf(stream, offset);
  if (!isSplit) return source;
  // The next unit is in another file.
  const here = pages.position();
  const place = copyOf(source);
  pages.seek(infoStream(), here, unitEnd);
  return place;
}

/** What later steps need of a unit. */
@unmanaged
export class Unit {
  offset: u64;
  folder: u64;
  linesAt: u64;
  hasLines: bool;
  addressSize: u32;
  stringsBase: u64;
  addressBase: u64;
  rangesBase: u64;
  lowAddress: u64;
  hasLow: bool;
}

/** Fills a row with the current unit. */
export function keepUnit(unit: Unit): void {
  unit.offset = unitOffset;
  unit.folder = folder;
  unit.linesAt = linesAt;
  unit.hasLines = hasLines;
  unit.addressSize = addressSize;
  unit.stringsBase = stringsBase;
  unit.addressBase = addressBase;
  unit.rangesBase = rangesBase;
  unit.lowAddress = lowAddress;
  unit.hasLow = hasLow;
}

export function setFolder(place: u64): void {
  folder = place;
}

export function setStringsBase(base: u64): void {
  stringsBase = base;
}
