/**
 * A selection as OTLP protobuf: ProfilesData, which on the wire is ExportProfilesServiceRequest. Samples and dictionary
 * are written first, into separate runs; then the messages around them, whose lengths are known by then.
 *
 *   ProfilesData { resource_profiles 1 { resource 1, scope_profiles 2 { scope 1, profiles 2 …, schema_url 3 },
 *                                        schema_url 3 }, dictionary 2 }
 *   Profile      { sample_type 1, samples 2 …, time 3, duration 4, period_type 5, period 6, profile_id 7,
 *                  original_payload_format 9, original_payload 10, attribute_indices 11 }
 */

import * as ProfileRow from "../../abi/rows/profile-row";
import { setSlice, sliceAt, sliceSize } from "../../memory/slice";
import { profileAt } from "../../store/profiles";
import * as AttributeRow from "../../store/rows/attribute-row";
import * as ScopeRow from "../../store/rows/scope-row";
import { isOurScope, scopes } from "../../store/scopes";
import { sets } from "../../store/tables";
import { attributeWord, stringSize } from "../added";
import { listAttributes, listSize, putList } from "../attribute-list";
import { at } from "../columns";
import { addPayload, addSegment, beginOutput, endScratch, newRun, Run, scratch, setTotals } from "../output";
import * as OutputRow from "../output-row";
import { hasPeriod, outputAt, outputCount, payloadBytes, payloadFormat } from "../plan";
import { reach, reachedObservations, reachedOutputs, stringMap, writtenSamples } from "../reach";
import {
  durationOf,
  putSchemaUrl,
  putScopeName,
  SCHEMA_URL_BYTES,
  SCOPE_NAME_BYTES,
  startOf,
  version,
  versionBytes,
} from "../scope";
import { delimitedSize, fieldSize, putBytes, putField, putFixed64, putHeader, putId, putString } from "../wire";
import { profileLabel, profileTraces, separateAttribute } from "../writer-attributes";
import { beginProfileIds, idHigh, idLow, profileId } from "./profile-id";
import { putValue, valueSize, writeDictionary } from "./protobuf-dictionary";
import { samplesOf, writeSamples } from "./protobuf-samples";
import { beginResources, isMarked, listed, listedAttribute, listResource } from "./resource";
import { beginGroups, beginsResource, groupCount, isIn, profileOfGroup, scopeOfGroup } from "./scopes";

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
  reach(mask, plan, true);
  beginResources();
  writeSamples();
  const dictionary = writeDictionary();
  beginProfileIds();
  small = newRun();

  const parts = scratch(<u64>outputCount * PARTS);
  beginGroups();
  const sizes = scratch((<u64>groupCount) << 3);
  let payload = payloadBytes;
  for (let g: u32 = 0; g < groupCount; g++) {
    let profiles: u64 = 0;
    for (let i: u32 = 0; i < outputCount; i++) {
      if (!isIn(i, g)) continue;
      profiles += writeProfileParts(i, parts + <usize>i * PARTS, payload);
      payload = 0;
    }
    store<u64>(sizes + ((<usize>g) << 3), profiles);
  }
  payload = payloadBytes;
  for (let g: u32 = 0; g < groupCount; g++) {
    if (beginsResource(g)) writeResource(g, sizes);
    writeScope(g, load<u64>(sizes + ((<usize>g) << 3)));
    for (let i: u32 = 0; i < outputCount; i++) {
      if (!isIn(i, g)) continue;
      const part = parts + <usize>i * PARTS;
      addPart(part + PART_HEAD);
      samplesOf(i).emit();
      addPart(part + PART_TAIL);
      addPayload(payload);
      addPart(part + PART_END);
      payload = 0;
    }
    addSchemaUrl(scopeOfGroup(g), ScopeRow.URL);
    if (beginsResource(g + 1)) addSchemaUrl(scopeOfGroup(g), ScopeRow.RESOURCE_URL);
  }
  const p = small.need(16);
  const end = putHeader(p, 0x12, dictionary.closed);
  small.at = end;
  addSegment(p, <u32>(end - p));
  dictionary.emit();
  setTotals(reachedOutputs, writtenSamples, reachedObservations);
  endScratch();
}

/**
 * ResourceProfiles from group `g` on, up to its first scope; `sizes` has the bytes of the profiles of each group, a
 * u64.
 */
function writeResource(g: u32, sizes: usize): void {
  let resource: u64 = 0;
  listResource(profileOfGroup(g));
  for (let i: u32 = 0; i < listed; i++) resource += delimitedSize(keyValueSize(listedAttribute(i)));
  let content = delimitedSize(resource) + schemaUrlSize(scopeOfGroup(g), ScopeRow.RESOURCE_URL);
  for (let k = g; k === g || !beginsResource(k); k++)
    content += delimitedSize(scopeProfilesSize(k, load<u64>(sizes + ((<usize>k) << 3))));

  const start = small.need(resource + PART_ROOM);
  let p = putHeader(start, 0x0a, content);
  p = putHeader(p, 0x0a, resource);
  for (let i: u32 = 0; i < listed; i++) p = putKeyValue(p, listedAttribute(i));
  small.at = p;
  addSegment(start, <u32>(p - start));
}

