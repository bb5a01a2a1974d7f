/**
 * Events that state which span a thread worked for: rows of the table of spans (store/spans.ts), and borders between
 * two tasks of a thread (store/contexts.ts).
 *
 *   datadog.Timeline, io.opentelemetry.context.Scope     ids as numbers or hex digits
 *   events with a contextual span id                     the same
 *   profiler.Span                                        the name is its tag; the host finds the ids in it
 *   io.opentelemetry.trace.Span, datadog.Endpoint        spans and roots that may work on other threads as well
 *   other events with a span id and a duration           the same; not those of the catalogue, which are samples
 *   datadog.Endpoint, datadog.QueueTime                  borders: a request ended, a task begins
 *   events with any contextual field                     attributes of all events inside (contextual.ts)
 *
 * A page loads this file late (scope-reader.ts).
 */

import * as Catalogue from "../../../abi/catalogue";
import * as SpanRow from "../../../abi/rows/span-row";
import * as Origin from "../../../abi/span-origin";
import { hexHigh, hexId, hexLow } from "../../../memory/digits";
import { keeping, noteBorder, noteContexts, noting } from "../../../store/contexts";
import { diagnosingChunk } from "../../../store/diagnostics";
import { IdName, idHigh, idLow, idText } from "../../../store/id-names";
import { mergeSets } from "../../../store/inferred";
import * as AttributeRow from "../../../store/rows/attribute-row";
import * as ThreadRow from "../../../store/rows/thread-row";
import { addSpan } from "../../../store/spans";
import { attributes, threads } from "../../../store/tables";
import { AttributePlan, beginExtras } from "../attribute-plan";
import { rowAt, rowCount } from "../catalogue";
import { threadOf, wantThreads } from "../constants";
import { isEvent, newPlan, Plan, PlanKind } from "../event-plan";
import {
  firstOf,
  has,
  isNumber,
  Slot,
  slotOf,
  textIn,
  unitOfField,
  wantNumber,
  wantReference,
  wantTextField,
} from "../field-slots";
import { classAt, classCount, className, Unit } from "../metadata";
import { fuel, NO_SLOT, spend } from "../plan";
import * as CatalogueRow from "../rows/catalogue-row";
import { setScopeReader } from "../scope-reader";
import {
  fieldNamed,
  fieldOf,
  found,
  isNamed,
  NO_FIELD,
  NOWHERE,
  newBinding,
  planOf,
  textOf,
  wantTextOf,
} from "../struct";
import { endOf, spanOf, timeOf } from "../time";
import { contextualId, hasContextual, keyOf, planContextual, readContextual, textSet } from "./contextual";

/** Names of the fields with ids, in the order of search. Libraries that write events write either style. */
const SPAN_FIELDS: StaticArray<string> = ["spanId", "span_id", "spanID"];
const ROOT_FIELDS: StaticArray<string> = ["localRootSpanId", "rootSpanId", "local_root_span_id", "root_span_id"];
const TRACE_FIELDS: StaticArray<string> = ["traceId", "trace_id", "traceID"];
const PARENT_FIELDS: StaticArray<string> = ["parentId", "parentSpanId", "parent_id", "parent_span_id", "parentSpanID"];
const NAME_FIELDS: StaticArray<string> = ["_dd.trace.operation", "operation", "operationName", "spanName", "span_name"];

const LENGTH: u32 = <u32>Slot.First;
const TRACE: u32 = LENGTH + 1;
const PARENT: u32 = LENGTH + 2;
const NAME: u32 = LENGTH + 3;

/** The origin of an event that is not in the table of spans. */
const NO_ORIGIN: u32 = 0;

@unmanaged
class ScopePlan extends AttributePlan {
  /** Of span-origin.ts, or NO_ORIGIN. */
  origin: u32;
  isBorder: bool;
  /** The event has contextual fields. */
  isContext: bool;
  /** The trace id is one of them. */
  isTraced: bool;
  /** The slot of the name, which may also be an attribute; NO_SLOT without a name. */
  nameSlot: u8;
  startUnit: Unit;
  lengthUnit: Unit;
  threadClass: u32;
  /** Text sources of ids that are texts, NOWHERE for numbers; and of the name. */
  spanSource: u32;
  rootSource: u32;
  traceSource: u32;
  parentSource: u32;
  nameSource: u32;
  /** Keys of contextual ids that are texts, which are attributes where they are no id; 0 for others. */
  spanKey: u32;
  traceKey: u32;
  /** Name of spans whose event has no field for it; 0 for none. */
  eventName: u32;
}

