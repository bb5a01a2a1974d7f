/** Entry of the writer's tests: fills the store by hand, writes it, hands out the segments. Not part of the product. */
import { alloc, arenaBytes } from "../memory/arena";
import { addEvent, addProfile, coverTime, setPeriod } from "../store/profiles";
import { resetStore } from "../store/store";
import {
  attributes,
  MAPPING_BUILD_ID,
  MAPPING_FILE_NAME,
  MAPPING_FILE_OFFSET,
  MAPPING_LIMIT,
  MAPPING_START,
  mappings,
  sets,
  stacks,
  strings,
} from "../store/tables";

export { observe, sampleCount } from "../store/samples";
export { internAttribute, internFunction, internLink, internLocation, internThread } from "../store/tables";
export { writeOtlpJson } from "../write/otlp-json";
export { writeOtlpProtobuf } from "../write/otlp-pb";
export {
  freeOutput,
  segmentCount,
  segments,
  writtenObservations,
  writtenProfiles,
  writtenSamples,
} from "../write/output";
export { setVersion } from "../write/scope";
export { addEvent, addProfile, alloc, arenaBytes, coverTime, resetStore, setPeriod };

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
  mappings.put64(MAPPING_START, start);
  mappings.put64(MAPPING_LIMIT, limit);
  mappings.put64(MAPPING_FILE_OFFSET, offset);
  mappings.put(MAPPING_FILE_NAME, fileName);
  mappings.put(MAPPING_BUILD_ID, buildId);
  return mappings.intern();
}

/** Rows of the tables that writers add to: repeated writes must not grow them. */
export function ownRows(): u32 {
  return strings.count + attributes.count;
}