/** ScopeProfiles of group `g` and its fields before the profiles, which are `profiles` bytes. */
function writeScope(g: u32, profiles: u64): void {
  const scope = scopeOfGroup(g);
  const size = scopeSize(g);
  const start = small.need(size + PART_ROOM);
  let p = putHeader(start, 0x12, scopeProfilesSize(g, profiles));
  p = putHeader(p, 0x0a, size);
  if (isOurScope(scope)) {
    p = putScopeName(putHeader(p, 0x0a, SCOPE_NAME_BYTES));
    if (versionBytes !== 0) p = putBytes(p, 0x12, version, versionBytes);
    if (isMarked(profileOfGroup(g))) p = putScopeAttribute(p, separateAttribute);
  } else {
    const name = scopes.get(scope, ScopeRow.NAME);
    if (name !== 0) p = putString(p, 0x0a, name);
    const text = scopes.get(scope, ScopeRow.VERSION);
    if (text !== 0) p = putString(p, 0x12, text);
    const set = scopes.get(scope, ScopeRow.SET);
    for (let o: u32 = 0; o < sets.size(set); o += 4) p = putScopeAttribute(p, load<u32>(sets.pointer(set) + o));
  }
  small.at = p;
  addSegment(start, <u32>(p - start));
}

function scopeProfilesSize(g: u32, profiles: u64): u64 {
  return delimitedSize(scopeSize(g)) + profiles + schemaUrlSize(scopeOfGroup(g), ScopeRow.URL);
}

/** Size of an InstrumentationScope { name 1, version 2, attributes 3 }. */
function scopeSize(g: u32): u64 {
  const scope = scopeOfGroup(g);
  if (isOurScope(scope)) {
    const named = delimitedSize(SCOPE_NAME_BYTES) + (versionBytes !== 0 ? delimitedSize(versionBytes) : 0);
    return named + (isMarked(profileOfGroup(g)) ? delimitedSize(keyValueSize(separateAttribute)) : 0);
  }
  let size = textSize(scopes.get(scope, ScopeRow.NAME)) + textSize(scopes.get(scope, ScopeRow.VERSION));
  const set = scopes.get(scope, ScopeRow.SET);
  for (let o: u32 = 0; o < sets.size(set); o += 4)
    size += delimitedSize(keyValueSize(load<u32>(sets.pointer(set) + o)));
  return size;
}

/** Size of a field with string `i`, which is not written if it is empty. */
function textSize(i: u32): u64 {
  return i === 0 ? 0 : delimitedSize(stringSize(i));
}

/** A KeyValue { key 1, value 2 }: receivers look for these keys in place, not in the string table. */
function keyValueSize(attribute: u32): u64 {
  return delimitedSize(stringSize(attributeWord(attribute, AttributeRow.KEY))) + delimitedSize(valueSize(attribute));
}

/** As field 1 of a Resource. */
function putKeyValue(p: usize, attribute: u32): usize {
  return putPair(putHeader(p, 0x0a, keyValueSize(attribute)), attribute);
}

/** As field 3 of an InstrumentationScope. */
function putScopeAttribute(p: usize, attribute: u32): usize {
  return putPair(putHeader(p, 0x1a, keyValueSize(attribute)), attribute);
}

function putPair(p: usize, attribute: u32): usize {
  p = putString(p, 0x0a, attributeWord(attribute, AttributeRow.KEY));
  return putValue(putHeader(p, 0x12, valueSize(attribute)), attribute);
}

/** Size of the field schema_url, whose number is 3 in both messages; `word` is that of a foreign scope. */
function schemaUrlSize(scope: u32, word: u32): u64 {
  return isOurScope(scope) ? delimitedSize(SCHEMA_URL_BYTES) : textSize(scopes.get(scope, word));
}

function addSchemaUrl(scope: u32, word: u32): void {
  const size = schemaUrlSize(scope, word);
  if (size === 0) return;
  const p = small.need(size + 16);
  small.at = isOurScope(scope)
    ? putSchemaUrl(putHeader(p, 0x1a, SCHEMA_URL_BYTES))
    : putString(p, 0x1a, scopes.get(scope, word));
  addSegment(p, <u32>(small.at - p));
}

/** Makes the parts of output `i`, with `payload` bytes of payload, and returns the size of its whole field. */
function writeProfileParts(i: u32, part: usize, payload: u64): u64 {
  const output = outputAt(i);
  // The head's own tag and length go in front of the type, when the rest is measured.
  const head = small.need(PART_ROOM) + 16;
  const headEnd = putType(head, 0x0a, load<u32>(output, OutputRow.TYPE), load<u32>(output, OutputRow.UNIT));
  small.at = headEnd;

  const tail = small.need(PART_ROOM + stringSize(payloadFormat));
  const profile = load<u32>(output, OutputRow.PROFILE);
  let p = putFixed64(tail, 0x19, startOf(profile));
  p = putField(p, 0x20, durationOf(profile));
  if (hasPeriod(output)) {
    p = putType(p, 0x2a, load<u32>(output, OutputRow.PERIOD_TYPE), load<u32>(output, OutputRow.PERIOD_UNIT));
    p = putField(p, 0x30, load<u64>(output, OutputRow.PERIOD));
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

  listAttributes(profileLabel(i), at(profileTraces, profile), load<u32>(profileAt(profile), ProfileRow.SET));
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
