/**
 * Frames in the formats for viewers. A place is a line of a location in use (most locations have one line). Place 0 is
 * the stack of a sample that has no stack, so that totals hold; place 1 is location 0, an unknown frame.
 *
 *   place   | location u32 | function | line | column | name string |       20 bytes; the lines of a location in a row,
 *                                                                           the innermost first
 *
 * A frame is a function, regardless of the line, or the label of a bare address.
 *
 *   0 (no stack) · 1 (no name) · 2 … functions, in the order of the dictionary · labels, in the order of the strings
 *
 * Where rows are numbered by their first use (columns.ts), so are places, functions and labels.
 *
 * With a call tree in the plan, stacks are those of the tree: a stack is a node, and each name in use is one place and
 * one frame. The location of such a place is the first one of the name, so the frame has its type and its function.
 */

import * as ShownTree from "../../abi/shown-tree";
import { frameCount, frameName, frameOf } from "../../store/frames";
import * as LineRow from "../../store/rows/line-row";
import * as SampleRow from "../../store/rows/sample-row";
import { sampleAt, sampleCount } from "../../store/samples";
import { functions, locations, stacks } from "../../store/tables";
import { stringCount, stringPointer, stringSize } from "../added";
import { arrange, at, byUse, mark, marked, number, places as placesOf, put, rowAt } from "../columns";
import { putText } from "../json";
import { isSelected, maskedRows } from "../mask";
import { scratch, zeroed } from "../output";
import { shownTree, stringOfName } from "../plan";
import { functionMap, locationMap, locationOrder, stackMap } from "../reach";
import { next, takeVarint } from "../wire";
import * as PlaceRow from "./place-row";

export const NO_STACK: u32 = 0;
export const NO_NAME: u32 = 1;

let places: usize = 0;
export let placeCount: u32 = 0;
/** u32 per location: its first place. */
let firstPlaces: usize = 0;
/** u32 per string: 1 + its number among the labels; and their order (columns.ts). */
let labels: usize = 0;
export let labelOrder: usize = 0;
let functionCount: u32 = 0;
export let shownFrames: u32 = 0;
/** Frames of the largest stack. */
export let deepest: u32 = 0;

/** Stacks that samples can have: of the store, or nodes of the plan's tree. */
export let stackCount: u32 = 0;

/** The stack of sample `row`. */
export function stackOf(row: u32): u32 {
  const stack = load<u32>(sampleAt(row), SampleRow.STACK);
  if (shownTree === 0) return stack;
  return at(load<u32>(shownTree, ShownTree.LEAVES), load<u32>(shownTree, ShownTree.BY_SAMPLE) !== 0 ? row : stack);
}

/** Finds the places of the rows that `reach` found, for one message. */
export function findPlaces(): void {
  stackCount = stacks.count;
  if (shownTree !== 0) {
    findNames();
    return;
  }
  firstPlaces = zeroed(locations.count);
  put(firstPlaces, 0, 1);
  placeCount = 2;
  let lines: u32 = 1;
  for (let k: u32 = 1; k < placesOf(locationOrder, locations.count); k++) {
    const i = rowAt(locationOrder, k);
    if (!marked(locationMap, i)) continue;
    put(firstPlaces, i, placeCount);
    const own = frameCount(i);
    placeCount += own;
    lines = max<u32>(lines, own);
  }
  places = scratch(<u64>placeCount * PlaceRow.BYTES);
  memory.fill(places, 0, PlaceRow.BYTES << 1);
  labels = zeroed(stringCount());
  for (let k: u32 = 1; k < placesOf(locationOrder, locations.count); k++) {
    const i = rowAt(locationOrder, k);
    if (marked(locationMap, i)) setPlaces(i);
  }

  functionCount = 0;
  for (let i: u32 = 1; i < functions.count; i++) if (marked(functionMap, i)) functionCount++;
  labelOrder = arrange(labels, stringCount());
  shownFrames = 1 + functionCount + (byUse ? at(labelOrder, 0) : number(labels, stringCount()));
  deepest = 1;
  for (let i: u32 = 1; i < stacks.count; i++) if (marked(stackMap, i)) deepest = max<u32>(deepest, stacks.size(i));
  deepest *= lines;
}

function setPlaces(location: u32): void {
  let place = placeAt(at(firstPlaces, location));
  for (let i: u32 = 0; i < frameCount(location); i++) {
    const frame = frameOf(location, i);
    const name = frameName(location, i);
    store<u32>(place, location, PlaceRow.LOCATION);
    store<u32>(place, load<u32>(frame, LineRow.FUNCTION), PlaceRow.FUNCTION);
    store<u32>(place, load<u32>(frame, LineRow.NUMBER), PlaceRow.LINE);
    store<u32>(place, load<u32>(frame, LineRow.COLUMN), PlaceRow.COLUMN);
    store<u32>(place, name, PlaceRow.NAME);
    if (load<u32>(frame, LineRow.FUNCTION) === 0) mark(labels, name);
    place += PlaceRow.BYTES;
  }
}

