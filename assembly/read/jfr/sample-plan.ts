/** The plans of the catalogue's events: which fields of this chunk's event types their rules, conditions and attributes read. */
import { equalBytes } from "../../memory/hash";
import { profileOfEvent, setUnit } from "../../store/profiles";
import { internText } from "../../store/tables";
import { planAttributes } from "./attribute-plan";
import {
  EVENT_ROUTED,
  ROW_FLAGS,
  ROW_ROUTE,
  ROW_RULE,
  ROW_SECOND,
  ROW_SKIP,
  ROW_SNAPSHOT,
  Rule,
  rowAt,
  rowCount,
  rowField,
} from "./catalogue";
import { wantThreads } from "./constants";
import {
  fieldSpelt,
  isEvent,
  isNumber,
  NO_SLOT,
  newPlan,
  Operand,
  PLAN_OPERANDS,
  PLAN_OPS,
  PLAN_ROUTE_SOURCE,
  PLAN_ROUTE_TO,
  PLAN_ROW,
  PLAN_RULE,
  PLAN_SECOND,
  PLAN_SNAPSHOT,
  PLAN_STACK_CLASS,
  PLAN_START_UNIT,
  PLAN_THREAD_CLASS,
  PLAN_VALUE_UNIT,
  Role,
  Slot,
  want,
  wantNumber,
} from "./event-plan";
import { classAt, classCount, FIELD_CLASS, FIELD_FLAGS, FIELD_IS_REFERENCE, FIELD_UNIT, Unit } from "./metadata";
import { fuel } from "./plan";
import { wantStacks } from "./stack-trace";
import { fieldNamed, fieldOf, NO_FIELD, newBinding, planOf, wantTextOf } from "./struct";

/** Makes the plans of all event types that the catalogue knows. */
export function planEvents(): void {
  for (let i: u32 = 0; i < classCount && fuel >= 0; i++) {
    for (let k: u32 = 0; k < rowCount; k++) {
      const row = rowAt(k);
      if ((load<u32>(row, ROW_FLAGS) & EVENT_ROUTED) === 0 && isEvent(classAt(i), row)) planSample(i, k);
    }
  }
}

/** Binds a reference into a pool, and returns the class of its constants; NO_FIELD where it is none. */
function wantReference(plan: usize, cls: u32, map: usize, field: u32, slot: u32): u32 {
  if (field === NO_FIELD) return NO_FIELD;
  const f = fieldOf(cls, field);
  if (load<u32>(f, FIELD_FLAGS) !== FIELD_IS_REFERENCE) return NO_FIELD;
  want(plan, cls, map, field, slot);
  return load<u32>(f, FIELD_CLASS);
}

export function unitOfField(cls: u32, field: u32): Unit {
  return field === NO_FIELD ? Unit.None : <Unit>load<u32>(fieldOf(cls, field), FIELD_UNIT);
}

export function firstOf(cls: u32, a: string, b: string): u32 {
  const i = fieldNamed(cls, a);
  return i === NO_FIELD ? fieldNamed(cls, b) : i;
}

/** Gives an operand its slot: the one that the field has already, or the next. */
function bindOperand(plan: usize, cls: u32, map: usize, which: Operand, name: usize, number: bool): u32 {
  const field = fieldSpelt(cls, name);
  if (field === NO_FIELD || (number && !isNumber(fieldOf(cls, field)))) return NO_FIELD;
  let slot: u32 = load<u8>(map + field);
  if (slot === NO_SLOT) {
    slot = <u32>Slot.Operand + <u32>which;
    if (!want(plan, cls, map, field, slot)) return NO_FIELD;
  }
  store<u8>(plan + which, <u8>slot, PLAN_OPERANDS);
  return field;
}

function planSample(cls: u32, index: u32): void {
  const plan = newPlan(cls, Role.Sample);
  const row = rowAt(index);
  store<u32>(plan, index, PLAN_ROW);
  store<u32>(plan, load<u32>(row, ROW_RULE), PLAN_RULE);
  store<u32>(plan, load<u32>(row, ROW_SECOND), PLAN_SECOND);
  store<u32>(plan, load<u32>(row, ROW_SNAPSHOT), PLAN_SNAPSHOT);
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
  for (let i: u32 = 0; i < 6; i++) {
    const field = bindOperand(plan, cls, map, <Operand>i, rowField(row, i), true);
    if (i !== 0) continue;
    const unit = unitOfField(cls, field);
    store<u32>(plan, unit, PLAN_VALUE_UNIT);
    if (<Rule>load<u32>(row, ROW_RULE) === Rule.Any && field !== NO_FIELD)
      setUnit(profileOfEvent(index), unitText(unit));
  }
  bindOperand(plan, cls, map, Operand.Skip, row + ROW_SKIP, true);
  const route = bindOperand(plan, cls, map, Operand.Route, row + ROW_ROUTE, false);
  store<u32>(plan, wantTextOf(cls, route), PLAN_ROUTE_SOURCE);
  if (route !== NO_FIELD) store<u32>(plan, routedRow(index), PLAN_ROUTE_TO);
  planAttributes(plan, cls, map, row, root);
  store<u32>(plan, planOf(cls, map), PLAN_OPS);
}

/** The row behind `index` that has its name and takes what it routes; itself where there is none. */
function routedRow(index: u32): u32 {
  const name = rowAt(index);
  for (let k = index + 1; k < rowCount; k++) {
    const row = rowAt(k);
    const same =
      load<u32>(row, 4) === load<u32>(name, 4) &&
      equalBytes(<usize>load<u32>(row), <usize>load<u32>(name), load<u32>(name, 4));
    if (same && (load<u32>(row, ROW_FLAGS) & EVENT_ROUTED) !== 0) return k;
  }
  return index;
}

/** OTLP's unit of a number with this annotation; a time since 1970 is no amount. */
function unitText(unit: Unit): u32 {
  if (unit === Unit.Bytes) return internText("bytes");
  if (unit === Unit.Percentage) return internText("percent");
  return internText(unit === Unit.None || unit === Unit.MillisecondsSinceEpoch ? "count" : "nanoseconds");
}
