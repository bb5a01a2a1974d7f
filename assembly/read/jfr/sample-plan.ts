/**
 * The plans of the catalogue's events: which fields of this chunk's event types their rules, conditions and attributes
 * read.
 */

import * as Catalogue from "../../abi/catalogue";
import * as Diagnostic from "../../abi/formats/jfr";
import * as Rule from "../../abi/value-rule";
import { sliceAt, sliceSize } from "../../memory/slice";
import { noting } from "../../store/contexts";
import { diagnose } from "../../store/diagnostics";
import { profileOfEvent, setUnit } from "../../store/profiles";
import { internString, internText } from "../../store/tables";
import { byIds, filtered, wantsEvent, wantsStacks } from "../wanted";
import { AttributePlan, FIRST_EXTRA, planAttributes } from "./attribute-plan";
import { listSize, listText, routedRow, rowAt, rowCount, rowField } from "./catalogue";
import { methodClass, wantClasses, wantMethods, wantThreads } from "./constants";
import { isEvent, newPlan, PlanKind } from "./event-plan";
import {
  fieldSpelt,
  firstOf,
  isFloat,
  isNumber,
  Slot,
  unitOfField,
  want,
  wantNumber,
  wantReference,
} from "./field-slots";
import { planGate } from "./gate";
import { planLimit } from "./limits";
import { classAt, classCount, Unit, unitOf } from "./metadata";
import { fuel, NO_SLOT } from "./plan";
import * as CatalogueRow from "./rows/catalogue-row";
import * as ClassRow from "./rows/class-row";
import * as FieldRow from "./rows/field-row";
import { hasIds } from "./sample-ids";
import { wantStacks } from "./stack-trace";
import { EVENT_SLOTS, fieldNamed, fieldOf, isKind, NO_FIELD, newBinding, planOf, wantTextOf } from "./struct";

/** How far from an event the samples are, in ns, that say what it was for, where only those of a time are read. */
const NEIGHBOURS: u64 = 10_000_000_000;

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

/** No row has a route and a called method. */
export const CALLED: u32 = <u32>Slot.First + <u32>Operand.Route;

/** Whether a chunk's route holds: asked when the first event comes, because the pools are read by then. */
export enum Routing {
  Unasked,
  Open,
  Closed,
}

/** How an event of the catalogue becomes an observation. */
@unmanaged
export class SamplePlan extends AttributePlan {
  /** Row of the catalogue. */
  row: u32;
  /** Of value-rule.ts. */
  rule: u32;
  /** A rule or NO_RULE. */
  second: u32;
  /** 1 = of a file only the last chunk that has the event counts. */
  snapshot: u32;
  startUnit: Unit;
  /** Unit of the value rule's field a. */
  valueUnit: Unit;
  threadClass: u32;
  stackClass: u32;
  /** Frame 0 of its stacks is an interrupted instruction. */
  exactLeaf: bool;
  /** The event is a call, and with `called` its method is in the slot CALLED. */
  call: bool;
  called: bool;
  /** The value counts since the start of something. */
  counter: bool;
  /** The event type has a field for the span id. */
  own: bool;
  /** Slots of the duration and, of live objects, of the time of their allocation; NO_SLOT where they are not needed. */
  lengthSlot: u32;
  bornSlot: u32;
  lengthUnit: Unit;
  bornUnit: Unit;
  /** Slots of the address of what the event waited for, of its class, and of the thread that had it before. */
  addressSlot: u32;
  objectSlot: u32;
  ownerSlot: u32;
  objectClass: u32;
  ownerClass: u32;
  /** Slot of each operand, u8. */
  operands: u64;
  /** Text source of the field that routes, and the row that gets the routed events; 0 where the row has no route. */
  routeSource: u32;
  routeTo: u32;
  /** The text of the field decides; false: all events are routed. */
  routeText: bool;
  /** The key seen last, and the number of its text among the row's, + 2; 1 for another text, 0 before the first key. */
  routeKey: u64;
  routeFound: u32;
  routing: Routing;
}

/** Slot of an operand, NO_SLOT where the event lacks the field. */
export function operand(plan: SamplePlan, which: Operand): u32 {
  return load<u8>(changetype<usize>(plan) + which, offsetof<SamplePlan>("operands"));
}

