/**
 * The tables that stacks refer to, read element by element in order, so that rows of our writer's messages keep their
 * numbers.
 *
 *   Mapping   1 start · 2 limit · 3 file offset · 4 file name · 5 attributes
 *   Function  1 name · 2 system name · 3 file name · 4 start line
 *   Location  1 mapping · 2 address · 3 { 1 function · 2 line · 3 column } … · 4 attributes
 *   Stack     1 locations, leaf first
 */

import * as Diagnostic from "../../abi/formats/otlp";
import * as FrameType from "../../abi/frame-type";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { scratch } from "../../memory/scratch";
import { diagnose } from "../../store/diagnostics";
import { frameTypeNamed } from "../../store/frame-types";
import * as AttributeRow from "../../store/rows/attribute-row";
import { attributes, internFunction, internMapping, internString, strings } from "../../store/tables";
import { MARK, marked, markedType, unmarkedType } from "../async-profiler";
import { internStack } from "../kept-stack";
import { addLine, beginLines, endLines, internLines, isExtent } from "../lines";
import { beginNumbers, field, from, nextNumber, number, offsetOf, takeOf, to, value } from "../protobuf";
import { internSet, ownSet, removeAt } from "../set";
import { addAttribute, Role, roleOf } from "./attributes";
import { beginRows, elementAt, elementSize, firstRow, rowAt, setRow, Table, tableSize } from "./tables";

const MAPPING: u64 = 0x51_1110;
const FUNCTION: u64 = 0x1_1110;
const LOCATION: u64 = 0x5_4110;
const LINE: u64 = 0x1110;
const STACK: u64 = 0x50;

/** Attributes of the current element, and the packed stack. */
const set: Buffer = ownSet();
const packed: Buffer = ownBuffer(1 << 10);

/** u8 per function: the frame type that its name states, or 0. */
let frameTypes: usize = 0;
/** Of the function read last. */
let frameType: u32 = FrameType.None;
/** Of the functions of the current location. */
let frameTypeOfLines: u32 = FrameType.None;

export function readMappings(first: u32, end: u32): void {
  if (first === 0) beginRows(Table.Mapping);
  for (let i = max<u32>(first, 1); i < end; i++) {
    const p = elementAt(Table.Mapping, i);
    setRow(Table.Mapping, i, readMapping(p, p + elementSize(Table.Mapping, i)));
  }
}

function readMapping(p: usize, end: usize): u32 {
  let start: u64 = 0;
  let limit: u64 = 0;
  let offset: u64 = 0;
  let file: u32 = 0;
  set.size = 0;
  const element = p;
  while (p < end) {
    const at = p;
    p = takeOf(p, end, MAPPING);
    if (field === 1) start = value;
    else if (field === 2) limit = value;
    else if (field === 3) offset = value;
    else if (field === 4) file = rowAt(Table.String, value, at);
    else if (field === 5) readAttributes(at);
  }
  if (!isExtent(start, limit)) {
    diagnose(Diagnostic.MappingExtent, offsetOf(element), <i64>start);
    start = 0;
    limit = 0;
  }
  let build = takeRole(Role.BuildId);
  if (build === 0) build = takeRole(Role.GoBuildId);
  return internMapping(start, limit, offset, file, build, internSet(set));
}

/** Puts the field's attributes into `set`. */
function readAttributes(at: usize): void {
  beginNumbers();
  while (nextNumber()) {
    const row = rowAt(Table.Attribute, number, at);
    if (row !== 0) addAttribute(set, row, at);
  }
}

/**
 * Takes the attribute with this role, which has a column, out of `set`; 0 where there is no such. The set was complete
 * before, so no key is in the column and in the set.
 */
function takeRole(role: Role): u32 {
  for (let o: u32 = 0; o < set.size; o += 4) {
    const row = load<u32>(set.at + o);
    if (roleOf(row) !== role || (role === Role.FrameType && frameTypeOf(row) === 0)) continue;
    removeAt(set, o);
    return row;
  }
  return 0;
}

export function readFunctions(first: u32, end: u32): void {
  if (first === 0) {
    beginRows(Table.Function);
    frameTypes = scratch(tableSize(Table.Function) + 1);
    memory.fill(frameTypes, 0, tableSize(Table.Function) + 1);
    frameType = FrameType.None;
  }
  for (let i = max<u32>(first, firstRow(Table.Function)); i < end; i++) {
    const p = elementAt(Table.Function, i);
    setRow(Table.Function, i, readFunction(p, p + elementSize(Table.Function, i)));
    store<u8>(frameTypes + i, <u8>frameType);
  }
}

