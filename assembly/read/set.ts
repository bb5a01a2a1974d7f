/**
 * Builder of attribute sets: ascending, one attribute per key. Two sets may be open at a time, so a builder is a
 * handle.
 */

import * as Limits from "../abi/limits";
import { Buffer, newBuffer, ownBuffer } from "../memory/buffer";
import { ROOT_KEY, SPAN_KEY, TRACE_KEY } from "../store/keys";
import * as AttributeRow from "../store/rows/attribute-row";
import * as LinkRow from "../store/rows/link-row";
import { attributes, internText, LinkOrigin, links, originOf, sets } from "../store/tables";

/** The members that `addSet` adds. */
const merged: usize = memory.data(Limits.MAX_ATTRIBUTES * 4, 4);

export enum Added {
  Yes,
  /** The owner has this very attribute already. */
  Same,
  /** It has another one with this key. */
  Twice,
  /** It has as many as are kept. */
  Full,
}

/** An empty set. */
export function newSet(): Buffer {
  return newBuffer(Limits.MAX_ATTRIBUTES << 2);
}

/** An empty set that every reset makes anew. */
export function ownSet(): Buffer {
  return ownBuffer(Limits.MAX_ATTRIBUTES << 2);
}

export function addToSet(set: Buffer, attribute: u32): Added {
  const key = attributes.get(attribute, AttributeRow.KEY);
  const end = set.at + set.size;
  for (let p = set.at; p < end; p += 4) {
    if (load<u32>(p) === attribute) return Added.Same;
    if (attributes.get(load<u32>(p), AttributeRow.KEY) === key) return Added.Twice;
  }
  if (set.size >> 2 === Limits.MAX_ATTRIBUTES) return Added.Full;
  insertInto(set, attribute);
  return Added.Yes;
}

/** Adds an attribute that the set does not have, in the ascending order. */
export function insertInto(set: Buffer, attribute: u32): void {
  set.need(4);
  let p = set.at + set.size;
  while (p > set.at && load<u32>(p - 4) > attribute) {
    store<u32>(p, load<u32>(p - 4));
    p -= 4;
  }
  store<u32>(p, attribute);
  set.size += 4;
}

export function isMember(set: Buffer, attribute: u32): bool {
  for (let o: u32 = 0; o < set.size; o += 4) if (load<u32>(set.at + o) === attribute) return true;
  return false;
}

/** Removes a member; false where the set does not have it. */
export function removeFrom(set: Buffer, attribute: u32): bool {
  for (let o: u32 = 0; o < set.size; o += 4) {
    if (load<u32>(set.at + o) !== attribute) continue;
    removeAt(set, o);
    return true;
  }
  return false;
}

/** Removes the member with the key `key`; false where there is no such. */
export function removeKey(set: Buffer, key: u32): bool {
  for (let o: u32 = 0; o < set.size; o += 4) {
    if (attributes.get(load<u32>(set.at + o), AttributeRow.KEY) !== key) continue;
    removeAt(set, o);
    return true;
  }
  return false;
}

/**
 * Removes the attribute with the key under which writers give a sample the one id that its link has
 * (write/writer-attributes.ts). False if there is no such attribute, or the link has both ids or neither.
 */
export function removeLoneId(set: Buffer, link: u32): bool {
  const origin = originOf(link);
  if (links.get64(link, LinkRow.SPAN) !== 0) return origin === LinkOrigin.None && removeKey(set, internText(SPAN_KEY));
  if (origin === LinkOrigin.None) return false;
  return removeKey(set, origin === LinkOrigin.LocalRoot ? internText(ROOT_KEY) : internText(TRACE_KEY));
}

/** Removes the member at offset `o`. */
export function removeAt(set: Buffer, o: u32): void {
  memory.copy(set.at + o, set.at + o + 4, set.size - o - 4);
  set.size -= 4;
}

/**
 * Adds the members of set `row` of the store whose keys the set does not have, the first ones if there is no room for
 * all. The members have different keys, so each is compared with the former members only, and both ascend, so they are
 * merged.
 */
export function addSet(set: Buffer, row: u32): void {
  const former = set.size;
  const end = sets.pointer(row) + sets.size(row);
  for (let p = sets.pointer(row); p < end && set.size >> 2 < <u32>Limits.MAX_ATTRIBUTES; p += 4) {
    const attribute = load<u32>(p);
    if (!hasKey(set, former, attributes.get(attribute, AttributeRow.KEY))) set.u32(attribute);
  }
  mergeTail(set, former);
}

/** Whether a member before offset `end` has the key `key`. */
function hasKey(set: Buffer, end: u32, key: u32): bool {
  for (let o: u32 = 0; o < end; o += 4)
    if (attributes.get(load<u32>(set.at + o), AttributeRow.KEY) === key) return true;
  return false;
}

/** Puts the members from offset `former` on, which ascend, in order with those before. */
function mergeTail(set: Buffer, former: u32): void {
  const tail = set.size - former;
  memory.copy(merged, set.at + former, tail);
  let a = set.at + former;
  let b = merged + tail;
  // From the end: every place that is written was read before.
  for (let to = set.at + set.size; b > merged; ) {
    to -= 4;
    if (a > set.at && load<u32>(a - 4) > load<u32>(b - 4)) {
      a -= 4;
      store<u32>(to, load<u32>(a));
    } else {
      b -= 4;
      store<u32>(to, load<u32>(b));
    }
  }
}

/** Its row in the store, 0 for the empty one. */
export function internSet(set: Buffer): u32 {
  return sets.intern(set.at, set.size);
}
