/**
 * The samples that a reading is for, from the host (src/core/reading/read-filter.ts packs it) before anything is read:
 * readers skip what cannot match, and decode of the rest the deciding fields first.
 * What a reader cannot decide it keeps; the
 * selection of a view or a message excludes it later. Without such a filter everything is read.
 *
 *   u32 flags                        1: no stacks   2: samples only, no incidents and measurements
 *                                    4: no single observations, only samples with their counts and sums
 *                                    8: recordings: also all other samples, without stacks; other formats: everything
 *                                   16: the types are those that are not wanted
 *   u32 n · row u32^n                wanted rows of the catalogue's events; n = 0 for all
 *   u32 n · predicate^n              predicate   := u32 exclude · u32 m · alternative^m; a sample must meet all
 *                                    alternative := u32 kind · u64 id · u64 high
 *   u64 from · u64 to                the time of a sample, unsigned ns since 1970: from `from` on, before `to`
 *   attributes                       see wanted-attributes.ts
 *   u32 n · type^n                   types of messages, up to a colon; n = 0 if all are wanted
 *                                    type        := u32 size · bytes
 */

import { equalBytes } from "../memory/hash";
import { onReset } from "../memory/resets";
import { MAX_EVENTS } from "../store/profiles";
import { countObservations } from "../store/samples";
import { strings } from "../store/tables";
import { byAttributes, resetWantedAttributes, setWantedAttributes, wantsAttributes } from "./wanted-attributes";

const NO_STACKS: u32 = 1;
const SAMPLES_ONLY: u32 = 2;
const NO_OBSERVATIONS: u32 = 4;
const OTHERS_TOO: u32 = 8;
const NOT_TYPES: u32 = 16;

enum Kind {
  Span,
  /** The low half of a trace id, and with `high` not 0 the other half as well. */
  Root,
  /** No id at all. */
  NoSpan,
}

const MOST_BYTES: u32 = 1 << 16;
/** Of the filter: flags and the number of rows; of a predicate: whether it excludes, and its alternatives. */
const FLAGS: usize = 0;
const ROWS: usize = 4;
const HEAD: usize = 8;
const EXCLUDES: usize = 0;
const COUNT: usize = 4;
/** Of the range of time. */
const TO: usize = 8;
const TIME_BYTES: usize = 16;
const KIND: usize = 0;
const ID: usize = 4;
const HIGH: usize = 12;
const ALTERNATIVE_BYTES: usize = 20;

/** There is a filter, and what it excludes is skipped. */
export let filtered: bool = false;
/** The filter decides about stacks only. */
let onlyStacks: bool = false;
export let wantsStacks: bool = true;
/** Also events that are neither samples nor facts of them. */
export let wantsAll: bool = true;
/** Ids decide. */
export let byIds: bool = false;
/** The only condition is this local root; 0 if there are others. */
export let onlyRoot: u64 = 0;
/** All wanted samples have this id as local root or span; 0 if there is no such id. */
export let soughtId: u64 = 0;

/** Times decide: those from `wantedFrom` on, for `wantedFor` ns. */
export let byTime: bool = false;
let wantedFrom: u64 = 0;
let wantedFor: u64 = 0;

let allEvents: bool = true;
/** A byte per row of the catalogue's events. */
const events: usize = memory.data(<i32>MAX_EVENTS);
const bytes: usize = memory.data(<i32>MOST_BYTES, 8);
let types: u32 = 0;
let firstType: usize = 0;
let areTypesWanted: bool = true;
let predicates: u32 = 0;
let first: usize = 0;

/** Everything is wanted. */
function resetWanted(): void {
  filtered = false;
  onlyStacks = false;
  resetWantedAttributes();
  wantsStacks = true;
  wantsAll = true;
  byIds = false;
  byTime = false;
  onlyRoot = 0;
  soughtId = 0;
  allEvents = true;
  predicates = 0;
  types = 0;
}
onReset(resetWanted);

