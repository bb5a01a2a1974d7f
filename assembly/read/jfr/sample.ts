/**
 * An event of the catalogue as an observation: its value by the row's rules, its sample by its references.
 *
 * Slots of a plan: the fixed ones (Slot), the rules' operands, then the attributes.
 */

import * as Catalogue from "../../abi/catalogue";
import * as Diagnostic from "../../abi/formats/jfr";
import * as ValueKind from "../../abi/value-kind";
import * as Rule from "../../abi/value-rule";
import { hasBytes, sliceAt, sliceSize } from "../../memory/slice";
import { noteObservation, noteWait, noting } from "../../store/contexts";
import { diagnose, diagnosingChunk } from "../../store/diagnostics";
import { noteFree } from "../../store/held/frees";
import { setWith } from "../../store/inferred";
import { coverObservations, freeStaged, nextObservation, stage } from "../../store/samples";
import { noteSkipped } from "../../store/skipped";
import { freeWaiting, hold, skipSnapshot, supersede } from "../../store/snapshots";
import { internAttribute, internString } from "../../store/tables";
import { filtered, wantsEvent, wantsStackOf } from "../wanted";
import { byAttributes, wantsAttributes } from "../wanted-attributes";
import { attributeSet } from "./attribute-set";
import { ownTime } from "./calls";
import { listText, placeInList, rowAt } from "./catalogue";
import { nextPoolEntry } from "./constant-pools";
import { classLabel, threadOf } from "./constants";
import { Plan } from "./event-plan";
import { has, isFloat, realOf, Slot, slotOf, wholeOf } from "./field-slots";
import { startNanos } from "./header";
import { countLimited } from "./limits";
import { Unit } from "./metadata";
import { hasDefaultState, Mode, mode } from "./periods";
import { NO_SLOT, SLOTS, slots, spend } from "./plan";
import * as CatalogueRow from "./rows/catalogue-row";
import { findMode, isModed, sampleEvent } from "./sample-event";
import * as Ids from "./sample-ids";
import { hasIds, hasOthers, takeIds } from "./sample-ids";
import { CALLED, Operand, operand, Routing, SamplePlan } from "./sample-plan";
import { calledStack, stackOf } from "./stack-trace";
import { found, INLINE, NOWHERE, textOf, textOfEntry } from "./struct";
import { endOf, NOT_AVAILABLE, sizeOf, spanOf, timeOf } from "./time";

/** What `foundRoute` answers for the second text of a row. */
const ASLEEP: u32 = 3;

