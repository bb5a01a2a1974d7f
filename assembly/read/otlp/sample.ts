/**
 * One sample of a message as observations. Attributes that the store has a column for are moved there: its thread, its
 * event, a lone id, attributes of its root; the rest is its attribute set.
 *
 *   Sample  1 stack · 2 attributes … · 3 link · 4 values … · 5 timestamps F64 …          before v1.10: see layout.ts
 */

import * as Diagnostic from "../../abi/formats/otlp";
import * as ProfileRow from "../../abi/rows/profile-row";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { equalBytes } from "../../memory/hash";
import { diagnose } from "../../store/diagnostics";
import { IdName } from "../../store/id-names";
import { EVENT_KEY } from "../../store/keys";
import { scopeOf } from "../../store/periods";
import { eventOf, merged, NO_ROW, onlyEvent } from "../../store/profile-lookup";
import { coverProfile, profileAt, Shape } from "../../store/profiles";
import { noteRoot } from "../../store/roots";
import * as AttributeRow from "../../store/rows/attribute-row";
import * as LinkRow from "../../store/rows/link-row";
import { append, appendTimeless, coverObservations, rowOf } from "../../store/samples";
import { noteWritten, resourceOf } from "../../store/scopes";
import { noteSkippedIn } from "../../store/skipped";
import {
  attributes,
  internText,
  internThreadOf,
  links,
  localRootOf,
  sets,
  strings,
  ThreadKind,
  traceHighOf,
} from "../../store/tables";
import { noteThreadTime } from "../../store/threads/labels";
import { bracketedThread, marked } from "../async-profiler";
import { areSeveral, beginIds, internIds, removeUsed, settleIds, takeAttribute } from "../own-ids";
import {
  beginNumbers,
  DELIMITED,
  field,
  from,
  nextNumber,
  number,
  offsetOf,
  takeOf,
  to,
  value,
  wire,
} from "../protobuf";
import { addSet, internSet, isMember, ownSet, removeFrom, removeKey, removeLoneId } from "../set";
import { byIds, byTime, filtered, onlyRoot, wantsLink, wantsStacks, wantsTime, wantsType } from "../wanted";
import { byAttributes, wantsAttributes } from "../wanted-attributes";
import { addAttribute, Role, roleAt } from "./attributes";
import { isOfOther, MIXED, OLD } from "./layout";
import { linkAt } from "./links";
import { stackAt } from "./locations";
import { rowAt, Table } from "./tables";

/** Wire types of a sample, now and before. */
const SAMPLE: u64 = 0x65_1510;
const OLD_SAMPLE: u64 = 0x61_5510;

const NAMED_ATTRIBUTE: usize = 0;
const NAMED_ROLE: usize = 4;
const NAMED_BYTES: u32 = 8;

/** Of the current sample: u64 each, and | row u32 | role u32 | of its attributes. */
const values: Buffer = ownBuffer(1 << 12);
const times: Buffer = ownBuffer(1 << 12);
const named: Buffer = ownBuffer(1 << 10);
const set: Buffer = ownSet();
const said: Buffer = ownSet();

/** The attributes of the previous sample and their result: many samples have the attributes of their neighbour. */
const known: Buffer = ownBuffer(1 << 10);
let knownLink: u32 = 0;
let isKnown: bool = false;
let link: u32 = 0;
let thread: u32 = 0;
let attributeSet: u32 = 0;
let eventName: u32 = 0;
/** Some attribute may have an id. */
let hasIds: bool = false;
/** Some attribute has an id beside those of the link. */
let hasOthers: bool = false;
let plain: bool = true;
/** Of each of its observations. */
let second: i64 = 0;

/** Of the current profile. */
let profile: u32 = 0;
let isTypeWanted: bool = true;
let hasSeconds: bool = false;
let extras: u32 = 0;
/** The profile has a separate Resource, whose time its observations widen. */
let covers: bool = false;
let own: bool = false;
let old: bool = false;
/** Some of its samples may have the other layout. */
let mixed: bool = false;
let is64: bool = false;
/** The event row of the previous sample, and the arguments of its lookup. */
let event: u32 = 0;
let eventKey: u64 = 0;

/**
 * The next samples belong to this profile of the store; `resource` is the set of attributes that only its resource has.
 * `ours`: our writer made the message; `layouts`: those of layout.ts; `traces64`: trace ids of 64 bits are not local
 * roots.
 */
export function beginSamples(row: u32, resource: u32, ours: bool, layouts: u32, traces64: bool): void {
  profile = row;
  isTypeWanted = wantsType(load<u32>(profileAt(row), ProfileRow.TYPE));
  hasSeconds = load<u32>(profileAt(row), ProfileRow.SECOND_STORED) !== 0;
  extras = resource;
  covers = resourceOf(scopeOf(row)) !== 0;
  own = ours;
  old = (layouts & OLD) !== 0;
  mixed = (layouts & MIXED) !== 0;
  is64 = traces64;
  isKnown = false;
  eventKey = u64.MAX_VALUE;
}

