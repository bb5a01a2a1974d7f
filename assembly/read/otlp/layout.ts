/**
 * Field numbers of the samples of a message, which does not state its version:
 *
 *                    2                  3                  4                  5
 *   v1.10 and later  attribute indices  link V             values             times F64
 *   v1.8 and v1.9    values             attribute indices  link V             times F64
 *
 * and of its profiles, of which those before v1.8 are not read:
 *
 *                    1          2        3            4       5            6            7
 *   v1.8 and later   type       samples  time F64     V       period type  period V     id
 *   v1.7             types …    samples  locations …  time V  duration V   period type  period V
 *
 * A sample contradicts a layout if it has by that layout a field of another wire type, neither values nor times, a
 * number of values that is not the number of times, a reference to nothing, or an attribute key twice. A profile has
 * the layout that fewer of its samples contradict. Where that is open, it has the layout of the other profiles of its
 * scope, else of its Resource, else of the message, if these agree: a collector may put the profiles of several writers
 * into one message. A sample that contradicts the layout of its profile and fits the other one is left out.
 */

import { hush } from "../../store/diagnostics";
import * as AttributeRow from "../../store/rows/attribute-row";
import { attributes } from "../../store/tables";
import { beginNumbers, DELIMITED, FIXED64, field, from, nextNumber, number, take, to, value, wire } from "../protobuf";
import { elementRow, Table, tableSize } from "./tables";

/** Wire types of a profile, as `takeOf` has them, that are only of versions before v1.8, or only of later ones. */
const BEFORE: u64 = 0x4_1414_5200;
const SINCE: u64 = 0x4140_2000;

/** Samples that contradict one layout after which the others are not checked, if none contradicts the other layout. */
const ENOUGH: u32 = 16;
/** Attributes of a sample that are compared with each other. */
const COMPARED: u32 = 64;

/** The layouts that a profile may have, a bit each; none where its samples are the same in both. */
export const LATER: u32 = 1;
export const OLD: u32 = 2;
/** A bit beside them: samples contradict each of the two. */
export const MIXED: u32 = 4;

/** Samples of a profile that contradict a layout. */
let againstNew: u32 = 0;
let againstOld: u32 = 0;
/** Some sample has another meaning in the other layout. */
let differs: bool = false;
/** u32 each: keys of the attributes of a sample. */
const keys: usize = memory.data(COMPARED * 4, 4);

/**
 * Of the field taken last, of a profile: 1 where only versions before v1.8 have it so, −1 where only later ones have.
 */
export function pointsBefore(): i32 {
  if (field === 0 || field > 15) return 0;
  const bit = ((<u64>field) << 2) + wire;
  return <i32>((BEFORE >> bit) & 1) - <i32>((SINCE >> bit) & 1);
}

/** The layouts that the samples of the profile at [p, end) allow. */
export function weighLayout(p: usize, end: usize): u32 {
  againstNew = 0;
  againstOld = 0;
  differs = false;
  hush(true);
  while (p < end && (max(againstNew, againstOld) < ENOUGH || min(againstNew, againstOld) !== 0)) {
    p = take(p, end);
    if (field === 2 && wire === DELIMITED) weigh(from, to);
  }
  hush(false);
  const mixed = min(againstNew, againstOld) === 0 ? 0 : MIXED;
  if (againstNew !== againstOld) return (againstNew < againstOld ? LATER : OLD) | mixed;
  return differs ? LATER | OLD | mixed : 0;
}

/** Whether the sample at [p, end) contradicts the layout of its profile and fits the other one. */
export function isOfOther(p: usize, end: usize, old: bool): bool {
  againstNew = 0;
  againstOld = 0;
  hush(true);
  weigh(p, end);
  hush(false);
  return old ? againstNew < againstOld : againstOld < againstNew;
}

function weigh(p: usize, end: usize): void {
  const start = p;
  let fields: u32 = 0;
  let lists: u32 = 0;
  while (p < end) {
    p = take(p, end);
    if (field > 5) continue;
    fields |= 1 << field;
    if (wire === DELIMITED) lists |= 1 << field;
  }
  // A link is one number in either layout, so a list there is proof.
  const isOld = (lists & 0b01000) !== 0;
  const isNew = (lists & 0b10000) !== 0;
  differs = differs || (fields & 0b11100) !== 0;
  if (isOld || isNew) {
    if (isOld) againstNew++;
    if (isNew) againstOld++;
    return;
  }
  if ((fields & 0b11100) === 0) return;
  if (!fits(start, end, 2, 3, 4)) againstNew++;
  if (!fits(start, end, 3, 4, 2)) againstOld++;
}

/** Whether the sample at [p, end) is sound by a layout with these fields of attributes, link and values. */
function fits(p: usize, end: usize, ofAttributes: u32, ofLink: u32, ofValues: u32): bool {
  let values: u32 = 0;
  let times: u32 = 0;
  let links: u32 = 0;
  let named: u32 = 0;
  while (p < end) {
    p = take(p, end);
    if (field === 5) {
      if (wire === DELIMITED) times += <u32>(to - from) >> 3;
      else if (wire === FIXED64) times++;
    } else if (field === ofLink) {
      if (++links > 1 || (value !== 0 && value >= <u64>tableSize(Table.Link))) return false;
    } else if (field === ofValues) {
      beginNumbers();
      while (nextNumber()) values++;
    } else if (field === ofAttributes) {
      beginNumbers();
      while (nextNumber()) if (!isNewAttribute(named++)) return false;
    }
  }
  return values === 0 || times === 0 ? (values | times) !== 0 : values === times;
}

/** Whether `number` is an attribute with another key than the `n` before it. */
function isNewAttribute(n: u32): bool {
  const row = elementRow(Table.Attribute, number);
  if (row === 0) return false;
  if (n >= COMPARED) return true;
  const key = attributes.get(row, AttributeRow.KEY);
  for (let i: u32 = 0; i < n; i++) if (load<u32>(keys + ((<usize>i) << 2)) === key) return false;
  store<u32>(keys + ((<usize>n) << 2), key);
  return true;
}
