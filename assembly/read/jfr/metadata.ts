/**
 * The metadata event: a string table, then a tree of elements, all values strings.
 *
 *   size · 0 · startTicks · duration · id · stringCount · string* · element
 *   element := name · n · (key value)^n · m · element^m            all of them indices or counts
 *
 * The classes and their fields are those of one chunk. A chunk with the same metadata event starts from copies of them
 * (kept-metadata.ts).
 *
 *   class  | id u64 | name ptr, size | first field | fields | base | plan | pool | event plan | events seen | simple |
 *          | text field | text plan | name's string + 1 | 0 |
 *   field  | class id u64 | name ptr, size | class index | flags | unit | unsigned | unit's annotation id u64 |
 *          | contextual | 0 |
 *   mark   | field u32 | annotation id u32 |               an annotation without a value, of a field
 */

import { alloc } from "../../memory/arena";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { equalBytes } from "../../memory/hash";
import { KeyTable, ownKeyTable } from "../../memory/key-table";
import { onReset } from "../../memory/resets";
import { scratch } from "../../memory/scratch";
import { sliceAt, sliceSize } from "../../memory/slice";
import { internString } from "../../store/tables";
import { left, overrun, position, readInt, readLong, seek } from "./cursor";
import { Kept, keep, keptOf } from "./kept-metadata";
import * as ClassRow from "./rows/class-row";
import * as FieldRow from "./rows/field-row";
import { readText, Text, textAt, textSize } from "./text";

const MARK_FIELD: usize = 0;
const MARK_ANNOTATION: usize = 4;
const MARK_BYTES: usize = 8;

/** An entry of the string table: a slice, and which of the words it is. */
const ENTRY_WORD: usize = 8;
const ENTRY_BYTES: usize = 12;

/** Kind of a class without fields, by its name. */
export enum Base {
  Struct,
  Long,
  Int,
  Short,
  Char,
  Byte,
  Boolean,
  Float,
  Double,
  String,
}

/** Values of FieldRow.UNIT: the annotation's word, or its name if it has no word. */
export enum Unit {
  None,
  Ticks,
  Nanoseconds,
  Microseconds,
  Milliseconds,
  Seconds,
  MillisecondsSinceEpoch,
  Bytes,
  /** A share: 1 is all of it. */
  Percentage,
  /** No annotation: a float without a unit (sample-plan.ts). */
  Thousandths,
}

/** Words of the element tree. */
enum Word {
  Other,
  Class,
  Field,
  Annotation,
  Id,
  Name,
  Dimension,
  ConstantPool,
  SimpleType,
  Value,
}

const NO_CLASS: u32 = 0xffff_ffff;
const DEPTH_LIMIT: u32 = 32;

const classes: Buffer = ownBuffer(1 << 15);
const fields: Buffer = ownBuffer(1 << 16);
const table: Buffer = ownBuffer(1 << 15);
const marks: Buffer = ownBuffer(1 << 12);
let strings: u32 = 0;
export let classCount: u32 = 0;
let fieldCount: u32 = 0;
/** Class index + 1 of the other ids. */
const byId: KeyTable = ownKeyTable(64);
/** Class index + 1 of the ids below SMALL_IDS, which is all of them in practice. */
let small: usize = 0;
const SMALL_IDS: u32 = 65536;

onReset((): void => {
  small = alloc((<usize>SMALL_IDS) << 1);
  memory.fill(small, 0, (<usize>SMALL_IDS) << 1);
  classCount = 0;
});

export function classAt(i: u32): usize {
  return classes.at + <usize>i * ClassRow.BYTES;
}

export function fieldAt(i: u32): usize {
  return fields.at + <usize>i * FieldRow.BYTES;
}

/** Index of the class with this id, or 0xffffffff. */
export function classOf(id: u64): u32 {
  return (id < SMALL_IDS ? <u32>load<u16>(small + ((<usize>id) << 1)) : byId.find(id)) - 1;
}

export function isClass(index: u32): bool {
  return index < classCount;
}

/** Drops everything that was read: plans, pools and counts are of one chunk. */
export function forgetMetadata(): void {
  for (let i: u32 = 0; i < classCount; i++) {
    const id = load<u64>(classAt(i), ClassRow.ID);
    if (id < SMALL_IDS) store<u16>(small + ((<usize>id) << 1), 0);
  }
  byId.free();
  byId.create(64);
  classes.size = 0;
  fields.size = 0;
  table.size = 0;
  marks.size = 0;
  classCount = 0;
  fieldCount = 0;
  strings = 0;
  isCut = false;
  lateClasses = 0;
}

