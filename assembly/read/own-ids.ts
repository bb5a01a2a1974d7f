/**
 * The ids that one sample has among its labels or attributes (id-names.ts), as its link. A link has a span id and
 * either a local root or a trace id: the first of these that a sample has. The others stay attributes, where the
 * selection finds them, too (`matchIds`):
 *
 *   the Link of a message · Datadog's local root · a trace id · a local root · `profile_id`
 */

import { Buffer } from "../memory/buffer";
import { IdName, idHigh, idLow, idOfAttribute } from "../store/id-names";
import * as LinkRow from "../store/rows/link-row";
import { internLink, LinkOrigin, links, originOf, traceHighOf } from "../store/tables";
import { addToSet, removeFrom } from "./set";

const COUNT: u32 = <u32>IdName.Profile + 1;
const HIGH: usize = 0;
const LOW: usize = 8;
const ATTRIBUTE: usize = 16;
const BYTES: usize = 24;
/** By name. */
const ids: usize = memory.data(<i32>COUNT * <i32>BYTES, 8);
/** Bits of the names that the sample has, and of those that its link has. */
let taken: u32 = 0;
let used: u32 = 0;

/** A sample begins. */
export function beginIds(): void {
  taken = 0;
  used = 0;
}

/** Takes an id, which `attribute` would have. False if it is 0 or too long, or the sample has one of this name. */
export function takeId(name: IdName, high: u64, low: u64, attribute: u32): bool {
  if ((high | low) === 0 || (high !== 0 && name !== IdName.Trace) || has(name)) return false;
  const p = ids + <usize>name * BYTES;
  store<u64>(p, high, HIGH);
  store<u64>(p, low, LOW);
  store<u32>(p, attribute, ATTRIBUTE);
  taken |= 1 << (<u32>name);
  return true;
}

/** Takes the id that an attribute has. */
export function takeAttribute(name: IdName, attribute: u32): void {
  if (!has(name) && idOfAttribute(attribute, name)) takeId(name, idHigh, idLow, attribute);
}

export function has(name: IdName): bool {
  return (taken & (1 << (<u32>name))) !== 0;
}

/** The ids of the link. */
export let linkHigh: u64 = 0;
export let linkLow: u64 = 0;
export let linkSpan: u64 = 0;
let linkOrigin: LinkOrigin = LinkOrigin.None;

/** Chooses the ids of the link; `stated`: that of the message, 0 without one, which they complete. */
export function settleIds(stated: u32): void {
  linkSpan = links.get64(stated, LinkRow.SPAN);
  linkOrigin = originOf(stated);
  linkHigh = traceHighOf(stated);
  linkLow = links.get64(stated, LinkRow.TRACE_LOW);
  if (taken === 0) return;
  if (linkSpan === 0 && has(IdName.Span)) linkSpan = use(IdName.Span);
  if (linkOrigin !== LinkOrigin.None) return;
  const isRoot = has(IdName.LabelledRoot);
  if (!isRoot && has(IdName.Trace)) {
    linkLow = use(IdName.Trace);
    linkHigh = load<u64>(ids + <usize>IdName.Trace * BYTES, HIGH);
    linkOrigin = linkHigh === 0 ? LinkOrigin.Trace64 : LinkOrigin.Trace128;
  } else if (!isRoot && has(IdName.TraceLow)) {
    linkLow = use(IdName.TraceLow);
    linkHigh = has(IdName.TraceHigh) ? use(IdName.TraceHigh) : 0;
    linkOrigin = linkHigh === 0 ? LinkOrigin.Trace64 : LinkOrigin.Trace128;
  } else {
    let name = IdName.Profile;
    if (isRoot) name = IdName.LabelledRoot;
    else if (has(IdName.Root)) name = IdName.Root;
    if (!has(name)) return;
    linkLow = use(name);
    linkOrigin = LinkOrigin.LocalRoot;
  }
}

/** The row of the link. */
export function internIds(): u32 {
  return internLink(linkOrigin, linkHigh, linkLow, linkSpan);
}

/** Whether the sample has ids that its link lacks. */
export function areSeveral(): bool {
  return (taken & ~used) !== 0;
}

function use(name: IdName): u64 {
  used |= 1 << (<u32>name);
  return load<u64>(ids + <usize>name * BYTES, LOW);
}

/** Removes the attributes of the ids that the link has. */
export function removeUsed(set: Buffer): void {
  for (let name: u32 = 0; used >> name !== 0; name++)
    if (((used >> name) & 1) !== 0) removeFrom(set, attributeOf(name));
}

/** Adds the attributes of the ids that the link lacks. */
export function addUnused(set: Buffer): void {
  const others = taken & ~used;
  for (let name: u32 = 0; others >> name !== 0; name++) {
    if (((others >> name) & 1) !== 0 && attributeOf(name) !== 0) addToSet(set, attributeOf(name));
  }
}

function attributeOf(name: u32): u32 {
  return load<u32>(ids + <usize>name * BYTES, ATTRIBUTE);
}