/** Takes a filter of `size` bytes at `p`; false if it is too large, which leaves everything wanted. */
export function setWanted(p: usize, size: u32): bool {
  resetWanted();
  if (size > MOST_BYTES) return false;
  memory.copy(bytes, p, size);
  const flags = load<u32>(bytes, FLAGS);
  const rows = load<u32>(bytes, ROWS);
  let at = bytes + HEAD;
  memory.fill(events, 0, MAX_EVENTS);
  for (let i: u32 = 0; i < rows; i++) {
    store<u8>(events + <usize>load<u32>(at), 1);
    at += 4;
  }
  predicates = load<u32>(at);
  first = at + 4;
  wantsStacks = (flags & NO_STACKS) === 0;
  wantsAll = (flags & SAMPLES_ONLY) === 0;
  areTypesWanted = (flags & NOT_TYPES) === 0;
  byIds = predicates !== 0;
  allEvents = rows === 0;
  let end = first;
  for (let i: u32 = 0; i < predicates; i++) {
    if (soughtId === 0) soughtId = idOf(end);
    end += HEAD + <usize>load<u32>(end, COUNT) * ALTERNATIVE_BYTES;
  }
  wantedFrom = load<u64>(end);
  const to = load<u64>(end, TO);
  wantedFor = to > wantedFrom ? to - wantedFrom : 0;
  firstType = setWantedAttributes(end + TIME_BYTES);
  types = load<u32>(firstType);
  firstType += 4;
  byTime = wantedFrom !== 0 || to !== u64.MAX_VALUE;
  filtered = !(allEvents && wantsStacks && wantsAll) || types !== 0 || byIds || byTime || byAttributes;
  if ((flags & NO_OBSERVATIONS) !== 0) countObservations(true);
  const isRoot = predicates === 1 && load<u32>(first, EXCLUDES) === 0 && load<u32>(first, COUNT) === 1;
  const root = first + HEAD;
  if (isRoot && load<u32>(root, KIND) === <u32>Kind.Root && load<u64>(root, HIGH) === 0) onlyRoot = load<u64>(root, ID);
  if ((flags & OTHERS_TOO) !== 0) {
    onlyStacks = true;
    filtered = false;
    onlyRoot = 0;
    soughtId = 0;
  }
  return true;
}

/** The id that a sample must have to meet the predicate at `p`; 0 if there is no such id. */
function idOf(p: usize): u64 {
  if (load<u32>(p, EXCLUDES) !== 0 || load<u32>(p, COUNT) !== 1) return 0;
  const only = p + HEAD;
  return load<u32>(only, KIND) === <u32>Kind.NoSpan ? 0 : load<u64>(only, ID);
}

/** Whether samples of this row of the catalogue's events may be wanted. */
export function wantsEvent(row: u32): bool {
  return allEvents || load<u8>(events + <usize>row) !== 0;
}

/** Whether a sample of this local root and span may be wanted. */
export function wantsIds(root: u64, span: u64): bool {
  let p = first;
  for (let i: u32 = 0; i < predicates; i++) {
    const excludes = load<u32>(p, EXCLUDES) !== 0;
    const end = p + HEAD + <usize>load<u32>(p, COUNT) * ALTERNATIVE_BYTES;
    let holds: bool = false;
    for (let q = p + HEAD; q < end; q += ALTERNATIVE_BYTES) if (isOf(q, root, span)) holds = true;
    if (holds === excludes) return false;
    p = end;
  }
  return true;
}

/**
 * Whether a sample of a message may be wanted, whose link has this trace id and span. A condition on 64 bits of a trace
 * id holds for its low half, one on all of them also for the other.
 */
export function wantsLink(high: u64, low: u64, span: u64): bool {
  if (onlyRoot !== 0) return low === onlyRoot;
  traceHigh = high;
  const wanted = wantsIds(low, span);
  traceHigh = 0;
  return wanted;
}

/** Whether samples of a profile of a message may be wanted, by the string of its type. */
export function wantsType(type: u32): bool {
  if (types === 0 || type === 0) return true;
  const p = strings.pointer(type);
  let n: u32 = 0;
  while (n < strings.size(type) && load<u8>(p + n) !== 0x3a) n++;
  let at = firstType;
  for (let i: u32 = 0; i < types; i++) {
    const size = load<u32>(at);
    at += 4;
    if (size === n && equalBytes(at, p, n)) return areTypesWanted;
    at += size;
  }
  return !areTypesWanted;
}

/** High half of the trace id of the current sample, 0 for a local root. */
let traceHigh: u64 = 0;

export function wantsTime(time: i64): bool {
  return wantsNear(time, 0);
}

/** Whether a time is wanted, or is at most so many ns before or after one that is. */
export function wantsNear(time: i64, slack: u64): bool {
  const before = wantedFrom < slack ? wantedFrom : slack;
  return <u64>time - (wantedFrom - before) < wantedFor + before + slack;
}

/** Whether the stack of a sample of a recording may be wanted; `high` is the upper half of a trace id, or 0. */
export function wantsStackOf(row: u32, time: i64, high: u64, root: u64, span: u64, set: u32, thread: u32): bool {
  if (!onlyStacks) return true;
  if (!wantsEvent(row) || (byTime && !wantsTime(time)) || (byIds && !wantsLink(high, root, span))) return false;
  return !byAttributes || wantsAttributes(set, thread, high === 0 ? root : 0);
}

/** Whether samples of this local root may be wanted, whatever their span. */
export function wantsRoot(root: u64): bool {
  return onlyRoot === 0 || root === onlyRoot;
}

function isHigh(high: u64): bool {
  return high === 0 || high === traceHigh;
}

/** An id of 0 is none. A local root is the low half of a trace id without another half. */
function isOf(alternative: usize, root: u64, span: u64): bool {
  const id = load<u64>(alternative, ID);
  switch (<Kind>load<u32>(alternative, KIND)) {
    case Kind.Span:
      return span !== 0 && span === id;
    case Kind.Root:
      return root !== 0 && root === id && isHigh(load<u64>(alternative, HIGH));
    default:
      return (root | span | traceHigh) === 0;
  }
}
