/** Fields of an event in slots: the slot of each field, and the value in a slot after the event was read. */

import { equalBytes } from "../../memory/hash";
import { sliceAt, sliceSize } from "../../memory/slice";
import { Plan } from "./event-plan";
import { Base, classAt, isClass, Unit } from "./metadata";
import { slots, spend } from "./plan";
import * as ClassRow from "./rows/class-row";
import * as FieldRow from "./rows/field-row";
import { bindEvent, fieldNamed, fieldOf, NO_FIELD, NO_TEXT, NOWHERE, stringOf, wantTextOf } from "./struct";

export enum Slot {
  Start,
  Thread,
  Stack,
  Span,
  Root,
  /** The first slot whose meaning depends on the kind of plan. */
  First,
}

/** Field of the name in a slice. */
export function fieldSpelt(cls: u32, name: usize): u32 {
  return fieldWith(cls, sliceAt(name), sliceSize(name));
}

/** Field of the name in `n` bytes at `p`. */
export function fieldWith(cls: u32, p: usize, n: u32): u32 {
  if (n === 0) return NO_FIELD;
  const count = load<u32>(classAt(cls), ClassRow.FIELDS);
  if (!spend(count)) return NO_FIELD;
  for (let i: u32 = 0; i < count; i++) {
    const f = fieldOf(cls, i);
    if (load<u32>(f, FieldRow.NAME_SIZE) === n && equalBytes(<usize>load<u32>(f, FieldRow.NAME), p, n)) return i;
  }
  return NO_FIELD;
}

/** The field of the first name, or of the second where the class lacks that. */
export function firstOf(cls: u32, a: string, b: string): u32 {
  const i = fieldNamed(cls, a);
  return i === NO_FIELD ? fieldNamed(cls, b) : i;
}

export function unitOfField(cls: u32, field: u32): Unit {
  return field === NO_FIELD ? Unit.None : <Unit>load<u32>(fieldOf(cls, field), FieldRow.UNIT);
}

/** Whether a field is a number: neither a reference nor a text can be counted or added up. */
export function isNumber(f: usize): bool {
  if ((load<u32>(f, FieldRow.FLAGS) & (FieldRow.IS_REFERENCE | FieldRow.IS_ARRAY)) !== 0) return false;
  const type = load<u32>(f, FieldRow.CLASS);
  if (!isClass(type)) return false;
  const base = <Base>load<u32>(classAt(type), ClassRow.BASE);
  return base !== Base.String && base !== Base.Struct;
}

/** Binds a single (not an array) field to a slot and notes that the event has it. */
export function want(plan: Plan, cls: u32, map: usize, field: u32, slot: u32): bool {
  if (field === NO_FIELD) return false;
  const f = fieldOf(cls, field);
  if ((load<u32>(f, FieldRow.FLAGS) & FieldRow.IS_ARRAY) !== 0) return false;
  const type = load<u32>(f, FieldRow.CLASS);
  if ((load<u32>(f, FieldRow.FLAGS) & FieldRow.IS_REFERENCE) === 0) {
    if (!isClass(type)) return false;
    const base = <Base>load<u32>(classAt(type), ClassRow.BASE);
    if (base === Base.Struct) return false;
    if ((base === Base.Float || base === Base.Double) && slot < 32) plan.floats |= 1 << slot;
  }
  bindEvent(map, field, slot);
  if (slot < 32) plan.present |= 1 << slot;
  return true;
}

export function wantNumber(plan: Plan, cls: u32, map: usize, field: u32, slot: u32): bool {
  return field !== NO_FIELD && isNumber(fieldOf(cls, field)) && want(plan, cls, map, field, slot);
}

/** Binds a reference into a pool, and returns the class of its constants; NO_FIELD if the field is not a reference. */
export function wantReference(plan: Plan, cls: u32, map: usize, field: u32, slot: u32): u32 {
  if (field === NO_FIELD) return NO_FIELD;
  const f = fieldOf(cls, field);
  if (load<u32>(f, FieldRow.FLAGS) !== FieldRow.IS_REFERENCE) return NO_FIELD;
  want(plan, cls, map, field, slot);
  return load<u32>(f, FieldRow.CLASS);
}

/** Binds a field with a text to a slot; returns its text source. */
export function wantTextField(plan: Plan, cls: u32, map: usize, field: u32, slot: u32): u32 {
  return want(plan, cls, map, field, slot) ? wantTextOf(cls, field) : NOWHERE;
}

/** Whether the event has the field of this slot, which is below 32. */
export function has(plan: Plan, s: u32): bool {
  return ((plan.present >> s) & 1) !== 0;
}

export function slotOf(s: u32): u64 {
  return load<u64>(slots + ((<usize>s) << 3));
}

/** String of the text in a slot whose field has this text source, 0 if there is no text. */
export function textIn(source: u32, s: u32): u32 {
  const text = stringOf(source, slotOf(s));
  return text === NO_TEXT ? 0 : text;
}

/** A field that may be a float, as an integer; NaN becomes 0, and values outside the range of i64 saturate. */
export function wholeOf(plan: Plan, s: u32): i64 {
  return isFloat(plan, s) ? <i64>trunc(floatIn(s)) : <i64>slotOf(s);
}

export function realOf(plan: Plan, s: u32): f64 {
  return isFloat(plan, s) ? floatIn(s) : <f64>(<i64>slotOf(s));
}

export function isFloat(plan: Plan, s: u32): bool {
  return ((plan.floats >> s) & 1) !== 0;
}

function floatIn(s: u32): f64 {
  return load<f64>(slots + ((<usize>s) << 3));
}