/** The event in the slots, which is at `offset` of its chunk. */
export function readSample(at: Plan, offset: u64): void {
  const plan = changetype<SamplePlan>(at);
  const skip = operand(plan, Operand.Skip);
  if (skip !== NO_SLOT && isLeftOut(plan, skip, offset)) return;
  const time = has(plan, Slot.Start) ? timeOf(<i64>slotOf(Slot.Start), plan.startUnit) : startNanos;
  if (plan.limit !== 0) countLimited(plan.limit, time);
  if (plan.rule === Rule.Freed) {
    noteFree(addressOf(plan, Operand.A), time);
    return;
  }
  const address = plan.rule === Rule.Allocated ? addressOf(plan, Operand.B) : 0;
  let value = measure(plan, plan.rule, Operand.A);
  const rule = plan.second;
  const second = rule === Catalogue.NO_RULE || rule === Rule.Count ? 0 : measure(plan, rule, Operand.D);
  let span = has(plan, Slot.Span) ? slotOf(Slot.Span) : 0;
  let root = has(plan, Slot.Root) ? slotOf(Slot.Root) : 0;
  const born = plan.bornSlot !== NO_SLOT ? timeOf(<i64>slotOf(plan.bornSlot), plan.bornUnit) : time;
  const length = plan.lengthSlot !== NO_SLOT ? spanOf(<i64>slotOf(plan.lengthSlot), plan.lengthUnit) : 0;
  const stackKey = slotOf(Slot.Stack);
  const threadKey = slotOf(Slot.Thread);
  const object = addressAt(plan.addressSlot);
  const objectKey = addressAt(plan.objectSlot);
  const ownerKey = addressAt(plan.ownerSlot);
  const called = plan.called ? slotOf(CALLED) : 0;
  // The code below reads constants, whose fields have separate slots; the texts of a route or an attribute have not.
  let to = plan.row;
  let asleep = plan.asleep;
  if (plan.routeTo !== 0) {
    const isOpen = routes(plan);
    const text = operand(plan, Operand.Route) !== NO_SLOT ? foundRoute(plan) : 1;
    if (isOpen && (text > 1 || !plan.routeText)) to = plan.routeTo;
    asleep = text === ASLEEP ? plan.asleep : 0;
  }
  let high: u64 = 0;
  let ids: u32 = 0;
  if (hasIds(plan)) {
    ids = takeIds(plan, root, span);
    high = Ids.high;
    root = Ids.root;
    span = Ids.span;
  }
  let set = plan.extraCount !== 0 ? attributeSet(plan, ids) : 0;
  // Whatever row it comes to, which the setting may decide later: chunks are read in any order.
  if (asleep !== 0) set = setWith(set, asleep);
  const thread = has(plan, Slot.Thread) ? threadOf(plan.threadClass, threadKey) : 0;
  if (plan.call && thread !== 0) value = ownTime(thread, time, value);
  if (
    filtered &&
    !(
      (wantsEvent(to) || (noting && plan.own)) &&
      (!byAttributes || wantsAttributes(set, thread, high === 0 ? root : 0))
    )
  ) {
    skipSample(plan, to, time, offset);
    return;
  }
  const isOpen = plan.counter || (hasIds(plan) && hasOthers(plan, ids));
  const hasStack = isOpen || wantsStackOf(to, time, high, root, span, set, thread);
  let stack = hasStack && has(plan, Slot.Stack) ? stackOf(plan.stackClass, stackKey, plan.exactLeaf) : 0;
  if (hasStack && plan.called) stack = calledStack(stack, called, offset);
  const isSnapshot = plan.snapshot !== 0 || plan.counter;
  if (plan.snapshot !== 0) supersede(to, diagnosingChunk(), offset, startNanos, 1);
  const event = isSnapshot ? to : sampleEvent(to, offset);
  const waits = isSnapshot || address !== 0;
  const staged = waits ? freeWaiting() : freeStaged();
  staged.event = event;
  staged.stack = stack;
  staged.thread = thread;
  staged.set = set;
  staged.high = high;
  staged.root = root;
  staged.span = span;
  staged.time = time;
  staged.value = value;
  staged.second = second;
  if (waits) {
    hold(noting && !plan.own && thread !== 0, plan.counter, born, address);
    return;
  }
  if (noting && thread !== 0) {
    const end = plan.bornSlot === NO_SLOT ? endOf(time, length) : born;
    noteObservation(nextObservation(), plan.own, born, end);
    if (plan.objectSlot !== NO_SLOT) {
      const type = objectKey === 0 ? 0 : classLabel(plan.objectClass, objectKey);
      const owner = ownerKey === 0 ? 0 : threadOf(plan.ownerClass, ownerKey);
      noteWait(nextObservation(), object, type, owner);
    }
  }
  stage();
}

/** Whether an event failed, or has no value: what a JVM writes for an unknown number, or no number. */
function isLeftOut(plan: SamplePlan, skip: u32, offset: u64): bool {
  if (plan.rule !== Rule.Any) {
    if (slotOf(skip) === 0) return false;
    diagnose(Diagnostic.SampleFailed, offset, 0);
    return true;
  }
  const value = <i64>slotOf(skip);
  const isNone = isFloat(plan, skip) ? isNaN(realOf(plan, skip)) : value === NOT_AVAILABLE || value === i32.MIN_VALUE;
  if (isNone) diagnose(Diagnostic.ValueMissing, offset, 0);
  return isNone;
}

/** A sample of row `row` that is not wanted, because of its route or its attributes. */
function skipSample(plan: SamplePlan, row: u32, time: i64, offset: u64): void {
  if (plan.snapshot !== 0) {
    skipSnapshot(row, diagnosingChunk(), offset, startNanos, time);
    return;
  }
  coverObservations(time, time);
  noteSkipped(sampleEvent(row, offset), 1);
}

function addressOf(plan: SamplePlan, which: Operand): u64 {
  return addressAt(operand(plan, which));
}

function addressAt(slot: u32): u64 {
  return slot === NO_SLOT ? 0 : slotOf(slot);
}

function nearest(x: f64): i64 {
  return <i64>floor(x + 0.5);
}

