/**
 * Events: one linear scan over the chunk. An event of the catalogue is read by the plan made for its type in this
 * chunk, and becomes an observation; every other one is counted and stepped over.
 *
 *   event := size · type id · fields in the order of the metadata
 *
 * Slots of an event plan: the fixed ones below, then extras of the catalogue row, then the context attributes (every
 * field behind localRootSpanId, under its own name).
 */
import { alloc } from "../../memory/arena";
import { Buffer, newBuffer } from "../../memory/buffer";
import { equalBytes, finish, hashBytes, mix } from "../../memory/hash";
import { diagnose } from "../../store/diagnostics";
import { stage } from "../../store/samples";
import { internAttribute, internString, sets, ValueKind } from "../../store/tables";
import { Rule } from "./catalogue";
import { Finding } from "./codes";
import { classLabel, threadOf } from "./constants";
import { compressed, overrun, position, readInt, readLong, seek, varLong } from "./cursor";
import {
  EXTRA_CLASS,
  EXTRA_KEY,
  EXTRA_KIND,
  extraAt,
  FIRST_EXTRA,
  Kind,
  PLAN_DURATION_UNIT,
  PLAN_EXTRAS,
  PLAN_LAST_SET,
  PLAN_LAST_VALUES,
  PLAN_OPS,
  PLAN_PRESENT,
  PLAN_ROLE,
  PLAN_ROW,
  PLAN_RULE,
  PLAN_STACK_CLASS,
  PLAN_START_UNIT,
  PLAN_THREAD_CLASS,
  Role,
  Slot,
} from "./event-plan";
import { chunkEnd, chunkStart, HEADER_BYTES, offsetOf, startNanos } from "./header";
import { CLASS_EVENT_PLAN, CLASS_EVENTS, classAt, classOf, isClass, Unit } from "./metadata";
import { fuel, read, slots } from "./plan";
import { checkpointAfter } from "./pools";
import { readConfig, readSetting } from "./settings";
import { stackOf } from "./stack-trace";
import { constantText, found, textAtPointer } from "./struct";
import { spanOf, timeOf } from "./time";

/**
 * Attributes found last, direct-mapped: | extra u32 | generation u32 | slot value u64 | attribute u32 | pad |, 32 bytes.
 * Strings of a chunk stay where they are while it is read, so a pointer to one serves as its copy.
 */
const CACHE_ENTRIES: u32 = 1 << 11;
let cache: usize = 0;
let generation: u32 = 0;

let at: usize = 0;
/** Attribute indices of the event in hand, ascending. */
let set: Buffer = changetype<Buffer>(0);

export function resetEvents(): void {
  set = newBuffer(1 << 9);
  cache = alloc((<usize>CACHE_ENTRIES) << 5);
  memory.fill(cache, 0, (<usize>CACHE_ENTRIES) << 5);
  generation = 0;
}

/** Starts the scan behind the header. */
export function beginEvents(): void {
  at = chunkStart + HEADER_BYTES;
  generation++;
}

/** Bytes of the chunk not yet scanned. */
export function eventBytesLeft(): u32 {
  return <u32>(chunkEnd - at);
}

/** Reads events for about `budget` bytes. True while there is more. */
export function readEvents(budget: u32): bool {
  const stop = budget < <u32>(chunkEnd - at) ? at + budget : chunkEnd;
  let p = at;
  while (p < stop) {
    seek(p, chunkEnd);
    const size = readInt();
    const next = p + size;
    const type = compressed ? varLong() : readLong();
    // Neither beyond the chunk nor inside its own size and type: reading would go astray either way.
    if (overrun || size > <u32>(chunkEnd - p) || next < position()) {
      diagnose(Finding.EventSize, offsetOf(p), size);
      const checkpoint = checkpointAfter(p);
      p = checkpoint !== 0 ? checkpoint : chunkEnd;
      continue;
    }
    if (type > 1) {
      const cls = classOf(type);
      if (!isClass(cls)) {
        diagnose(Finding.EventUndefined, offsetOf(p), <i64>type);
      } else {
        const c = classAt(cls);
        store<u32>(c, load<u32>(c, CLASS_EVENTS) + 1, CLASS_EVENTS);
        const plan = <usize>load<u32>(c, CLASS_EVENT_PLAN);
        if (plan !== 0) {
          seek(position(), next);
          readEvent(plan, p, type);
          if (fuel < 0) {
            diagnose(Finding.TooComplex, offsetOf(p), 0);
            at = chunkEnd;
            return false;
          }
        }
      }
    }
    p = next;
  }
  at = p;
  return p < chunkEnd;
}

function slotOf(s: u32): u64 {
  return load<u64>(slots + ((<usize>s) << 3));
}

function has(plan: usize, s: u32): bool {
  return ((load<u32>(plan, PLAN_PRESENT) >> s) & 1) !== 0;
}

function readEvent(plan: usize, p: usize, type: u64): void {
  if (!read(load<u32>(plan, PLAN_OPS))) {
    diagnose(Finding.EventShort, offsetOf(p), <i64>type);
    return;
  }
  const role = <Role>load<u32>(plan, PLAN_ROLE);
  if (role === Role.Sample) sample(plan);
  else if (role === Role.Config) readConfig(plan);
  else readSetting();
}

