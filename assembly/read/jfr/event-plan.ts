/**
 * Which fields of an event type are read into which slot: the layout of a plan, and binding a field to it. Plans are made per
 * chunk (sample-plan.ts, settings.ts, facts.ts); several may want one event type, and form a list.
 *
 *   plan  | next | role | row | rule | second rule | flags | ops | present u32 | float bits u32 | start unit | value unit |
 *         | value class | thread class | stack class | extras | pointer to extras | pointer to last values | last set + 1 |
 *         | operands: u8 slot of fields a to f, skip, route | route … |
 *   extra | attribute key | kind | class |                                                                    3 words
 */

import { equalBytes } from "../../memory/hash";
import { scratch } from "../../memory/scratch";
import {
  Base,
  CLASS_BASE,
  CLASS_EVENT_PLAN,
  CLASS_FIELDS,
  CLASS_NAME,
  CLASS_NAME_SIZE,
  classAt,
  FIELD_CLASS,
  FIELD_FLAGS,
  FIELD_IS_ARRAY,
  FIELD_IS_REFERENCE,
  FIELD_NAME,
  FIELD_NAME_SIZE,
  isClass,
} from "./metadata";
import { spend } from "./plan";
import { bindEvent, fieldOf, NO_FIELD } from "./struct";

/** The next plan of the same event type, 0 at the end. */
export const PLAN_NEXT: usize = 0;
export const PLAN_ROLE: usize = 4;
export const PLAN_ROW: usize = 8;
export const PLAN_RULE: usize = 12;
export const PLAN_SECOND: usize = 16;
export const PLAN_SNAPSHOT: usize = 20;
export const PLAN_OPS: usize = 24;
/** Bit per slot below 32: the event has the field; four bytes on, bit per slot: it is a float. */
export const PLAN_PRESENT: usize = 28;
export const PLAN_START_UNIT: usize = 36;
/** Unit of the value rule's field a. */
export const PLAN_VALUE_UNIT: usize = 40;
export const PLAN_THREAD_CLASS: usize = 48;
export const PLAN_STACK_CLASS: usize = 52;
export const PLAN_EXTRAS: usize = 56;
export const PLAN_EXTRA_ROWS: usize = 60;
export const PLAN_LAST_VALUES: usize = 64;
export const PLAN_LAST_SET: usize = 68;
export const PLAN_OPERANDS: usize = 72;
/** Text source of the field that routes. */
export const PLAN_ROUTE_SOURCE: usize = 80;
/** Row that gets the routed events. */
export const PLAN_ROUTE_TO: usize = 84;
/** The row that the last key came to: | key u64 | row + 1 |, and whether the chunk routes at all (0 = not asked). */
export const PLAN_ROUTE_KEY: usize = 88;
export const PLAN_ROUTE_ROW: usize = 96;
export const PLAN_ROUTE_STATE: usize = 100;
const PLAN_BYTES: u32 = 104;

export const EXTRA_KEY: usize = 0;
export const EXTRA_KIND: usize = 4;
export const EXTRA_CLASS: usize = 8;
export const EXTRA_BYTES: usize = 12;

/** What an event plan is for. */
export enum Role {
  Sample,
  Config,
  Setting,
  Fact,
  Endpoint,
  Incident,
}

export enum Slot {
  Start,
  Thread,
  Stack,
  Span,
  Root,
  /** The first operand: a field that two rules name has one slot. */
  Operand,
}

/** Operands of a plan, each a slot or NO_SLOT: a, b, c of the value rule, of the second rule, and two conditions. */
export enum Operand {
  A,
  B,
  C,
  D,
  E,
  F,
  Skip,
  Route,
}

export const NO_SLOT: u32 = 255;
const OPERANDS: u32 = 8;

/** First slot of the extras. */
export const FIRST_EXTRA: u32 = <u32>Slot.Operand + OPERANDS;

export function extraAt(plan: usize, i: u32): usize {
  return <usize>load<u32>(plan, PLAN_EXTRA_ROWS) + <usize>i * EXTRA_BYTES;
}