/** Makes the plans of all event types that the catalogue knows. */
export function planEvents(): void {
  for (let i: u32 = 0; i < classCount && fuel >= 0; i++) {
    for (let k: u32 = 0; k < rowCount; k++) {
      const row = rowAt(k);
      if ((load<u32>(row, CatalogueRow.FLAGS) & Catalogue.EVENT_ROUTED) !== 0 || !isEvent(classAt(i), row)) continue;
      if (isLevel(i, row)) {
        diagnose(Diagnostic.FieldLevel, 0, <i64>load<u64>(classAt(i), ClassRow.ID));
        continue;
      }
      // Without the blocks that it frees the event says nothing.
      if (load<u32>(row, CatalogueRow.RULE) === Rule.Freed && filtered && !wantsEvent(k)) continue;
      planSample(i, routesLacking(row) && fieldSpelt(i, row + CatalogueRow.ROUTE) === NO_FIELD ? routedRow(k) : k);
    }
  }
}

/** Whether the value of a row is a level: by its field, or by the annotation of a share or a time. */
function isLevel(cls: u32, row: usize): bool {
  if (load<u32>(row, CatalogueRow.RULE) !== Rule.Any) return false;
  const field = fieldSpelt(cls, rowField(row, 0));
  if (field === NO_FIELD) return false;
  const unit = unitOfField(cls, field);
  const isMarked = (load<u32>(row, CatalogueRow.FLAGS) & Catalogue.EVENT_LEVEL) !== 0;
  return isMarked || unit === Unit.Percentage || unit === Unit.MillisecondsSinceEpoch;
}

/** Whether the row routes by the lack of a field, which the type decides for all of its events. */
function routesLacking(row: usize): bool {
  return sliceSize(row + CatalogueRow.ROUTE) !== 0 && listSize(row + CatalogueRow.ROUTE_TEXTS) === 0;
}

/** Binds the times that the context of an event without a span id is inferred from. */
function planContext(plan: SamplePlan, cls: u32, map: usize): void {
  const length = fieldNamed(cls, "duration");
  const born = fieldNamed(cls, "allocationTime");
  const next = FIRST_EXTRA + plan.extraCount;
  plan.lengthSlot = bindBeside(plan, cls, map, length, next);
  plan.bornSlot = bindBeside(plan, cls, map, born, next + 1);
  plan.lengthUnit = unitOfField(cls, length);
  plan.bornUnit = unitOfField(cls, born);
}

/** Binds what a wait was for, and who had it. */
function planWait(plan: SamplePlan, cls: u32, map: usize): void {
  const object = firstOf(cls, "monitorClass", "parkedClass");
  if (object === NO_FIELD) return;
  const next = FIRST_EXTRA + plan.extraCount + 2;
  plan.addressSlot = bindBeside(plan, cls, map, fieldNamed(cls, "address"), next);
  const type = classOfReference(cls, object);
  if (isKind(type, "Class")) {
    wantClasses(type);
    plan.objectClass = type;
    plan.objectSlot = bindAny(plan, cls, map, object, next + 1);
  }
  const owner = threadIn(cls, firstOf(cls, "previousOwner", "notifier"));
  if (owner === NO_FIELD) return;
  plan.ownerClass = classOfReference(cls, owner);
  wantThreads(plan.ownerClass);
  plan.ownerSlot = bindAny(plan, cls, map, owner, next + 2);
}

/** The slot that a field has already, else `slot`; NO_SLOT without the field, or without room. */
function bindBeside(plan: SamplePlan, cls: u32, map: usize, field: u32, slot: u32): u32 {
  return field === NO_FIELD || !isNumber(fieldOf(cls, field)) ? NO_SLOT : bindAny(plan, cls, map, field, slot);
}

function bindAny(plan: SamplePlan, cls: u32, map: usize, field: u32, slot: u32): u32 {
  const known: u32 = load<u8>(map + field);
  if (known !== NO_SLOT) return known;
  return slot < EVENT_SLOTS && want(plan, cls, map, field, slot) ? slot : NO_SLOT;
}

/** Gives an operand its slot: the one that the field has already, or the next. */
function bindOperand(plan: SamplePlan, cls: u32, map: usize, which: Operand, name: usize, number: bool): u32 {
  const field = fieldSpelt(cls, name);
  if (field === NO_FIELD || (number && !isNumber(fieldOf(cls, field)))) return NO_FIELD;
  let slot: u32 = load<u8>(map + field);
  if (slot === NO_SLOT) {
    slot = <u32>Slot.First + <u32>which;
    if (!want(plan, cls, map, field, slot)) return NO_FIELD;
  }
  store<u8>(changetype<usize>(plan) + which, <u8>slot, offsetof<SamplePlan>("operands"));
  return field;
}

