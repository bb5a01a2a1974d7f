/**
 * Names of frames. Most are strings of the store. The others are made by the views and are rows here: functions with a
 * line, `run:12`, and generated names without the parts that differ from run to run (store/generated-names.ts). So
 * views leave the store unchanged.
 *
 *   name   a string index, or MADE | row
 *   row    | function name | line |      a function with a line; its text is made on request
 *          | text | 0 |                  a normalised name
 *          | label | LABEL |             not a function: a root frame, a run of frames
 *          | label name | length |       a run with its length, `Spring · 43`
 *
 * A column over all names has the strings first, then the rows (`nameIndex`). It is valid for one request, because
 * reading adds strings.
 */
import * as ShownTree from "../abi/shown-tree";
import { BytesTable } from "../memory/bytes-table";
import { onGiveUp } from "../memory/resets";
import { RowTable } from "../memory/row-table";
import { frameGeneration, functionName, renewFrames } from "../store/frames";
import { normalisedName, normaliseName } from "../store/generated-names";
import { functions, strings } from "../store/tables";
import { Block } from "./block";
import { NO_STRING } from "./lookup";

/** Bytes of ` · `. */
const SIGN: u32 = 4;
/** Set in a name that is a row of this table. */
const MADE: u32 = ShownTree.MADE_NAME;
const FUNCTION: u32 = 0;
const LINE: u32 = 1;
/** In place of a line. No function has such a line. */
const LABEL: u32 = 0xffff_ffff;
/** A longer name is never read to its end, so it stays without its line. */
const MOST_BYTES: u32 = 4096;

const made: RowTable = changetype<RowTable>(memory.data(64, 8));
/** Normalised names. */
const texts: BytesTable = changetype<BytesTable>(memory.data(64, 8));
/** Texts of labels. They are apart from the names: a thread `main` is not the function `main`. */
const labels: BytesTable = changetype<BytesTable>(memory.data(64, 8));
/** u32 per string: the name that it is shown as, + 1; 0 before it is requested. */
const shown: Block = changetype<Block>(memory.data(16, 4));
/** Strings that `shown` covers. */
let known: u32 = 0;
/** Strings that were there when the first text was made: a text that is equal to one of them is no text. */
let stringsBefore: u32 = 0;
/** Functions whose names were made, and the frames that they are of. */
let knownFunctions: u32 = 0;
let generation: u32 = 0;
/** Text of a function with its line: at most MOST_BYTES, a colon and ten digits. */
const spelled: usize = memory.data(4096 + 16);

/** Names are shown as recorded. */
export let raw: bool = false;

onGiveUp((): void => {
  made.drop();
  texts.drop();
  labels.drop();
  known = 0;
  knownFunctions = 0;
});

/** Shows names as recorded, or normalises generated names: without the parts that differ from run to run. */
export function showRawNames(on: bool): void {
  if (raw === on) return;
  raw = on;
  renewFrames();
}

/** Makes the names of all functions, so that no later question makes one. */
export function nameFunctions(): void {
  if (raw) return;
  if (generation !== frameGeneration) knownFunctions = 0;
  generation = frameGeneration;
  for (; knownFunctions < functions.count; knownFunctions++) shownName(functionName(knownFunctions));
}

/** The name that a string of the store is shown as. */
export function shownName(string: u32): u32 {
  if (string === 0 || string >= strings.count) return 0;
  if (raw) return string;
  if (string >= known) cover();
  const p = shown.at + ((<usize>string) << 2);
  const name = load<u32>(p);
  if (name !== 0) return name - 1;
  const made = normalised(string);
  store<u32>(shown.at + ((<usize>string) << 2), (made === NO_STRING ? string : made) + 1);
  return made === NO_STRING ? string : made;
}

function cover(): void {
  const used = (<usize>known) << 2;
  const bytes = (<usize>strings.count) << 2;
  memory.fill(shown.keep(bytes, used) + used, 0, bytes - used);
  known = strings.count;
}

/**
 * The normalised name of a string, NO_STRING if it stays unchanged. A string that is equal to an earlier normalised
 * name gets that name, and a normalised name that is equal to a string gets the string: equal texts are one name in any
 * order.
 */
function normalised(string: u32): u32 {
  const p = strings.pointer(string);
  const n = strings.size(string);
  const size = normaliseName(p, n);
  if (size === 0) {
    const text: u32 = texts.count === 0 || string < stringsBefore ? 0 : texts.find(p, n);
    return text === 0 ? NO_STRING : nameOfText(text);
  }
  if (texts.count === 0) {
    texts.create(64);
    stringsBefore = strings.count;
  }
  let text = texts.find(normalisedName, size);
  if (text === 0) {
    const same = strings.find(normalisedName, size);
    if (same !== 0) return same;
    text = texts.intern(normalisedName, size);
  }
  return nameOfText(text);
}

