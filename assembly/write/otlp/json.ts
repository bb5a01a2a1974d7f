/**
 * A selection as OTLP/JSON, one object: the content of `writeOtlpProtobuf`, field by field in the same order
 * (lowerCamelCase, ids in hex, 64-bit numbers as decimal strings, defaults left out:
 * https://github.com/open-telemetry/opentelemetry-proto/blob/main/docs/specification.md#json-protobuf-encoding).
 */

import * as ProfileRow from "../../abi/rows/profile-row";
import { profileAt } from "../../store/profiles";
import * as AttributeRow from "../../store/rows/attribute-row";
import * as ScopeRow from "../../store/rows/scope-row";
import { isOurScope, scopes } from "../../store/scopes";
import { sets } from "../../store/tables";
import { attributeWord } from "../added";
import { listAttributes } from "../attribute-list";
import { at } from "../columns";
import * as json from "../json";
import { addPayload, beginOutput, endScratch, newRun, Run, setTotals } from "../output";
import * as OutputRow from "../output-row";
import { hasPeriod, outputAt, outputCount, payloadBytes, payloadFormat } from "../plan";
import { reach, reachedObservations, reachedOutputs, stringMap, writtenSamples } from "../reach";
import { orderSamples } from "../sample-order";
import { durationOf, putSchemaUrl, SCHEMA_URL_BYTES, SCOPE_NAME_BYTES, startOf, version, versionBytes } from "../scope";
import { profileLabel, profileTraces, separateAttribute } from "../writer-attributes";
import { writeDictionaryJson, writeValue } from "./json-dictionary";
import { writeSamplesJson } from "./json-samples";
import { beginProfileIds, idHigh, idLow, profileId } from "./profile-id";
import { beginResources, isMarked, listed, listedAttribute, listResource } from "./resource";
import { beginGroups, beginsResource, groupCount, isIn, profileOfGroup, scopeOfGroup } from "./scopes";

let run: Run = changetype<Run>(0);

/**
 * Writes the samples that `mask` has a 1 for (one byte per sample row; 0 = all samples) by the plan at `plan`
 * (plan.ts).
 */
export function writeOtlpJson(mask: usize, plan: usize, pretty: bool): void {
  beginOutput();
  reach(mask, plan, true);
  beginResources();
  orderSamples();
  beginProfileIds();
  beginGroups();
  run = newRun();
  json.beginJson(run, pretty);
  json.openObject();
  if (reachedOutputs !== 0) {
    json.key("resourceProfiles");
    json.openArray();
    writeResourceProfiles();
    json.closeArray();
  }
  json.key("dictionary");
  json.openObject();
  writeDictionaryJson();
  json.closeObject();
  json.closeObject();
  if (pretty) run.at = json.putText(run.need(1), "\n");
  run.finish();
  run.emit();
  setTotals(reachedOutputs, writtenSamples, reachedObservations);
  endScratch();
}

function writeResourceProfiles(): void {
  let payload = payloadBytes;
  for (let g: u32 = 0; g < groupCount; g++) {
    if (beginsResource(g)) openResource(profileOfGroup(g));
    json.openElement();
    json.key("scope");
    json.openObject();
    writeScope(g);
    json.closeObject();
    json.key("profiles");
    json.openArray();
    for (let i: u32 = 0; i < outputCount; i++) {
      if (!isIn(i, g)) continue;
      writeProfile(i, payload);
      payload = 0;
    }
    json.closeArray();
    writeSchemaUrl(scopeOfGroup(g), ScopeRow.URL);
    json.closeObject();
    if (!beginsResource(g + 1)) continue;
    json.closeArray();
    writeSchemaUrl(scopeOfGroup(g), ScopeRow.RESOURCE_URL);
    json.closeObject();
  }
}

function openResource(profile: u32): void {
  json.openElement();
  json.key("resource");
  json.openObject();
  listResource(profile);
  if (listed !== 0) writeResource();
  json.closeObject();
  json.key("scopeProfiles");
  json.openArray();
}