/** Has the table of spans filled, and with `infers` the facts of contexts.ts kept, until the next reset of the core. */
export function keepContexts(infers: bool): void {
  noteContexts(infers);
  setScopeReader(planScopes, readScope);
}

function planScopes(): void {
  if (!keeping) return;
  for (let i: u32 = 0; i < classCount && fuel >= 0; i++) {
    const origin = originOf(i);
    const isBorder = origin === Origin.Endpoint || isNamed(i, "datadog.QueueTime");
    const isContext = noting && hasContextual(i);
    if (origin !== NO_ORIGIN || isBorder || isContext) planScope(i, origin, isBorder, isContext);
  }
}

function originOf(cls: u32): u32 {
  if (isNamed(cls, "datadog.Timeline")) return Origin.Timeline;
  if (isNamed(cls, "io.opentelemetry.context.Scope")) return Origin.OtelScope;
  if (isNamed(cls, "io.opentelemetry.trace.Span")) return Origin.OtelSpan;
  if (isNamed(cls, "profiler.Span")) return Origin.ProfilerSpan;
  if (isNamed(cls, "datadog.Endpoint")) return Origin.Endpoint;
  if (contextualId(cls, IdName.Span) !== NO_FIELD) return Origin.Contextual;
  return isSpanEvent(cls) ? Origin.SpanEvent : NO_ORIGIN;
}

function isSpanEvent(cls: u32): bool {
  const length = fieldNamed(cls, "duration");
  if (length === NO_FIELD || !isNumber(fieldOf(cls, length)) || named(cls, SPAN_FIELDS) === NO_FIELD) return false;
  for (let k: u32 = 0; k < rowCount; k++) {
    const row = rowAt(k);
    // An event that the user adds to the catalogue stays a span.
    if ((load<u32>(row, CatalogueRow.FLAGS) & Catalogue.EVENT_EVERY_TEXT) === 0 && isEvent(classAt(cls), row))
      return false;
  }
  return true;
}

/** The field of the first of the names that the class has. */
function named(cls: u32, names: StaticArray<string>): u32 {
  for (let i = 0; i < names.length; i++) {
    const field = fieldNamed(cls, names[i]);
    if (field !== NO_FIELD) return field;
  }
  return NO_FIELD;
}

function planScope(cls: u32, origin: u32, isBorder: bool, isContext: bool): void {
  const map = newBinding(cls);
  const plan = changetype<ScopePlan>(newPlan(cls, PlanKind.Scope, offsetof<ScopePlan>()));
  // More than the fuel of a plan of any kind.
  spend(<u32>(offsetof<ScopePlan>() - offsetof<AttributePlan>()));
  plan.origin = origin;
  plan.isBorder = isBorder;
  plan.isContext = isContext;
  const start = fieldNamed(cls, "startTime");
  const length = fieldNamed(cls, "duration");
  wantNumber(plan, cls, map, start, Slot.Start);
  wantNumber(plan, cls, map, length, LENGTH);
  plan.startUnit = unitOfField(cls, start);
  plan.lengthUnit = unitOfField(cls, length);
  plan.threadClass = wantReference(plan, cls, map, firstOf(cls, "eventThread", "sampledThread"), Slot.Thread);
  wantThreads(plan.threadClass);
  const trace = contextualId(cls, IdName.Trace);
  const span = contextualId(cls, IdName.Span);
  plan.isTraced = trace !== NO_FIELD;
  if (isContext) beginExtras(plan);
  if (isContext && trace !== NO_FIELD) plan.traceKey = keyOf(cls, trace);
  if (isContext && span !== NO_FIELD) plan.spanKey = keyOf(cls, span);
  if (plan.isTraced || origin !== NO_ORIGIN)
    plan.traceSource = wantId(plan, cls, map, plan.isTraced ? trace : named(cls, TRACE_FIELDS), TRACE);
  if (origin !== NO_ORIGIN) {
    plan.spanSource = wantId(plan, cls, map, span !== NO_FIELD ? span : named(cls, SPAN_FIELDS), Slot.Span);
    plan.rootSource = wantId(plan, cls, map, named(cls, ROOT_FIELDS), Slot.Root);
    plan.parentSource = wantId(plan, cls, map, named(cls, PARENT_FIELDS), PARENT);
  }
  if (isContext) planContextual(plan, cls, map);
  planName(plan, cls, map, nameField(cls, origin));
  plan.eventName = origin === Origin.SpanEvent ? className(cls) : 0;
  plan.ops = planOf(cls, map);
}