/** Whether the `n` bytes at `p` spell `text`. */
export function spells(p: usize, n: u32, text: string): bool {
  if (n !== <u32>text.length) return false;
  for (let i: u32 = 0; i < n; i++) if (<i32>load<u8>(p + i) !== text.charCodeAt(i)) return false;
  return true;
}

function endsWith(p: usize, n: u32, text: string): bool {
  const m = <u32>text.length;
  return n >= m && spells(p + (n - m), m, text);
}

function wordOf(p: usize, n: u32): Word {
  switch (n) {
    case 2:
      return spells(p, n, "id") ? Word.Id : Word.Other;
    case 4:
      return spells(p, n, "name") ? Word.Name : Word.Other;
    case 5:
      if (spells(p, n, "class")) return Word.Class;
      if (spells(p, n, "field")) return Word.Field;
      return spells(p, n, "value") ? Word.Value : Word.Other;
    case 9:
      return spells(p, n, "dimension") ? Word.Dimension : Word.Other;
    case 10:
      if (spells(p, n, "annotation")) return Word.Annotation;
      return spells(p, n, "simpleType") ? Word.SimpleType : Word.Other;
    case 12:
      return spells(p, n, "constantPool") ? Word.ConstantPool : Word.Other;
    default:
      return Word.Other;
  }
}

/** The unit that an annotation names. */
export function unitOf(p: usize, n: u32): Unit {
  if (spells(p, n, "TICKS")) return Unit.Ticks;
  if (spells(p, n, "NANOSECONDS")) return Unit.Nanoseconds;
  if (spells(p, n, "MICROSECONDS")) return Unit.Microseconds;
  if (spells(p, n, "MILLISECONDS")) return Unit.Milliseconds;
  if (spells(p, n, "SECONDS")) return Unit.Seconds;
  if (spells(p, n, "MILLISECONDS_SINCE_EPOCH")) return Unit.MillisecondsSinceEpoch;
  if (spells(p, n, "BYTES")) return Unit.Bytes;
  return Unit.None;
}

function baseOf(p: usize, n: u32): Base {
  if (spells(p, n, "long")) return Base.Long;
  if (spells(p, n, "int")) return Base.Int;
  if (spells(p, n, "java.lang.String")) return Base.String;
  if (spells(p, n, "boolean")) return Base.Boolean;
  if (spells(p, n, "byte")) return Base.Byte;
  if (spells(p, n, "short")) return Base.Short;
  if (spells(p, n, "char")) return Base.Char;
  if (spells(p, n, "float")) return Base.Float;
  if (spells(p, n, "double")) return Base.Double;
  return Base.Struct;
}

/** Entry `i` of the event's string table; an index out of range is the empty text. */
function entry(i: u32): usize {
  return i < strings ? table.at + <usize>i * ENTRY_BYTES : 0;
}

function wordAt(i: u32): Word {
  const e = entry(i);
  return e === 0 ? Word.Other : <Word>load<u32>(e, ENTRY_WORD);
}

/** String index of a class's name. */
export function className(cls: u32): u32 {
  const c = classAt(cls);
  const known = load<u32>(c, ClassRow.STRING);
  if (known !== 0) return known - 1;
  const name = internString(<usize>load<u32>(c, ClassRow.NAME), load<u32>(c, ClassRow.NAME_SIZE));
  store<u32>(c, name + 1, ClassRow.STRING);
  return name;
}

/** Characters of the longest number: a sign and 19 digits, or 20 digits. Any number of fields may name one string. */
const NUMBER_SIZE: u32 = 20;

/** The decimal number in string `i`; 0 if the string is not a number. */
function numberAt(i: u32): u64 {
  const e = entry(i);
  if (e === 0) return 0;
  const p = sliceAt(e);
  const n = sliceSize(e);
  if (n > NUMBER_SIZE) return 0;
  const negative = n > 0 && load<u8>(p) === 0x2d;
  let v: u64 = 0;
  for (let k: u32 = negative ? 1 : 0; k < n; k++) {
    const digit = <u32>load<u8>(p + k) - 48;
    if (digit > 9) return 0;
    v = v * 10 + digit;
  }
  return negative ? 0 - v : v;
}

