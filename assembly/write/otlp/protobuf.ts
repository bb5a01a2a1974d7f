/**
 * A selection as OTLP protobuf: ProfilesData, which on the wire is ExportProfilesServiceRequest. Samples and dictionary
 * are written first, into separate runs; then the messages around them, whose lengths are known by then.
 *
 *   ProfilesData { resource_profiles 1 { resource 1, scope_profiles 2 { scope 1, profiles 2 …, schema_url 3 },
 *                                        schema_url 3 }, dictionary 2 }
 *   Profile      { sample_type 1, samples 2 …, time 3, duration 4, period_type 5, period 6, profile_id 7,
 *                  original_payload_format 9, original_payload 10, attribute_indices 11 }
 */

import { PROFILE_SET } from "../../abi/profile-row";
import { setSlice, sliceAt, sliceSize } from "../../memory/slice";
import { profileAt } from "../../store/profiles";
import { ATTRIBUTE_KEY } from "../../store/tables";
import { attributeWord, stringSize } from "../added";
import { listAttributes, listSize, putList } from "../attribute-list";
import { at } from "../columns";
import { addPayload, addSegment, beginOutput, endScratch, newRun, Run, scratch, setTotals } from "../output";
import {
  hasPeriod,
  OUTPUT_PERIOD,
  OUTPUT_PERIOD_TYPE,
  OUTPUT_PERIOD_UNIT,
  OUTPUT_PROFILE,
  OUTPUT_TYPE,
  OUTPUT_UNIT,
  outputAt,
  outputCount,
  payloadBytes,
  payloadFormat,
  resourceAttribute,
  resourceCount,
} from "../plan";
import { isReached, reach, reachedObservations, reachedOutputs, stringMap, writtenSamples } from "../reach";
import {
  durationNano,
  putSchemaUrl,
  putScopeName,
  SCHEMA_URL_BYTES,
  SCOPE_NAME_BYTES,
  timeUnixNano,
  version,
  versionBytes,
} from "../scope";
import { delimitedSize, fieldSize, putBytes, putField, putFixed64, putHeader, putId, putString } from "../wire";
import { profileLabel, profileTraces } from "../writer-attributes";
import { beginProfileIds, idHigh, idLow, profileId } from "./profile-id";
import { putValue, valueSize, writeDictionary } from "./protobuf-dictionary";
import { samplesOf, writeSamples } from "./protobuf-samples";

/** The bytes around the samples and the payload of an output, a slice each. */
const PART_HEAD: usize = 0;
const PART_TAIL: usize = 8;
const PART_END: usize = 16;
const PARTS: usize = 24;
/** Room for a part of a profile: at most 5 tags with 10 bytes each, 2 nested types, 1 id, 2 indices. */
const PART_ROOM: u64 = 160;

let small: Run = changetype<Run>(0);

/**
 * Writes the samples that `mask` has a 1 for (one byte per sample row; 0 = all samples) by the plan at `plan`
 * (plan.ts).
 */
