/**
 * Strings by index, and mappings, functions and locations by the ids that a profile gives them, which may be any.
 *
 *   Mapping   1 id · 2 start · 3 limit · 4 offset · 5 file name · 6 build id · 7 to 10 has functions, file names, line
 *             numbers, inline frames
 *   Function  1 id · 2 name · 3 system name · 4 file name · 5 start line
 *   Location  1 id · 2 mapping id · 3 address · 4 { 1 function id · 2 line · 3 column } … · 5 is_folded
 *
 * A known exporter for .NET leaves the ids of all functions out, and its lines have the id of their location in their
 * place: the functions are in the order of the locations.
 *
 * Places are | pointer u32 | size u32 |; rows are in the maps as row + 1, because the zero row is one too.
 */

import * as Diagnostic from "../../abi/formats/pprof";
import * as FrameType from "../../abi/frame-type";
import * as Slice from "../../abi/slice";
import * as ValueKind from "../../abi/value-kind";
import { Buffer } from "../../memory/buffer";
import { KeyTable } from "../../memory/key-table";
import { scratch } from "../../memory/scratch";
import { sliceAt, sliceEnd } from "../../memory/slice";
import { diagnose, hush } from "../../store/diagnostics";
import { BUILD_ID_KEY, GO_BUILD_ID_KEY } from "../../store/keys";
import { internAttribute, internFunction, internMapping, internText, strings } from "../../store/tables";
import { addLine, beginLines, endLines, internLines, isExtent } from "../lines";
import { field, from, offsetOf, take, takeOf, to, VARINT, value, wire } from "../protobuf";
import { addToSet, internSet, newSet, ownSet } from "../set";
import { internUtf8, repaired } from "../text";

const MAPPING: u64 = 0x111_1111_1110;
const FUNCTION: u64 = 0x11_1110;
const LOCATION: u64 = 0x14_1110;
const LINE: u64 = 0x1110;

/** Field numbers in Profile. */
export enum Table {
  Mapping = 3,
  Location,
  Function,
  String,
}

const FIRST: u32 = 3;
/** Places of the elements of each table: a Buffer of 16 bytes. */
const places: usize = memory.data(4 * 16, 8);
/** Row of each string. */
let stringRows: usize = 0;
let stringCount: u32 = 0;
const mappingRows: KeyTable = changetype<KeyTable>(memory.data(16, 8));
const functionRows: KeyTable = changetype<KeyTable>(memory.data(16, 8));
const locationRows: KeyTable = changetype<KeyTable>(memory.data(16, 8));
const set: Buffer = ownSet();

function placesOf(table: Table): Buffer {
  return changetype<Buffer>(places + ((<usize>(<u32>table - FIRST)) << 4));
}

export function beginTables(): void {
  for (let i: u32 = 0; i < 4; i++) placesOf(<Table>(i + FIRST)).create(1 << 10);
}

/** Notes where the element [p, end) of a table is. */
export function noteElement(table: Table, p: usize, end: usize): void {
  placesOf(table).u32(<u32>p);
  placesOf(table).u32(<u32>(end - p));
}

/** Makes rows of the store of everything noted. */
export function readTables(): void {
  readStrings();
  mappingRows.create(sizeOf(Table.Mapping));
  functionRows.create(sizeOf(Table.Function));
  locationRows.create(sizeOf(Table.Location));
  for (let i: u32 = 0; i < sizeOf(Table.Mapping); i++) readMapping(at(Table.Mapping, i), endAt(Table.Mapping, i));
  const without = functionsWithoutId();
  const areAll = without !== 0 && without === sizeOf(Table.Function) && without === sizeOf(Table.Location);
  const areLocations = areAll && idOf(Table.Location, 0) !== 0;
  if (without !== 0) {
    const code = areLocations ? Diagnostic.FunctionsNumbered : Diagnostic.FunctionZero;
    diagnose(code, offsetOf(at(Table.Function, 0)), without);
  }
  for (let i: u32 = 0; i < sizeOf(Table.Function); i++)
    readFunction(at(Table.Function, i), endAt(Table.Function, i), areLocations ? idOf(Table.Location, i) : 0);
  for (let i: u32 = 0; i < sizeOf(Table.Location); i++) readLocation(at(Table.Location, i), endAt(Table.Location, i));
}