function nameOfText(text: u32): u32 {
  return madeName(text, 0);
}

function madeName(fn: u32, line: u32): u32 {
  if (made.count === 0) made.create(2, 256);
  made.put(FUNCTION, fn);
  made.put(LINE, line);
  return MADE | made.intern();
}

/** The name of a function at a line. */
export function nameWithLine(fn: u32, line: u32): u32 {
  const size = nameSize(fn);
  return line === 0 || line === LABEL || size === 0 || size > MOST_BYTES ? fn : madeName(fn, line);
}

/** The name of a label with the `n` bytes at `p`. */
export function labelName(p: usize, n: u32): u32 {
  if (labels.count === 0) labels.create(64);
  return madeName(labels.intern(p, n), LABEL);
}

/** The name of a label followed by a number. */
export function countedName(label: u32, count: u32): u32 {
  return madeName(label, count);
}

function isLabel(name: u32): bool {
  return name >= MADE && made.get(name & ~MADE, LINE) === LABEL;
}

/** The name that a tree has: without the length of a run. */
export function treeNameOf(name: u32): u32 {
  const fn = functionOf(name);
  return isLabel(fn) ? fn : name;
}

/** The name that is shown for a text, NO_STRING where no frame can have it. */
export function findName(p: usize, n: u32): u32 {
  if (n === 0) return 0;
  nameFunctions();
  const size: u32 = raw ? 0 : normaliseName(p, n);
  const at = size !== 0 ? normalisedName : p;
  const bytes = size !== 0 ? size : n;
  const text: u32 = texts.count === 0 ? 0 : texts.find(at, bytes);
  if (text !== 0) return nameOfText(text);
  const string = strings.find(at, bytes);
  return string !== 0 ? string : NO_STRING;
}

/** The name without its line, 0 for an unknown name. */
export function functionOf(name: u32): u32 {
  if (name < MADE) return name;
  const row = name & ~MADE;
  if (row >= made.count) return 0;
  const line = made.get(row, LINE);
  return line === 0 || line === LABEL ? name : made.get(row, FUNCTION);
}

/** The function `fn` at the line of `name`, if that has one. */
export function withLineOf(name: u32, fn: u32): u32 {
  return functionOf(name) === name ? fn : madeName(fn, made.get(name & ~MADE, LINE));
}

export function isMade(name: u32): bool {
  return name >= MADE;
}

/** Rows of names that the views made. */
export function madeNames(): u32 {
  return made.count;
}

/** Entries of a column beside all names. */
export function nameCount(): u32 {
  return strings.count + made.count;
}

/** Place of a name in such a column. */
export function nameIndex(name: u32): u32 {
  return name < MADE ? name : strings.count + (name & ~MADE);
}

/** The name at a place of such a column. */
export function nameAt(index: u32): u32 {
  return index < strings.count ? index : MADE | (index - strings.count);
}

/** A column of bytes over all names, 1 for each of the `n` names at `namesAt`, u32 each. Unknown names are skipped. */
export function markNames(flags: Block, namesAt: usize, n: u32): usize {
  const count = nameCount();
  const at = flags.zeroed(count);
  for (let i: u32 = 0; i < n; i++) {
    const index = nameIndex(load<u32>(namesAt + ((<usize>i) << 2)));
    if (index < count) store<u8>(at + index, 1);
  }
  return at;
}

/** Where the text of a name is; valid until the next name is requested. */
export function namePointer(name: u32): usize {
  if (name < MADE) return name < strings.count ? strings.pointer(name) : 0;
  const row = name & ~MADE;
  if (row >= made.count) return 0;
  const fn = made.get(row, FUNCTION);
  let line = made.get(row, LINE);
  if (line === 0) return texts.pointer(fn);
  if (line === LABEL) return labels.pointer(fn);
  const size = nameSize(name);
  memory.copy(spelled, namePointer(fn), nameSize(fn));
  let end = spelled + size;
  for (; line !== 0; line /= 10) {
    end--;
    store<u8>(end, 0x30 + (line % 10));
  }
  if (isLabel(fn)) {
    // A blank, a middle dot and a blank.
    store<u32>(end - SIGN, 0x20b7c220);
  } else {
    store<u8>(end - 1, 0x3a);
  }
  return spelled;
}

export function nameSize(name: u32): u32 {
  if (name < MADE) return name < strings.count ? strings.size(name) : 0;
  const row = name & ~MADE;
  if (row >= made.count) return 0;
  const fn = made.get(row, FUNCTION);
  let line = made.get(row, LINE);
  if (line === 0) return texts.size(fn);
  if (line === LABEL) return labels.size(fn);
  let digits: u32 = isLabel(fn) ? SIGN : 1;
  for (; line !== 0; line /= 10) digits++;
  return nameSize(fn) + digits;
}