/** Frames of a shown tree: a place for each name of a node that a selected sample goes through. */
function findNames(): void {
  stackCount = load<u32>(shownTree, ShownTree.NODES);
  deepest = load<u32>(shownTree, ShownTree.DEEPEST);
  const parents = load<u32>(shownTree, ShownTree.PARENTS);
  const nodeNames = load<u32>(shownTree, ShownTree.NAMES);
  const nodeLocations = load<u32>(shownTree, ShownTree.LOCATIONS);
  const used = zeroed(stackCount);
  let p = maskedRows;
  for (let row: u32 = 1; row < sampleCount; row++) {
    p += SampleRow.BYTES;
    if (isSelected(row, p)) mark(used, stackOf(row));
  }
  firstPlaces = zeroed(stringCount());
  for (let node = stackCount - 1; node > 0; node--) {
    if (!marked(used, node)) continue;
    mark(used, at(parents, node));
    mark(firstPlaces, stringOfName(at(nodeNames, node)));
  }
  put(firstPlaces, 0, 0);
  placeCount = number(firstPlaces, stringCount()) + 1;
  shownFrames = placeCount;
  places = scratch(<u64>placeCount * PlaceRow.BYTES);
  memory.fill(places, 0, <usize>placeCount * PlaceRow.BYTES);
  for (let node: u32 = 1; node < stackCount; node++) {
    if (!marked(used, node)) continue;
    const name = stringOfName(at(nodeNames, node));
    const place = placeAt(placeOfName(name));
    if (name === 0 || load<u32>(place, PlaceRow.NAME) !== 0) continue;
    store<u32>(place, name, PlaceRow.NAME);
    const location = at(nodeLocations, node);
    if (location < locations.count) describe(place, location, name);
  }
}

/** Gives a place the location, and the function of it that has the name. */
function describe(place: usize, location: u32, name: u32): void {
  store<u32>(place, location, PlaceRow.LOCATION);
  const only = frameCount(location) === 1;
  for (let i: u32 = 0; i < frameCount(location); i++) {
    if (!only && frameName(location, i) !== name) continue;
    store<u32>(place, load<u32>(frameOf(location, i), LineRow.FUNCTION), PlaceRow.FUNCTION);
    return;
  }
}

/** The place of a name with a tree: after those of no stack and no name. */
function placeOfName(name: u32): u32 {
  return name === 0 ? NO_NAME : at(firstPlaces, name) + 1;
}

export function placeAt(i: u32): usize {
  return places + <usize>i * PlaceRow.BYTES;
}

/** The frame that a place is shown as. */
export function shownFrame(place: u32): u32 {
  if (shownTree !== 0) return place;
  if (place === 0) return NO_STACK;
  const p = placeAt(place);
  const name = load<u32>(p, PlaceRow.NAME);
  if (name === 0) return NO_NAME;
  const fn = load<u32>(p, PlaceRow.FUNCTION);
  return fn !== 0 ? at(functionMap, fn) + 1 : functionCount + 1 + at(labels, name);
}

/** Whether string `i` is the label of an address. */
export function isLabel(i: u32): bool {
  return marked(labels, i);
}

/** Writes the places of a stack, leaf first, to `to`, room for `deepest` u32; returns how many. */
export function unpackStack(stack: u32, to: usize): u32 {
  let n: u32 = 0;
  if (shownTree !== 0) {
    for (let node = stack; node !== 0; node = at(load<u32>(shownTree, ShownTree.PARENTS), node)) {
      put(to, n, placeOfName(stringOfName(at(load<u32>(shownTree, ShownTree.NAMES), node))));
      n++;
    }
    stack = 0;
  }
  let p = stacks.pointer(stack);
  const end = p + stacks.size(stack);
  while (p < end) {
    const location = takeVarint(p);
    p = next;
    const first = at(firstPlaces, location);
    for (let k: u32 = 0; k < frameCount(location); k++) {
      put(to, n, first + k);
      n++;
    }
  }
  if (n !== 0) return n;
  put(to, 0, 0);
  return 1;
}

/** Where the name of a place is that `findName` was asked for. */
export let nameAt: usize = 0;
export let nameSize: u32 = 0;

export function findName(place: u32): void {
  const name = load<u32>(placeAt(place), PlaceRow.NAME);
  if (name !== 0) {
    nameAt = stringPointer(name);
    nameSize = stringSize(name);
    return;
  }
  nameAt = memory.data(32);
  const end = place === 0 ? putText(nameAt, "(no stack)") : putText(nameAt, "(no name)");
  nameSize = <u32>(end - nameAt);
}