export function writeOtlpProtobuf(mask: usize, plan: usize): void {
  beginOutput();
  reach(mask, plan);
  writeSamples();
  const dictionary = writeDictionary();
  beginProfileIds();
  small = newRun();

  const parts = scratch(<u64>outputCount * PARTS);
  let profiles: u64 = 0;
  let payload = payloadBytes;
  for (let i: u32 = 0; i < outputCount; i++) {
    if (!isReached(i)) continue;
    profiles += writeProfileParts(i, parts + <usize>i * PARTS, payload);
    payload = 0;
  }
  if (reachedOutputs !== 0) {
    writeTop(profiles);
    payload = payloadBytes;
    for (let i: u32 = 0; i < outputCount; i++) {
      if (!isReached(i)) continue;
      const part = parts + <usize>i * PARTS;
      addPart(part + PART_HEAD);
      samplesOf(i).emit();
      addPart(part + PART_TAIL);
      addPayload(payload);
      addPart(part + PART_END);
      payload = 0;
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
  setTotals(reachedOutputs, writtenSamples, reachedObservations);
  endScratch();
}

/** resource_profiles, scope_profiles and their fields before the profiles, which are `profiles` bytes. */
function writeTop(profiles: u64): void {
  let resource: u64 = 0;
  for (let i: u32 = 0; i < resourceCount; i++) resource += delimitedSize(keyValueSize(resourceAttribute(i)));
  const scope = delimitedSize(SCOPE_NAME_BYTES) + (versionBytes !== 0 ? delimitedSize(versionBytes) : 0);
  const schemaUrl = delimitedSize(SCHEMA_URL_BYTES);
  const scopeProfiles = delimitedSize(scope) + profiles + schemaUrl;
  const resourceProfiles = delimitedSize(resource) + delimitedSize(scopeProfiles) + schemaUrl;

  const start = small.need(<u64>versionBytes + resource + PART_ROOM);
  let p = putHeader(start, 0x0a, resourceProfiles);
  p = putHeader(p, 0x0a, resource);
  for (let i: u32 = 0; i < resourceCount; i++) p = putKeyValue(p, resourceAttribute(i));
  p = putHeader(p, 0x12, scopeProfiles);
  p = putHeader(p, 0x0a, scope);
  p = putScopeName(putHeader(p, 0x0a, SCOPE_NAME_BYTES));
  if (versionBytes !== 0) p = putBytes(p, 0x12, version, versionBytes);
  small.at = p;
  addSegment(start, <u32>(p - start));
}

/** A KeyValue { key 1, value 2 }: receivers look for these keys in place, not in the string table. */
function keyValueSize(attribute: u32): u64 {
  return delimitedSize(stringSize(attributeWord(attribute, ATTRIBUTE_KEY))) + delimitedSize(valueSize(attribute));
}

function putKeyValue(p: usize, attribute: u32): usize {
  const key = attributeWord(attribute, ATTRIBUTE_KEY);
  p = putHeader(p, 0x0a, keyValueSize(attribute));
  p = putString(p, 0x0a, key);
  return putValue(putHeader(p, 0x12, valueSize(attribute)), attribute);
}

/** The field schema_url, whose number is 3 in both messages. */
function addSchemaUrl(): void {
  const p = small.need(<u64>SCHEMA_URL_BYTES + 16);
  small.at = putSchemaUrl(putHeader(p, 0x1a, SCHEMA_URL_BYTES));
  addSegment(p, <u32>(small.at - p));
}

/** Makes the parts of output `i`, with `payload` bytes of payload, and returns the size of its whole field. */
function writeProfileParts(i: u32, part: usize, payload: u64): u64 {
  const output = outputAt(i);
  // The head's own tag and length go in front of the type, when the rest is measured.
  const head = small.need(PART_ROOM) + 16;
  const headEnd = putType(head, 0x0a, load<u32>(output, OUTPUT_TYPE), load<u32>(output, OUTPUT_UNIT));
  small.at = headEnd;

  const tail = small.need(PART_ROOM + stringSize(payloadFormat));
  let p = putFixed64(tail, 0x19, timeUnixNano());
  p = putField(p, 0x20, durationNano());
  if (hasPeriod(output)) {
    p = putType(p, 0x2a, load<u32>(output, OUTPUT_PERIOD_TYPE), load<u32>(output, OUTPUT_PERIOD_UNIT));
    p = putField(p, 0x30, load<u64>(output, OUTPUT_PERIOD));
  } else {
    // Parca refuses a whole request if one Profile has no period_type.
    p = putType(p, 0x2a, 0, 0);
  }
  p = putProfileId(p, output);
  if (payload !== 0) {
    p = putString(p, 0x4a, payloadFormat);
    p = putHeader(p, 0x52, payload);
  }
  small.at = p;

  const profile = load<u32>(output, OUTPUT_PROFILE);
  listAttributes(profileLabel(i), at(profileTraces, profile), load<u32>(profileAt(profile), PROFILE_SET));
  const last = small.need(PART_ROOM + 5 * listSize);
  const lastEnd = putList(last, 0x5a);
  small.at = lastEnd;

  const content = <u64>(headEnd - head) + samplesOf(i).closed + <u64>(p - tail) + payload + <u64>(lastEnd - last);
  const size = delimitedSize(content);
  const start = head - <usize>(size - content);
  putHeader(start, 0x12, content);
  setSlice(part + PART_HEAD, start, <u32>(headEnd - start));
  setSlice(part + PART_TAIL, tail, <u32>(p - tail));
  setSlice(part + PART_END, last, <u32>(lastEnd - last));
  return size;
}

function addPart(part: usize): void {
  addSegment(sliceAt(part), sliceSize(part));
}

function putProfileId(p: usize, output: usize): usize {
  profileId(output);
  return putId(p, 0x3a, idHigh, idLow);
}

/** A ValueType { type_strindex 1, unit_strindex 2 }, written even when both are empty. */
function putType(p: usize, tag: u8, type: u32, unit: u32): usize {
  const typeIndex = at(stringMap, type);
  const unitIndex = at(stringMap, unit);
  p = putHeader(p, tag, fieldSize(typeIndex) + fieldSize(unitIndex));
  return putField(putField(p, 0x08, typeIndex), 0x10, unitIndex);
}
