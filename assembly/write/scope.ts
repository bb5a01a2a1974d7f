/** Fields of the message as a whole, for both encodings: the instrumentation scope and the time its profiles cover. */
import * as ProfileRow from "../abi/rows/profile-row";
import { scopeOf } from "../store/periods";
import { profileAt, recordingEnd, recordingStart } from "../store/profiles";
import { earliest, latest } from "../store/samples";
import { resourceOf } from "../store/scopes";
import { putText } from "./json";
import { ranged, rangeFrom, rangeTo } from "./plan";

const MAX_VERSION: u32 = 64;
/** Static memory: the version outlives every reset of the store. */
export const version: usize = memory.data(64);
export let versionBytes: u32 = 0;

export const SCOPE_NAME_BYTES: u32 = 9;

/** The scope's version: `n` bytes of ASCII at `p`, cut at 64. */
export function setVersion(p: usize, n: u32): void {
  versionBytes = n < MAX_VERSION ? n : MAX_VERSION;
  memory.copy(version, p, versionBytes);
}

/** Version of the semantic conventions that attribute names follow, written into resource and scope alike. */
export const SCHEMA_URL_BYTES: u32 = 39;

export function putSchemaUrl(p: usize): usize {
  return putText(p, "https://opentelemetry.io/schemas/1.44.0");
}

export function putScopeName(p: usize): usize {
  return putText(p, "spanflame");
}

/** Start of the time of a profile: its own in a separate Resource, else that of all observations. */
export function startOf(profile: u32): u64 {
  return hasOwnTime(profile) ? ranging(load<u64>(profileAt(profile), ProfileRow.FROM)) : timeUnixNano();
}

export function durationOf(profile: u32): u64 {
  return hasOwnTime(profile)
    ? ranging(load<u64>(profileAt(profile), ProfileRow.TO)) - startOf(profile)
    : durationNano();
}

/** The nearest moment within the range of the plan; 0 is no moment. */
function ranging(time: u64): u64 {
  return ranged && time !== 0 ? max<u64>(rangeFrom, min<u64>(time, rangeTo)) : time;
}

/** It covers all observations, too, and is 0 where neither they nor the Resource's file have times. */
function hasOwnTime(profile: u32): bool {
  return load<u32>(profileAt(profile), ProfileRow.PROCESS) !== 0 || resourceOf(scopeOf(profile)) !== 0;
}

/** Events may begin before their recording, so the earlier of the two; 0 where there is neither. A range narrows it. */
export function timeUnixNano(): u64 {
  const first = min<u64>(recordingStart, earliest);
  return first === u64.MAX_VALUE ? 0 : ranging(first);
}

/** All observations written lie in [time, time + duration), which also covers the recording; saturated at 64 bits. */
export function durationNano(): u64 {
  const behind = latest === u64.MAX_VALUE || earliest === u64.MAX_VALUE ? latest : latest + 1;
  return ranging(max<u64>(recordingEnd, behind)) - timeUnixNano();
}
