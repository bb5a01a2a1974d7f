/**
 * Fields of an event that become attributes of its samples: those of the catalogue row, the context fields after the
 * local root, Pyroscope's, and with Catalogue.EVENT_EVERY_TEXT every field with a text.
 */

import * as Catalogue from "../../abi/catalogue";
import * as Diagnostic from "../../abi/formats/jfr";
import * as ValueKind from "../../abi/value-kind";
import { scratch } from "../../memory/scratch";
import { sliceAt, sliceSize } from "../../memory/slice";
import { diagnose } from "../../store/diagnostics";
import { IdName, idNameOf } from "../../store/id-names";
import { CONTEXT_PREFIX, isSampleKey } from "../../store/keys";
import { internAttribute, internString } from "../../store/tables";
import { listSize, listText, placeInList } from "./catalogue";
import { wantClasses } from "./constants";
import { Plan } from "./event-plan";
import { fieldSpelt, fieldWith, isNumber, Slot, want } from "./field-slots";
import { Base, classAt, isClass, spells, Unit } from "./metadata";
import { planParts } from "./parts";
import { NO_SLOT, spend } from "./plan";
import { wantReferrers } from "./referrers";
import * as CatalogueRow from "./rows/catalogue-row";
import * as ClassRow from "./rows/class-row";
import * as FieldRow from "./rows/field-row";
import { EVENT_SLOTS, fieldNamed, fieldOf, isKind, NO_FIELD, textField, wantText, wantTextOf } from "./struct";

/** How an extra field becomes an attribute. */
export enum Kind {
  Integer,
  Boolean,
  Float,
  Class,
  Constant,
  Text,
  /** A time span, in nanoseconds. */
  Span,
  /** A class or a text that the constant refers to. */
  PartClass,
  PartText,
  /** The references that lead to the object. */
  Referrers,
}

/** A field of the event that becomes an attribute. */
@unmanaged
export class Extra {
  /** String: the attribute's key. */
  key: u32;
  kind: Kind;
  /** Of the field, or of the constants that it refers to; the unit of a time span; the text source of a part. */
  cls: u32;
  /** Of a part: class of the constants that have it, and the plan that reads it. */
  holder: u32;
  plan: u32;
  /** The next attribute of the same field, or null. */
  next: Extra | null;
}

/** A plan whose events have attributes. */
@unmanaged
export class AttributePlan extends Plan {
  /** Extras of the plan; slot FIRST_EXTRA + `i` is that of extra `i`. */
  extraCount: u32;
  extras: usize;
  /** Slots of the extras in the event before, u64 each, and its attribute set + 1; 0 before the first event. */
  lastValues: usize;
  lastSet: u32;
  /** Extras with ids, each + 1, 0 without one: the halves of a trace id as numbers or all of it as a text; others. */
  traceHigh: u32;
  traceLow: u32;
  traceText: u32;
  span: u32;
  root: u32;
  /** Bits of the ids that were no attributes of the event before, because its link has them (sample-ids.ts). */
  lastIds: u32;
  /** A state that no running thread has: of the second text, 0 before it is met, or of all events of the row. */
  asleep: u32;
}

/** Operands of a sample's rules (sample-plan.ts). */
const OPERANDS: u32 = 8;
/** First slot of the extras. */
export const FIRST_EXTRA: u32 = <u32>Slot.First + OPERANDS;

export function extraAt(plan: AttributePlan, i: u32): Extra {
  return changetype<Extra>(plan.extras + <usize>i * offsetof<Extra>());
}

/** Room for the extras of a plan, to be called once before the first. */
export function beginExtras(plan: AttributePlan): void {
  spend(EVENT_SLOTS * <u32>(offsetof<Extra>() + 8));
  plan.extras = scratch(EVENT_SLOTS * <u32>offsetof<Extra>());
  plan.lastValues = scratch(EVENT_SLOTS << 3);
}

