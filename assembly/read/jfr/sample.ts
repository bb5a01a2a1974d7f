/**
 * An event of the catalogue as an observation: its value by the row's rules, its place in the store by what it refers to.
 *
 * Slots of a plan: the fixed ones (Slot), the rules' operands, then the attributes.
 */

import { equalBytes } from "../../memory/hash";
import { diagnose, diagnosingChunk } from "../../store/diagnostics";
import { stage } from "../../store/samples";
import { hold, supersede } from "../../store/snapshots";
import { attributeSet } from "./attribute-set";
import { listSize, listText, NO_RULE, ROW_ROUTE_TEXTS, ROW_WHERE, Rule, rowAt } from "./catalogue";
import { Diagnostic } from "./codes";
import { threadOf } from "./constants";
import {
  NO_SLOT,
  Operand,
  operand,
  PLAN_EXTRAS,
  PLAN_PRESENT,
  PLAN_ROUTE_KEY,
  PLAN_ROUTE_ROW,
  PLAN_ROUTE_SOURCE,
  PLAN_ROUTE_STATE,
  PLAN_ROUTE_TO,
  PLAN_ROW,
  PLAN_RULE,
  PLAN_SECOND,
  PLAN_SNAPSHOT,
  PLAN_STACK_CLASS,
  PLAN_START_UNIT,
  PLAN_THREAD_CLASS,
  PLAN_VALUE_UNIT,
  Slot,
} from "./event-plan";
import { startNanos } from "./header";
import { Unit } from "./metadata";
import { slots } from "./plan";
import { stackOf } from "./stack-trace";
import { found, INLINE, textOf } from "./struct";
import { NOT_AVAILABLE, spanOf, timeOf } from "./time";

/** Whether a chunk's route holds: asked when the first event comes, for the pools are read by then. */
enum Route {
  Unasked,
  Open,
  Closed,
}

function slotOf(s: u32): u64 {
  return load<u64>(slots + ((<usize>s) << 3));
}

function has(plan: usize, s: u32): bool {
  return ((load<u32>(plan, PLAN_PRESENT) >> s) & 1) !== 0;
}

/** The event in the slots, which stands at `offset` of its chunk. */
export function readSample(plan: usize, offset: u64): void {
  const skip = operand(plan, Operand.Skip);
  if (skip !== NO_SLOT && slotOf(skip) !== 0) {
    diagnose(Diagnostic.SampleFailed, offset, 0);
    return;
  }
  const time = has(plan, Slot.Start)
    ? timeOf(<i64>slotOf(Slot.Start), <Unit>load<u32>(plan, PLAN_START_UNIT))
    : startNanos;
  const value = measure(plan, <Rule>load<u32>(plan, PLAN_RULE), Operand.A);
  const rule = load<u32>(plan, PLAN_SECOND);
  const second = rule === NO_RULE || rule === <u32>Rule.Count ? 0 : measure(plan, <Rule>rule, Operand.D);
  const span = has(plan, Slot.Span) ? slotOf(Slot.Span) : 0;
  const root = has(plan, Slot.Root) ? slotOf(Slot.Root) : 0;
  const stackKey = slotOf(Slot.Stack);
  const threadKey = slotOf(Slot.Thread);
  // What follows looks at constants, whose fields have slots of their own; the texts of a route or an attribute do not.
  const to = operand(plan, Operand.Route) !== NO_SLOT && routes(plan) ? routedRow(plan) : load<u32>(plan, PLAN_ROW);
  const attributes = load<u32>(plan, PLAN_EXTRAS) !== 0 ? attributeSet(plan) : 0;
  const thread = has(plan, Slot.Thread) ? threadOf(load<u32>(plan, PLAN_THREAD_CLASS), threadKey) : 0;
  const stack = has(plan, Slot.Stack) ? stackOf(load<u32>(plan, PLAN_STACK_CLASS), stackKey) : 0;
  if (load<u32>(plan, PLAN_SNAPSHOT) === 0) {
    stage(to, stack, root, span, thread, attributes, time, value, second);
    return;
  }
  const before = supersede(to, diagnosingChunk());
  if (before !== 0) diagnose(Diagnostic.SnapshotSuperseded, offset, before);
  hold(to, stack, root, span, thread, attributes, time, value, second);
}

/** A field that may be a float as an integer; NaN and what no i64 holds saturate. */
function whole(plan: usize, s: u32): i64 {
  return isFloat(plan, s) ? <i64>trunc(load<f64>(slots + ((<usize>s) << 3))) : <i64>slotOf(s);
}

