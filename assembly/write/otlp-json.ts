/**
 * A selection as OTLP/JSON, one object: the content of `writeOtlpProtobuf`, field by field in the same order
 * (otlp-profiles.md §2: lowerCamelCase, ids in hex, 64-bit numbers as decimal strings, defaults left out).
 */
import { PROFILE_PERIOD, PROFILE_PERIOD_TYPE, PROFILE_PERIOD_UNIT, profileAt, profileCount } from "../store/profiles";
import { at } from "./columns";
import {
  beginJson,
  closeArray,
  closeObject,
  indexMember,
  indicesMember,
  key,
  openArray,
  openElement,
  openObject,
  putText,
  text,
  unsignedMember,
} from "./json";
import { writeDictionaryJson } from "./otlp-json-dictionary";
import { orderSamples, writeSamplesJson } from "./otlp-json-samples";
import { beginOutput, endScratch, newRun, setTotals } from "./output";
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
  SCHEMA_URL_BYTES,
  SCOPE_NAME_BYTES,
  timeUnixNano,
  version,
  versionBytes,
} from "./scope";

/** Writes the samples that `mask` has a 1 for (one byte per sample row; 0 = all samples). */
export function writeOtlpJson(mask: usize, withSecond: bool, pretty: bool): void {
  beginOutput();
  reach(mask, withSecond);
  orderSamples(mask);
  const run = newRun();
  beginJson(run, pretty);
  openObject();
  if (reachedProfiles !== 0) {
    key("resourceProfiles");
    openArray();
    writeResourceProfiles();
    closeArray();
  }
  key("dictionary");
  openObject();
  writeDictionaryJson();
  closeObject();
  closeObject();
  if (pretty) run.at = putText(run.need(1), "\n");
  run.finish();
  run.emit();
  setTotals(reachedProfiles, reachedSamples, reachedObservations);
  endScratch();
}

function writeResourceProfiles(): void {
  openElement();
  key("resource");
  openObject();
  // Attributes of the Resource would be written here.
  closeObject();
  key("scopeProfiles");
  openArray();
  openElement();
  key("scope");
  openObject();
  writeScope();
  closeObject();
  key("profiles");
  openArray();
  for (let i: u32 = 0; i < profileCount; i++) if (at(profileSamples, i) !== 0) writeProfile(i);
  closeArray();
  writeSchemaUrl();
  closeObject();
  closeArray();
  writeSchemaUrl();
  closeObject();
}

function writeSchemaUrl(): void {
  key("schemaUrl");
  const url = memory.data(64);
  putSchemaUrl(url);
  text(url, SCHEMA_URL_BYTES);
}

function writeScope(): void {
  key("name");
  const name = memory.data(32);
  putText(name, "spanflame");
  text(name, SCOPE_NAME_BYTES);
  if (versionBytes === 0) return;
  key("version");
  text(version, versionBytes);
}

function writeProfile(i: u32): void {
  const profile = profileAt(i);
  openElement();
  key("sampleType");
  writeType(typeOf(profile), unitOf(profile));
  key("samples");
  openArray();
  writeSamplesJson(i);
  closeArray();
  unsignedMember("timeUnixNano", timeUnixNano());
  unsignedMember("durationNano", durationNano());
  if (hasPeriod(profile)) {
    key("periodType");
    writeType(load<u32>(profile, PROFILE_PERIOD_TYPE), load<u32>(profile, PROFILE_PERIOD_UNIT));
    unsignedMember("period", load<u64>(profile, PROFILE_PERIOD));
  }
  indicesMember("attributeIndices", at(attributeMap, at(profileTraces, i)));
  closeObject();
}

function writeType(type: u32, unit: u32): void {
  openObject();
  indexMember("typeStrindex", at(stringMap, type));
  indexMember("unitStrindex", at(stringMap, unit));
  closeObject();
}
