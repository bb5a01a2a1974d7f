/**
 * A selection as OTLP protobuf: ProfilesData, which on the wire is ExportProfilesServiceRequest. Samples and dictionary are
 * written first, into runs of their own; then the messages around them, whose lengths are known by then.
 *
 *   ProfilesData { resource_profiles 1 { resource 1, scope_profiles 2 { scope 1, profiles 2 …, schema_url 3 },
 *                                        schema_url 3 }, dictionary 2 }
 *   Profile      { sample_type 1, samples 2 …, time 3, duration 4, period_type 5, period 6, attribute_indices 11 }
 */
import { PROFILE_PERIOD, PROFILE_PERIOD_TYPE, PROFILE_PERIOD_UNIT, profileAt, profileCount } from "../store/profiles";
import { at } from "./columns";
import { writeDictionary } from "./otlp-pb-dictionary";
import { samplesOf, writeSamples } from "./otlp-pb-samples";
import { addSegment, beginOutput, endScratch, newRun, Run, scratch, setTotals } from "./output";
import { profileTraces } from "./own";
import {
  attributeMap,
  hasPeriod,
  profileSamples,
  reach,
  reachedObservations,
  reachedProfiles,
  reachedSamples,
  stringMap,
  typeOf,
  unitOf,
} from "./reach";
import {
  durationNano,
  putSchemaUrl,
  putScopeName,
  SCHEMA_URL_BYTES,
  SCOPE_NAME_BYTES,
  timeUnixNano,
  version,
  versionBytes,
} from "./scope";
import { delimitedSize, fieldSize, putBytes, putField, putFixed64, putHeader, putIndex } from "./wire";

/** Rows of what stands around the samples of a profile: | head pointer | head length | tail pointer | tail length |. */
const PARTS: usize = 16;
/** Room for the head or the tail of a profile: at most 4 tags with 10 bytes each, 2 nested types, 1 index. */
const PART_ROOM: u64 = 128;

let small: Run = changetype<Run>(0);

/** Writes the samples that `mask` has a 1 for (one byte per sample row; 0 = all samples). */
export function writeOtlpProtobuf(mask: usize, withSecond: bool): void {
  beginOutput();
  reach(mask, withSecond);
  writeSamples(mask);
  const dictionary = writeDictionary();
  small = newRun();

  const parts = scratch(<u64>profileCount * PARTS);
  let profiles: u64 = 0;
  for (let i: u32 = 0; i < profileCount; i++) {
    if (at(profileSamples, i) !== 0) profiles += writeProfileParts(i, parts + <usize>i * PARTS);
  }
  if (reachedProfiles !== 0) {
    writeTop(profiles);
    for (let i: u32 = 0; i < profileCount; i++) {
      if (at(profileSamples, i) === 0) continue;
      const part = parts + <usize>i * PARTS;
      addSegment(<usize>load<u32>(part), load<u32>(part, 4));
      samplesOf(i).emit();
      addSegment(<usize>load<u32>(part, 8), load<u32>(part, 12));
    }
    // Once for the scope and once for the resource.
    addSchemaUrl();
    addSchemaUrl();
  }
  const p = small.need(16);
  const end = putHeader(p, 0x12, dictionary.closed);
  small.at = end;
  addSegment(p, <u32>(end - p));
  dictionary.emit();
  setTotals(reachedProfiles, reachedSamples, reachedObservations);
  endScratch();
}

/** resource_profiles, scope_profiles and what stands in them before the profiles, which are `profiles` bytes. */
function writeTop(profiles: u64): void {
  // Attributes of the Resource would be written here; as it is, the message is present and empty.
  const resource: u64 = 0;
  const scope = delimitedSize(SCOPE_NAME_BYTES) + (versionBytes !== 0 ? delimitedSize(versionBytes) : 0);
  const schemaUrl = delimitedSize(SCHEMA_URL_BYTES);
  const scopeProfiles = delimitedSize(scope) + profiles + schemaUrl;
  const resourceProfiles = delimitedSize(resource) + delimitedSize(scopeProfiles) + schemaUrl;

  const start = small.need(<u64>versionBytes + PART_ROOM);
  let p = putHeader(start, 0x0a, resourceProfiles);
  p = putHeader(p, 0x0a, resource);
  p = putHeader(p, 0x12, scopeProfiles);
  p = putHeader(p, 0x0a, scope);
  p = putScopeName(putHeader(p, 0x0a, SCOPE_NAME_BYTES));
  if (versionBytes !== 0) p = putBytes(p, 0x12, version, versionBytes);
  small.at = p;
  addSegment(start, <u32>(p - start));
}

/** The field schema_url, whose number is 3 in both messages. */
function addSchemaUrl(): void {
  const p = small.need(<u64>SCHEMA_URL_BYTES + 16);
  small.at = putSchemaUrl(putHeader(p, 0x1a, SCHEMA_URL_BYTES));
  addSegment(p, <u32>(small.at - p));
}

/** Makes head and tail of profile `i` and returns the size of its whole field. */
function writeProfileParts(i: u32, part: usize): u64 {
  const profile = profileAt(i);
  // The head's own tag and length go in front of the type, when the rest is measured.
  const head = small.need(PART_ROOM) + 16;
  const headEnd = putType(head, 0x0a, typeOf(profile), unitOf(profile));
  small.at = headEnd;

  const tail = small.need(PART_ROOM);
  let p = putFixed64(tail, 0x19, timeUnixNano());
  p = putField(p, 0x20, durationNano());
  if (hasPeriod(profile)) {
    p = putType(p, 0x2a, load<u32>(profile, PROFILE_PERIOD_TYPE), load<u32>(profile, PROFILE_PERIOD_UNIT));
    p = putField(p, 0x30, load<u64>(profile, PROFILE_PERIOD));
  }
  p = putIndex(p, 0x5a, at(attributeMap, at(profileTraces, i)));
  small.at = p;

  const content = <u64>(headEnd - head) + samplesOf(i).closed + <u64>(p - tail);
  const size = delimitedSize(content);
  const start = head - <usize>(size - content);
  putHeader(start, 0x12, content);
  store<u32>(part, <u32>start);
  store<u32>(part, <u32>(headEnd - start), 4);
  store<u32>(part, <u32>tail, 8);
  store<u32>(part, <u32>(p - tail), 12);
  return size;
}

/** A ValueType { type_strindex 1, unit_strindex 2 }, written even when both are empty. */
function putType(p: usize, tag: u8, type: u32, unit: u32): usize {
  const typeIndex = at(stringMap, type);
  const unitIndex = at(stringMap, unit);
  p = putHeader(p, tag, fieldSize(typeIndex) + fieldSize(unitIndex));
  return putField(putField(p, 0x08, typeIndex), 0x10, unitIndex);
}
