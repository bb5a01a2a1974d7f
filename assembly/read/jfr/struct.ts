/** Binding of a class's fields to slots by name, and the text that a field or constant stands for. */
import { Buffer, newBuffer } from "../../memory/buffer";
import { scratch } from "../../memory/scratch";
import { overrun, seek } from "./cursor";
import { chunkEnd } from "./header";
import {
  Base,
  CLASS_BASE,
  CLASS_FIELDS,
  CLASS_FIRST_FIELD,
  CLASS_NAME,
  CLASS_NAME_SIZE,
  classAt,
  classNamed,
  FIELD_CLASS,
  FIELD_FLAGS,
  FIELD_IS_REFERENCE,
  FIELD_NAME,
  FIELD_NAME_SIZE,
  fieldAt,
  isClass,
  spells,
} from "./metadata";
import { read, readPlan, SLOTS, skipField, slots } from "./plan";
import { enterEntry, poolEntry, wantPool } from "./pools";
import { readText, Text, textAt, textKey, textSize } from "./text";

export const NO_FIELD: u32 = 0xffff_ffff;
const NO_SLOT: u8 = 255;

/** A text in the making, or the one found last. */
export let found: Buffer = changetype<Buffer>(0);
let stringClass: u32 = NO_FIELD;

export function resetStructs(): void {
  found = newBuffer(1 << 12);
}

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
  const first = load<u32>(c, CLASS_FIRST_FIELD);
  const count = load<u32>(c, CLASS_FIELDS);
  for (let i: u32 = 0; i < count; i++) {
    const f = fieldAt(first + i);
    if (spells(<usize>load<u32>(f, FIELD_NAME), load<u32>(f, FIELD_NAME_SIZE), name)) return i;
  }
  return NO_FIELD;
}

/** Pointer to field `i` of a class. */
export function fieldOf(cls: u32, i: u32): usize {
  return fieldAt(load<u32>(classAt(cls), CLASS_FIRST_FIELD) + i);
}

/** A map field → slot with nothing bound. */
export function newBinding(cls: u32): usize {
  const n = load<u32>(classAt(cls), CLASS_FIELDS);
  const map = scratch(n + 8);
  memory.fill(map, NO_SLOT, n);
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
  return spells(<usize>load<u32>(c, CLASS_NAME), load<u32>(c, CLASS_NAME_SIZE), name);
}

/** Whether the class's name ends in `.` and this word: `jdk.types.Symbol` and `com.oracle.jfr.types.Symbol` alike. */
export function isKind(cls: u32, word: string): bool {
  if (!isClass(cls)) return false;
  const c = classAt(cls);
  const n = load<u32>(c, CLASS_NAME_SIZE);
  const m = <u32>word.length;
  const p = <usize>load<u32>(c, CLASS_NAME);
  if (n === m) return spells(p, n, word);
  return n > m && load<u8>(p + (n - m - 1)) === 0x2e && spells(p + (n - m), m, word);
}

/** The field of a class that carries its text: `string`, `name`, `value` or else its only one. */
export function textField(cls: u32): u32 {
  let i = fieldNamed(cls, "string");
  if (i === NO_FIELD) i = fieldNamed(cls, "name");
  if (i === NO_FIELD) i = fieldNamed(cls, "value");
  if (i === NO_FIELD && load<u32>(classAt(cls), CLASS_FIELDS) === 1) i = 0;
  return i;
}

/** Wants the pools that the text of a constant of class `cls` comes from. */
export function wantText(cls: u32): void {
  if (!wantPool(cls)) return;
  const i = textField(cls);
  if (i === NO_FIELD) return;
  const f = fieldOf(cls, i);
  if ((load<u32>(f, FIELD_FLAGS) & FIELD_IS_REFERENCE) !== 0) wantText(load<u32>(f, FIELD_CLASS));
}

const REFERENCES_LIMIT: u32 = 20;

/** Takes over the text read last, following a key into the String pool. */
function take(kind: Text, depth: u32): bool {
  if (kind === Text.Present) {
    found.size = 0;
    found.bytes(textAt, textSize);
    return true;
  }
  if (kind !== Text.Key || depth > REFERENCES_LIMIT) return false;
  const entry = poolEntry(stringClass, textKey);
  if (entry === 0) return false;
  enterEntry(entry);
  return take(readText(), depth + 1);
}

/** Text of the string whose encoding byte is at `p`, into `found`; false for null. */
export function textAtPointer(p: usize): bool {
  found.size = 0;
  seek(p, chunkEnd);
  return take(readText(), 0);
}

/** Text of the constant `key` of class `cls`, into `found`; false where there is none. */
export function constantText(cls: u32, key: u64): bool {
  return textAtEntry(cls, poolEntry(cls, key), 0);
}

/** The same of the constant of this pool entry, which may be 0. */
export function textOfEntry(cls: u32, entry: usize): bool {
  return textAtEntry(cls, entry, 0);
}

function textAtEntry(cls: u32, entry: usize, depth: u32): bool {
  found.size = 0;
  if (entry === 0 || depth > REFERENCES_LIMIT) return false;
  enterEntry(entry);
  if (load<u32>(classAt(cls), CLASS_BASE) === Base.String) return take(readText(), 0);
  const i = textField(cls);
  if (i === NO_FIELD) return false;
  const f = fieldOf(cls, i);
  const type = load<u32>(f, FIELD_CLASS);
  const reference = (load<u32>(f, FIELD_FLAGS) & FIELD_IS_REFERENCE) !== 0;
  if (!reference && (!isClass(type) || load<u32>(classAt(type), CLASS_BASE) !== Base.String)) return false;
  // The one-field types (symbols, attribute values, frame types) start with their text.
  if (i === 0 && !reference) return take(readText(), 0);
  const map = newBinding(cls);
  bind(map, i, 0);
  if (!read(planOf(cls, map)) || overrun) return false;
  return reference ? textAtEntry(type, poolEntry(type, slot(0)), depth + 1) : textAtPointer(<usize>slot(0));
}

/** Moves the cursor from the start of a value of class `cls` to its field `n`. */
export function skipFields(cls: u32, n: u32): bool {
  for (let i: u32 = 0; i < n; i++) {
    const f = fieldOf(cls, i);
    if (!skipField(load<u32>(f, FIELD_CLASS), load<u32>(f, FIELD_FLAGS))) return false;
  }
  return true;
}