export function endTables(): void {
  for (let i: u32 = 0; i < 4; i++) placesOf(<Table>(i + FIRST)).free();
  mappingRows.free();
  functionRows.free();
  locationRows.free();
}

function sizeOf(table: Table): u32 {
  return placesOf(table).size >> 3;
}

function at(table: Table, i: u32): usize {
  return sliceAt(placesOf(table).at + <usize>i * Slice.BYTES);
}

function endAt(table: Table, i: u32): usize {
  return sliceEnd(placesOf(table).at + <usize>i * Slice.BYTES);
}

function readStrings(): void {
  stringCount = sizeOf(Table.String);
  stringRows = scratch((stringCount + 1) << 2);
  for (let i: u32 = 0; i < stringCount; i++) {
    const p = at(Table.String, i);
    store<u32>(stringRows + ((<usize>i) << 2), internUtf8(p, <u32>(endAt(Table.String, i) - p)));
    if (repaired) diagnose(Diagnostic.Text, offsetOf(p), 0);
  }
}

/** String `index`, which the field at `p` refers to. */
export function stringAt(index: u64, p: usize): u32 {
  if (index < <u64>stringCount) return load<u32>(stringRows + ((<usize>index) << 2));
  if (index !== 0) diagnose(Diagnostic.StringRange, offsetOf(p), <i64>index);
  return 0;
}

/** The row of an id; id 0 means no entry. */
function rowOf(map: KeyTable, id: u64, code: u32, p: usize): u32 {
  const row = id === 0 ? 1 : map.find(id);
  if (row === 0) diagnose(code, offsetOf(p), <i64>id);
  return row === 0 ? 0 : row - 1;
}

export function locationAt(id: u64, p: usize): u32 {
  return rowOf(locationRows, id, Diagnostic.LocationUnknown, p);
}

/** `zero`, `twice`: codes for the reserved id, and for an id that another row has. */
function add(map: KeyTable, id: u64, row: u32, p: usize, zero: u32, twice: u32): void {
  const known = id === 0 ? 0 : map.find(id);
  if (id === 0) {
    if (zero !== 0) diagnose(zero, offsetOf(p), 0);
  } else if (known === 0) map.add(id, row + 1);
  else if (known !== row + 1) diagnose(twice, offsetOf(p), <i64>id);
}

function readMapping(p: usize, end: usize): void {
  let id: u64 = 0;
  let start: u64 = 0;
  let limit: u64 = 0;
  let offset: u64 = 0;
  let file: u32 = 0;
  let build: u32 = 0;
  set.size = 0;
  const element = p;
  while (p < end) {
    const at = p;
    p = takeOf(p, end, MAPPING);
    if (field === 1) id = value;
    else if (field === 2) start = value;
    else if (field === 3) limit = value;
    else if (field === 4) offset = value;
    else if (field === 5) file = stringAt(value, at);
    else if (field === 6) build = stringAt(value, at);
    else if (field >= 7 && field <= 10 && value !== 0) addToSet(set, truth(<u32>field));
  }
  if (!isExtent(start, limit)) {
    diagnose(Diagnostic.MappingExtent, offsetOf(element), <i64>start);
    start = 0;
    limit = 0;
  }
  if (build !== 0) {
    const key = isGoId(build) ? GO_BUILD_ID_KEY : BUILD_ID_KEY;
    build = internAttribute(internText(key), ValueKind.Text, build);
  }
  const row = internMapping(start, limit, offset, file, build, internSet(set));
  add(mappingRows, id, row, element, Diagnostic.MappingZero, Diagnostic.MappingTwice);
}

/** Whether a build id is Go's: hashes with slashes between them. Others are hex digits. */
function isGoId(text: u32): bool {
  const p = strings.pointer(text);
  const end = p + strings.size(text);
  for (let q = p; q < end; q++) if (load<u8>(q) === 0x2f) return true;
  return false;
}

