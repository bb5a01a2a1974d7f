/**
 * The dictionary as protobuf: seven tables, each with its zero element first, then the rows that `reach` numbered. All
 * messages but strings, string attributes and stacks are shorter than 128 bytes, so their length is one byte, filled in
 * after them.
 */

import * as ValueKind from "../../abi/value-kind";
import { addressOf, frameCount, frameOf, isFrame } from "../../store/frames";
import * as AttributeRow from "../../store/rows/attribute-row";
import * as FunctionRow from "../../store/rows/function-row";
import * as LineRow from "../../store/rows/line-row";
import * as LinkRow from "../../store/rows/link-row";
import * as LocationRow from "../../store/rows/location-row";
import * as MappingRow from "../../store/rows/mapping-row";
import { detailsOf, detailsSet, functions, links, locations, mappings, stacks } from "../../store/tables";
import {
  attributeCount,
  attributeValue,
  attributeWord,
  encodedPointer,
  encodedSize,
  stringCount,
  stringSize,
} from "../added";
import { listAttributes, putList } from "../attribute-list";
import { at, byUse, places, rowAt } from "../columns";
import { writtenHigh, writtenLow } from "../link-traces";
import { closeLarge, closeSmall, openLarge, openSmall } from "../nested";
import { newRun, Run, scratch } from "../output";
import {
  attributeMap,
  attributeOrder,
  functionMap,
  functionOrder,
  linkMap,
  linkOrder,
  locationMap,
  locationOrder,
  mappingMap,
  mappingOrder,
  sameLocations,
  stackMap,
  stackOrder,
  stringMap,
  stringOrder,
} from "../reach";
import {
  delimitedSize,
  fieldSize,
  next,
  putBytes,
  putField,
  putHeader,
  putId,
  putIndex,
  putString,
  putVarint,
  takeVarint,
  varintSize,
} from "../wire";
import { frameAttribute } from "../writer-attributes";

let run: Run = changetype<Run>(0);

/** The content of the `dictionary` field, finished. */
export function writeDictionary(): Run {
  run = newRun();
  writeMappings();
  writeLocations();
  writeFunctions();
  writeLinks();
  writeStrings();
  writeAttributes();
  writeStacks();
  run.finish();
  return run;
}

function zeroElement(tag: u8): void {
  const p = run.need(2);
  store<u8>(p, tag);
  store<u8>(p, 0, 1);
  run.at = p + 2;
}

function writeMappings(): void {
  zeroElement(0x0a);
  for (let place: u32 = 1; place < places(mappingOrder, mappings.count); place++) {
    const i = rowAt(mappingOrder, place);
    if (at(mappingMap, i) === 0) continue;
    let p = openLarge(run);
    p = putField(p, 0x08, mappings.get64(i, MappingRow.START));
    p = putField(p, 0x10, mappings.get64(i, MappingRow.LIMIT));
    p = putField(p, 0x18, mappings.get64(i, MappingRow.FILE_OFFSET));
    p = putField(p, 0x20, at(stringMap, mappings.get(i, MappingRow.FILE_NAME)));
    listAttributes(mappings.get(i, MappingRow.BUILD_ID), 0, mappings.get(i, MappingRow.SET));
    closeLarge(run, 0x0a, putList(p, 0x2a));
  }
}

function writeLocations(): void {
  zeroElement(0x12);
  for (let place: u32 = 1; place < places(locationOrder, locations.count); place++) {
    const i = rowAt(locationOrder, place);
    if (at(locationMap, i) === 0) continue;
    if (detailsOf(i) !== 0 || frameCount(i) > 1) {
      writeLargeLocation(i);
      continue;
    }
    const p = putPlace(openSmall(run, 0x12), i);
    closeSmall(run, putIndex(p, 0x22, at(attributeMap, frameAttribute(i))));
  }
}

/** Mapping, address and the first line of location `i`. */
function putPlace(p: usize, i: u32): usize {
  p = putField(p, 0x08, at(mappingMap, locations.get(i, LocationRow.MAPPING)));
  p = putField(p, 0x10, addressOf(i));
  const frame = frameOf(i, 0);
  return isFrame(frame) || frameCount(i) > 1 ? putLine(p, frame) : p;
}

function putLine(p: usize, frame: usize): usize {
  const fn = at(functionMap, load<u32>(frame, LineRow.FUNCTION));
  const line = load<u32>(frame, LineRow.NUMBER);
  const column = load<u32>(frame, LineRow.COLUMN);
  p = putHeader(p, 0x1a, fieldSize(fn) + fieldSize(line) + fieldSize(column));
  p = putField(p, 0x08, fn);
  p = putField(p, 0x10, line);
  return putField(p, 0x18, column);
}

/** A location with several lines, or with more attributes than its frame type. */
function writeLargeLocation(i: u32): void {
  let p = putPlace(openLarge(run), i);
  for (let k: u32 = 1; k < frameCount(i); k++) p = putLine(p, frameOf(i, k));
  listAttributes(frameAttribute(i), 0, detailsSet(i));
  closeLarge(run, 0x12, putList(p, 0x22));
}

