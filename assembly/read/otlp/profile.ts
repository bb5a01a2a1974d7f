/**
 * The fields of a profile:
 *
 *   Profile    1 sample type · 2 samples · 3 time F64 · 4 duration · 5 period type · 6 period ·
 *              7 profile id, 16 bytes · 9, 10 original payload (src/otlp/payloads.ts) · 11 attributes
 *   ValueType  1 type · 2 unit
 */

import * as Diagnostic from "../../abi/formats/otlp";
import * as ProfileRow from "../../abi/rows/profile-row";
import * as ValueKind from "../../abi/value-kind";
import { Buffer } from "../../memory/buffer";
import { diagnose } from "../../store/diagnostics";
import { TRACE_ORIGIN_KEY } from "../../store/keys";
import { merged, NO_ROW, profileOf } from "../../store/profile-lookup";
import { coverProfile, coverTime, ProfileFlag, profileAt, profileCount } from "../../store/profiles";
import { resourceOf } from "../../store/scopes";
import { attributeType, attributeValue, internText } from "../../store/tables";
import { enginePeriodType, enginePeriodUnit, engineType, engineUnit, isEngine, readEngine } from "../async-profiler";
import { beginNumbers, field, from, nextNumber, number, offsetOf, takeOf, to, value } from "../protobuf";
import { internSet, ownSet, removeKey } from "../set";
import { addAttribute, Role, roleAt } from "./attributes";
import { rowAt, Table } from "./tables";

const PROFILE: u64 = 0x5000_4141_2440;
const VALUE_TYPE: u64 = 0x110;

const set: Buffer = ownSet();
/** The ValueType read last. */
let type: u32 = 0;
let unit: u32 = 0;
let flags: u32 = 0;
/** String: `profile.type` of the profile read last; 0 without. */
let named: u32 = 0;
/** The profile read last declares that its trace ids of 64 bits are not local roots. */
export let traces64: bool = false;

/**
 * The store's profile for the one at [p, end), of a scope of the store; NO_ROW where there is no room for it. Its
 * samples are skipped.
 */
export function readProfile(p: usize, end: usize, scope: u32): u32 {
  const start = p;
  let sampleType: u32 = 0;
  let sampleUnit: u32 = 0;
  let periodType: u32 = 0;
  let periodUnit: u32 = 0;
  let period: i64 = 0;
  let time: u64 = 0;
  let duration: u64 = 0;
  let id: usize = 0;
  set.size = 0;
  named = 0;
  flags = ProfileFlag.Stated;
  traces64 = false;
  while (p < end) {
    const at = p;
    p = takeOf(p, end, PROFILE);
    switch (field) {
      case 1:
        readType(from, to);
        sampleType = type;
        sampleUnit = unit;
        break;
      case 3:
        time = value;
        break;
      case 4:
        duration = value;
        break;
      case 5:
        readType(from, to);
        periodType = type;
        periodUnit = unit;
        break;
      case 6:
        period = <i64>value;
        break;
      case 7:
        if (to - from === 16) id = from;
        break;
      case 11:
        readAttributes(at);
        break;
      default:
    }
  }
  // The writer gives the profile this key; an attribute of another type must not be beside it.
  if (removeKey(set, internText(TRACE_ORIGIN_KEY))) diagnose(Diagnostic.AttributeTwice, offsetOf(start), 0);
  if (sampleType === 0) diagnose(Diagnostic.NoType, offsetOf(start), 0);
  if (readEngine(sampleType, sampleUnit, periodType, periodUnit)) {
    sampleType = engineType;
    sampleUnit = engineUnit;
    periodType = enginePeriodType;
    periodUnit = enginePeriodUnit;
    if (periodType === 0) period = 0;
  }
  // Our writer's name of what was sampled, where the interval is unknown: the kind is known without a period.
  if (periodType === 0 && named !== 0) {
    periodType = named;
    periodUnit = internText("nanoseconds");
  }
  const last = time + duration < time ? u64.MAX_VALUE : time + duration;
  if (time !== 0) coverTime(time, last);
  const before = profileCount;
  const row = profileOf(sampleType, sampleUnit, periodType, periodUnit, period, internSet(set), scope);
  if (merged) diagnose(Diagnostic.ProfilesMany, offsetOf(start), profileCount);
  if (row === NO_ROW) diagnose(Diagnostic.TypesMany, offsetOf(start), 0);
  if (row === NO_ROW) return row;
  if (time !== 0 && resourceOf(scope) !== 0) coverProfile(row, time, last);
  const kept = profileAt(row);
  store<u32>(kept, load<u32>(kept, ProfileRow.FLAGS) | flags, ProfileRow.FLAGS);
  noteId(kept, row >= before, id);
  return row;
}

/** Whether the profile at [p, end) is of async-profiler. Strings were read. */
export function isOfEngine(p: usize, end: usize): bool {
  type = 0;
  unit = 0;
  while (p < end) {
    p = takeOf(p, end, PROFILE);
    if (field === 5) readType(from, to);
  }
  return isEngine(type, unit);
}

function readType(p: usize, end: usize): void {
  type = 0;
  unit = 0;
  while (p < end) {
    const at = p;
    p = takeOf(p, end, VALUE_TYPE);
    if (field === 1) type = rowAt(Table.String, value, at);
    else if (field === 2) unit = rowAt(Table.String, value, at);
  }
}

/** The origin of trace ids is a flag of the profile, or is in its links. */
function readAttributes(at: usize): void {
  beginNumbers();
  while (nextNumber()) {
    const row = rowAt(Table.Attribute, number, at);
    if (row === 0) continue;
    if (roleAt(number) === Role.TraceOrigin) flags |= ProfileFlag.LocalRoots;
    else if (roleAt(number) === Role.Traces64) traces64 = true;
    else addAttribute(set, row, at);
    if (roleAt(number) === Role.Type && attributeType(row) === <u32>ValueKind.Text) named = <u32>attributeValue(row);
  }
}

/** A profile keeps its original id as long as it is the only one. */
function noteId(row: usize, isNew: bool, id: usize): void {
  const to = row + ProfileRow.ID;
  if (isNew && id !== 0) memory.copy(to, id, 16);
  else memory.fill(to, 0, 16);
}