function addClass(id: u64, nameIndex: u32, simple: bool): u32 {
  const e = entry(nameIndex);
  if (e === 0 || sliceSize(e) === 0) return NO_CLASS;
  const p = classes.need(<u32>ClassRow.BYTES);
  classes.size += <u32>ClassRow.BYTES;
  memory.fill(p, 0, ClassRow.BYTES);
  store<u64>(p, id, ClassRow.ID);
  store<u32>(p, <u32>sliceAt(e), ClassRow.NAME);
  store<u32>(p, sliceSize(e), ClassRow.NAME_SIZE);
  store<u32>(p, fieldCount, ClassRow.FIRST_FIELD);
  store<u32>(p, simple ? 1 : 0, ClassRow.SIMPLE);
  const index = classCount++;
  register(id, index);
  return index;
}

/** The last class of an id wins, as in the JDK's reader. */
function register(id: u64, index: u32): void {
  if (id >= SMALL_IDS) byId.put(id, index + 1);
  else if (index < 65535) store<u16>(small + ((<usize>id) << 1), <u16>(index + 1));
}

function addField(owner: u32, classId: u64, nameIndex: u32, flags: u32): void {
  const p = fields.need(<u32>FieldRow.BYTES);
  fields.size += <u32>FieldRow.BYTES;
  memory.fill(p, 0, FieldRow.BYTES);
  const e = entry(nameIndex);
  store<u64>(p, classId, FieldRow.CLASS_ID);
  if (e !== 0) {
    store<u32>(p, <u32>sliceAt(e), FieldRow.NAME);
    store<u32>(p, sliceSize(e), FieldRow.NAME_SIZE);
  }
  store<u32>(p, flags, FieldRow.FLAGS);
  fieldCount++;
  const c = classAt(owner);
  store<u32>(c, load<u32>(c, ClassRow.FIELDS) + 1, ClassRow.FIELDS);
}

/** The last metadata event is cut off or beyond the cut; the strings are those of its part. */
let isCut: bool = false;
let lateClasses: u32 = 0;
/** "type " and 20 digits. */
const TYPE_NAME_SIZE: u32 = 25;

/** Only classes of ids that are not known are read. */
let adding: bool = false;

/** One element and its children. `owner` is the class it is in, `inField` whether its parent is a field. */
function element(depth: u32, owner: u32, inField: bool): bool {
  const word = wordAt(readInt());
  const attributes = readInt();
  if (overrun || attributes > left() || depth > DEPTH_LIMIT) return false;
  let id: u64 = 0;
  let type: u64 = 0;
  let name: u32 = NO_CLASS;
  let unit: Unit = Unit.None;
  let simple: bool = false;
  let flags: u32 = 0;
  let valued: bool = false;
  for (let i: u32 = 0; i < attributes; i++) {
    const key = wordAt(readInt());
    const value = readInt();
    switch (key) {
      case Word.Id:
        id = numberAt(value);
        break;
      case Word.Class:
        type = numberAt(value);
        break;
      case Word.Name:
        name = value;
        break;
      case Word.SimpleType: {
        const e = entry(value);
        simple = e !== 0 && spells(sliceAt(e), sliceSize(e), "true");
        break;
      }
      case Word.Dimension:
        if (numberAt(value) > 0) flags |= FieldRow.IS_ARRAY;
        break;
      case Word.ConstantPool:
        flags |= FieldRow.IS_REFERENCE;
        break;
      case Word.Value: {
        const e = entry(value);
        valued = true;
        if (e !== 0) unit = unitOf(sliceAt(e), sliceSize(e));
        break;
      }
      default:
        break;
    }
  }
  if (word === Word.Class) {
    owner = adding && classOf(id) !== NO_CLASS ? NO_CLASS : addClass(id, name, simple);
  } else if (word === Word.Field && owner !== NO_CLASS) {
    addField(owner, type, name, flags);
  } else if (word === Word.Annotation && inField && owner !== NO_CLASS) {
    if (unit !== Unit.None) {
      const f = fieldAt(fieldCount - 1);
      store<u32>(f, unit, FieldRow.UNIT);
      store<u64>(f, type, FieldRow.UNIT_ANNOTATION);
    } else if (!valued && type >> 32 === 0) {
      marks.u32(fieldCount - 1);
      marks.u32(<u32>type);
    }
  }
  const children = readInt();
  if (overrun || children > left()) return false;
  for (let i: u32 = 0; i < children; i++) if (!element(depth + 1, owner, word === Word.Field)) return false;
  return true;
}

