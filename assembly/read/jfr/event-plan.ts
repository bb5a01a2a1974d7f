/**
 * Which fields of an event type are read into which slot, made per chunk for the types of the catalogue and for the two
 * that name sampling periods.
 *
 *   plan  | role | row | rule | ops | present bits | float bits | start unit | duration unit | thread class |
 *         | stack class | extras | pointer to extras | pointer to last values | last set + 1 |         14 words
 *   extra | attribute key | kind | class |                                                              3 words
 */

import { equalBytes } from "../../memory/hash";
import { scratch } from "../../memory/scratch";
import { diagnose } from "../../store/diagnostics";
import { internString } from "../../store/tables";
import { rowCount, rowExtra, rowExtraKey, rowExtras, rowField, rowName, rowRule } from "./catalogue";
import { Finding } from "./codes";
import { wantClasses, wantThreads } from "./constants";
import {
  Base,
  CLASS_BASE,
  CLASS_EVENT_PLAN,
  CLASS_FIELDS,
  CLASS_NAME,
  CLASS_NAME_SIZE,
  classAt,
  classCount,
  FIELD_CLASS,
  FIELD_FLAGS,
  FIELD_IS_ARRAY,
  FIELD_IS_REFERENCE,
  FIELD_NAME,
  FIELD_NAME_SIZE,
  FIELD_UNIT,
  isClass,
  spells,
  Unit,
} from "./metadata";
import { wantStacks } from "./stack-trace";
import { bindEvent, EVENT_SLOTS, fieldNamed, fieldOf, isKind, NO_FIELD, newBinding, planOf, wantText } from "./struct";

export const PLAN_ROLE: usize = 0;
export const PLAN_ROW: usize = 4;
export const PLAN_RULE: usize = 8;
export const PLAN_OPS: usize = 12;
/** Bit per slot: the event has the field; four bytes on, bit per slot: it is a float. */
export const PLAN_PRESENT: usize = 16;
export const PLAN_START_UNIT: usize = 24;
export const PLAN_DURATION_UNIT: usize = 28;
export const PLAN_THREAD_CLASS: usize = 32;
export const PLAN_STACK_CLASS: usize = 36;
export const PLAN_EXTRAS: usize = 40;
const PLAN_EXTRA_ROWS: usize = 44;
export const PLAN_LAST_VALUES: usize = 48;
export const PLAN_LAST_SET: usize = 52;
const PLAN_BYTES: u32 = 56;

export const EXTRA_KEY: usize = 0;
export const EXTRA_KIND: usize = 4;
export const EXTRA_CLASS: usize = 8;
const EXTRA_BYTES: usize = 12;

/** What an event plan is for. */
export enum Role {
  Sample,
  Config,
  Setting,
}

export enum Slot {
  Start,
  Thread,
  Stack,
  Span,
  Root,
  /** Fields a, b and c of the catalogue's rule. */
  A,
  B,
  C,
}

/** First slot of the extras. */
export const FIRST_EXTRA: u32 = 8;

/** How an extra field becomes an attribute. */
export enum Kind {
  Integer,
  Boolean,
  Float,
  Class,
  Constant,
  Text,
}

export function extraAt(plan: usize, i: u32): usize {
  return <usize>load<u32>(plan, PLAN_EXTRA_ROWS) + <usize>i * EXTRA_BYTES;
}

/** Makes the plans of all event types that the catalogue knows. */
export function planEvents(): void {
  for (let i: u32 = 0; i < classCount; i++) {
    const c = classAt(i);
    const p = <usize>load<u32>(c, CLASS_NAME);
    const n = load<u32>(c, CLASS_NAME_SIZE);
    for (let row: u32 = 0; row < rowCount; row++) {
      const name = rowName(row);
      if (load<u32>(name, 4) === n && equalBytes(<usize>load<u32>(name), p, n)) planSample(i, row);
    }
  }
}

