/**
 * Output of the Collector's file exporter, in the shape of the message sent to it. It moves the keys and texts of
 * resources and scopes to the end of the string table and writes messages that were absent; nothing else may differ.
 */
import protobuf from "protobufjs";
import { type ProfilesData, readOtlpJson, schema } from "../otlp/otlp-schema.ts";

/** The strict schema, and the two fields that it has no use for. */
const wide = protobuf.Root.fromJSON(schema.toJSON());
wide.lookupType("KeyValue").add(new protobuf.Field("keyStrindex", 3, "int32"));
wide.lookupType("AnyValue").add(new protobuf.Field("stringValueStrindex", 8, "int32"));

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

interface Attribute {
  key?: string;
  keyStrindex?: number;
  value?: { stringValue?: string; stringValueStrindex?: number };
}

interface Owners {
  resourceProfiles?: {
    resource?: { attributes?: Attribute[] };
    scopeProfiles?: { scope?: { attributes?: Attribute[] } }[];
  }[];
  dictionary: { stringTable: string[] };
}

/** Ids are bytes in protobuf and hex in JSON. */
function hexed(value: Json | Uint8Array): Json {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (Array.isArray(value)) return value.map(hexed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hexed(member)]));
}

function inline(data: Owners): ProfilesData {
  const { stringTable } = data.dictionary;
  const owners = (data.resourceProfiles ?? []).flatMap(({ resource, scopeProfiles = [] }) => [
    resource,
    ...scopeProfiles.map(({ scope }) => scope),
  ]);
  for (const attribute of owners.flatMap((owner) => owner?.attributes ?? [])) {
    const { keyStrindex, value } = attribute;
    if (keyStrindex !== undefined) attribute.key = stringTable[keyStrindex]!;
    delete attribute.keyStrindex;
    if (value?.stringValueStrindex === undefined) continue;
    value.stringValue = stringTable[value.stringValueStrindex]!;
    delete value.stringValueStrindex;
  }
  return readOtlpJson(JSON.stringify(data));
}

export function readLine(line: string): ProfilesData {
  return inline(JSON.parse(line));
}

export function readFrame(bytes: Uint8Array): ProfilesData {
  const type = wide.lookupType("ProfilesData");
  return inline(hexed(type.toObject(type.decode(bytes), { longs: String })) as unknown as Owners);
}

const NO_TYPE = { typeStrindex: 0, unitStrindex: 0 };
/** What the Collector writes of a message that was absent. */
const ABSENT: Record<string, unknown> = {
  value: {},
  sampleType: NO_TYPE,
  periodType: NO_TYPE,
  resource: { attributes: [] },
  scope: { name: "", version: "", attributes: [] },
};

function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, filled(member ?? ABSENT[name])]);
  return Object.fromEntries(members);
}

/** Either side without the parts that the Collector may change, for a message with this number of strings. */
export function comparable({ dictionary, ...data }: ProfilesData, strings: number): unknown {
  return filled({ ...data, dictionary: { ...dictionary, stringTable: dictionary?.stringTable.slice(0, strings) } });
}
