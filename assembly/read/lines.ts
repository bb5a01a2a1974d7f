/**
 * Builder of a location's lines: the first line is stored in the row, the others, with the attributes and the label, in
 * `locationDetails` (store/tables.ts).
 */

import * as FrameType from "../abi/frame-type";
import * as Limits from "../abi/limits";
import { putHex } from "../memory/ascii";
import { Buffer, ownBuffer } from "../memory/buffer";
import { onReset } from "../memory/resets";
import * as AttributeRow from "../store/rows/attribute-row";
import * as DetailsRow from "../store/rows/details-row";
import * as LocationRow from "../store/rows/location-row";
import * as MappingRow from "../store/rows/mapping-row";
import { attributes, internString, locationDetails, locations, mappings, storedName, strings } from "../store/tables";

/** Bytes of a file's name in a label: no file system has longer ones, and many locations may be in one mapping. */
const MAX_NAME: u32 = 255;

const rest: Buffer = ownBuffer(1 << 10);
let lines: u32 = 0;
/** Of the first line. */
let firstFunction: u32 = 0;
let firstLine: u32 = 0;
let firstColumn: u32 = 0;

/** Some location has a second line, which is that of an inlined frame. */
export let hasInlined: bool = false;

onReset((): void => {
  hasInlined = false;
});

export function beginLines(): void {
  lines = 0;
  firstFunction = 0;
  firstLine = 0;
  firstColumn = 0;
  rest.size = 0;
  rest.u64(0);
}

/** Adds the next line; the last one added is the caller of all the others. */
export function addLine(fn: u32, line: u32, column: u32): void {
  lines++;
  if (lines === 1) {
    firstFunction = fn;
    firstLine = line;
    firstColumn = column;
  } else if (lines <= <u32>Limits.MAX_LINES) {
    rest.u32(fn);
    rest.u32(line);
    rest.u32(column);
  }
}

/** How many lines were too many. */
export function endLines(): u32 {
  return lines > <u32>Limits.MAX_LINES ? lines - Limits.MAX_LINES : 0;
}

/** Whether a mapping may start and end there: below its limit, or without either. */
export function isExtent(start: u64, limit: u64): bool {
  return start < limit || (start | limit) === 0;
}

/** The location of the lines added since `beginLines`, with the attributes of a set. */
export function internLines(mapping: u32, address: u64, frameType: u32, set: u32): u32 {
  const details = detailsRow(set, mapping, address);
  locations.put(LocationRow.MAPPING, mapping);
  locations.put64(LocationRow.ADDRESS, address);
  locations.put(LocationRow.FRAME_TYPE, frameType);
  locations.put(LocationRow.DETAILS, details);
  return locations.intern();
}

/** Puts the first line into the draft of `locations` and returns the row of its details, 0 if it has no details. */
function detailsRow(set: u32, mapping: u32, address: u64): u32 {
  locations.put(LocationRow.FUNCTION, firstFunction);
  locations.put(LocationRow.LINE, firstLine);
  locations.put(LocationRow.COLUMN, firstColumn);
  const label: u32 = firstFunction === 0 ? labelOf(mapping, address) : 0;
  if (lines > 1) hasInlined = true;
  else if (set === 0 && label === 0) return 0;
  store<u32>(rest.at, set, DetailsRow.SET);
  store<u32>(rest.at, storedName(label), DetailsRow.LABEL);
  return locationDetails.intern(rest.at, rest.size);
}

/**
 * The location of a native frame that is known by its address only, without a line; the label has the offset that the
 * recording states, which may be that of the next instruction.
 */
export function internAddress(mapping: u32, address: u64, recorded: u64): u32 {
  beginLines();
  const label = storedName(addressLabel(mapping, recorded));
  store<u32>(rest.at, label, DetailsRow.LABEL);
  locations.put(LocationRow.FUNCTION, 0);
  locations.put(LocationRow.LINE, 0);
  locations.put(LocationRow.COLUMN, 0);
  locations.put(LocationRow.MAPPING, mapping);
  locations.put64(LocationRow.ADDRESS, address);
  locations.put(LocationRow.FRAME_TYPE, FrameType.Native);
  locations.put(LocationRow.DETAILS, locationDetails.intern(rest.at, rest.size));
  return locations.intern();
}

/** Label of a location without a line. 0 for address 0. */
function labelOf(mapping: u32, address: u64): u32 {
  return address === 0 ? 0 : addressLabel(mapping, address);
}

/**
 * `libc.so.6+0x1234`, the offset in the file, if the mapping knows the file; `[2de3e4d4]+0x1234` with the first digits
 * of the build id, if the mapping knows that; else the bare address.
 */
function addressLabel(mapping: u32, address: u64): u32 {
  const text = rest.size;
  const file = mappings.get(mapping, MappingRow.FILE_NAME);
  const start = mappings.get64(mapping, MappingRow.START);
  if (file !== 0) {
    const p = strings.pointer(file);
    const n = strings.size(file);
    const name = nameAt(p, n);
    rest.bytes(p + name, n - name);
    putByte(0x2b);
    // Profilers of unmapped code give the place in the file itself.
    if (address >= start && address < mappings.get64(mapping, MappingRow.LIMIT))
      address = address - start + mappings.get64(mapping, MappingRow.FILE_OFFSET);
  } else if (mappings.get(mapping, MappingRow.BUILD_ID) !== 0) putBuildId(mapping);
  putByte(0x30);
  putByte(0x78);
  // No zeros in front of other digits.
  const digits: u32 = 16 - <u32>(clz<u64>(address | 1) >> 2);
  putHex(rest.need(digits), address, digits);
  rest.size += digits;
  const label = internString(rest.at + text, rest.size - text);
  rest.size = text;
  return label;
}

/** Digits of a build id in a label. */
const SHOWN_DIGITS: u32 = 8;

function putBuildId(mapping: u32): void {
  const id = <u32>attributes.get64(mappings.get(mapping, MappingRow.BUILD_ID), AttributeRow.VALUE);
  const n = strings.size(id);
  putByte(0x5b);
  rest.bytes(strings.pointer(id), n < SHOWN_DIGITS ? n : SHOWN_DIGITS);
  putByte(0x5d);
  putByte(0x2b);
}

/**
 * Where the name begins in the path of `n` bytes at `p`: after the last slash, at most MAX_NAME bytes before the end.
 */
function nameAt(p: usize, n: u32): u32 {
  const first = n > MAX_NAME ? n - MAX_NAME : 0;
  let name = n;
  while (name > first && load<u8>(p + name - 1) !== 0x2f) name--;
  while (name < n && (load<u8>(p + name) & 0xc0) === 0x80) name++;
  return name;
}

function putByte(b: u8): void {
  store<u8>(rest.need(1), b);
  rest.size++;
}