/** The name's field has the slot of an attribute where it is one. */
function planName(plan: ScopePlan, cls: u32, map: usize, field: u32): void {
  plan.nameSlot = <u8>NO_SLOT;
  if (field === NO_FIELD) return;
  if (load<u8>(map + field) === NO_SLOT) plan.nameSource = wantTextField(plan, cls, map, field, NAME);
  else plan.nameSource = wantTextOf(cls, field);
  plan.nameSlot = load<u8>(map + field);
}

/** Binds a number, or a text: then its source is the answer. */
function wantId(plan: Plan, cls: u32, map: usize, field: u32, slot: u32): u32 {
  return wantNumber(plan, cls, map, field, slot) ? NOWHERE : wantTextField(plan, cls, map, field, slot);
}

/** JDK 25 leaves out names of fields that are no identifiers of Java, so the tracer writes a second name. */
function nameField(cls: u32, origin: u32): u32 {
  if (origin === Origin.ProfilerSpan) return fieldNamed(cls, "tag");
  if (origin === Origin.OtelSpan) return fieldNamed(cls, "operationName");
  return named(cls, NAME_FIELDS);
}

/** The event in the slots. Without a thread or a start it tells nothing. */
function readScope(at: Plan): void {
  const plan = changetype<ScopePlan>(at);
  if (!has(plan, Slot.Start) || !has(plan, Slot.Thread)) return;
  const thread = threadOf(plan.threadClass, slotOf(Slot.Thread));
  if (thread === 0) return;
  const start = timeOf(<i64>slotOf(Slot.Start), plan.startUnit);
  const length = has(plan, LENGTH) ? spanOf(<i64>slotOf(LENGTH), plan.lengthUnit) : 0;
  // An event that was written without being begun has no duration.
  if (plan.origin === Origin.SpanEvent && length <= 0) return;
  const end = endOf(start, length);
  if (plan.isBorder && noting) noteBorder(thread, end);
  const trace = idIn(plan, plan.traceSource, TRACE);
  const high = upperHalf;
  const span = idIn(plan, plan.spanSource, Slot.Span);
  if (plan.isContext) {
    let more: u32 = 0;
    if (plan.spanKey !== 0 && span === 0) more = textSet(plan, plan.spanKey, plan.spanSource, Slot.Span);
    if (plan.traceKey !== 0 && (trace | high) === 0) {
      const text = textSet(plan, plan.traceKey, plan.traceSource, TRACE);
      more = more === 0 ? text : mergeSets(more, text);
    }
    const isTraced = plan.isTraced;
    readContextual(plan, thread, start, end, isTraced ? high : 0, isTraced ? trace : 0, more);
  }
  if (plan.origin === NO_ORIGIN) return;
  const root = idIn(plan, plan.rootSource, Slot.Root);
  const parent = idIn(plan, plan.parentSource, PARENT);
  const name = plan.nameSlot !== NO_SLOT ? textIn(plan.nameSource, plan.nameSlot) : plan.eventName;
  const row = addSpan();
  if (row === 0) return;
  store<u64>(row, plan.origin === Origin.Endpoint ? root : span, SpanRow.ID);
  store<u64>(row, root, SpanRow.ROOT);
  store<u64>(row, parent, SpanRow.PARENT);
  store<u64>(row, trace, SpanRow.TRACE_LOW);
  store<u64>(row, high, SpanRow.TRACE_HIGH);
  store<i64>(row, start, SpanRow.START);
  store<i64>(row, end, SpanRow.END);
  store<u32>(row, thread, SpanRow.THREAD);
  store<u64>(row, attributeValue(threads.get(thread, ThreadRow.ID)), SpanRow.THREAD_ID);
  store<u32>(row, <u32>attributeValue(threads.get(thread, ThreadRow.NAME)), SpanRow.THREAD_NAME);
  store<u32>(row, name, SpanRow.NAME);
  store<u32>(row, plan.origin, SpanRow.ORIGIN);
  store<u32>(row, diagnosingChunk() + 1, SpanRow.SOURCE);
}

/** String or number of an attribute; 0 without one. */
function attributeValue(attribute: u32): u64 {
  return attributes.get64(attribute, AttributeRow.VALUE);
}

/** The upper 64 bits of the id found last. */
let upperHalf: u64 = 0;

/** The lower 64 bits of the id in a slot; 0 where the event has none. */
function idIn(plan: Plan, source: u32, slot: u32): u64 {
  upperHalf = 0;
  if (!has(plan, slot)) return 0;
  if (source === NOWHERE) return slotOf(slot);
  if (!textOf(source, slotOf(slot))) return 0;
  if (idText(found.at, found.size)) {
    upperHalf = idHigh;
    return idLow;
  }
  // Some write hexadecimal digits without leading zeros.
  if (!hexId(found.at, found.size)) return 0;
  upperHalf = hexHigh;
  return hexLow;
}
