/** Binding of a class's fields to slots by name, and the text of a field or constant. */

import { Buffer, ownBuffer } from "../../memory/buffer";
import { scratch } from "../../memory/scratch";
import { internString } from "../../store/tables";
import { Became, resolve, resolved } from "./constant-pool";
import { enterEntry, poolEntry, wantPool } from "./constant-pools";
import { overrun, seek } from "./cursor";
import { chunkEnd, chunkStart } from "./header";
import { Base, classAt, classNamed, fieldAt, isClass, spells } from "./metadata";
import { fuel, NO_SLOT, read, readPlan, SLOTS, skipField, slots, spend } from "./plan";
import * as ClassRow from "./rows/class-row";
import * as FieldRow from "./rows/field-row";
import { readText, Text, textAt, textKey, textSize } from "./text";

export const NO_FIELD: u32 = 0xffff_ffff;

/** The current text, or the one found last. */
export const found: Buffer = ownBuffer(1 << 12);
let stringClass: u32 = NO_FIELD;

/** To be called once per chunk, after the metadata: looks up the pool of texts with encoding 2. */
export function beginStructs(): void {
  const name = "java.lang.String";
  const p = scratch(<u32>name.length);
  for (let i = 0; i < name.length; i++) store<u8>(p + i, <u8>name.charCodeAt(i));
  stringClass = classNamed(p, <u32>name.length);
  wantPool(stringClass);
}

/** Index (in the class) of the field of this name, or NO_FIELD. */
export function fieldNamed(cls: u32, name: string): u32 {
  const c = classAt(cls);
  const first = load<u32>(c, ClassRow.FIRST_FIELD);
  const count = load<u32>(c, ClassRow.FIELDS);
  // Any number of events may refer to one class of many fields.
  if (!spend(count)) return NO_FIELD;
  for (let i: u32 = 0; i < count; i++) {
    const f = fieldAt(first + i);
    if (spells(<usize>load<u32>(f, FieldRow.NAME), load<u32>(f, FieldRow.NAME_SIZE), name)) return i;
  }
  return NO_FIELD;
}

/** Pointer to field `i` of a class. */
export function fieldOf(cls: u32, i: u32): usize {
  return fieldAt(load<u32>(classAt(cls), ClassRow.FIRST_FIELD) + i);
}

/** A map field → slot with nothing bound. */
export function newBinding(cls: u32): usize {
  const n = load<u32>(classAt(cls), ClassRow.FIELDS);
  const map = scratch(n + 8);
  spend(n);
  memory.fill(map, <u8>NO_SLOT, n);
  return map;
}

/** Constants are decoded while an event's slots are in use: they have the last eight to themselves. */
export const EVENT_SLOTS: u32 = SLOTS - 8;

/** Binds field `i` of a constant to `slot` (0 to 7); NO_FIELD binds nothing. */
export function bind(map: usize, i: u32, slot: u32): void {
  bindEvent(map, i, EVENT_SLOTS + slot);
}

/** Binds field `i` of an event to `slot` (below EVENT_SLOTS). */
export function bindEvent(map: usize, i: u32, slot: u32): void {
  if (i !== NO_FIELD) store<u8>(map + i, <u8>slot);
}

export function planOf(cls: u32, map: usize): u32 {
  return readPlan(cls, map);
}

/** Slot `i` of a constant. */
export function slot(i: u32): u64 {
  return load<u64>(slotPointer(i));
}

export function slotPointer(i: u32): usize {
  return slots + ((<usize>(EVENT_SLOTS + i)) << 3);
}

/** Whether class `cls` has this name. */
export function isNamed(cls: u32, name: string): bool {
  if (!isClass(cls)) return false;
  const c = classAt(cls);
  return spells(<usize>load<u32>(c, ClassRow.NAME), load<u32>(c, ClassRow.NAME_SIZE), name);
}

