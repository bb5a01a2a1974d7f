/**
 * The dictionary as JSON: seven tables, each with its zero element (`{}`, `""`) first, then the rows that `reach`
 * numbered.
 */

import * as ValueKind from "../../abi/value-kind";
import { addressOf, frameCount, frameOf, isFrame } from "../../store/frames";
import * as AttributeRow from "../../store/rows/attribute-row";
import * as FunctionRow from "../../store/rows/function-row";
import * as LineRow from "../../store/rows/line-row";
import * as LinkRow from "../../store/rows/link-row";
import * as LocationRow from "../../store/rows/location-row";
import * as MappingRow from "../../store/rows/mapping-row";
import { detailsSet, functions, links, locations, mappings, stacks } from "../../store/tables";
import { attributeCount, attributeValue, attributeWord, encodedPointer, encodedSize, stringCount } from "../added";
import { listAttributes } from "../attribute-list";
import { at, places, rowAt } from "../columns";
import * as json from "../json";
import { writtenHigh, writtenLow } from "../link-traces";
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
  stackMap,
  stackOrder,
  stringMap,
  stringOrder,
} from "../reach";
import { next, takeVarint } from "../wire";
import { frameAttribute } from "../writer-attributes";
import { writeEncoded } from "./encoded-json";

/** The members of the `dictionary` object. */
export function writeDictionaryJson(): void {
  openTable("mappingTable");
  writeMappings();
  json.closeArray();
  openTable("locationTable");
  writeLocations();
  json.closeArray();
  openTable("functionTable");
  writeFunctions();
  json.closeArray();
  openTable("linkTable");
  writeLinks();
  json.closeArray();
  json.key("stringTable");
  json.openArray();
  json.stringElement(0);
  for (let place: u32 = 1; place < places(stringOrder, stringCount()); place++) {
    const i = rowAt(stringOrder, place);
    if (at(stringMap, i) !== 0) json.stringElement(i);
  }
  json.closeArray();
  openTable("attributeTable");
  writeAttributes();
  json.closeArray();
  openTable("stackTable");
  writeStacks();
  json.closeArray();
}

function openTable(name: string): void {
  json.key(name);
  json.openArray();
  json.emptyElement();
}

function writeMappings(): void {
  for (let place: u32 = 1; place < places(mappingOrder, mappings.count); place++) {
    const i = rowAt(mappingOrder, place);
    if (at(mappingMap, i) === 0) continue;
    json.openElement();
    json.unsignedMember("memoryStart", mappings.get64(i, MappingRow.START));
    json.unsignedMember("memoryLimit", mappings.get64(i, MappingRow.LIMIT));
    json.unsignedMember("fileOffset", mappings.get64(i, MappingRow.FILE_OFFSET));
    json.indexMember("filenameStrindex", at(stringMap, mappings.get(i, MappingRow.FILE_NAME)));
    listAttributes(mappings.get(i, MappingRow.BUILD_ID), 0, mappings.get(i, MappingRow.SET));
    json.attributesMember();
    json.closeObject();
  }
}

function writeLocations(): void {
  for (let place: u32 = 1; place < places(locationOrder, locations.count); place++) {
    const i = rowAt(locationOrder, place);
    if (at(locationMap, i) === 0) continue;
    json.openElement();
    json.indexMember("mappingIndex", at(mappingMap, locations.get(i, LocationRow.MAPPING)));
    json.unsignedMember("address", addressOf(i));
    const lines = frameCount(i);
    if (lines > 1 || isFrame(frameOf(i, 0))) {
      json.key("lines");
      json.openArray();
      for (let k: u32 = 0; k < lines; k++) writeLine(frameOf(i, k));
      json.closeArray();
    }
    listAttributes(frameAttribute(i), 0, detailsSet(i));
    json.attributesMember();
    json.closeObject();
  }
}

function writeLine(frame: usize): void {
  json.openElement();
  json.indexMember("functionIndex", at(functionMap, load<u32>(frame, LineRow.FUNCTION)));
  json.unsignedMember("line", load<u32>(frame, LineRow.NUMBER));
  json.unsignedMember("column", load<u32>(frame, LineRow.COLUMN));
  json.closeObject();
}

function writeFunctions(): void {
  for (let place: u32 = 1; place < places(functionOrder, functions.count); place++) {
    const i = rowAt(functionOrder, place);
    if (at(functionMap, i) === 0) continue;
    json.openElement();
    json.indexMember("nameStrindex", at(stringMap, functions.get(i, FunctionRow.NAME)));
    json.indexMember("systemNameStrindex", at(stringMap, functions.get(i, FunctionRow.SYSTEM_NAME)));
    json.indexMember("filenameStrindex", at(stringMap, functions.get(i, FunctionRow.FILE_NAME)));
    json.unsignedMember("startLine", functions.get(i, FunctionRow.START_LINE));
    json.closeObject();
  }
}

function writeLinks(): void {
  let index: u32 = 1;
  for (let place: u32 = 1; place < places(linkOrder, links.count); place++) {
    const i = rowAt(linkOrder, place);
    // Two that look alike have the same index.
    if (at(linkMap, i) !== index) continue;
    index++;
    json.openElement();
    json.hexMember("traceId", writtenHigh(i), writtenLow(i), true);
    json.hexMember("spanId", 0, links.get64(i, LinkRow.SPAN), false);
    json.closeObject();
  }
}

function writeAttributes(): void {
  for (let place: u32 = 1; place < places(attributeOrder, attributeCount()); place++) {
    const i = rowAt(attributeOrder, place);
    if (at(attributeMap, i) === 0) continue;
    json.openElement();
    json.indexMember("keyStrindex", at(stringMap, attributeWord(i, AttributeRow.KEY)));
    json.key("value");
    json.openObject();
    writeValue(i);
    json.closeObject();
    json.indexMember("unitStrindex", at(stringMap, attributeWord(i, AttributeRow.UNIT)));
    json.closeObject();
  }
}

/** The member of the AnyValue of attribute `i`, written even when it is 0: which one is set is the type. */
export function writeValue(i: u32): void {
  const value = attributeValue(i);
  switch (attributeWord(i, AttributeRow.TYPE)) {
    case ValueKind.Text:
      json.key("stringValue");
      json.stringText(<u32>value);
      break;
    case ValueKind.Bool:
      json.key("boolValue");
      json.boolean(value !== 0);
      break;
    case ValueKind.Int:
      json.key("intValue");
      json.signed(value);
      break;
    case ValueKind.Double:
      json.key("doubleValue");
      json.double(reinterpret<f64>(value));
      break;
    case ValueKind.Encoded:
      writeEncoded(encodedPointer(<u32>value), encodedPointer(<u32>value) + encodedSize(<u32>value));
      break;
  }
}

function writeStacks(): void {
  for (let place: u32 = 1; place < places(stackOrder, stacks.count); place++) {
    const i = rowAt(stackOrder, place);
    if (at(stackMap, i) === 0) continue;
    json.openElement();
    json.key("locationIndices");
    json.openList();
    let p = stacks.pointer(i);
    const end = p + stacks.size(i);
    while (p < end) {
      json.listIndex(at(locationMap, takeVarint(p)));
      p = next;
    }
    json.closeList();
    json.closeObject();
  }
}