function planSample(cls: u32, index: u32): void {
  const plan = changetype<SamplePlan>(newPlan(cls, PlanKind.Sample, offsetof<SamplePlan>()));
  const row = rowAt(index);
  plan.row = index;
  plan.rule = load<u32>(row, CatalogueRow.RULE);
  plan.second = load<u32>(row, CatalogueRow.SECOND);
  plan.snapshot = load<u32>(row, CatalogueRow.SNAPSHOT);
  if ((load<u32>(row, CatalogueRow.FLAGS) & (Catalogue.EVENT_LIMITED | Catalogue.EVENT_MAPPED)) !== 0) planLimit(cls);
  plan.call = (load<u32>(row, CatalogueRow.FLAGS) & Catalogue.EVENT_CALL) !== 0;
  plan.counter = (load<u32>(row, CatalogueRow.FLAGS) & Catalogue.EVENT_COUNTER) !== 0;
  plan.exactLeaf = (load<u32>(row, CatalogueRow.FLAGS) & Catalogue.EVENT_EXACT_LEAF) !== 0;
  // No operand has a slot yet: all are NO_SLOT.
  plan.operands = u64.MAX_VALUE;
  plan.lengthSlot = NO_SLOT;
  plan.bornSlot = NO_SLOT;
  plan.addressSlot = NO_SLOT;
  plan.objectSlot = NO_SLOT;
  plan.ownerSlot = NO_SLOT;
  const map = newBinding(cls);
  const start = fieldNamed(cls, "startTime");
  wantNumber(plan, cls, map, start, Slot.Start);
  plan.startUnit = unitOfField(cls, start);
  const root = firstOf(cls, "localRootSpanId", "rootSpanId");
  const hasContext = noting && fieldNamed(cls, "spanId") !== NO_FIELD;
  if (filtered && !hasContext && !mayBeWanted(index)) {
    putGate(plan, cls, root, fieldSpelt(cls, row + CatalogueRow.SKIP), false);
    return;
  }
  const ownThread = sliceSize(row + CatalogueRow.THREAD) !== 0;
  let thread = ownThread ? fieldSpelt(cls, row + CatalogueRow.THREAD) : firstOf(cls, "eventThread", "sampledThread");
  // Statistics of a thread, which another thread writes.
  if (thread === NO_FIELD) thread = threadIn(cls, fieldNamed(cls, "thread"));
  plan.threadClass = wantReference(plan, cls, map, thread, Slot.Thread);
  wantThreads(plan.threadClass);
  const ownStack = wantsStacks && sliceSize(row + CatalogueRow.STACK) !== 0;
  const stackField = ownStack ? fieldSpelt(cls, row + CatalogueRow.STACK) : fieldNamed(cls, "stackTrace");
  const stack = wantsStacks ? stackField : NO_FIELD;
  plan.stackClass = wantReference(plan, cls, map, stack, Slot.Stack);
  wantStacks(plan.stackClass);
  wantNumber(plan, cls, map, fieldNamed(cls, "spanId"), Slot.Span);
  wantNumber(plan, cls, map, root, Slot.Root);
  for (let i: u32 = 0; i < 6; i++) {
    const field = bindOperand(plan, cls, map, <Operand>i, rowField(row, i), true);
    if (i !== 0) continue;
    plan.valueUnit = unitOfField(cls, field);
    if (plan.rule !== Rule.Any || field === NO_FIELD) continue;
    const unit = row + CatalogueRow.UNIT;
    if (plan.valueUnit === Unit.None) plan.valueUnit = unitOf(sliceAt(unit), sliceSize(unit));
    const isBare = plan.valueUnit === Unit.None && sliceSize(unit) === 0;
    if (isBare && isFloat(plan, operand(plan, Operand.A))) plan.valueUnit = Unit.Thousandths;
    setUnit(profileOfEvent(index), unitText(plan.valueUnit, unit));
  }
  // An event without a value of its field is left out.
  const skipped = plan.rule === Rule.Any ? rowField(row, 0) : row + CatalogueRow.SKIP;
  const skip = bindOperand(plan, cls, map, Operand.Skip, skipped, true);
  const route = bindOperand(plan, cls, map, Operand.Route, row + CatalogueRow.ROUTE, false);
  plan.routeSource = wantTextOf(cls, route);
  plan.routeText = route !== NO_FIELD;
  if (sliceSize(row + CatalogueRow.ROUTE) !== 0 && !routesLacking(row)) plan.routeTo = routedRow(index);
  const isMapped = (load<u32>(row, CatalogueRow.FLAGS) & Catalogue.EVENT_MAPPED) !== 0;
  if (plan.call || (isMapped && stackField === NO_FIELD)) planCalled(plan, cls, map);
  planAttributes(plan, cls, map, row, root);
  plan.own = fieldNamed(cls, "spanId") !== NO_FIELD || hasIds(plan);
  if (noting && !plan.own) planContext(plan, cls, map);
  if (noting) planWait(plan, cls, map);
  plan.ops = planOf(cls, map);
  const lacksOwn = (ownThread && plan.threadClass === NO_FIELD) || (ownStack && plan.stackClass === NO_FIELD);
  if (isMapped && (lacksOwn || lacksNamed(plan, cls, row)))
    diagnose(Diagnostic.FieldMissing, 0, <i64>load<u64>(classAt(cls), ClassRow.ID));
  // A gate knows the two numbers only. Calls, counters and blocks depend on events that a gate would keep out, and the
  // holders of a monitor on all waits for it. An event may lack any value but its duration.
  if (noting && plan.ownerSlot !== NO_SLOT) return;
  const isValued = plan.rule !== Rule.Any || fieldSpelt(cls, skipped) === fieldNamed(cls, "duration");
  if (filtered && !plan.call && isValued && plan.rule !== Rule.Freed && !(byIds && hasIds(plan)))
    putGate(plan, cls, root, plan.rule === Rule.Any ? NO_FIELD : skip, true);
}

