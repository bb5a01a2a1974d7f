/**
 * The attribute set of an event: its extras as attributes, interned. Most events have the set of the event before, so
 * results are cached per plan, and per field and value.
 */
import * as ValueKind from "../../abi/value-kind";
import { alloc } from "../../memory/arena";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { equalBytes, hashBytes, hashWord } from "../../memory/hash";
import { onReset } from "../../memory/resets";
import { internAttribute, sets } from "../../store/tables";
import { insertInto } from "../set";
import { AttributePlan, Extra, extraAt, FIRST_EXTRA, Kind } from "./attribute-plan";
import { classLabel } from "./constants";
import { slotOf } from "./field-slots";
import { Unit } from "./metadata";
import { readParts } from "./parts";
import { slots } from "./plan";
import { pathTo } from "./referrers";
import { isInLink } from "./sample-ids";
import { INLINE, NO_TEXT, slot, stringOf } from "./struct";
import { spanOf } from "./time";

/**
 * An attribute found last: the cache is direct-mapped. Strings of a chunk stay where they are while it is read, so a
 * pointer to one serves as its copy.
 */
@unmanaged
class Cached {
  extra: Extra;
  generation: u32;
  /** The last value of the slot. */
  value: u64;
  attribute: u32;
  /** The set that has only this attribute, + 1; 0 = not made yet. */
  alone: u32;
}

const CACHE_ENTRIES: u32 = 1 << 11;
/** Bytes of an entry, as a shift: 32, of which `Cached` takes 24. */
const CACHE_SHIFT: usize = 5;
let cache: usize = 0;
let generation: u32 = 0;

/** Attribute indices of the current event, ascending. */
const set: Buffer = ownBuffer(1 << 9);

onReset((): void => {
  cache = alloc((<usize>CACHE_ENTRIES) << CACHE_SHIFT);
  memory.fill(cache, 0, (<usize>CACHE_ENTRIES) << CACHE_SHIFT);
  generation = 0;
});

/** A new chunk: results that were cached by addresses in the last chunk are invalid. */
export function beginAttributes(): void {
  generation++;
}

/**
 * Set of the event's extra and context attributes; equal to the last one of this plan when all its values are. `ids`:
 * bits of those that its link has (sample-ids.ts).
 */
export function attributeSet(plan: AttributePlan, ids: u32): u32 {
  const n = plan.extraCount;
  const values = slots + ((<usize>FIRST_EXTRA) << 3);
  const last = plan.lastValues;
  let same = plan.lastSet !== 0 && plan.lastIds === ids;
  for (let i: usize = 0; i < <usize>n && same; i++) same = load<u64>(values + (i << 3)) === load<u64>(last + (i << 3));
  if (same) return plan.lastSet - 1;
  plan.lastIds = ids;
  memory.copy(last, values, (<usize>n) << 3);
  if (n === 1 && ids === 0 && extraAt(plan, 0).next === null) {
    const result = setAlone(cached(extraAt(plan, 0), load<u64>(last)));
    plan.lastSet = result + 1;
    return result;
  }
  set.size = 0;
  for (let i: u32 = 0; i < n; i++) {
    if (ids !== 0 && isInLink(plan, ids, i + 1)) continue;
    for (let e: Extra | null = extraAt(plan, i); e !== null; e = e.next) {
      const attribute = cached(e, load<u64>(last + ((<usize>i) << 3))).attribute;
      if (attribute !== 0) insertInto(set, attribute);
    }
  }
  // Texts are compared by their place above; here the attributes tell that nothing changed.
  const before = plan.lastSet;
  if (before !== 0 && sets.size(before - 1) === set.size && equalBytes(sets.pointer(before - 1), set.at, set.size))
    return before - 1;
  const result = sets.intern(set.at, set.size);
  plan.lastSet = result + 1;
  return result;
}

/** The set that has only this attribute: events with one extra need no other. */
function setAlone(c: Cached): u32 {
  if (c.alone === 0) {
    set.size = 0;
    if (c.attribute !== 0) insertInto(set, c.attribute);
    c.alone = sets.intern(set.at, set.size) + 1;
  }
  return c.alone - 1;
}

/** Attribute of extra `i` of the event in the slots, 0 where it is null, empty or zero. */
export function extraAttribute(plan: AttributePlan, i: u32): u32 {
  return cached(extraAt(plan, i), slotOf(FIRST_EXTRA + i)).attribute;
}

/**
 * Attribute of an extra field, cached by the raw value in the chunk: a key, a number, or the bytes of an inline string.
 */
function cached(extra: Extra, value: u64): Cached {
  const text = extra.kind === Kind.Text;
  const at = <usize>(value & 0xffff_ffff);
  const size = <u32>(value >> 32);
  const hash = text ? hashBytes(at, size) : hashWord(value);
  const entry = (hash ^ <u32>changetype<usize>(extra)) & (CACHE_ENTRIES - 1);
  const c = changetype<Cached>(cache + ((<usize>entry) << CACHE_SHIFT));
  if (c.extra === extra && c.generation === generation) {
    const known = c.value;
    if (known === value) return c;
    if (text && <u32>(known >> 32) === size && equalBytes(<usize>(known & 0xffff_ffff), at, size)) return c;
  }
  const attribute = attributeOf(extra, value);
  c.extra = extra;
  c.generation = generation;
  c.value = value;
  c.attribute = attribute;
  c.alone = 0;
  return c;
}

/** Attribute of one extra field; 0 where its value is null, empty or zero. */
function attributeOf(extra: Extra, value: u64): u32 {
  const key = extra.key;
  const cls = extra.cls;
  switch (extra.kind) {
    case Kind.Integer:
      return value === 0 ? 0 : internAttribute(key, ValueKind.Int, value);
    case Kind.Boolean:
      return value === 0 ? 0 : internAttribute(key, ValueKind.Bool, 1);
    case Kind.Float:
      return reinterpret<f64>(value) === 0 ? 0 : internAttribute(key, ValueKind.Double, value);
    case Kind.Class:
      return stringAttribute(key, classLabel(cls, value));
    case Kind.Constant:
      return stringAttribute(key, stringOf(cls, value));
    case Kind.Span:
      return value === 0 ? 0 : internAttribute(key, ValueKind.Int, <u64>spanOf(<i64>value, <Unit>cls));
    case Kind.PartClass:
      return readParts(extra.holder, extra.plan, value) ? stringAttribute(key, classLabel(cls, slot(0))) : 0;
    case Kind.PartText:
      return readParts(extra.holder, extra.plan, value) ? stringAttribute(key, stringOf(cls, slot(0))) : 0;
    case Kind.Referrers:
      return stringAttribute(key, pathTo(value));
    default:
      return stringAttribute(key, stringOf(INLINE, value));
  }
}

function stringAttribute(key: u32, text: u32): u32 {
  return text === 0 || text === NO_TEXT ? 0 : internAttribute(key, ValueKind.Text, text);
}
