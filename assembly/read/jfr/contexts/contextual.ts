/**
 * Contextual fields (jdk.jfr.Contextual): fields of any event of any type whose values are attributes of all events
 * that lie within the event on its thread. Numbers and booleans count also where they are 0. Ids are read as ids
 * (scopes.ts); a text under the name of an id that is no id is an attribute.
 *
 * A page loads this file late, with scopes.ts.
 */

import * as Diagnostic from "../../../abi/formats/jfr";
import * as ValueKind from "../../../abi/value-kind";
import { Buffer, ownBuffer } from "../../../memory/buffer";
import { noteContext } from "../../../store/contexts";
import { diagnose } from "../../../store/diagnostics";
import { IdName, idNameOf } from "../../../store/id-names";
import { mergeSets } from "../../../store/inferred";
import * as FunctionRow from "../../../store/rows/function-row";
import { functions, internAttribute, internString, sets } from "../../../store/tables";
import { insertInto } from "../../set";
import { appendScalar, REPLACEMENT } from "../../utf8";
import { AttributePlan, addExtra, contextKey, Extra, extraAt, FIRST_EXTRA, hasText, Kind } from "../attribute-plan";
import { classLabel, javaFunction, methodClass, methodTexts, wantMethods } from "../constants";
import { has, isNumber, slotOf, textIn } from "../field-slots";
import { Base, classAt, Unit } from "../metadata";
import { NO_SLOT, spend } from "../plan";
import * as ClassRow from "../rows/class-row";
import * as FieldRow from "../rows/field-row";
import { EVENT_SLOTS, fieldOf, INLINE, isKind, NO_FIELD, NO_TEXT, stringOf } from "../struct";
import { spanOf } from "../time";

/** Whether the type has a contextual field. */
export function hasContextual(cls: u32): bool {
  return nextContextual(cls, 0) !== NO_FIELD;
}

/** The first contextual field from `from` on; NO_FIELD without one. */
function nextContextual(cls: u32, from: u32): u32 {
  const count = load<u32>(classAt(cls), ClassRow.FIELDS);
  if (!spend(count)) return NO_FIELD;
  for (let i = from; i < count; i++) if (load<u32>(fieldOf(cls, i), FieldRow.CONTEXTUAL) !== 0) return i;
  return NO_FIELD;
}

/** The first contextual field with such an id; NO_FIELD without one. */
export function contextualId(cls: u32, id: IdName): u32 {
  for (let i = nextContextual(cls, 0); i !== NO_FIELD; i = nextContextual(cls, i + 1)) {
    const f = fieldOf(cls, i);
    const name = idNameOf(<usize>load<u32>(f, FieldRow.NAME), load<u32>(f, FieldRow.NAME_SIZE));
    if (name === id && (isNumber(f) || hasText(f))) return i;
  }
  return NO_FIELD;
}

/** Key of the attribute that a field becomes. */
export function keyOf(cls: u32, field: u32): u32 {
  const f = fieldOf(cls, field);
  return contextKey(<usize>load<u32>(f, FieldRow.NAME), load<u32>(f, FieldRow.NAME_SIZE));
}

/** Binds the contextual fields that have no slot yet as extras of the plan. */
export function planContextual(plan: AttributePlan, cls: u32, map: usize): void {
  for (let i = nextContextual(cls, 0); i !== NO_FIELD; i = nextContextual(cls, i + 1)) {
    if (load<u8>(map + i) !== NO_SLOT) continue;
    const f = fieldOf(cls, i);
    const n = plan.extraCount;
    if (FIRST_EXTRA + n >= EVENT_SLOTS || !spend(load<u32>(f, FieldRow.NAME_SIZE))) {
      diagnose(Diagnostic.ContextAttributes, 0, load<u32>(classAt(cls), ClassRow.FIELDS));
      return;
    }
    const key = keyOf(cls, i);
    if (key !== 0) addExtra(plan, cls, map, i, key);
    if (plan.extraCount === n) continue;
    const type = load<u32>(f, FieldRow.CLASS);
    if (extraAt(plan, n).kind === Kind.Constant && isKind(type, "Method")) wantMethods(type);
  }
}

/**
 * Notes the event in the slots: its attributes, and `more`, the set of others. `high` and `low` are its trace id, 0 if
 * it states none.
 */
export function readContextual(
  plan: AttributePlan,
  thread: u32,
  start: i64,
  end: i64,
  high: u64,
  low: u64,
  more: u32,
): void {
  set.size = 0;
  for (let i: u32 = 0; i < plan.extraCount; i++) {
    const attribute = attributeOf(extraAt(plan, i), slotOf(FIRST_EXTRA + i));
    if (attribute !== 0) insertInto(set, attribute);
  }
  const own = sets.intern(set.at, set.size);
  const all = more === 0 ? own : mergeSets(own, more);
  if (all !== 0 || (high | low) !== 0) noteContext(thread, all, start, end, high, low);
}

const set: Buffer = ownBuffer(1 << 9);

/** Attribute of a field; 0 where its value is null. */
function attributeOf(extra: Extra, value: u64): u32 {
  const key = extra.key;
  const cls = extra.cls;
  switch (extra.kind) {
    case Kind.Integer:
      return isCharacter(cls) ? character(key, <u32>value & 0xffff) : internAttribute(key, ValueKind.Int, value);
    case Kind.Span:
      return internAttribute(key, ValueKind.Int, <u64>spanOf(<i64>value, <Unit>cls));
    case Kind.Boolean:
      return internAttribute(key, ValueKind.Bool, value === 0 ? 0 : 1);
    case Kind.Float:
      return internAttribute(key, ValueKind.Double, value);
    case Kind.Class:
      return textAttribute(key, named(classLabel(cls, value)));
    case Kind.Constant:
      if (cls !== methodClass) return textAttribute(key, stringOf(cls, value));
      return methodTexts(value) ? textAttribute(key, functions.get(javaFunction(), FunctionRow.NAME)) : 0;
    default:
      return textAttribute(key, stringOf(INLINE, value));
  }
}

/** A constant without a name has no text. */
function named(text: u32): u32 {
  return text === 0 ? NO_TEXT : text;
}

function textAttribute(key: u32, text: u32): u32 {
  return text === NO_TEXT ? 0 : internAttribute(key, ValueKind.Text, text);
}

function isCharacter(type: u32): bool {
  return load<u32>(classAt(type), ClassRow.BASE) === Base.Char;
}

/** A unit of UTF-16 as a text; 0 for the unit 0, which a field has without a value. */
function character(key: u32, unit: u32): u32 {
  if (unit === 0) return 0;
  letter.size = 0;
  appendScalar(letter, unit - 0xd800 < 0x800 ? REPLACEMENT : unit);
  return textAttribute(key, internString(letter.at, letter.size));
}

const letter: Buffer = ownBuffer(8);

/** The set with the text in a slot as its only attribute; 0 without a text. */
export function textSet(plan: AttributePlan, key: u32, source: u32, slot: u32): u32 {
  const text = has(plan, slot) ? textIn(source, slot) : 0;
  if (text === 0) return 0;
  store<u32>(one, internAttribute(key, ValueKind.Text, text));
  return sets.intern(one, 4);
}

const one: usize = memory.data(4, 4);