/** Texts that are not at the cursor are copied to `copies`, which has room for them, or to scratch memory. */
function readStrings(count: u32, start: usize, copies: Buffer | null): bool {
  if (count > left()) return false;
  for (let i: u32 = 0; i < count; i++) {
    const kind = readText();
    if (kind === Text.Damaged || kind === Text.Key) return false;
    // Decoded text is in a buffer that the next read reuses.
    let p = textAt;
    if (p < start || p >= position()) {
      if (copies !== null) {
        p = copies.at + copies.size;
        copies.size += textSize;
      } else p = scratch(textSize + 8);
      memory.copy(p, textAt, textSize);
    }
    table.u32(<u32>p);
    table.u32(textSize);
    table.u32(wordOf(p, textSize));
    strings++;
  }
  return true;
}

/** Binds fields to classes, and drops units of annotations that are no time spans, times or amounts of data. */
function resolve(): void {
  for (let i: u32 = 0; i < fieldCount; i++) {
    const f = fieldAt(i);
    store<u32>(f, classOf(load<u64>(f, FieldRow.CLASS_ID)), FieldRow.CLASS);
    if (load<u32>(f, FieldRow.UNIT) === Unit.None) continue;
    const a = classOf(load<u64>(f, FieldRow.UNIT_ANNOTATION));
    let measured: bool = false;
    if (a !== NO_CLASS) {
      const c = classAt(a);
      const p = <usize>load<u32>(c, ClassRow.NAME);
      const n = load<u32>(c, ClassRow.NAME_SIZE);
      const amount = load<u32>(f, FieldRow.UNIT) === Unit.Bytes;
      measured = endsWith(p, n, amount ? ".DataAmount" : ".Timespan") || (!amount && endsWith(p, n, ".Timestamp"));
    }
    if (!measured) store<u32>(f, Unit.None, FieldRow.UNIT);
  }
  for (let p = marks.at; p < marks.at + marks.size; p += MARK_BYTES) {
    const a = classOf(load<u32>(p, MARK_ANNOTATION));
    if (a === NO_CLASS) continue;
    const f = fieldAt(load<u32>(p, MARK_FIELD));
    const name = <usize>load<u32>(classAt(a), ClassRow.NAME);
    const n = load<u32>(classAt(a), ClassRow.NAME_SIZE);
    if (endsWith(name, n, ".Unsigned")) store<u32>(f, 1, FieldRow.UNSIGNED);
    else if (endsWith(name, n, ".Percentage")) store<u32>(f, Unit.Percentage, FieldRow.UNIT);
    else if (endsWith(name, n, ".Contextual")) store<u32>(f, 1, FieldRow.CONTEXTUAL);
  }
  for (let i: u32 = 0; i < classCount; i++) {
    const c = classAt(i);
    if (load<u32>(c, ClassRow.FIELDS) !== 0) continue;
    store<u32>(c, baseOf(<usize>load<u32>(c, ClassRow.NAME), load<u32>(c, ClassRow.NAME_SIZE)), ClassRow.BASE);
  }
  for (let i: u32 = 0; i < fieldCount; i++) unwrap(fieldAt(i));
}

/** Objects around a text. */
const MOST_WRAPPED: u32 = 4;

/** An inline object whose only field is a text has the bytes of this text, so a field with it is a text, too. */
function unwrap(f: usize): void {
  let inner = f;
  for (let depth: u32 = 0; depth <= MOST_WRAPPED; depth++) {
    const type = load<u32>(inner, FieldRow.CLASS);
    if (type === NO_CLASS || (depth > 0 && (load<u32>(inner, FieldRow.FLAGS) & FieldRow.IS_ARRAY) !== 0)) return;
    const isReference = (load<u32>(inner, FieldRow.FLAGS) & FieldRow.IS_REFERENCE) !== 0;
    const c = classAt(type);
    if (load<u32>(c, ClassRow.BASE) === Base.String) {
      store<u32>(f, type, FieldRow.CLASS);
      if (isReference) store<u32>(f, load<u32>(f, FieldRow.FLAGS) | FieldRow.IS_REFERENCE, FieldRow.FLAGS);
      return;
    }
    if (isReference || load<u32>(c, ClassRow.FIELDS) !== 1) return;
    inner = fieldAt(load<u32>(c, ClassRow.FIRST_FIELD));
  }
}