/** Reads the sample at [p, end). */
export function readSample(p: usize, end: usize): void {
  const start = p;
  if (mixed && isOfOther(p, end, old)) {
    diagnose(Diagnostic.SampleLayout, offsetOf(p), 0);
    return;
  }
  const types = old ? OLD_SAMPLE : SAMPLE;
  const attributesField: u32 = old ? 3 : 2;
  const linkField: u32 = old ? 4 : 3;
  const valuesField: u32 = old ? 2 : 4;
  let stack: u64 = 0;
  /** Of its field, for diagnostics. */
  let stackFrom = p;
  let linkRow: u32 = 0;
  values.size = 0;
  times.size = 0;
  named.size = 0;
  hasIds = false;
  while (p < end) {
    const at = p;
    p = takeOf(p, end, types);
    if (field === 1) {
      stack = value;
      stackFrom = at;
    } else if (field === linkField) linkRow = linkAt(value, at, is64);
    else if (field === attributesField) readAttributes(at);
    else if (field === valuesField) readValues();
    else if (field === 5) readTimes(at);
  }
  if (!filtered) {
    settle(linkRow, start);
    observeAll(rowAt(Table.Stack, stack, stackFrom), start);
    return;
  }
  if (maySettleLater(linkRow) && !(isTypeWanted && wantsTimes() && wantsLinkOf(linkRow))) {
    skip();
    return;
  }
  settle(linkRow, start);
  const root = links.get64(link, LinkRow.TRACE_LOW);
  const isWanted = isTypeWanted && wantsTimes() && wantsLinkOf(link);
  if (isWanted && (!byAttributes || wantsAttributes(attributeSet, thread, root))) {
    observeAll(wantsStacks ? stackAt(stack, stackFrom) : 0, start);
  } else skip();
}

/**
 * Whether a sample of this link is decided without its attributes. Those may have its ids; and those of our messages
 * state attributes of its root, which count for all samples of the root.
 */
function maySettleLater(linkRow: u32): bool {
  return linkRow !== 0 && !hasIds && !(own && (onlyRoot === 0 || links.get64(linkRow, LinkRow.TRACE_LOW) === onlyRoot));
}

function wantsLinkOf(row: u32): bool {
  return (
    !byIds ||
    hasOthers ||
    wantsLink(traceHighOf(row), links.get64(row, LinkRow.TRACE_LOW), links.get64(row, LinkRow.SPAN))
  );
}

/** Whether an observation may be in the wanted time. Observations without a time are left to the selection. */
function wantsTimes(): bool {
  if (!byTime || times.size === 0) return true;
  for (let o: u32 = 0; o < times.size; o += 8) if (wantsTime(load<i64>(times.at + o))) return true;
  return false;
}

/** Keeps of the sample what belongs to the facts of the whole message. */
function skip(): void {
  for (let o: u32 = 0; o < times.size; o += 8) {
    const time = load<i64>(times.at + o);
    coverObservations(time, time);
    if (covers) coverProfile(profile, time, time + 1);
  }
  if ((values.size | times.size) !== 0) noteSkippedIn(profile);
}

function readAttributes(at: usize): void {
  beginNumbers();
  while (nextNumber()) {
    const row = rowAt(Table.Attribute, number, at);
    if (row === 0) continue;
    const role = roleAt(number);
    if (role >= Role.Id) hasIds = true;
    named.u32(row);
    named.u32(role);
  }
}

function readValues(): void {
  beginNumbers();
  while (nextNumber()) values.u64(number);
}

function readTimes(at: usize): void {
  if (wire !== DELIMITED) {
    times.u64(value);
    return;
  }
  const n = <u32>(to - from);
  times.bytes(from, n & ~7);
  if ((n & 7) !== 0) diagnose(Diagnostic.Cut, offsetOf(at), 8 - (n & 7));
}

/**
 * Makes link, thread, set and event those of the sample. All attributes go into the set first, where the first with a
 * key counts. Those that have a column go from there to the column, so no key is in both.
 */