function writeFunctions(): void {
  zeroElement(0x1a);
  for (let place: u32 = 1; place < places(functionOrder, functions.count); place++) {
    const i = rowAt(functionOrder, place);
    if (at(functionMap, i) === 0) continue;
    let p = openSmall(run, 0x1a);
    p = putField(p, 0x08, at(stringMap, functions.get(i, FunctionRow.NAME)));
    p = putField(p, 0x10, at(stringMap, functions.get(i, FunctionRow.SYSTEM_NAME)));
    p = putField(p, 0x18, at(stringMap, functions.get(i, FunctionRow.FILE_NAME)));
    closeSmall(run, putField(p, 0x20, functions.get(i, FunctionRow.START_LINE)));
  }
}

/** Link 0 is `Link{}`, not 16 and 8 zero bytes: the specification allows both, profcheck only this. */
function writeLinks(): void {
  zeroElement(0x22);
  let index: u32 = 1;
  for (let place: u32 = 1; place < places(linkOrder, links.count); place++) {
    const i = rowAt(linkOrder, place);
    // Two that look alike have the same index.
    if (at(linkMap, i) !== index) continue;
    index++;
    const p = putId(openSmall(run, 0x22), 0x0a, writtenHigh(i), writtenLow(i));
    store<u16>(p, 0x0812);
    store<u64>(p + 2, bswap<u64>(links.get64(i, LinkRow.SPAN)));
    closeSmall(run, p + 10);
  }
}

function writeStrings(): void {
  zeroElement(0x2a);
  for (let place: u32 = 1; place < places(stringOrder, stringCount()); place++) {
    const i = rowAt(stringOrder, place);
    if (at(stringMap, i) === 0) continue;
    const n = stringSize(i);
    run.at = putString(run.need(<u64>n + 6), 0x2a, i);
  }
}

function writeAttributes(): void {
  zeroElement(0x32);
  for (let place: u32 = 1; place < places(attributeOrder, attributeCount()); place++) {
    const i = rowAt(attributeOrder, place);
    if (at(attributeMap, i) === 0) continue;
    const key = at(stringMap, attributeWord(i, AttributeRow.KEY));
    const unit = at(stringMap, attributeWord(i, AttributeRow.UNIT));
    const value = valueSize(i);
    const size = <u64>(fieldSize(key) + fieldSize(unit)) + delimitedSize(value);
    let p = run.need(size + 6);
    p = putHeader(p, 0x32, size);
    p = putField(p, 0x08, key);
    p = putHeader(p, 0x12, value);
    p = putValue(p, i);
    run.at = putField(p, 0x18, unit);
  }
}

/** Size of the AnyValue of attribute `i`. Its member is written even when it is 0: which one is set is the type. */
export function valueSize(i: u32): u64 {
  const value = attributeValue(i);
  switch (attributeWord(i, AttributeRow.TYPE)) {
    case ValueKind.Text:
      return delimitedSize(stringSize(<u32>value));
    case ValueKind.Bool:
      return 2;
    case ValueKind.Int:
      return 1 + varintSize(value);
    case ValueKind.Double:
      return 9;
    case ValueKind.Encoded:
      return encodedSize(<u32>value);
    default:
      return 0;
  }
}

export function putValue(p: usize, i: u32): usize {
  const value = attributeValue(i);
  switch (attributeWord(i, AttributeRow.TYPE)) {
    case ValueKind.Text:
      return putString(p, 0x0a, <u32>value);
    case ValueKind.Bool:
      store<u8>(p, 0x10);
      store<u8>(p, value !== 0 ? 1 : 0, 1);
      return p + 2;
    case ValueKind.Int:
      store<u8>(p, 0x18);
      return putVarint(p + 1, value);
    case ValueKind.Double:
      store<u8>(p, 0x21);
      store<u64>(p + 1, value);
      return p + 9;
    case ValueKind.Encoded:
      memory.copy(p, encodedPointer(<u32>value), encodedSize(<u32>value));
      return p + encodedSize(<u32>value);
    default:
      return p;
  }
}

function writeStacks(): void {
  zeroElement(0x3a);
  let largest: u32 = 0;
  if (!sameLocations) {
    for (let place: u32 = 1; place < places(stackOrder, stacks.count); place++) {
      const i = rowAt(stackOrder, place);
      if (at(stackMap, i) !== 0 && stacks.size(i) > largest) largest = stacks.size(i);
    }
  }
  // No index grows by leaving rows out, so neither does a stack; in another order a byte may become a varint of five.
  const other = scratch(byUse ? 5 * <u64>largest : largest);
  for (let place: u32 = 1; place < places(stackOrder, stacks.count); place++) {
    const i = rowAt(stackOrder, place);
    if (at(stackMap, i) === 0) continue;
    let from = stacks.pointer(i);
    let n = stacks.size(i);
    if (!sameLocations) {
      n = renumber(from, n, other);
      from = other;
    }
    const size = delimitedSize(n);
    const p = putHeader(run.need(size + 6), 0x3a, size);
    run.at = putBytes(p, 0x0a, from, n);
  }
}

/** Writes the packed locations with their new indices at `to`; returns their size. */
function renumber(from: usize, n: u32, to: usize): u32 {
  const end = from + n;
  let p = to;
  while (from < end) {
    const location = takeVarint(from);
    from = next;
    p = putVarint(p, at(locationMap, location));
  }
  return <u32>(p - to);
}
