/**
 * Instrumentation scopes of a message and the schema URLs around them. A profile keeps them, so that they are written
 * again. Those of our own writer are row 0: a message of ours gets the version that writes it. The attribute
 * `spanflame.resource` of our scope states that its Resource is one of several, and is written again as such.
 *
 *   InstrumentationScope  1 name · 2 version · 3 KeyValue …
 *
 *   scope   | pointer u32 | size u32 | schema URL: pointer u32 | size u32 | resource: pointer u32 | size u32 |
 */
import * as Slice from "../../abi/slice";
import { isText } from "../../memory/ascii";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { scratch } from "../../memory/scratch";
import { setSlice, sliceAt, sliceEnd, sliceSize } from "../../memory/slice";
import { RESOURCE_KEY, SEPARATE_RESOURCE } from "../../store/keys";
import { internScope } from "../../store/scopes";
import { DELIMITED, field, from, take, takeOf, to, wire } from "../protobuf";
import { internSet, ownSet } from "../set";
import { addAttribute } from "./attributes";
import { readPair } from "./resource";
import { textAt } from "./strings";

const SCOPE: u64 = 0x4440;

const SCOPE_URL: usize = 8;
const SCOPE_RESOURCE_URL: usize = 16;
const SCOPE_BYTES: usize = 24;

const scopes: Buffer = ownBuffer(1 << 8);
const set: Buffer = ownSet();
/** u32 per scope: its row of the store. */
let rows: usize = 0;

export function beginScopes(): void {
  scopes.size = 0;
}

/** Notes the places of a scope and of its schema URL; returns its number in the message. */
export function noteScope(p: usize, end: usize, url: usize, urlSize: u32): u32 {
  const number = scopes.size / <u32>SCOPE_BYTES;
  scopes.u32(<u32>p);
  scopes.u32(<u32>(end - p));
  scopes.u32(<u32>url);
  scopes.u32(urlSize);
  scopes.u32(0);
  scopes.u32(0);
  return number;
}

/** Gives the scopes from number `first` on the schema URL of their resource. */
export function noteResourceUrl(first: u32, url: usize, size: u32): void {
  for (let p = scopes.at + <usize>first * SCOPE_BYTES; p < scopes.at + scopes.size; p += SCOPE_BYTES)
    setSlice(p + SCOPE_RESOURCE_URL, url, size);
}

/** Number of scopes so far. */
export function scopeCount(): u32 {
  return scopes.size / <u32>SCOPE_BYTES;
}

export function isOurs(number: u32): bool {
  const slice = scopes.at + <usize>number * SCOPE_BYTES;
  let p = sliceAt(slice);
  const end = sliceEnd(slice);
  while (p < end) {
    p = take(p, end);
    if (field === 1 && wire === DELIMITED && isText(from, <u32>(to - from), "spanflame")) return true;
  }
  return false;
}

/** Puts all scopes into the store. To be called when strings and attributes were read. */
export function readScopes(): void {
  const n = scopeCount();
  rows = scratch((n + 1) << 2);
  for (let i: u32 = 0; i < n; i++)
    store<u32>(rows + ((<usize>i) << 2), isOurs(i) && (isSeparate(i) || !hasAttributes(i)) ? 0 : readScope(i));
}

/** Our writer adds no other attributes to its scope; others may have. */
function hasAttributes(number: u32): bool {
  return attributeAt(number, 0) !== 0;
}

/** Whether the one attribute of our scope states that its Resource is separate. */
export function isSeparate(number: u32): bool {
  const attribute = attributeAt(number, 0);
  if (attribute === 0 || attributeAt(number, 1) !== 0 || !isOurs(number)) return false;
  let key: bool = false;
  let stated: bool = false;
  let p = sliceAt(attribute);
  const end = sliceEnd(attribute);
  while (p < end) {
    p = take(p, end);
    if (wire !== DELIMITED) return false;
    const size = <u32>(to - from);
    // A KeyValue { key 1, value 2 { string 1 } }.
    if (field === 1) key = isText(from, size, RESOURCE_KEY);
    else if (field === 2) {
      const text = size > 2 && load<u8>(from) === 0x0a && <u32>load<u8>(from, 1) === size - 2;
      stated = text && isText(from + 2, size - 2, SEPARATE_RESOURCE);
    }
  }
  return key && stated;
}

const found: usize = memory.data(Slice.BYTES, 4);

/** The place of attribute `i` of a scope, a slice; 0 if it has fewer. */
function attributeAt(number: u32, i: u32): usize {
  const slice = scopes.at + <usize>number * SCOPE_BYTES;
  let p = sliceAt(slice);
  const end = sliceEnd(slice);
  while (p < end) {
    p = take(p, end);
    if (field !== 3 || wire !== DELIMITED) continue;
    if (i === 0) {
      setSlice(found, from, <u32>(to - from));
      return found;
    }
    i--;
  }
  return 0;
}

/** Row of the store of scope `number`. */
export function scopeRow(number: u32): u32 {
  return load<u32>(rows + ((<usize>number) << 2));
}

function readScope(number: u32): u32 {
  const at = scopes.at + <usize>number * SCOPE_BYTES;
  let p = sliceAt(at);
  const end = sliceEnd(at);
  let name: u32 = 0;
  let version: u32 = 0;
  set.size = 0;
  while (p < end) {
    const start = p;
    p = takeOf(p, end, SCOPE);
    if (field === 1) name = textAt(from, to);
    else if (field === 2) version = textAt(from, to);
    else if (field === 3) addAttribute(set, readPair(from, to), start);
  }
  return internScope(name, version, internSet(set), urlAt(at + SCOPE_URL), urlAt(at + SCOPE_RESOURCE_URL));
}

function urlAt(slice: usize): u32 {
  return sliceSize(slice) === 0 ? 0 : textAt(sliceAt(slice), sliceEnd(slice));
}