function real(plan: usize, s: u32): f64 {
  return isFloat(plan, s) ? load<f64>(slots + ((<usize>s) << 3)) : <f64>(<i64>slotOf(s));
}

function isFloat(plan: usize, s: u32): bool {
  return ((load<u32>(plan, PLAN_PRESENT + 4) >> s) & 1) !== 0;
}

function nearest(x: f64): i64 {
  return <i64>floor(x + 0.5);
}

/** Value of a rule whose fields are the operands from `first` on. */
function measure(plan: usize, rule: Rule, first: Operand): i64 {
  const a = operand(plan, first);
  switch (rule) {
    case Rule.Field:
      return a !== NO_SLOT ? whole(plan, a) : 1;
    case Rule.Rounded:
      return a !== NO_SLOT ? nearest(real(plan, a)) : 1;
    case Rule.Amount: {
      const c = operand(plan, <Operand>(<u32>first + 2));
      if (a !== NO_SLOT) return whole(plan, a);
      return c !== NO_SLOT ? whole(plan, c) : 0;
    }
    case Rule.Scaled: {
      const b = operand(plan, <Operand>(<u32>first + 1));
      const c = operand(plan, <Operand>(<u32>first + 2));
      if (a !== NO_SLOT && b !== NO_SLOT) return nearest(real(plan, a) * real(plan, b));
      return c !== NO_SLOT ? whole(plan, c) : 0;
    }
    case Rule.Duration:
      return a !== NO_SLOT ? spanOf(<i64>slotOf(a), <Unit>load<u32>(plan, PLAN_VALUE_UNIT)) : 0;
    case Rule.ScaledDuration: {
      if (a === NO_SLOT) return 0;
      const nanos = spanOf(<i64>slotOf(a), <Unit>load<u32>(plan, PLAN_VALUE_UNIT));
      const b = operand(plan, <Operand>(<u32>first + 1));
      return b !== NO_SLOT ? nearest(<f64>nanos * real(plan, b)) : nanos;
    }
    case Rule.Any: {
      if (a === NO_SLOT) return 0;
      const unit = <Unit>load<u32>(plan, PLAN_VALUE_UNIT);
      if (unit === Unit.Percentage) return nearest(real(plan, a) * 100);
      if (isFloat(plan, a)) return nearest(real(plan, a));
      if (unit === Unit.None) return <i64>slotOf(a);
      if (unit === Unit.MillisecondsSinceEpoch) return <i64>slotOf(a) === NOT_AVAILABLE ? 0 : <i64>slotOf(a);
      return spanOf(<i64>slotOf(a), unit);
    }
    default:
      return 1;
  }
}

/** Whether events of this plan are told apart by a field, in this chunk. */
function routes(plan: usize): bool {
  const state = <Route>load<u32>(plan, PLAN_ROUTE_STATE);
  if (state !== Route.Unasked) return state === Route.Open;
  const where = rowAt(load<u32>(plan, PLAN_ROW)) + ROW_WHERE;
  const source = load<u32>(plan, PLAN_ROUTE_SOURCE);
  const open = load<u32>(where, 4) === 0 || (source !== INLINE && textOf(source, 0) && isText(where));
  store<u32>(plan, open ? Route.Open : Route.Closed, PLAN_ROUTE_STATE);
  return open;
}

/** The row behind where the field has one of the row's texts, else the plan's own. A key is asked once in succession. */
function routedRow(plan: usize): u32 {
  const value = slotOf(operand(plan, Operand.Route));
  if (load<u32>(plan, PLAN_ROUTE_ROW) !== 0 && load<u64>(plan, PLAN_ROUTE_KEY) === value)
    return load<u32>(plan, PLAN_ROUTE_ROW) - 1;
  let row = load<u32>(plan, PLAN_ROW);
  if (textOf(load<u32>(plan, PLAN_ROUTE_SOURCE), value)) {
    const texts = rowAt(load<u32>(plan, PLAN_ROW)) + ROW_ROUTE_TEXTS;
    for (let i: u32 = 0; i < listSize(texts); i++) if (isText(listText(texts, i))) row = load<u32>(plan, PLAN_ROUTE_TO);
  }
  store<u64>(plan, value, PLAN_ROUTE_KEY);
  store<u32>(plan, row + 1, PLAN_ROUTE_ROW);
  return row;
}

/** Whether the text found last is the one at | ptr | size |. */
function isText(text: usize): bool {
  return found.size === load<u32>(text, 4) && equalBytes(found.at, <usize>load<u32>(text), found.size);
}