/** Value of a rule whose fields are the operands from `first` on. */
function measure(plan: SamplePlan, rule: u32, first: Operand): i64 {
  const a = operand(plan, first);
  switch (rule) {
    case Rule.Field:
      return a !== NO_SLOT ? wholeOf(plan, a) : 1;
    case Rule.Rounded:
      return a !== NO_SLOT ? nearest(realOf(plan, a)) : 1;
    case Rule.Allocated:
    case Rule.Amount: {
      const c = operand(plan, <Operand>(<u32>first + 2));
      // A read at the end of a file or stream has −1 bytes.
      if (a !== NO_SLOT) return max<i64>(wholeOf(plan, a), 0);
      return c !== NO_SLOT ? wholeOf(plan, c) : 0;
    }
    case Rule.Scaled: {
      const b = operand(plan, <Operand>(<u32>first + 1));
      const c = operand(plan, <Operand>(<u32>first + 2));
      if (a !== NO_SLOT && b !== NO_SLOT) return nearest(realOf(plan, a) * realOf(plan, b));
      return c !== NO_SLOT ? wholeOf(plan, c) : 0;
    }
    case Rule.Duration:
      return a !== NO_SLOT ? spanOf(<i64>slotOf(a), plan.valueUnit) : 0;
    case Rule.ScaledDuration: {
      if (a === NO_SLOT) return 0;
      const nanos = spanOf(<i64>slotOf(a), plan.valueUnit);
      const b = operand(plan, <Operand>(<u32>first + 1));
      return b !== NO_SLOT ? nearest(<f64>nanos * realOf(plan, b)) : nanos;
    }
    case Rule.Any: {
      if (a === NO_SLOT) return 0;
      const unit = plan.valueUnit;
      if (unit === Unit.Percentage) return nearest(realOf(plan, a) * 100);
      if (isFloat(plan, a)) return nearest(realOf(plan, a) * sizeOf(unit));
      if (unit === Unit.None) return <i64>slotOf(a);
      if (unit === Unit.MillisecondsSinceEpoch) return <i64>slotOf(a) === NOT_AVAILABLE ? 0 : <i64>slotOf(a);
      return spanOf(<i64>slotOf(a), unit);
    }
    default:
      return 1;
  }
}

/** The slots of an event while settings are looked for. */
const kept: usize = memory.data(<i32>SLOTS * 8, 8);

/** Whether events may be of another row in this chunk: by a field, or all of them by the mode. */
function routes(plan: SamplePlan): bool {
  if (plan.routing !== Routing.Unasked) return plan.routing === Routing.Open;
  const where = rowAt(plan.row) + CatalogueRow.WHERE;
  const source = plan.routeSource;
  const isFirst = source !== INLINE && textOf(source, 0) && hasBytes(where, found.at, found.size);
  let isStated = sliceSize(where) === 0 || isFirst;
  if (isModed(plan.row)) {
    memory.copy(kept, slots, SLOTS << 3);
    findMode(isStated);
    memory.copy(slots, kept, SLOTS << 3);
    if (!isStated && hasDefaultState) isStated = isConstant(source, where);
  }
  const isWall = isModed(plan.row) && mode === Mode.Wall;
  const open = isWall || (isStated && operand(plan, Operand.Route) !== NO_SLOT);
  if (isWall) plan.routeText = false;
  plan.routing = open ? Routing.Open : Routing.Closed;
  return open;
}

/** Whether the pool of the field with this source has the text of a slice under any key. */
function isConstant(source: u32, text: usize): bool {
  if (source === INLINE || source === NOWHERE) return false;
  for (let entry = nextPoolEntry(source, 0); entry !== 0 && spend(1); entry = nextPoolEntry(source, entry))
    if (textOfEntry(source, entry) && hasBytes(text, found.at, found.size)) return true;
  return false;
}

/** `routeFound` of the field that routes. A key is asked once in succession. */
function foundRoute(plan: SamplePlan): u32 {
  const value = slotOf(operand(plan, Operand.Route));
  if (plan.routeFound !== 0 && plan.routeKey === value) return plan.routeFound;
  plan.routeKey = value;
  plan.routeFound = 1;
  if (!textOf(plan.routeSource, value)) return 1;
  plan.routeFound += placeInList(rowAt(plan.row) + CatalogueRow.ROUTE_TEXTS, found.at, found.size);
  if (plan.routeFound === ASLEEP && isModed(plan.row)) {
    const key = listText(rowAt(plan.routeTo) + CatalogueRow.ATTRIBUTES, 1);
    const text = internString(found.at, found.size);
    plan.asleep = internAttribute(internString(sliceAt(key), sliceSize(key)), ValueKind.Text, text);
  }
  return plan.routeFound;
}