/** Binds the attributes' fields. `root` is the field of the local root, or NO_FIELD. */
export function planAttributes(plan: AttributePlan, cls: u32, map: usize, row: usize, root: u32): void {
  beginExtras(plan);
  const attributes = row + CatalogueRow.ATTRIBUTES;
  const isMapped = (load<u32>(row, CatalogueRow.FLAGS) & Catalogue.EVENT_MAPPED) !== 0;
  for (let i: u32 = 0; i < listSize(attributes); i += 2) {
    const path = listText(attributes, i);
    const key = listText(attributes, i + 1);
    const p = sliceAt(key);
    const n = sliceSize(key);
    const name = isMapped ? contextKey(p, n) : internString(p, n);
    if (!isMapped && addPart(plan, cls, map, path, name)) continue;
    addExtra(plan, cls, map, fieldSpelt(cls, path), name);
    // A text in quotes is that of all events of the row.
    const at = sliceAt(path);
    if (load<u8>(at) === 0x27)
      plan.asleep = internAttribute(name, ValueKind.Text, internString(at + 1, sliceSize(path) - 2));
  }
  const fields = load<u32>(classAt(cls), ClassRow.FIELDS);
  for (let i: u32 = 0; i < fields; i++) addId(plan, cls, map, i);
  let dropped: u32 = 0;
  if (root === NO_FIELD) {
    // Pyroscope's fork of async-profiler writes these two after the event's own fields.
    dropped += addContext(plan, cls, map, row, fieldNamed(cls, "contextId"));
    dropped += addContext(plan, cls, map, row, fieldNamed(cls, "spanName"));
  } else {
    for (let i = root + 1; i < fields; i++) dropped += addContext(plan, cls, map, row, i);
  }
  if ((load<u32>(row, CatalogueRow.FLAGS) & Catalogue.EVENT_EVERY_TEXT) !== 0) {
    for (let i: u32 = 0; i < fields; i++) if (hasText(fieldOf(cls, i))) dropped += addContext(plan, cls, map, row, i);
  }
  if (dropped !== 0) diagnose(Diagnostic.ContextAttributes, 0, fields);
}

/** Adds field `i` if it has an id: the first of each kind. */
function addId(plan: AttributePlan, cls: u32, map: usize, i: u32): void {
  const f = fieldOf(cls, i);
  const p = <usize>load<u32>(f, FieldRow.NAME);
  const n = load<u32>(f, FieldRow.NAME_SIZE);
  const name = idNameOf(p, n);
  if (name === IdName.None || load<u8>(map + i) !== NO_SLOT) return;
  const isText = hasText(f);
  if ((!isText && !isNumber(f)) || FIRST_EXTRA + plan.extraCount >= EVENT_SLOTS || !spend(n)) return;
  const before = plan.extraCount;
  const key = contextKey(p, n);
  if (key !== 0) addExtra(plan, cls, map, i, key);
  const place = plan.extraCount;
  if (place === before) return;
  // Libraries write a trace id of 64 bits as one number.
  if (!isText && (name === IdName.TraceLow || name === IdName.Trace)) plan.traceLow = plan.traceLow || place;
  else if (!isText && name === IdName.TraceHigh) plan.traceHigh = plan.traceHigh || place;
  else if (name === IdName.Trace) plan.traceText = plan.traceText || place;
  else if (name === IdName.Span) plan.span = plan.span || place;
  else if (name === IdName.Root || name === IdName.LabelledRoot) plan.root = plan.root || place;
}

/** Whether a field reads as a text: a string or a constant with one. */
export function hasText(f: usize): bool {
  const type = load<u32>(f, FieldRow.CLASS);
  if (!isClass(type)) return false;
  if ((load<u32>(f, FieldRow.FLAGS) & FieldRow.IS_REFERENCE) === 0)
    return load<u32>(classAt(type), ClassRow.BASE) === Base.String;
  return isKind(type, "Class") || textField(type) !== NO_FIELD;
}

/** Adds field `i` under its name unless the field already has a meaning. Returns 1 if there is no room. */
function addContext(plan: AttributePlan, cls: u32, map: usize, row: usize, i: u32): u32 {
  if (i === NO_FIELD || load<u8>(map + i) !== NO_SLOT) return 0;
  const f = fieldOf(cls, i);
  const p = <usize>load<u32>(f, FieldRow.NAME);
  const n = load<u32>(f, FieldRow.NAME_SIZE);
  if (isOtherField(p, n) || placeInList(row + CatalogueRow.KNOWN, p, n) !== 0) return 0;
  // Any number of fields may have one long name.
  if (FIRST_EXTRA + plan.extraCount >= EVENT_SLOTS || !spend(n)) return 1;
  const key = contextKey(p, n);
  if (key === 0) return 0;
  addExtra(plan, cls, map, i, key);
  return 0;
}

