/**
 * The attributes of a mapping, a location or a Profile as indices of the message: some that have a separate column,
 * then a set. One list is made at a time.
 */
import { sets } from "../store/tables";
import { at } from "./columns";
import { attributeMap } from "./reach";
import { listOf } from "./set-lists";
import { putHeader, putVarint, varintSize } from "./wire";

/** u32 each: up to two of columns, and a set of 256 (read/set.ts). */
const indices: usize = memory.data(260 * 4, 4);
const MOST: u32 = 260;
export let listSize: u32 = 0;

/** The attributes `a` and `b` (0 = no attribute), then those of a set. */
export function listAttributes(a: u32, b: u32, set: u32): void {
  listSize = 0;
  add(a);
  add(b);
  const p = listOf(set);
  for (let o: u32 = 0; o < sets.size(set); o += 4) add(load<u32>(p + o));
}

function add(attribute: u32): void {
  const index = at(attributeMap, attribute);
  if (index === 0 || listSize === MOST) return;
  store<u32>(indices + ((<usize>listSize) << 2), index);
  listSize++;
}

export function listed(i: u32): u32 {
  return load<u32>(indices + ((<usize>i) << 2));
}

/** The list as a packed field, absent when it is empty; up to 1,300 bytes. */
export function putList(p: usize, tag: u8): usize {
  if (listSize === 0) return p;
  let size: u32 = 0;
  for (let i: u32 = 0; i < listSize; i++) size += varintSize(listed(i));
  p = putHeader(p, tag, size);
  for (let i: u32 = 0; i < listSize; i++) p = putVarint(p, listed(i));
  return p;
}
