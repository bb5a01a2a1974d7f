/**
 * The tables of one thread of a processed profile: an object of columns each, with their length. The stack table is a
 * tree of frames in which `prefix` is the caller, null at a root.
 *
 *   stackTable { length, prefix, frame } · frameTable { length, func, category, line, column, … }
 *   funcTable  { length, name, source, lineNumber, … } · resourceTable, nativeSymbols: empty
 */

import { Buffer } from "../../memory/buffer";
import { KeyTable } from "../../memory/key-table";
import { onGiveUp } from "../../memory/resets";
import * as FunctionRow from "../../store/rows/function-row";
import * as LocationRow from "../../store/rows/location-row";
import { functions, locations } from "../../store/tables";
import { at, put } from "../columns";
import { closeList, closeObject, index, key, listIndex, listWord, openList, openObject } from "../json";
import { scratch, zeroed } from "../output";
import { timeCount } from "../times";
import * as PlaceRow from "./place-row";
import {
  deepest,
  placeAt,
  placeCount,
  shownFrame,
  shownFrames,
  stackCount as stackTotal,
  unpackStack,
} from "./shown-frames";
import { stackAt } from "./tracks";

/** In `stringArray`. */
const NO_NAME: u32 = 0;
const NO_STACK: u32 = 1;

let stringMap: usize = 0;
let sourceMap: usize = 0;

/** u32 per stack: its node + 1 in this thread; the stacks that have one. */
let nodes: usize = 0;
let usedStacks: usize = 0;
let stackCount: u32 = 0;
/** Likewise places → frames, and frames as they are shown (shown-frames.ts) → funcs, with a place of each. */
let frames: usize = 0;
let usedPlaces: usize = 0;
let frameCount: u32 = 0;
let funcs: usize = 0;
let funcPlaces: usize = 0;
let funcCount: u32 = 0;
/** Places of the current stack. */
let opened: usize = 0;

const STACK_FRAME: usize = 0;
const STACK_PREFIX: usize = 4;

/** | prefix node + 1, frame | → node + 1; and the same by node. */
const tree: KeyTable = changetype<KeyTable>(memory.data(16, 8));
const treeRows: Buffer = changetype<Buffer>(memory.data(16, 8));

/** Room for the largest thread, for one message. */
export function reserveTables(): void {
  nodes = zeroed(stackTotal);
  usedStacks = scratch((<u64>stackTotal) << 2);
  frames = zeroed(placeCount);
  usedPlaces = scratch((<u64>placeCount) << 2);
  funcs = zeroed(shownFrames);
  funcPlaces = scratch((<u64>shownFrames) << 2);
  opened = scratch((<u64>deepest) << 2);
  stackCount = 0;
  frameCount = 0;
  funcCount = 0;
}

/** Columns of the indices, less 1, of strings in `stringArray` and of file names in `sources`. */
export function setNames(stringColumn: usize, sourceColumn: usize): void {
  stringMap = stringColumn;
  sourceMap = sourceColumn;
}

/** Makes the tree of the stacks of the opened track, with its frames and functions. */
export function growTables(): void {
  for (let i: u32 = 0; i < stackCount; i++) put(nodes, at(usedStacks, i), 0);
  for (let i: u32 = 0; i < frameCount; i++) put(frames, at(usedPlaces, i), 0);
  for (let i: u32 = 0; i < funcCount; i++) put(funcs, shownFrame(at(funcPlaces, i)), 0);
  stackCount = 0;
  frameCount = 0;
  funcCount = 0;
  tree.create(64);
  treeRows.create(1 << 10);
  for (let i: u32 = 0; i < timeCount; i++) {
    const stack = stackAt(i);
    if (at(nodes, stack) !== 0) continue;
    put(nodes, stack, addStack(stack));
    put(usedStacks, stackCount, stack);
    stackCount++;
  }
  tree.free();
}

/** Node + 1 of the stack's leaf. */
function addStack(stack: u32): u32 {
  let node: u32 = 0;
  for (let i = unpackStack(stack, opened); i > 0; i--) {
    const frame = frameAt(at(opened, i - 1));
    const row = ((<u64>node) << 32) | <u64>(frame + 1);
    let child = tree.find(row);
    if (child === 0) {
      treeRows.u64(row);
      child = treeRows.size >> 3;
      tree.add(row, child);
    }
    node = child;
  }
  return node;
}

function frameAt(place: u32): u32 {
  const known = at(frames, place);
  if (known !== 0) return known - 1;
  put(usedPlaces, frameCount, place);
  frameCount++;
  put(frames, place, frameCount);
  const shown = shownFrame(place);
  if (at(funcs, shown) === 0) {
    put(funcPlaces, funcCount, place);
    funcCount++;
    put(funcs, shown, funcCount);
  }
  return frameCount - 1;
}