/** Whether the class's name ends in `.` and this word: `jdk.types.Symbol` and `com.oracle.jfr.types.Symbol` alike. */
export function isKind(cls: u32, word: string): bool {
  if (!isClass(cls)) return false;
  const c = classAt(cls);
  const n = load<u32>(c, ClassRow.NAME_SIZE);
  const m = <u32>word.length;
  const p = <usize>load<u32>(c, ClassRow.NAME);
  if (n === m) return spells(p, n, word);
  return n > m && load<u8>(p + (n - m - 1)) === 0x2e && spells(p + (n - m), m, word);
}

/** The field of a class that carries its text: `string`, `name`, `value` or else its only one; NO_FIELD without one. */
export function textField(cls: u32): u32 {
  const c = classAt(cls);
  // Index + 2, and 1 for a class without one.
  const known = load<u32>(c, ClassRow.TEXT_FIELD);
  if (known !== 0) return known === 1 ? NO_FIELD : known - 2;
  let i = fieldNamed(cls, "string");
  if (i === NO_FIELD) i = fieldNamed(cls, "name");
  if (i === NO_FIELD) i = fieldNamed(cls, "value");
  if (i === NO_FIELD && load<u32>(c, ClassRow.FIELDS) === 1) i = 0;
  store<u32>(c, i === NO_FIELD ? 1 : i + 2, ClassRow.TEXT_FIELD);
  return i;
}

/**
 * Where a field has its text: INLINE, NOWHERE where it is no text, else the class of the constants that it refers to.
 * Only an inline text's slot is a pointer.
 */
export const INLINE: u32 = 0xffff_fffe;
export const NOWHERE: u32 = 0xffff_ffff;

export function textSource(cls: u32, i: u32): u32 {
  if (i === NO_FIELD) return NOWHERE;
  const f = fieldOf(cls, i);
  const type = load<u32>(f, FieldRow.CLASS);
  const flags = load<u32>(f, FieldRow.FLAGS);
  if (!isClass(type) || (flags & FieldRow.IS_ARRAY) !== 0) return NOWHERE;
  if ((flags & FieldRow.IS_REFERENCE) !== 0) return type;
  return load<u32>(classAt(type), ClassRow.BASE) === Base.String ? INLINE : NOWHERE;
}

/** Wants the pools that the text of a constant of class `cls` is read from. */
export function wantText(cls: u32): void {
  while (wantPool(cls)) cls = textSource(cls, textField(cls));
}

/** Wants the pools that the text of field `i` of class `cls` is read from; returns its text source. */
export function wantTextOf(cls: u32, i: u32): u32 {
  const source = textSource(cls, i);
  wantText(source);
  return source;
}

/** Constants that may refer to one another until one has a text. */
const REFERENCES_LIMIT: u32 = 20;

enum Own {
  None,
  /** In textAt, textSize. */
  Text,
  /** In the constant `otherKey` of class `other`. */
  Elsewhere,
}

let other: u32 = 0;
let otherKey: u64 = 0;

/** Reads the text at the cursor. */
function ownText(): Own {
  const kind = readText();
  if (kind === Text.Present) {
    // Any number of keys may lead to one long text.
    return spend(textSize) ? Own.Text : Own.None;
  }
  if (kind !== Text.Key) return Own.None;
  other = stringClass;
  otherKey = textKey;
  return Own.Elsewhere;
}

/** In place of the plan of a class whose first field is its text. */
const FIRST_FIELD: u32 = 1;

/** The plan that reads the text field of class `cls` into slot 0; it is made once, however many constants there are. */
function textPlan(cls: u32, i: u32): u32 {
  const known = load<u32>(classAt(cls), ClassRow.TEXT_PLAN);
  if (known !== 0) return known;
  let plan = FIRST_FIELD;
  if (i !== 0 || textSource(cls, i) !== INLINE) {
    const map = newBinding(cls);
    bind(map, i, 0);
    plan = planOf(cls, map);
  }
  store<u32>(classAt(cls), plan, ClassRow.TEXT_PLAN);
  return plan;
}