/** Slot of an operand, NO_SLOT where the event lacks the field. */
export function operand(plan: usize, which: Operand): u32 {
  return load<u8>(plan + which, PLAN_OPERANDS);
}

const OLD_PREFIX = "com.oracle.";

/** Whether class `c` is the event at | ptr | size |: JDK 9 and 10 put `com.oracle.` in front of `jdk.`. */
export function isEvent(c: usize, name: usize): bool {
  const n = load<u32>(name, 4);
  const m = load<u32>(c, CLASS_NAME_SIZE);
  const p = <usize>load<u32>(c, CLASS_NAME);
  if (m === n) return equalBytes(<usize>load<u32>(name), p, n);
  const prefix = <u32>OLD_PREFIX.length;
  if (m !== n + prefix || !equalBytes(<usize>load<u32>(name), p + prefix, n)) return false;
  for (let i: u32 = 0; i < prefix; i++) if (<i32>load<u8>(p + i) !== OLD_PREFIX.charCodeAt(i)) return false;
  return true;
}

/** An empty plan of this role, the first of class `cls`. */
export function newPlan(cls: u32, role: Role): usize {
  const plan = scratch(PLAN_BYTES);
  spend(PLAN_BYTES);
  const c = classAt(cls);
  store<u32>(plan, role, PLAN_ROLE);
  store<u64>(plan, u64.MAX_VALUE, PLAN_OPERANDS);
  store<u32>(plan, load<u32>(c, CLASS_EVENT_PLAN), PLAN_NEXT);
  store<u32>(c, <u32>plan, CLASS_EVENT_PLAN);
  return plan;
}

/** Binds a single (not an array) field to a slot and notes that the event has it. */
export function want(plan: usize, cls: u32, map: usize, field: u32, slot: u32): bool {
  if (field === NO_FIELD) return false;
  const f = fieldOf(cls, field);
  if ((load<u32>(f, FIELD_FLAGS) & FIELD_IS_ARRAY) !== 0) return false;
  const type = load<u32>(f, FIELD_CLASS);
  if ((load<u32>(f, FIELD_FLAGS) & FIELD_IS_REFERENCE) === 0) {
    if (!isClass(type)) return false;
    const base = <Base>load<u32>(classAt(type), CLASS_BASE);
    if (base === Base.Struct) return false;
    if ((base === Base.Float || base === Base.Double) && slot < 32)
      store<u32>(plan, load<u32>(plan, PLAN_PRESENT + 4) | (1 << slot), PLAN_PRESENT + 4);
  }
  bindEvent(map, field, slot);
  if (slot < 32) store<u32>(plan, load<u32>(plan, PLAN_PRESENT) | (1 << slot), PLAN_PRESENT);
  return true;
}

/** Whether a field is a number: neither a reference nor a text can be counted or added up. */
export function isNumber(f: usize): bool {
  if ((load<u32>(f, FIELD_FLAGS) & (FIELD_IS_REFERENCE | FIELD_IS_ARRAY)) !== 0) return false;
  const type = load<u32>(f, FIELD_CLASS);
  if (!isClass(type)) return false;
  const base = <Base>load<u32>(classAt(type), CLASS_BASE);
  return base !== Base.String && base !== Base.Struct;
}

export function wantNumber(plan: usize, cls: u32, map: usize, field: u32, slot: u32): bool {
  return field !== NO_FIELD && isNumber(fieldOf(cls, field)) && want(plan, cls, map, field, slot);
}

/** Field of the name at | ptr u32 | size u32 |. */
export function fieldSpelt(cls: u32, name: usize): u32 {
  const n = load<u32>(name, 4);
  if (n === 0) return NO_FIELD;
  const count = load<u32>(classAt(cls), CLASS_FIELDS);
  if (!spend(count)) return NO_FIELD;
  for (let i: u32 = 0; i < count; i++) {
    const f = fieldOf(cls, i);
    if (load<u32>(f, FIELD_NAME_SIZE) === n && equalBytes(<usize>load<u32>(f, FIELD_NAME), <usize>load<u32>(name), n))
      return i;
  }
  return NO_FIELD;
}
