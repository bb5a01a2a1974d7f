/**
 * The profiles of a pprof file: one per sample type, consecutive rows of the store that form a group
 * (store/profiles.ts). A file with the same types, period and remarks as an earlier one adds to its group. Where only
 * the period differs, the rows of the groups are families (store/periods.ts).
 *
 * The file has one period. If it is a time, it is that of the types with its name (`cpu`, `cpu-time`, `cpu:…` of a
 * period `cpu`) and of `samples`: other types have values that it does not multiply.
 */

import * as Diagnostic from "../../abi/formats/pprof";
import * as ProfileRow from "../../abi/rows/profile-row";
import { isText } from "../../memory/ascii";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { equalBytes } from "../../memory/hash";
import { diagnose } from "../../store/diagnostics";
import { NO_ROW, newProfile } from "../../store/profile-lookup";
import { MAX_PROFILES, ProfileFlag, profileAt, profileCount } from "../../store/profiles";
import { internText, strings } from "../../store/tables";

const TYPE_NAME: usize = 0;
const TYPE_UNIT: usize = 4;
const TYPE_BYTES: usize = 8;

/** | type u32 | unit u32 | of each sample type. */
const types: Buffer = ownBuffer(1 << 8);
export let periodType: u32 = 0;
export let periodUnit: u32 = 0;
export let period: i64 = 0;

export function beginGroup(): void {
  types.size = 0;
  periodType = 0;
  periodUnit = 0;
  period = 0;
}

export function addType(type: u32, unit: u32): void {
  types.u32(type);
  types.u32(unit);
}

export function typeCount(): u32 {
  return types.size >> 3;
}

/** String of the name of type `i`. */
export function typeName(i: u32): u32 {
  return load<u32>(types.at + <usize>i * TYPE_BYTES, TYPE_NAME);
}

/** String of its unit. */
export function unitName(i: u32): u32 {
  return load<u32>(types.at + <usize>i * TYPE_BYTES, TYPE_UNIT);
}

export function setPeriod(type: u32, unit: u32, value: i64): void {
  periodType = type;
  periodUnit = unit;
  period = value;
}

/** The first profile of the group; those that do not fit into the store are taken off its end. */
export function openGroup(set: u32): u32 {
  const n = typeCount();
  for (let i: u32 = 0; i + n <= profileCount; i++) if (isGroup(i, set)) return i;
  const room = MAX_PROFILES - profileCount;
  if (n > room) {
    diagnose(Diagnostic.TypesMany, 0, n);
    types.size = room << 3;
  }
  const first = profileCount;
  const family = familyGroup(set);
  for (let i: u32 = 0; i < typeCount(); i++) {
    const unit = load<u32>(types.at + <usize>i * TYPE_BYTES, TYPE_UNIT);
    const row = newProfile(typeName(i), unit, periodType, periodUnit, isOwnPeriod(typeName(i)) ? period : 0, set);
    store<i64>(profileAt(row), period, ProfileRow.FILE_PERIOD);
    store<u32>(profileAt(row), first + 1, ProfileRow.GROUP);
    if (family !== NO_ROW) store<u32>(profileAt(row), family + i, ProfileRow.FAMILY);
  }
  noteForm(first, ProfileFlag.Stated);
  return first;
}

/** Types whose period has the name of what they count. */
const BARE: StaticArray<string> = ["sample", "samples", "count", "event", "events"];

/** Whether the period of the file is that of a type. */
function isOwnPeriod(type: u32): bool {
  if (periodUnit !== internText("nanoseconds") || type === periodType) return true;
  const p = strings.pointer(type);
  const n = strings.size(type);
  for (let i = 0; i < BARE.length; i++) if (isText(p, n, BARE[i])) return true;
  // The first word of the period's type.
  const q = strings.pointer(periodType);
  let size: u32 = 0;
  while (size < strings.size(periodType) && isLetter(load<u8>(q + size))) size++;
  return size !== 0 && n >= size && equalBytes(p, q, size) && (n === size || !isLetter(load<u8>(p + size)));
}

function isLetter(c: u8): bool {
  return (c | 0x20) - 0x61 < 26;
}

/** The first group that differs in the period only, NO_ROW if there is no such group. */
function familyGroup(set: u32): u32 {
  const n = typeCount();
  for (let i: u32 = 0; i + n <= profileCount; i++) if (isAlike(i, set)) return i;
  return NO_ROW;
}

/** Whether the rows from `first` on are the very group. */
function isGroup(first: u32, set: u32): bool {
  return isAlike(first, set) && load<i64>(profileAt(first), ProfileRow.FILE_PERIOD) === period;
}

/** Whether they are a group of these types, attributes and kind of period. */
function isAlike(first: u32, set: u32): bool {
  const n = typeCount();
  const behind = first + n;
  if (behind < profileCount && load<u32>(profileAt(behind), ProfileRow.GROUP) === first + 1) return false;
  for (let i: u32 = 0; i < n; i++) {
    const p = profileAt(first + i);
    const type = types.at + <usize>i * TYPE_BYTES;
    if (
      load<u32>(p, ProfileRow.GROUP) !== first + 1 ||
      load<u32>(p, ProfileRow.TYPE) !== load<u32>(type, TYPE_NAME) ||
      load<u32>(p, ProfileRow.UNIT) !== load<u32>(type, TYPE_UNIT) ||
      load<u32>(p, ProfileRow.PERIOD_TYPE) !== periodType ||
      load<u32>(p, ProfileRow.PERIOD_UNIT) !== periodUnit ||
      load<u32>(p, ProfileRow.SET) !== set
    )
      return false;
  }
  return n !== 0;
}

/** Notes what the file states of its types, or how it spells a label. */
export function noteForm(first: u32, form: ProfileFlag): void {
  for (let i: u32 = 0; i < typeCount(); i++) {
    const p = profileAt(first + i);
    store<u32>(p, load<u32>(p, ProfileRow.FLAGS) | <u32>form, ProfileRow.FLAGS);
  }
}
