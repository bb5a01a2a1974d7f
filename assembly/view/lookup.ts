/**
 * Lookup in the store by text. Nothing here interns: if no table has the text, no sample has it.
 *
 * Two keys of samples are in no attribute set, because they are columns of the sample's event row: the event's name and
 * the type of its profile.
 */

import * as ProfileRow from "../abi/rows/profile-row";
import * as ValueKind from "../abi/value-kind";
import { isText } from "../memory/ascii";
import { EVENT_KEY, TYPE_KEY } from "../store/keys";
import { eventAt, eventCount, profileAt, profileCount, profileOfEvent } from "../store/profiles";
import * as AttributeRow from "../store/rows/attribute-row";
import { attributes, strings } from "../store/tables";

/** The result of `findString` for a text that the store does not have. */
export const NO_STRING: u32 = 0xffff_ffff;

export const EVENT_KEY_NONE: u32 = 0;
const EVENT_KEY_NAME: u32 = 1;
const EVENT_KEY_TYPE: u32 = 2;

/** String index of the `n` bytes at `p`, or NO_STRING. */
export function findString(p: usize, n: u32): u32 {
  if (n === 0) return 0;
  const row = strings.find(p, n);
  return row === 0 ? NO_STRING : row;
}

/** Which of the keys derived from the event row this is. */
export function eventKey(p: usize, n: u32): u32 {
  if (isText(p, n, EVENT_KEY)) return EVENT_KEY_NAME;
  if (isText(p, n, TYPE_KEY)) return EVENT_KEY_TYPE;
  return EVENT_KEY_NONE;
}

/** String index of the value that a derived key has on event row `event`. */
export function eventText(kind: u32, event: u32): u32 {
  if (event >= eventCount) return 0;
  if (kind === EVENT_KEY_NAME) return load<u32>(eventAt(event), ProfileRow.EVENT_NAME);
  const profile = profileOfEvent(event);
  return profile < profileCount ? load<u32>(profileAt(profile), ProfileRow.TYPE) : 0;
}

/** A value as text, taken apart once so that comparing it with an attribute is comparing numbers. */
let text: u32 = 0;
let isNumber: bool = false;
let number: i64 = 0;
let truth: i32 = -1;

/** Reads the text that `valueMatches` compares with. */
export function wantValue(p: usize, n: u32): u32 {
  text = findString(p, n);
  isNumber = readDecimal(p, n);
  truth = -1;
  if (isText(p, n, "true")) truth = 1;
  if (isText(p, n, "false")) truth = 0;
  return text;
}

/** A 64-bit integer exactly as it would be printed: no sign but "-", no leading zero, nothing beyond i64. */
function readDecimal(p: usize, n: u32): bool {
  const minus = n > 0 && load<u8>(p) === 0x2d;
  const first: u32 = minus ? 1 : 0;
  if (n === first || n - first > 19) return false;
  let value: u64 = 0;
  for (let i = first; i < n; i++) {
    const digit = <u32>load<u8>(p + i) - 0x30;
    if (digit > 9) return false;
    value = value * 10 + digit;
  }
  if (load<u8>(p + first) === 0x30 && (minus || n > 1)) return false;
  // 19 digits stay below 10^19, which still fits 64 unsigned bits.
  const limit: u64 = minus ? 0x8000_0000_0000_0000 : 0x7fff_ffff_ffff_ffff;
  if (value > limit) return false;
  number = minus ? <i64>(0 - value) : <i64>value;
  return true;
}

/** Whether the value of attribute `a` reads as the wanted text. A double does only where it is an integer. */
function valueMatches(a: u32): bool {
  const kind = attributes.get(a, AttributeRow.TYPE);
  const value = attributes.get64(a, AttributeRow.VALUE);
  if (kind === ValueKind.Text) return text !== NO_STRING && value === <u64>text;
  if (kind === ValueKind.Int) return isNumber && <i64>value === number;
  if (kind === ValueKind.Bool) return truth >= 0 && (value !== 0) === (truth === 1);
  if (kind === ValueKind.Double) return isNumber && reinterpret<f64>(value) === <f64>number;
  return false;
}

/** Writes one byte per attribute: 1 where the key is `key` and, with `byValue`, the value is the wanted one. */
export function matchAttributes(out: usize, key: u32, byValue: bool): void {
  memory.fill(out, 0, attributes.count);
  if (key === NO_STRING) return;
  for (let a: u32 = 1; a < attributes.count; a++) {
    if (attributes.get(a, AttributeRow.KEY) === key && (!byValue || valueMatches(a))) store<u8>(out + a, 1);
  }
}