/** Reads the metadata event at `p`. False if it is not a metadata event or is cut off; nothing is kept then. */
export function readMetadata(p: usize, limit: usize): bool {
  forgetMetadata();
  seek(p, limit);
  const size = readInt();
  if (overrun || size > <u32>(limit - p)) return false;
  seek(position(), p + size);
  if (readLong() !== 0) return false;
  readLong();
  readLong();
  readLong();
  const from = position();
  const n = <u32>(p + size - from);
  if (overrun) return false;
  const kept = keptOf(from, n);
  if (kept.whole !== 0) {
    recall(kept);
    return true;
  }
  const isKept = kept.bytes.size !== 0;
  if (isKept) seek(kept.bytes.at, kept.bytes.at + n);
  const count = readInt();
  const copies = isKept ? kept.texts : null;
  if (overrun || !readStrings(count, isKept ? kept.bytes.at : p, copies) || !element(0, NO_CLASS, false) || overrun) {
    forgetMetadata();
    return false;
  }
  resolve();
  if (isKept) keep(kept, classes, fields);
  return true;
}

/** Restores the classes and fields of the event, without the plans and counts of the chunk that had it. */
function recall(kept: Kept): void {
  classes.bytes(kept.classes.at, kept.classes.size);
  fields.bytes(kept.fields.at, kept.fields.size);
  classCount = classes.size / <u32>ClassRow.BYTES;
  fieldCount = fields.size / <u32>FieldRow.BYTES;
  for (let i: u32 = 0; i < classCount; i++) register(load<u64>(classAt(i), ClassRow.ID), i);
}

/**
 * Adds the classes that only a later metadata event has, which is cut off at `limit`. The others keep the definition of
 * the event that was read, if there is one. `p` is 0 if the cut is before the later event.
 */
export function addCutMetadata(p: usize, limit: usize): void {
  isCut = true;
  table.size = 0;
  strings = 0;
  if (p === 0) return;
  seek(p, limit);
  readInt();
  for (let i = 0; i < 4; i++) readLong();
  const count = readInt();
  if (overrun || !readStrings(count, p, null)) return;
  const known = classCount;
  adding = true;
  const isWhole = element(0, NO_CLASS, false);
  adding = false;
  if (!isWhole && classCount > known) dropLastClass();
  resolve();
}

/** Classes that are added for events without a definition, at most: each costs a pass over the strings. */
const LATE_CLASSES: u32 = 256;

/**
 * Adds a class without fields for the events of a type whose definition is beyond the cut; NO_CLASS for other chunks.
 * The JDK writes strings in the order of the elements, so a class's name is right before its id. Where the id is beyond
 * the cut as well, the class has a name by its id.
 */
export function addLateClass(id: u64): u32 {
  if (!isCut || lateClasses === LATE_CLASSES) return NO_CLASS;
  lateClasses++;
  for (let i: u32 = 1; i < strings; i++) {
    if (numberAt(i) === id && numberAt(i - 1) === 0 && sliceSize(entry(i - 1)) !== 0) return addClass(id, i - 1, false);
  }
  const end = scratch(TYPE_NAME_SIZE) + TYPE_NAME_SIZE;
  let p = end;
  for (let v = id; v !== 0 || p === end; v /= 10) store<u8>(--p, 0x30 + <u8>(v % 10));
  store<u8>(--p, 0x20);
  p -= 4;
  store<u32>(p, 0x65707974);
  table.u32(<u32>p);
  table.u32(<u32>(end - p));
  table.u32(Word.Other);
  return addClass(id, strings++, false);
}

/** The last class lacks fields: values of its events would be wrong, and parts of a value have another size. */
function dropLastClass(): void {
  const id = load<u64>(classAt(classCount - 1), ClassRow.ID);
  if (id < SMALL_IDS) store<u16>(small + ((<usize>id) << 1), 0);
  else byId.put(id, 0);
}

/** Index of the last class of this name, or 0xffffffff. */
export function classNamed(p: usize, n: u32): u32 {
  for (let i = classCount; i > 0; i--) {
    const c = classAt(i - 1);
    if (load<u32>(c, ClassRow.NAME_SIZE) !== n) continue;
    if (equalBytes(<usize>load<u32>(c, ClassRow.NAME), p, n)) return i - 1;
  }
  return NO_CLASS;
}