function writeResource(): void {
  json.key("attributes");
  json.openArray();
  for (let i: u32 = 0; i < listed; i++) writePair(listedAttribute(i));
  json.closeArray();
}

function writePair(attribute: u32): void {
  json.openElement();
  json.key("key");
  json.stringText(attributeWord(attribute, AttributeRow.KEY));
  json.key("value");
  json.openObject();
  writeValue(attribute);
  json.closeObject();
  json.closeObject();
}

/** `word` is that of a foreign scope. */
function writeSchemaUrl(scope: u32, word: u32): void {
  if (!isOurScope(scope)) {
    textMember("schemaUrl", scopes.get(scope, word));
    return;
  }
  json.key("schemaUrl");
  const url = memory.data(64);
  putSchemaUrl(url);
  json.text(url, SCHEMA_URL_BYTES);
}

function writeScope(g: u32): void {
  const scope = scopeOfGroup(g);
  if (!isOurScope(scope)) {
    writeForeignScope(scope);
    return;
  }
  json.key("name");
  const name = memory.data(32);
  json.putText(name, "spanflame");
  json.text(name, SCOPE_NAME_BYTES);
  if (versionBytes !== 0) {
    json.key("version");
    json.text(version, versionBytes);
  }
  if (!isMarked(profileOfGroup(g))) return;
  json.key("attributes");
  json.openArray();
  writePair(separateAttribute);
  json.closeArray();
}

function writeForeignScope(scope: u32): void {
  textMember("name", scopes.get(scope, ScopeRow.NAME));
  textMember("version", scopes.get(scope, ScopeRow.VERSION));
  const set = scopes.get(scope, ScopeRow.SET);
  if (set === 0) return;
  json.key("attributes");
  json.openArray();
  for (let o: u32 = 0; o < sets.size(set); o += 4) writePair(load<u32>(sets.pointer(set) + o));
  json.closeArray();
}

/** A text, if it is not empty. */
function textMember(name: string, i: u32): void {
  if (i === 0) return;
  json.key(name);
  json.stringText(i);
}

function writeProfile(i: u32, payload: u64): void {
  const output = outputAt(i);
  json.openElement();
  json.key("sampleType");
  writeType(load<u32>(output, OutputRow.TYPE), load<u32>(output, OutputRow.UNIT));
  json.key("samples");
  json.openArray();
  writeSamplesJson(i);
  json.closeArray();
  const profile = load<u32>(output, OutputRow.PROFILE);
  json.unsignedMember("timeUnixNano", startOf(profile));
  json.unsignedMember("durationNano", durationOf(profile));
  json.key("periodType");
  if (hasPeriod(output)) {
    writeType(load<u32>(output, OutputRow.PERIOD_TYPE), load<u32>(output, OutputRow.PERIOD_UNIT));
    json.unsignedMember("period", load<u64>(output, OutputRow.PERIOD));
  } else {
    writeType(0, 0);
  }
  profileId(output);
  json.hexMember("profileId", idHigh, idLow, true);
  if (payload !== 0) writePayload(payload);
  listAttributes(profileLabel(i), at(profileTraces, profile), load<u32>(profileAt(profile), ProfileRow.SET));
  json.attributesMember();
  json.closeObject();
}

/** The host puts `bytes` of payload, in base64, between the run so far and the next. */
function writePayload(bytes: u64): void {
  json.key("originalPayloadFormat");
  json.stringText(payloadFormat);
  json.key("originalPayload");
  json.openText();
  run.finish();
  run.emit();
  addPayload(bytes);
  run = newRun();
  json.continueJson(run);
  json.closeText();
}

function writeType(type: u32, unit: u32): void {
  json.openObject();
  json.indexMember("typeStrindex", at(stringMap, type));
  json.indexMember("unitStrindex", at(stringMap, unit));
  json.closeObject();
}
