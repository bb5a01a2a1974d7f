/**
 * Ids of an event beside the numbers `spanId` and `localRootSpanId`: the trace id as two numbers (Pyroscope, Jeffrey)
 * or as a text, and the ids of span and local root under other names, as numbers or texts (context attributes of
 * Datadog's profiler). The link has the first that an event has of `localRootSpanId`, a trace id and a local root under
 * another name; the others are attributes.
 */

import { idHigh, idLow, idText } from "../../store/id-names";
import { traceWord } from "../../store/tables";
import { AttributePlan, Extra, extraAt, FIRST_EXTRA, Kind } from "./attribute-plan";
import { slotOf } from "./field-slots";
import { found, INLINE, textOf } from "./struct";

/** Bits of the ids that became the link. */
const NUMBERS: u32 = 1;
const TRACE: u32 = 2;
const SPAN: u32 = 4;
const ROOT: u32 = 8;

/** What `takeIds` found: the upper half as a link has it, the root or the lower half, and the span. */
export let high: u64 = 0;
export let root: u64 = 0;
export let span: u64 = 0;

/** Whether events of the plan may have other ids than the two numbers. */
export function hasIds(plan: AttributePlan): bool {
  return (plan.traceLow | plan.traceText | plan.span | plan.root) !== 0;
}

/** Completes the numbers of the event in the slots; returns bits of the ids that it used. */
export function takeIds(plan: AttributePlan, ownRoot: u64, ownSpan: u64): u32 {
  high = 0;
  root = ownRoot;
  span = ownSpan;
  let used: u32 = 0;
  const trace = extraValue(plan.traceText);
  const spanValue = extraValue(plan.span);
  const rootValue = extraValue(plan.root);
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
  if ((root | high) === 0) {
    root = shortId(plan, plan.root, rootValue);
    if (root !== 0) used |= ROOT;
  }
  if (span === 0) {
    span = shortId(plan, plan.span, spanValue);
    if (span !== 0) used |= SPAN;
  }
  return used;
}

/** Whether the event may have ids besides those with these bits, which its link has. */
export function hasOthers(plan: AttributePlan, ids: u32): bool {
  if (plan.traceText !== 0 && (ids & TRACE) === 0) return true;
  return (plan.traceLow !== 0 && (ids & NUMBERS) === 0) || (plan.root !== 0 && (ids & ROOT) === 0);
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

/** The id of 64 bits in an extra, a number or a text; 0 without one. */
function shortId(plan: AttributePlan, extra: u32, value: u64): u64 {
  if (extra === 0 || extraAt(plan, extra - 1).kind === Kind.Integer) return value;
  return reads(plan, extra, value) && idHigh === 0 ? idLow : 0;
}

function sourceOf(e: Extra): u32 {
  return e.kind === Kind.Text ? INLINE : e.cls;
}

/** Whether extra `i`, which is given + 1, is one of the ids with these bits. */
export function isInLink(plan: AttributePlan, ids: u32, i: u32): bool {
  if ((ids & NUMBERS) !== 0 && (i === plan.traceHigh || i === plan.traceLow)) return true;
  if ((ids & TRACE) !== 0 && i === plan.traceText) return true;
  return ((ids & SPAN) !== 0 && i === plan.span) || ((ids & ROOT) !== 0 && i === plan.root);
}