/** Binds the method of a call, which is of the class of the methods of stacks. */
function planCalled(plan: SamplePlan, cls: u32, map: usize): void {
  const field = fieldNamed(cls, "method");
  if (!wantsStacks || field === NO_FIELD || !isKind(load<u32>(fieldOf(cls, field), FieldRow.CLASS), "Method")) return;
  const type = wantReference(plan, cls, map, field, CALLED);
  if (type !== NO_FIELD) wantMethods(type);
  plan.called = type !== NO_FIELD && type === methodClass;
}

/** A field that refers to a thread; NO_FIELD for any other. */
function threadIn(cls: u32, field: u32): u32 {
  return field !== NO_FIELD && isKind(classOfReference(cls, field), "Thread") ? field : NO_FIELD;
}

function classOfReference(cls: u32, field: u32): u32 {
  return load<u32>(fieldOf(cls, field), FieldRow.CLASS);
}

/** Puts a gate before the samples of a plan. */
function putGate(plan: SamplePlan, cls: u32, root: u32, skip: u32, isOpen: bool): void {
  const gate = planGate(plan, cls, root, skip, isOpen);
  gate.row = plan.row;
  gate.slack = noting && plan.own ? NEIGHBOURS : 0;
  gate.snapshot = plan.snapshot;
  gate.startUnit = plan.startUnit;
  gate.inTicks = plan.startUnit === Unit.None || plan.startUnit === Unit.Ticks;
}

/** Whether samples of this row, or of the row that it routes to, may be wanted. */
function mayBeWanted(index: u32): bool {
  return wantsEvent(index) || (sliceSize(rowAt(index) + CatalogueRow.ROUTE) !== 0 && wantsEvent(routedRow(index)));
}

/** Whether the event lacks the value or an attribute that the row names. */
function lacksNamed(plan: SamplePlan, cls: u32, row: usize): bool {
  if (plan.rule === Rule.Any && operand(plan, Operand.A) === NO_SLOT) return true;
  const attributes = row + CatalogueRow.ATTRIBUTES;
  for (let i: u32 = 0; i < listSize(attributes); i += 2) {
    if (fieldSpelt(cls, listText(attributes, i)) === NO_FIELD) return true;
  }
  return false;
}

/** OTLP's unit of a number with this annotation, else the stated one; a time since 1970 is no amount. */
function unitText(unit: Unit, stated: usize): u32 {
  if (unit === Unit.None && sliceSize(stated) !== 0) return internString(sliceAt(stated), sliceSize(stated));
  if (unit === Unit.Bytes) return internText("bytes");
  if (unit === Unit.Percentage) return internText("percent");
  if (unit === Unit.Thousandths) return internText("thousandths");
  return internText(unit === Unit.None || unit === Unit.MillisecondsSinceEpoch ? "count" : "nanoseconds");
}
