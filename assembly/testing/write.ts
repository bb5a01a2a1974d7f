/**
 * Entry of the writer's tests: fills the store without a reader, writes it, and returns the segments. Not part of the
 * product.
 */

import { alloc, arenaBytes } from "../memory/arena";
import { resetAll } from "../memory/resets";
import { statePeriod as setPeriod } from "../store/periods";
import { coverTime, addEvent as storeEvent, addProfile as storeProfile } from "../store/profiles";
import * as MappingRow from "../store/rows/mapping-row";
import { append, rowOf } from "../store/samples";
import {
  attributes,
  internRootLink,
  LinkOrigin,
  mappings,
  sets,
  stacks,
  internLink as storeLink,
  strings,
} from "../store/tables";

export { eventAt, profileAt, profileCount } from "../store/profiles";
export { noteRoot } from "../store/roots";
export { sampleCount } from "../store/samples";
export {
  internAttribute,
  internFunction,
  internLocation,
  internThread,
  stringPointer,
  stringSize,
} from "../store/tables";
export { writeOtlpJson } from "../write/otlp/json";
export { writeOtlpProtobuf } from "../write/otlp/protobuf";
export {
  freeOutput,
  segmentCount,
  segments,
  writtenObservations,
  writtenProfiles,
  writtenSamples,
} from "../write/output";
export { writePprof } from "../write/pprof/profile";
export { setVersion } from "../write/scope";
export { writeCollapsed } from "../write/viewers/collapsed";
export { writeFirefox } from "../write/viewers/firefox";
export { writeSpeedscope } from "../write/viewers/speedscope";
export { alloc, arenaBytes, coverTime, resetAll, setPeriod };

/** A profile whose second measure is of this type and unit; 0 = it has no second measure. */
export function addProfile(
  type: u32,
  unit: u32,
  periodType: u32,
  periodUnit: u32,
  secondType: u32,
  secondUnit: u32,
): u32 {
  return storeProfile(type, unit, secondType, secondUnit, periodType, periodUnit);
}

export function addEvent(name: u32, profile: u32, stored: bool): u32 {
  return storeEvent(name, profile, stored);
}

export function observe(event: u32, stack: u32, link: u32, thread: u32, set: u32, time: i64, value: i64): void {
  append(rowOf(event, stack, link, thread, set), time, value, 0);
}

/** An observation with a second value. */
export function observeBoth(event: u32, stack: u32, time: i64, value: i64, second: i64): void {
  append(rowOf(event, stack, 0, 0, 0), time, value, second);
}

export function internString(p: usize, n: u32): u32 {
  return strings.intern(p, n);
}

/** `p` points to packed locations. */
export function internStack(p: usize, n: u32): u32 {
  return stacks.intern(p, n);
}

/** `p` points to ascending u32 attributes; `n` is bytes. */
export function internSet(p: usize, n: u32): u32 {
  return sets.intern(p, n);
}

export function internMapping(start: u64, limit: u64, offset: u64, fileName: u32, buildId: u32): u32 {
  mappings.put64(MappingRow.START, start);
  mappings.put64(MappingRow.LIMIT, limit);
  mappings.put64(MappingRow.FILE_OFFSET, offset);
  mappings.put(MappingRow.FILE_NAME, fileName);
  mappings.put(MappingRow.BUILD_ID, buildId);
  return mappings.intern();
}

/** Rows of the tables that writers add to: repeated writes must not grow them. */
export function ownRows(): u32 {
  return strings.count + attributes.count;
}

/** A trace id without a high half is a local root's. */
export function internLink(traceHigh: u64, traceLow: u64, span: u64): u32 {
  if (traceHigh === 0) return internRootLink(traceLow, span);
  return storeLink(LinkOrigin.Trace128, traceHigh, traceLow, span);
}

/** The link of a trace id of 64 bits. */
export function internShortTrace(trace: u64, span: u64): u32 {
  return storeLink(LinkOrigin.Trace64, 0, trace, span);
}
