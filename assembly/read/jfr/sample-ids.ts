/**
 * Ids of an event beside the numbers `spanId` and `localRootSpanId`: the trace id as two numbers (Pyroscope, Jeffrey)
 * or as a text, and the span id as a text (context attributes of Datadog's profiler). Of a local root and a trace id
 * the link has the root, and the other is an attribute.
 */
import { traceWord } from "../../store/tables";
import { idHigh, idLow, idText } from "../id-names";
import { AttributePlan, Extra, extraAt, FIRST_EXTRA, Kind } from "./attribute-plan";
import { slotOf } from "./field-slots";
import { found, INLINE, textOf } from "./struct";

/** Bits of the ids that became the link. */
const NUMBERS: u32 = 1;
const TRACE: u32 = 2;
const SPAN: u32 = 4;

/** What `takeIds` found: the upper half as a link has it, the root or the lower half, and the span. */
export let high: u64 = 0;
export let root: u64 = 0;
export let span: u64 = 0;

/** Whether events of the plan may have other ids than the two numbers. */
export function hasIds(plan: AttributePlan): bool {
  return (plan.traceLow | plan.traceText | plan.spanText) !== 0;
}

/** Completes the numbers of the event in the slots; returns bits of the ids that it used. */
export function takeIds(plan: AttributePlan, ownRoot: u64, ownSpan: u64): u32 {
  high = 0;
  root = ownRoot;
  span = ownSpan;
  let used: u32 = 0;
  const trace = extraValue(plan.traceText);
  const text = extraValue(plan.spanText);
  const upper = extraValue(plan.traceHigh);
  const lower = extraValue(plan.traceLow);
  if (root === 0 && (upper | lower) !== 0) {
    high = traceWord(upper);
    root = lower;
    used = NUMBERS;
  } else if (root === 0 && reads(plan, plan.traceText, trace)) {
    high = traceWord(idHigh);
    root = idLow;
    used = TRACE;
  }
  if (span === 0 && reads(plan, plan.spanText, text) && idHigh === 0) {
    span = idLow;
    used |= SPAN;
  }
  return used;
}

/** Value of an extra, which is given + 1. */
function extraValue(extra: u32): u64 {
  return extra === 0 ? 0 : slotOf(FIRST_EXTRA + extra - 1);
}

function reads(plan: AttributePlan, extra: u32, value: u64): bool {
  if (extra === 0 || value === 0) return false;
  const e = extraAt(plan, extra - 1);
  return textOf(sourceOf(e), value) && idText(found.at, found.size);
}

function sourceOf(e: Extra): u32 {
  return e.kind === Kind.Text ? INLINE : e.cls;
}

/** Whether extra `i`, which is given + 1, is one of the ids with these bits. */
export function isInLink(plan: AttributePlan, ids: u32, i: u32): bool {
  if ((ids & NUMBERS) !== 0 && (i === plan.traceHigh || i === plan.traceLow)) return true;
  return ((ids & TRACE) !== 0 && i === plan.traceText) || ((ids & SPAN) !== 0 && i === plan.spanText);
}