/** Reads the parts of constant `entry` of class `cls` that a text needs. */
function ownTextOf(cls: u32, entry: usize): Own {
  if (fuel < 0) return Own.None;
  enterEntry(entry);
  if (load<u32>(classAt(cls), ClassRow.BASE) === Base.String) return ownText();
  const i = textField(cls);
  const source = textSource(cls, i);
  if (source === NOWHERE) return Own.None;
  const plan = textPlan(cls, i);
  if (plan === FIRST_FIELD) return ownText();
  if (!read(plan) || overrun) return Own.None;
  if (source === INLINE) return ownTextAt(<usize>(slot(0) & 0xffff_ffff));
  other = source;
  otherKey = slot(0);
  return Own.Elsewhere;
}

/**
 * Reads the string whose encoding byte is at `p`. A plan that took a number for a place would not lead out of the
 * chunk.
 */
function ownTextAt(p: usize): Own {
  if (fuel < 0 || p < chunkStart || p >= chunkEnd) return Own.None;
  seek(p, chunkEnd);
  return ownText();
}

/** Takes over the text read last, or that of the constant that was referred to, into `found`; false for null. */
function take(own: Own): bool {
  for (let depth: u32 = 0; own === Own.Elsewhere && depth <= REFERENCES_LIMIT; depth++) {
    const entry = poolEntry(other, otherKey);
    own = entry === 0 ? Own.None : ownTextOf(other, entry);
  }
  found.size = 0;
  if (own !== Own.Text) return false;
  found.bytes(textAt, textSize);
  return true;
}

/** Text of the constant of this pool entry, which may be 0, into `found`; false if it has no text. */
export function textOfEntry(cls: u32, entry: usize): bool {
  return take(entry === 0 ? Own.None : ownTextOf(cls, entry));
}

/** Text of a field with this source from its slot's value, into `found`; false if it has no text. */
export function textOf(source: u32, value: u64): bool {
  if (source === NOWHERE) return take(Own.None);
  if (source === INLINE) return take(ownTextAt(<usize>(value & 0xffff_ffff)));
  return textOfEntry(source, poolEntry(source, value));
}

/** What `stringOf` answers where there is no text. */
export const NO_TEXT: u32 = 0xffff_ffff;

/** Text of a field as a string index, or NO_TEXT; the result for a constant is cached beside its key. */
export function stringOf(source: u32, value: u64): u32 {
  if (source === NOWHERE) return NO_TEXT;
  if (source === INLINE) return stringOfOwn(ownTextAt(<usize>(value & 0xffff_ffff)), 0);
  return stringOfEntry(source, poolEntry(source, value), 0);
}

function stringOfEntry(cls: u32, entry: usize, depth: u32): u32 {
  if (entry === 0 || depth > REFERENCES_LIMIT) return NO_TEXT;
  const known = resolved(entry, Became.Text);
  if (known !== 0) return known - 1;
  if (resolved(entry, Became.NoText) !== 0) return NO_TEXT;
  const text = stringOfOwn(ownTextOf(cls, entry), depth);
  if (text === NO_TEXT) resolve(entry, Became.NoText, 0);
  else resolve(entry, Became.Text, text);
  return text;
}

function stringOfOwn(own: Own, depth: u32): u32 {
  if (own === Own.Text) return internString(textAt, textSize);
  return own === Own.Elsewhere ? stringOfEntry(other, poolEntry(other, otherKey), depth + 1) : NO_TEXT;
}

/** Moves the cursor from the start of a value of class `cls` to its field `n`. */
export function skipFields(cls: u32, n: u32): bool {
  for (let i: u32 = 0; i < n; i++) {
    const f = fieldOf(cls, i);
    if (!skipField(load<u32>(f, FieldRow.CLASS), load<u32>(f, FieldRow.FLAGS))) return false;
  }
  return true;
}