function readFunction(p: usize, end: usize): u32 {
  let name: u32 = 0;
  let systemName: u32 = 0;
  let file: u32 = 0;
  let line: u32 = 0;
  while (p < end) {
    const at = p;
    p = takeOf(p, end, FUNCTION);
    if (field === 1) name = rowAt(Table.String, value, at);
    else if (field === 2) systemName = rowAt(Table.String, value, at);
    else if (field === 3) file = rowAt(Table.String, value, at);
    else if (field === 4) line = lineNumber(at);
  }
  if (marked) name = takeMark(name);
  return internFunction(name, systemName, file, line);
}

/** The name without its mark. */
function takeMark(name: u32): u32 {
  const p = strings.pointer(name);
  const end = p + strings.size(name);
  frameType = markedType(p, end);
  if (frameType !== FrameType.None) return internString(p, <u32>(end - MARK - p));
  frameType = unmarkedType(p, end);
  return name;
}

/** The number taken last as a line: no file has a negative one, or four billion. */
function lineNumber(at: usize): u32 {
  if (value >> 32 === 0) return <u32>value;
  diagnose(Diagnostic.LineRange, offsetOf(at), <i64>value);
  return 0;
}

export function readLocations(first: u32, end: u32): void {
  if (first === 0) beginRows(Table.Location);
  for (let i = max<u32>(first, firstRow(Table.Location)); i < end; i++) {
    const p = elementAt(Table.Location, i);
    setRow(Table.Location, i, readLocation(p, p + elementSize(Table.Location, i)));
  }
}

function readLocation(p: usize, end: usize): u32 {
  let mapping: u32 = 0;
  let address: u64 = 0;
  set.size = 0;
  frameTypeOfLines = FrameType.None;
  beginLines();
  const element = p;
  while (p < end) {
    const at = p;
    p = takeOf(p, end, LOCATION);
    if (field === 1) mapping = rowAt(Table.Mapping, value, at);
    else if (field === 2) address = value;
    else if (field === 3) readLine(from, to);
    else if (field === 4) readAttributes(at);
  }
  const lost = endLines();
  if (lost !== 0) diagnose(Diagnostic.LinesMany, offsetOf(element), lost);
  const stated = takeRole(Role.FrameType);
  return internLines(mapping, address, stated === 0 ? frameTypeOfLines : frameTypeOf(stated), internSet(set));
}

function readLine(p: usize, end: usize): void {
  let fn = rowAt(Table.Function, 0, p);
  let line: u32 = 0;
  let column: u32 = 0;
  while (p < end) {
    const at = p;
    p = takeOf(p, end, LINE);
    if (field === 1) {
      fn = rowAt(Table.Function, value, at);
      if (value < <u64>tableSize(Table.Function)) frameTypeOfLines = load<u8>(frameTypes + <usize>value);
    } else if (field === 2) line = lineNumber(at);
    else if (field === 3) column = lineNumber(at);
  }
  addLine(fn, line, column);
}

function frameTypeOf(row: u32): u32 {
  const text = <u32>attributes.get64(row, AttributeRow.VALUE);
  return frameTypeNamed(strings.pointer(text), strings.size(text));
}

export function readStacks(first: u32, end: u32): void {
  if (first === 0) beginRows(Table.Stack);
  for (let i = max<u32>(first, firstRow(Table.Stack)); i < end; i++) {
    const p = elementAt(Table.Stack, i);
    setRow(Table.Stack, i, readStack(p, p + elementSize(Table.Stack, i)));
  }
}

/** Begins the table for stacks that are read when a sample has them. */
export function beginStacks(): void {
  beginRows(Table.Stack);
}

/** The stack that the field at `p` refers to, which is read when the first sample has it. */
export function stackAt(index: u64, p: usize): u32 {
  const known = rowAt(Table.Stack, index, p);
  if (known !== 0 || index < <u64>firstRow(Table.Stack) || index >= <u64>tableSize(Table.Stack)) return known;
  const at = elementAt(Table.Stack, <u32>index);
  const row = readStack(at, at + elementSize(Table.Stack, <u32>index));
  setRow(Table.Stack, <u32>index, row);
  return row;
}

/** A missing location remains as an unknown frame. */
function readStack(p: usize, end: usize): u32 {
  const start = p;
  packed.size = 0;
  while (p < end) {
    const at = p;
    p = takeOf(p, end, STACK);
    if (field !== 1) continue;
    beginNumbers();
    while (nextNumber()) packed.varint(rowAt(Table.Location, number, at));
  }
  return internStack(packed, Diagnostic.StackDeep, offsetOf(start));
}