/** Fields that some producer writes after the root though they are no context. */
function isOtherField(p: usize, n: u32): bool {
  return (
    spells(p, n, "spanId") ||
    spells(p, n, "eventThread") ||
    spells(p, n, "stackTrace") ||
    spells(p, n, "startTime") ||
    spells(p, n, "duration")
  );
}

/** Attribute key of a context field: its own name, unless that is a key which samples carry anyway. */
export function contextKey(p: usize, n: u32): u32 {
  if (!isSampleKey(p, n)) return internString(p, n);
  const m = <u32>CONTEXT_PREFIX.length;
  const q = scratch(n + m);
  for (let i: u32 = 0; i < m; i++) store<u8>(q + i, <u8>CONTEXT_PREFIX.charCodeAt(i));
  memory.copy(q + m, p, n);
  return internString(q, n + m);
}

/** Binds a field that has no slot yet as the next extra. */
export function addExtra(plan: AttributePlan, cls: u32, map: usize, field: u32, key: u32): void {
  if (field === NO_FIELD || load<u8>(map + field) !== NO_SLOT) return;
  const n = plan.extraCount;
  // A set has each key once, even if the metadata repeats it.
  for (let i: u32 = 0; i < n; i++) if (extraAt(plan, i).key === key) return;
  const f = fieldOf(cls, field);
  const type = load<u32>(f, FieldRow.CLASS);
  if (!isClass(type) || !want(plan, cls, map, field, FIRST_EXTRA + n)) return;
  const e = extraAt(plan, n);
  e.key = key;
  e.cls = type;
  e.kind = kindOf(type, (load<u32>(f, FieldRow.FLAGS) & FieldRow.IS_REFERENCE) !== 0);
  e.next = null;
  const unit = <Unit>load<u32>(f, FieldRow.UNIT);
  if (e.kind === Kind.Integer && unit >= Unit.Ticks && unit <= Unit.Seconds) {
    e.kind = Kind.Span;
    e.cls = unit;
  }
  plan.extraCount = n + 1;
}

/** Adds what a constant refers to, for a name such as `object.type`. False if the name is that of a field. */
function addPart(plan: AttributePlan, cls: u32, map: usize, name: usize, key: u32): bool {
  const p = sliceAt(name);
  const n = sliceSize(name);
  let dot: u32 = 0;
  while (dot < n && load<u8>(p + dot) !== 0x2e) dot++;
  if (dot === n) return false;
  const field = fieldWith(cls, p, dot);
  if (field === NO_FIELD) return true;
  const f = fieldOf(cls, field);
  const holder = load<u32>(f, FieldRow.CLASS);
  if (load<u32>(f, FieldRow.FLAGS) !== FieldRow.IS_REFERENCE || !isClass(holder)) return true;
  const part = fieldWith(holder, p + dot + 1, n - dot - 1);
  if (part === NO_FIELD || !spend(<u32>offsetof<Extra>())) return true;
  let slot: u32 = load<u8>(map + field);
  let e: Extra;
  if (slot === NO_SLOT) {
    slot = FIRST_EXTRA + plan.extraCount;
    if (slot >= EVENT_SLOTS || !want(plan, cls, map, field, slot)) return true;
    e = extraAt(plan, plan.extraCount++);
    e.next = null;
  } else {
    const first = extraAt(plan, slot - FIRST_EXTRA);
    e = changetype<Extra>(scratch(<u32>offsetof<Extra>()));
    e.next = first.next;
    first.next = e;
  }
  e.key = key;
  e.holder = holder;
  wantPart(e, part);
  return true;
}

/** How the part in field `part` of the holder is read. */
function wantPart(e: Extra, part: u32): void {
  const f = fieldOf(e.holder, part);
  const type = load<u32>(f, FieldRow.CLASS);
  e.plan = planParts(e.holder, part, NO_FIELD, NO_FIELD);
  if (isKind(type, "Class")) {
    wantClasses(type);
    e.kind = Kind.PartClass;
    e.cls = type;
  } else if (isKind(type, "Reference")) {
    wantReferrers(e.holder, part);
    e.kind = Kind.Referrers;
  } else {
    e.kind = Kind.PartText;
    e.cls = wantTextOf(e.holder, part);
  }
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
  switch (<Base>load<u32>(classAt(type), ClassRow.BASE)) {
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