/** Node of the leaf of a stack. */
export function nodeOf(stack: u32): u32 {
  return at(nodes, stack) - 1;
}

/** Frees the memory of this thread. */
export function endTables(): void {
  treeRows.free();
}

/** Gives up the memory of this thread after a trap. */
function dropTables(): void {
  tree.free();
  treeRows.free();
}
onGiveUp(dropTables);

/** The members of the thread that are tables. */
export function writeTables(): void {
  key("stackTable");
  openObject();
  writeStackTable();
  closeObject();
  key("frameTable");
  openObject();
  writeFrameTable();
  closeObject();
  key("funcTable");
  openObject();
  writeFuncTable();
  closeObject();
  writeEmptyTables();
}

function writeStackTable(): void {
  const count = treeRows.size >> 3;
  key("length");
  index(count);
  key("prefix");
  openList();
  for (let i: u32 = 0; i < count; i++) {
    const prefix = load<u32>(treeRows.at + ((<usize>i) << 3), STACK_PREFIX);
    if (prefix === 0) listWord("null");
    else listIndex(prefix - 1);
  }
  closeList();
  key("frame");
  openList();
  for (let i: u32 = 0; i < count; i++) listIndex(load<u32>(treeRows.at + ((<usize>i) << 3), STACK_FRAME) - 1);
  closeList();
}

function writeFrameTable(): void {
  key("length");
  index(frameCount);
  column("address", frameCount, "-1");
  column("inlineDepth", frameCount, "0");
  key("category");
  openList();
  for (let i: u32 = 0; i < frameCount; i++) listIndex(categoryOf(at(usedPlaces, i)));
  closeList();
  column("subcategory", frameCount, "0");
  key("func");
  openList();
  for (let i: u32 = 0; i < frameCount; i++) listIndex(at(funcs, shownFrame(at(usedPlaces, i))) - 1);
  closeList();
  column("nativeSymbol", frameCount, "null");
  column("innerWindowID", frameCount, "null");
  writePlaces("line", PlaceRow.LINE);
  writePlaces("column", PlaceRow.COLUMN);
}

/** By kinds of frames, as the Profile's categories are (firefox.ts). */
function categoryOf(place: u32): u32 {
  return locations.get(load<u32>(placeAt(place), PlaceRow.LOCATION), LocationRow.FRAME_TYPE);
}

/** Lines or columns: 0 means unknown. */
function writePlaces(name: string, offset: usize): void {
  key(name);
  openList();
  for (let i: u32 = 0; i < frameCount; i++) listPlace(load<u32>(placeAt(at(usedPlaces, i)) + offset));
  closeList();
}

function listPlace(v: u32): void {
  if (v === 0) listWord("null");
  else listIndex(v);
}

function writeFuncTable(): void {
  key("length");
  index(funcCount);
  key("name");
  openList();
  for (let i: u32 = 0; i < funcCount; i++) listIndex(nameIndex(at(funcPlaces, i)));
  closeList();
  column("isJS", funcCount, "false");
  column("relevantForJS", funcCount, "false");
  column("resource", funcCount, "-1");
  key("source");
  openList();
  for (let i: u32 = 0; i < funcCount; i++) {
    const file = functions.get(functionOf(i), FunctionRow.FILE_NAME);
    if (file === 0) listWord("null");
    else listIndex(at(sourceMap, file) - 1);
  }
  closeList();
  key("lineNumber");
  openList();
  for (let i: u32 = 0; i < funcCount; i++) listPlace(functions.get(functionOf(i), FunctionRow.START_LINE));
  closeList();
  column("columnNumber", funcCount, "null");
}

/** Function row of func `i`; 0 for a label, and for no stack. */
function functionOf(i: u32): u32 {
  return load<u32>(placeAt(at(funcPlaces, i)), PlaceRow.FUNCTION);
}

function nameIndex(place: u32): u32 {
  if (place === 0) return NO_STACK;
  const name = load<u32>(placeAt(place), PlaceRow.NAME);
  return name === 0 ? NO_NAME : at(stringMap, name) + 1;
}

/** Libraries and symbols are for profiles that the viewer is to look up names for. */
function writeEmptyTables(): void {
  key("resourceTable");
  openObject();
  key("length");
  index(0);
  emptyColumn("lib");
  emptyColumn("name");
  emptyColumn("host");
  emptyColumn("type");
  closeObject();
  key("nativeSymbols");
  openObject();
  key("length");
  index(0);
  emptyColumn("libIndex");
  emptyColumn("address");
  emptyColumn("name");
  emptyColumn("functionSize");
  closeObject();
}

export function emptyColumn(name: string): void {
  column(name, 0, "");
}

/** A column that has the same literal in every row. */
function column(name: string, count: u32, literal: string): void {
  key(name);
  openList();
  for (let i: u32 = 0; i < count; i++) listWord(literal);
  closeList();
}