/** Attribute keys of a mapping's flags in the semantic conventions. */
function truth(number: u32): u32 {
  switch (number) {
    case 7:
      return internAttribute(internText("pprof.mapping.has_functions"), ValueKind.Bool, 1);
    case 8:
      return internAttribute(internText("pprof.mapping.has_filenames"), ValueKind.Bool, 1);
    case 9:
      return internAttribute(internText("pprof.mapping.has_line_numbers"), ValueKind.Bool, 1);
    default:
      return internAttribute(internText("pprof.mapping.has_inline_frames"), ValueKind.Bool, 1);
  }
}

/** The id of element `i` of a table. */
function idOf(table: Table, i: u32): u64 {
  let id: u64 = 0;
  const end = endAt(table, i);
  hush(true);
  for (let p = at(table, i); p < end; ) {
    p = take(p, end);
    if (field === 1 && wire === VARINT) id = value;
  }
  hush(false);
  return id;
}

function functionsWithoutId(): u32 {
  let n: u32 = 0;
  for (let i: u32 = 0; i < sizeOf(Table.Function); i++) if (idOf(Table.Function, i) === 0) n++;
  return n;
}

/** `id`: where the function does not have one. */
function readFunction(p: usize, end: usize, id: u64): void {
  const element = p;
  let name: u32 = 0;
  let systemName: u32 = 0;
  let file: u32 = 0;
  let line: u32 = 0;
  while (p < end) {
    const at = p;
    p = takeOf(p, end, FUNCTION);
    if (field === 1 && value !== 0) id = value;
    else if (field === 2) name = stringAt(value, at);
    else if (field === 3) systemName = stringAt(value, at);
    else if (field === 4) file = stringAt(value, at);
    else if (field === 5) line = lineNumber(at);
  }
  add(functionRows, id, internFunction(name, systemName, file, line), element, 0, Diagnostic.FunctionTwice);
}

/** The number taken last as a line: no file has a negative one, or four billion. */
function lineNumber(at: usize): u32 {
  if (value >> 32 === 0) return <u32>value;
  diagnose(Diagnostic.LineRange, offsetOf(at), <i64>value);
  return 0;
}

function readLocation(p: usize, end: usize): void {
  const element = p;
  let id: u64 = 0;
  let mapping: u32 = 0;
  let address: u64 = 0;
  set.size = 0;
  beginLines();
  while (p < end) {
    const at = p;
    p = takeOf(p, end, LOCATION);
    if (field === 4) readLine(from, to);
    else if (field === 1) id = value;
    else if (field === 2) mapping = rowOf(mappingRows, value, Diagnostic.MappingUnknown, at);
    else if (field === 3) address = value;
    else if (field === 5 && value !== 0)
      addToSet(set, internAttribute(internText("pprof.location.is_folded"), ValueKind.Bool, 1));
  }
  const lost = endLines();
  if (lost !== 0) diagnose(Diagnostic.LinesMany, offsetOf(element), lost);
  const row = internLines(mapping, address, FrameType.None, internSet(set));
  const kept = row !== 0 ? row : unnamedLocation();
  add(locationRows, id, kept, element, Diagnostic.LocationZero, Diagnostic.LocationTwice);
}

function readLine(p: usize, end: usize): void {
  let fn: u32 = 0;
  let line: u32 = 0;
  let column: u32 = 0;
  while (p < end) {
    const at = p;
    p = takeOf(p, end, LINE);
    if (field === 1) fn = rowOf(functionRows, value, Diagnostic.FunctionUnknown, at);
    else if (field === 2) line = lineNumber(at);
    else if (field === 3) column = lineNumber(at);
  }
  addLine(fn, line, column);
}

/**
 * A location that states nothing is a frame nevertheless. Row 0 is no frame to the writers, so this one states that it
 * is not folded, as every other does.
 */
function unnamedLocation(): u32 {
  const set = newSet();
  addToSet(set, internAttribute(internText("pprof.location.is_folded"), ValueKind.Bool, 0));
  beginLines();
  endLines();
  return internLines(0, 0, FrameType.None, internSet(set));
}