function settle(linkRow: u32, at: usize): void {
  if (isKnown && knownLink === linkRow && known.size === named.size && equalBytes(known.at, named.at, named.size))
    return;
  known.size = 0;
  known.bytes(named.at, named.size);
  knownLink = linkRow;
  isKnown = true;

  set.size = 0;
  for (let o: u32 = 0; o < named.size; o += NAMED_BYTES)
    addAttribute(set, load<u32>(named.at + o, NAMED_ATTRIBUTE), at);
  addSet(set, extras);

  let name: u32 = 0;
  let id: u32 = 0;
  said.size = 0;
  beginIds();
  eventName = 0;
  plain = true;
  second = 0;
  for (let o: u32 = 0; o < named.size; o += NAMED_BYTES) {
    const row = load<u32>(named.at + o, NAMED_ATTRIBUTE);
    const role = <Role>load<u32>(named.at + o, NAMED_ROLE);
    if (role === Role.ThreadName) name = takeFrom(row, name);
    else if (role === Role.ThreadId) id = takeFrom(row, id);
    else if (role === Role.Event && removeFrom(set, row)) eventName = textOf(row);
    else if (role === Role.Type && removeFrom(set, row)) plain = false;
    else if (role === Role.Second && removeFrom(set, row)) second = hasSeconds ? secondOf(row) : 0;
    else if (role === Role.Said && own && removeFrom(set, row)) addAttribute(said, row, at);
    else if (role >= Role.Id && isMember(set, row)) takeAttribute(<IdName>(<u32>role - <u32>Role.Id), row);
  }
  settleIds(linkRow);
  hasOthers = areSeveral();
  link = internIds();
  removeUsed(set);
  settleRoot();
  dropWritten(at);
  thread = 0;
  if (marked && name !== 0 && id === 0) {
    const text = strings.pointer(textOf(name));
    thread = bracketedThread(text, text + strings.size(textOf(name)));
  }
  // Our messages have ids of the JVM and of the system, under the last name of each thread.
  if (thread === 0) thread = internThreadOf(name, id, own || extras !== 0 ? ThreadKind.Unknown : ThreadKind.Stated);
  attributeSet = internSet(set);
  if (extras !== 0) noteWritten(attributeSet, extras, withoutExtras());
}

/** The set without what only the Resource says. */
function withoutExtras(): u32 {
  said.size = 0;
  for (let o: u32 = 0; o < set.size; o += 4) {
    const attribute = load<u32>(set.at + o);
    if (isNamed(attribute) || !isExtra(attribute)) said.u32(attribute);
  }
  return internSet(said);
}

function isNamed(attribute: u32): bool {
  for (let o: u32 = 0; o < named.size; o += NAMED_BYTES) {
    if (load<u32>(named.at + o, NAMED_ATTRIBUTE) === attribute) return true;
  }
  return false;
}

function isExtra(attribute: u32): bool {
  const p = sets.pointer(extras);
  for (let o: u32 = 0; o < sets.size(extras); o += 4) if (load<u32>(p + o) === attribute) return true;
  return false;
}

/** `row`, taken out of the set, or `known` where the set does not have it. */
function takeFrom(row: u32, known: u32): u32 {
  return removeFrom(set, row) ? row : known;
}

/** Leaves out attributes with a key that writers give the sample for its link or its event. */
function dropWritten(at: usize): void {
  let twice = removeLoneId(set, link);
  if (eventName !== 0 || !plain) twice = removeKey(set, internText(EVENT_KEY)) || twice;
  if (twice) diagnose(Diagnostic.AttributeTwice, offsetOf(at), 0);
}

/** Attributes that our writer copied from the sample's root are moved back to the root. */
function settleRoot(): void {
  if (said.size === 0) return;
  const row = internSet(said);
  const root = localRootOf(link);
  if (root === 0) addSet(set, row);
  else noteRoot(root, row);
}

function textOf(attribute: u32): u32 {
  return <u32>attributes.get64(attribute, AttributeRow.VALUE);
}

function secondOf(attribute: u32): i64 {
  return <i64>attributes.get64(attribute, AttributeRow.VALUE);
}

function observeAll(stack: u32, at: usize): void {
  const n = values.size >> 3;
  const m = times.size >> 3;
  if ((n | m) === 0) {
    diagnose(Diagnostic.SampleEmpty, offsetOf(at), 0);
    return;
  }
  let shape = Shape.ValuesAndTimes;
  if (m === 0) shape = Shape.Values;
  else if (n === 0) shape = Shape.Times;
  if (m === 0 && n > 1) diagnose(Diagnostic.SampleValues, offsetOf(at), n);
  if (n !== 0 && m !== 0 && n !== m) diagnose(Diagnostic.SampleLengths, offsetOf(at), n > m ? n - m : m - n);
  const to = eventRow(shape, at);
  if (to === NO_ROW) {
    diagnose(Diagnostic.TypesMany, offsetOf(at), 0);
    return;
  }
  if (m !== 0) noteThreadTime(thread, load<u64>(times.at + times.size - 8));
  const row = rowOf(to, stack, link, thread, attributeSet);
  const count = shape === Shape.ValuesAndTimes ? min<u32>(n, m) : n | m;
  for (let i: u32 = 0; i < count; i++) {
    const o = (<usize>i) << 3;
    const value = n === 0 ? 1 : load<i64>(values.at + o);
    if (m === 0) appendTimeless(row, value, second);
    else append(row, load<i64>(times.at + o), value, second);
    if (m !== 0 && covers) coverProfile(profile, load<u64>(times.at + o), load<u64>(times.at + o) + 1);
  }
}

function eventRow(shape: Shape, at: usize): u32 {
  const key = ((<u64>eventName) << 3) | ((<u64>shape) << 1) | (plain ? 1 : 0);
  if (key === eventKey) return event;
  const name = eventName === 0 && !plain ? onlyEvent(profile) : eventName;
  event = eventOf(profile, name, shape, plain);
  if (merged) diagnose(Diagnostic.ProfilesMany, offsetOf(at), 0);
  eventKey = key;
  return event;
}