/** An empty plan of this role for class `cls`. */
export function newPlan(cls: u32, role: Role): usize {
  const plan = scratch(PLAN_BYTES);
  store<u32>(plan, role, PLAN_ROLE);
  store<u32>(classAt(cls), <u32>plan, CLASS_EVENT_PLAN);
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

/** Binds a number: neither a reference nor a text can be counted or added up. */
function wantNumber(plan: usize, cls: u32, map: usize, field: u32, slot: u32): bool {
  if (field === NO_FIELD) return false;
  const f = fieldOf(cls, field);
  if ((load<u32>(f, FIELD_FLAGS) & FIELD_IS_REFERENCE) !== 0) return false;
  const type = load<u32>(f, FIELD_CLASS);
  if (!isClass(type) || load<u32>(classAt(type), CLASS_BASE) === Base.String) return false;
  return want(plan, cls, map, field, slot);
}

/** Binds a reference into a pool, and returns the class of its constants; NO_FIELD where it is none. */
function wantReference(plan: usize, cls: u32, map: usize, field: u32, slot: u32): u32 {
  if (field === NO_FIELD) return NO_FIELD;
  const f = fieldOf(cls, field);
  if (load<u32>(f, FIELD_FLAGS) !== FIELD_IS_REFERENCE) return NO_FIELD;
  want(plan, cls, map, field, slot);
  return load<u32>(f, FIELD_CLASS);
}

function unitOfField(cls: u32, field: u32): Unit {
  return field === NO_FIELD ? Unit.None : <Unit>load<u32>(fieldOf(cls, field), FIELD_UNIT);
}

function firstOf(cls: u32, a: string, b: string): u32 {
  const i = fieldNamed(cls, a);
  return i === NO_FIELD ? fieldNamed(cls, b) : i;
}

/** Field of the name at | ptr u32 | size u32 |. */
export function fieldSpelt(cls: u32, name: usize): u32 {
  const n = load<u32>(name, 4);
  if (n === 0) return NO_FIELD;
  const count = load<u32>(classAt(cls), CLASS_FIELDS);
  for (let i: u32 = 0; i < count; i++) {
    const f = fieldOf(cls, i);
    if (load<u32>(f, FIELD_NAME_SIZE) === n && equalBytes(<usize>load<u32>(f, FIELD_NAME), <usize>load<u32>(name), n))
      return i;
  }
  return NO_FIELD;
}

function planSample(cls: u32, row: u32): void {
  const plan = newPlan(cls, Role.Sample);
  store<u32>(plan, row, PLAN_ROW);
  store<u32>(plan, rowRule(row), PLAN_RULE);
  const map = newBinding(cls);
  const start = fieldNamed(cls, "startTime");
  wantNumber(plan, cls, map, start, Slot.Start);
  store<u32>(plan, unitOfField(cls, start), PLAN_START_UNIT);
  const threads = wantReference(plan, cls, map, firstOf(cls, "eventThread", "sampledThread"), Slot.Thread);
  store<u32>(plan, threads, PLAN_THREAD_CLASS);
  wantThreads(threads);
  const stacks = wantReference(plan, cls, map, fieldNamed(cls, "stackTrace"), Slot.Stack);
  store<u32>(plan, stacks, PLAN_STACK_CLASS);
  wantStacks(stacks);
  wantNumber(plan, cls, map, fieldNamed(cls, "spanId"), Slot.Span);
  const root = firstOf(cls, "localRootSpanId", "rootSpanId");
  wantNumber(plan, cls, map, root, Slot.Root);
  const a = fieldSpelt(cls, rowField(row, 0));
  wantNumber(plan, cls, map, a, Slot.A);
  store<u32>(plan, unitOfField(cls, a), PLAN_DURATION_UNIT);
  wantNumber(plan, cls, map, fieldSpelt(cls, rowField(row, 1)), Slot.B);
  wantNumber(plan, cls, map, fieldSpelt(cls, rowField(row, 2)), Slot.C);
  planExtras(plan, cls, map, row, root);
  store<u32>(plan, planOf(cls, map), PLAN_OPS);
}

function planExtras(plan: usize, cls: u32, map: usize, row: u32, root: u32): void {
  const fields = load<u32>(classAt(cls), CLASS_FIELDS);
  store<u32>(plan, <u32>scratch(EVENT_SLOTS * <u32>EXTRA_BYTES), PLAN_EXTRA_ROWS);
  store<u32>(plan, <u32>scratch(EVENT_SLOTS << 3), PLAN_LAST_VALUES);
  for (let k: u32 = 0; k < rowExtras(row); k++) {
    addExtra(plan, cls, map, fieldSpelt(cls, rowExtra(row, k)), rowExtraKey(row, k));
  }
  if (root === NO_FIELD) return;
  let dropped: u32 = 0;
  for (let i = root + 1; i < fields; i++) {
    const f = fieldOf(cls, i);
    const key = contextKey(<usize>load<u32>(f, FIELD_NAME), load<u32>(f, FIELD_NAME_SIZE));
    if (isOtherField(<usize>load<u32>(f, FIELD_NAME), load<u32>(f, FIELD_NAME_SIZE)) || key === 0) continue;
    if (FIRST_EXTRA + load<u32>(plan, PLAN_EXTRAS) >= EVENT_SLOTS) dropped++;
    else addExtra(plan, cls, map, i, key);
  }
  if (dropped !== 0) diagnose(Finding.ContextAttributes, 0, fields - root - 1);
}

/** Fields that some producer writes behind the root though they are no context. */
function isOtherField(p: usize, n: u32): bool {
  return (
    spells(p, n, "spanId") || spells(p, n, "eventThread") || spells(p, n, "stackTrace") || spells(p, n, "startTime")
  );
}

/** Attribute key of a context field: its own name, unless that is a key which samples carry anyway. */
function contextKey(p: usize, n: u32): u32 {
  const taken =
    spells(p, n, "profile.type") ||
    spells(p, n, "thread.name") ||
    spells(p, n, "thread.id") ||
    spells(p, n, "jfr.event") ||
    spells(p, n, "alloc.class") ||
    spells(p, n, "span.id") ||
    spells(p, n, "local_root_span.id");
  if (!taken) return internString(p, n);
  const prefix = "context.";
  const m = <u32>prefix.length;
  const q = scratch(n + m);
  for (let i: u32 = 0; i < m; i++) store<u8>(q + i, <u8>prefix.charCodeAt(i));
  memory.copy(q + m, p, n);
  return internString(q, n + m);
}

function addExtra(plan: usize, cls: u32, map: usize, field: u32, key: u32): void {
  if (field === NO_FIELD) return;
  const n = load<u32>(plan, PLAN_EXTRAS);
  // A key stands once in a set, whatever the metadata says twice.
  for (let i: u32 = 0; i < n; i++) if (load<u32>(extraAt(plan, i), EXTRA_KEY) === key) return;
  const f = fieldOf(cls, field);
  const type = load<u32>(f, FIELD_CLASS);
  if (!isClass(type) || !want(plan, cls, map, field, FIRST_EXTRA + n)) return;
  const e = extraAt(plan, n);
  store<u32>(e, key, EXTRA_KEY);
  store<u32>(e, type, EXTRA_CLASS);
  store<u32>(e, kindOf(type, (load<u32>(f, FIELD_FLAGS) & FIELD_IS_REFERENCE) !== 0), EXTRA_KIND);
  store<u32>(plan, n + 1, PLAN_EXTRAS);
}

function kindOf(type: u32, reference: bool): Kind {
  if (reference) {
    if (isKind(type, "Class")) {
      wantClasses(type);
      return Kind.Class;
    }
    wantText(type);
    return Kind.Constant;
  }
  switch (<Base>load<u32>(classAt(type), CLASS_BASE)) {
    case Base.Boolean:
      return Kind.Boolean;
    case Base.Float:
    case Base.Double:
      return Kind.Float;
    case Base.String:
      return Kind.Text;
    default:
      return Kind.Integer;
  }
}