function sample(plan: usize): void {
  const time = has(plan, Slot.Start)
    ? timeOf(<i64>slotOf(Slot.Start), <Unit>load<u32>(plan, PLAN_START_UNIT))
    : startNanos;
  const value = measure(plan);
  const span = has(plan, Slot.Span) ? slotOf(Slot.Span) : 0;
  const root = has(plan, Slot.Root) ? slotOf(Slot.Root) : 0;
  const stackKey = slotOf(Slot.Stack);
  const threadKey = slotOf(Slot.Thread);
  const attributes = load<u32>(plan, PLAN_EXTRAS) !== 0 ? attributeSet(plan) : 0;
  const thread = has(plan, Slot.Thread) ? threadOf(load<u32>(plan, PLAN_THREAD_CLASS), threadKey) : 0;
  const stack = has(plan, Slot.Stack) ? stackOf(load<u32>(plan, PLAN_STACK_CLASS), stackKey) : 0;
  stage(load<u32>(plan, PLAN_ROW), stack, root, span, thread, attributes, time, value);
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

function measure(plan: usize): i64 {
  switch (<Rule>load<u32>(plan, PLAN_RULE)) {
    case Rule.Field:
      return has(plan, Slot.A) ? whole(plan, Slot.A) : 1;
    case Rule.Scaled:
      if (has(plan, Slot.A) && has(plan, Slot.B)) return <i64>floor(real(plan, Slot.A) * real(plan, Slot.B) + 0.5);
      return has(plan, Slot.C) ? whole(plan, Slot.C) : 0;
    case Rule.Duration:
      return has(plan, Slot.A) ? spanOf(<i64>slotOf(Slot.A), <Unit>load<u32>(plan, PLAN_DURATION_UNIT)) : 0;
    default:
      return 1;
  }
}

/** Set of the event's extra and context attributes; equal to the last one of this plan when all its values are. */
function attributeSet(plan: usize): u32 {
  const n = load<u32>(plan, PLAN_EXTRAS);
  const values = slots + ((<usize>FIRST_EXTRA) << 3);
  const last = <usize>load<u32>(plan, PLAN_LAST_VALUES);
  let same = load<u32>(plan, PLAN_LAST_SET) !== 0;
  for (let i: usize = 0; i < <usize>n && same; i++) same = load<u64>(values + (i << 3)) === load<u64>(last + (i << 3));
  if (same) return load<u32>(plan, PLAN_LAST_SET) - 1;
  memory.copy(last, values, (<usize>n) << 3);
  set.size = 0;
  for (let i: u32 = 0; i < n; i++) {
    const attribute = cachedAttribute(extraAt(plan, i), load<u64>(last + ((<usize>i) << 3)));
    if (attribute !== 0) insert(attribute);
  }
  // Texts are compared by their place above; here the attributes tell that nothing changed.
  const before = load<u32>(plan, PLAN_LAST_SET);
  if (before !== 0 && sets.size(before - 1) === set.size && equalBytes(sets.pointer(before - 1), set.at, set.size))
    return before - 1;
  const result = sets.intern(set.at, set.size);
  store<u32>(plan, result + 1, PLAN_LAST_SET);
  return result;
}

/** Attribute of an extra field, by what stands in the chunk: a key, a number, or the bytes of an inline string. */
function cachedAttribute(e: usize, value: u64): u32 {
  const text = <Kind>load<u32>(e, EXTRA_KIND) === Kind.Text;
  const at = <usize>(value & 0xffff_ffff);
  const size = <u32>(value >> 32);
  const hash = text ? hashBytes(at, size) : finish(mix(0, value));
  const c = cache + ((<usize>((hash ^ <u32>e) & (CACHE_ENTRIES - 1))) << 5);
  if (load<u32>(c) === <u32>e && load<u32>(c, 4) === generation) {
    const known = load<u64>(c, 8);
    if (known === value) return load<u32>(c, 16);
    if (text && <u32>(known >> 32) === size && equalBytes(<usize>(known & 0xffff_ffff), at, size))
      return load<u32>(c, 16);
  }
  const attribute = attributeOf(e, value);
  store<u32>(c, <u32>e);
  store<u32>(c, generation, 4);
  store<u64>(c, value, 8);
  store<u32>(c, attribute, 16);
  return attribute;
}

/** Keeps the set ascending and without doubles. */
function insert(attribute: u32): void {
  set.need(4);
  let p = set.at + set.size;
  while (p > set.at && load<u32>(p - 4) > attribute) {
    store<u32>(p, load<u32>(p - 4));
    p -= 4;
  }
  store<u32>(p, attribute);
  set.size += 4;
}

/** Attribute of one extra field; 0 where its value is null, empty or zero. */
function attributeOf(e: usize, value: u64): u32 {
  const key = load<u32>(e, EXTRA_KEY);
  const cls = load<u32>(e, EXTRA_CLASS);
  switch (<Kind>load<u32>(e, EXTRA_KIND)) {
    case Kind.Integer:
      return value === 0 ? 0 : internAttribute(key, ValueKind.Int, value);
    case Kind.Boolean:
      return value === 0 ? 0 : internAttribute(key, ValueKind.Bool, 1);
    case Kind.Float:
      return reinterpret<f64>(value) === 0 ? 0 : internAttribute(key, ValueKind.Double, value);
    case Kind.Class:
      return stringAttribute(key, classLabel(cls, value));
    case Kind.Constant:
      if (!constantText(cls, value)) return 0;
      return stringAttribute(key, internString(found.at, found.size));
    default:
      if (!textAtPointer(<usize>(value & 0xffff_ffff))) return 0;
      return stringAttribute(key, internString(found.at, found.size));
  }
}

function stringAttribute(key: u32, text: u32): u32 {
  return text === 0 ? 0 : internAttribute(key, ValueKind.String, text);
}
