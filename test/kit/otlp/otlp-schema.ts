/**
 * OTLP Profiles for tests, independent of the core: a protobuf schema written from the field numbers of
 * opentelemetry-proto v1.10/v1.11, a strict reader of both wire forms into one plain shape, and `flatten`, which
 * resolves every index. Uses nothing but protobufjs, so browser tests can take it as it is.
 */
import protobuf from "protobufjs";

export interface ValueType {
  typeStrindex: number;
  unitStrindex: number;
}
/** Which member is set matters, so absent ones are absent. */
export interface AnyValue {
  stringValue?: string;
  boolValue?: boolean;
  intValue?: bigint;
  doubleValue?: number;
}
export interface KeyValue {
  key: string;
  value: AnyValue | null;
}
export interface Sample {
  stackIndex: number;
  attributeIndices: number[];
  linkIndex: number;
  values: bigint[];
  timestampsUnixNano: bigint[];
}
export interface Profile {
  sampleType: ValueType | null;
  samples: Sample[];
  timeUnixNano: bigint;
  durationNano: bigint;
  periodType: ValueType | null;
  period: bigint;
  profileId: string;
  attributeIndices: number[];
}
export interface Mapping {
  memoryStart: bigint;
  memoryLimit: bigint;
  fileOffset: bigint;
  filenameStrindex: number;
  attributeIndices: number[];
}
export interface Line {
  functionIndex: number;
  line: bigint;
  column: bigint;
}
export interface Location {
  mappingIndex: number;
  address: bigint;
  lines: Line[];
  attributeIndices: number[];
}
export interface FunctionRow {
  nameStrindex: number;
  systemNameStrindex: number;
  filenameStrindex: number;
  startLine: bigint;
}
/** Ids in hex. */
export interface Link {
  traceId: string;
  spanId: string;
}
export interface Attribute {
  keyStrindex: number;
  value: AnyValue | null;
  unitStrindex: number;
}
export interface Dictionary {
  mappingTable: Mapping[];
  locationTable: Location[];
  functionTable: FunctionRow[];
  linkTable: Link[];
  stringTable: string[];
  attributeTable: Attribute[];
  stackTable: { locationIndices: number[] }[];
}
export interface ScopeProfiles {
  scope: { name: string; version: string; attributes: KeyValue[] } | null;
  profiles: Profile[];
  schemaUrl: string;
}
export interface ResourceProfiles {
  resource: { attributes: KeyValue[] } | null;
  scopeProfiles: ScopeProfiles[];
  schemaUrl: string;
}
export interface ProfilesData {
  resourceProfiles: ResourceProfiles[];
  dictionary: Dictionary | null;
}

const one = (type: string, id: number) => ({ type, id });
const many = (type: string, id: number) => ({ rule: "repeated", type, id });
/** proto3 packs numbers, which the descriptor must state. */
const packed = (type: string, id: number) => ({ rule: "repeated", type, id, options: { packed: true } });

export const schema = protobuf.Root.fromJSON({
  nested: {
    ProfilesData: {
      fields: { resourceProfiles: many("ResourceProfiles", 1), dictionary: one("Dictionary", 2) },
    },
    ResourceProfiles: {
      fields: { resource: one("Resource", 1), scopeProfiles: many("ScopeProfiles", 2), schemaUrl: one("string", 3) },
    },
    ScopeProfiles: {
      fields: { scope: one("Scope", 1), profiles: many("Profile", 2), schemaUrl: one("string", 3) },
    },
    Resource: { fields: { attributes: many("KeyValue", 1) } },
    Scope: { fields: { name: one("string", 1), version: one("string", 2), attributes: many("KeyValue", 3) } },
    KeyValue: { fields: { key: one("string", 1), value: one("AnyValue", 2) } },
    AnyValue: {
      oneofs: { value: { oneof: ["stringValue", "boolValue", "intValue", "doubleValue"] } },
      fields: {
        stringValue: one("string", 1),
        boolValue: one("bool", 2),
        intValue: one("int64", 3),
        doubleValue: one("double", 4),
      },
    },
    Profile: {
      fields: {
        sampleType: one("ValueType", 1),
        samples: many("Sample", 2),
        timeUnixNano: one("fixed64", 3),
        durationNano: one("uint64", 4),
        periodType: one("ValueType", 5),
        period: one("int64", 6),
        profileId: one("bytes", 7),
        attributeIndices: packed("int32", 11),
      },
    },
    ValueType: { fields: { typeStrindex: one("int32", 1), unitStrindex: one("int32", 2) } },
    Sample: {
      fields: {
        stackIndex: one("int32", 1),
        attributeIndices: packed("int32", 2),
        linkIndex: one("int32", 3),
        values: packed("int64", 4),
        timestampsUnixNano: packed("fixed64", 5),
      },
    },
    Dictionary: {
      fields: {
        mappingTable: many("Mapping", 1),
        locationTable: many("Location", 2),
        functionTable: many("Function", 3),
        linkTable: many("Link", 4),
        stringTable: many("string", 5),
        attributeTable: many("Attribute", 6),
        stackTable: many("Stack", 7),
      },
    },
    Mapping: {
      fields: {
        memoryStart: one("uint64", 1),
        memoryLimit: one("uint64", 2),
        fileOffset: one("uint64", 3),
        filenameStrindex: one("int32", 4),
        attributeIndices: packed("int32", 5),
      },
    },
    Stack: { fields: { locationIndices: packed("int32", 1) } },
    Location: {
      fields: {
        mappingIndex: one("int32", 1),
        address: one("uint64", 2),
        lines: many("Line", 3),
        attributeIndices: packed("int32", 4),
      },
    },
    Line: { fields: { functionIndex: one("int32", 1), line: one("int64", 2), column: one("int64", 3) } },
    Function: {
      fields: {
        nameStrindex: one("int32", 1),
        systemNameStrindex: one("int32", 2),
        filenameStrindex: one("int32", 3),
        startLine: one("int64", 4),
      },
    },
    Link: { fields: { traceId: one("bytes", 1), spanId: one("bytes", 2) } },
    Attribute: {
      fields: { keyStrindex: one("int32", 1), value: one("AnyValue", 2), unitStrindex: one("int32", 3) },
    },
  },
}).resolveAll();

const LONG = new Set(["int64", "uint64", "fixed64"]);
/** What `typeof` says of the others. */
const TYPE_OF: Record<string, string> = { int32: "number", bool: "boolean", string: "string" };
const DEFAULTS: Record<string, unknown> = { int32: 0, bool: false, double: 0, string: "", bytes: "" };
/** Bytes of the ids, which JSON has in hex. */
const ID_BYTES: Record<string, number> = { traceId: 16, spanId: 8, profileId: 16 };

function fail(path: string, text: string): never {
  throw new Error(`OTLP: ${path}: ${text}`);
}

/** One scalar of either form as the shape above has it; wrong types are errors. */
function scalar(type: string, name: string, value: unknown, json: boolean, path: string): unknown {
  if (LONG.has(type)) {
    if (!json) return BigInt(String(value));
    if (typeof value !== "string" || !/^(0|-?[1-9]\d*)$/.test(value))
      fail(path, `${String(value)} is no decimal string`);
    const number = BigInt(value);
    const fits = type === "int64" ? BigInt.asIntN(64, number) : BigInt.asUintN(64, number);
    return fits === number ? number : fail(path, `${value} does not fit ${type}`);
  }
  if (type === "bytes") {
    const hex = json ? value : Array.from(value as Uint8Array, (b) => b.toString(16).padStart(2, "0")).join("");
    if (typeof hex !== "string" || !/^([0-9a-f]{2})*$/.test(hex)) fail(path, "is no hex id");
    if (hex !== "" && hex.length !== 2 * (ID_BYTES[name] ?? 0)) fail(path, `${hex} has the wrong length`);
    return hex;
  }
  if (type === "double") {
    if (json && (value === "NaN" || value === "Infinity" || value === "-Infinity")) return Number(value);
    return typeof value === "number" ? value : fail(path, `${String(value)} is no number`);
  }
  if (typeof value !== TYPE_OF[type]) fail(path, `${String(value)} is no ${type}`);
  if (type === "int32" && !Number.isInteger(value)) fail(path, `${String(value)} is no integer`);
  return value;
}

function message(type: protobuf.Type, from: Record<string, unknown>, json: boolean, path: string): unknown {
  const to: Record<string, unknown> = {};
  if (json) for (const name of Object.keys(from)) if (!type.fields[name]) fail(path, `unknown member ${name}`);
  for (const field of type.fieldsArray) {
    const at = path === "" ? field.name : `${path}.${field.name}`;
    const value = Object.hasOwn(from, field.name) ? from[field.name] : undefined;
    const read = (v: unknown, where: string) => {
      if (!(field.resolvedType instanceof protobuf.Type)) return scalar(field.type, field.name, v, json, where);
      if (typeof v !== "object" || v === null) fail(where, "is no message");
      return message(field.resolvedType, v as Record<string, unknown>, json, where);
    };
    if (field.repeated) {
      if (value !== undefined && !Array.isArray(value)) fail(at, "is no array");
      to[field.name] = ((value ?? []) as unknown[]).map((v, i) => read(v, `${at}[${i}]`));
    } else if (value !== undefined) {
      to[field.name] = read(value, at);
    } else if (field.resolvedType) {
      to[field.name] = null;
    } else if (!field.partOf) {
      to[field.name] = LONG.has(field.type) ? 0n : DEFAULTS[field.type];
    }
  }
  return to;
}

/**
 * Reads protobuf. Unknown fields, another field order and padded lengths are errors: encoding it again must give the
 * same bytes.
 */
export function readOtlp(bytes: Uint8Array): ProfilesData {
  const type = schema.lookupType("ProfilesData");
  const decoded = type.decode(bytes);
  const again = type.encode(decoded).finish();
  if (again.length !== bytes.length) fail("", `${bytes.length} bytes, canonical are ${again.length}`);
  const other = again.findIndex((b, i) => b !== bytes[i]);
  if (other >= 0) fail("", `byte ${other} is not canonical`);
  return message(type, decoded as unknown as Record<string, unknown>, false, "") as ProfilesData;
}

/** Reads OTLP/JSON: 64-bit numbers must be strings, unknown members are errors. */
export function readOtlpJson(text: string): ProfilesData {
  return message(schema.lookupType("ProfilesData"), JSON.parse(text), true, "") as ProfilesData;
}

export type Scalar = string | boolean | bigint | number | null;
export interface FlatFrame {
  name: string;
  systemName: string;
  fileName: string;
  line: bigint;
  address: bigint;
  mapping: string;
  /** Of the mapping; "" if it has none. */
  buildId: string;
  attributes: Record<string, Scalar>;
}
export interface FlatSample {
  /** Leaf first. */
  stack: FlatFrame[];
  attributes: Record<string, Scalar>;
  link: Link | null;
  values: bigint[];
  timestamps: bigint[];
}
export interface FlatProfile {
  type: string;
  unit: string;
  periodType: string;
  periodUnit: string;
  period: bigint;
  time: bigint;
  duration: bigint;
  attributes: Record<string, Scalar>;
  samples: FlatSample[];
}

/** The one value of an AnyValue; null when none is set. */
export function scalarOf(value: AnyValue | null): Scalar {
  return value?.stringValue ?? value?.boolValue ?? value?.intValue ?? value?.doubleValue ?? null;
}

function row<T>(table: T[], index: number, what: string): T {
  return table[index] ?? fail(what, `index ${index} of ${table.length}`);
}

/** All profiles with every index resolved. Indices out of range, and a key twice in one owner, are errors. */
export function flatten(data: ProfilesData): FlatProfile[] {
  const d = data.dictionary ?? fail("dictionary", "absent");
  const string = (i: number) => row(d.stringTable, i, "stringTable");
  const attributesOf = (indices: number[]) => {
    const to: Record<string, Scalar> = {};
    for (const i of indices) {
      const attribute = row(d.attributeTable, i, "attributeTable");
      const key = string(attribute.keyStrindex);
      if (Object.hasOwn(to, key)) fail("attributeIndices", `key ${key} twice`);
      to[key] = scalarOf(attribute.value);
    }
    return to;
  };
  const frame = (i: number): FlatFrame => {
    const location = row(d.locationTable, i, "locationTable");
    const line = location.lines[0] ?? { functionIndex: 0, line: 0n, column: 0n };
    const fn = row(d.functionTable, line.functionIndex, "functionTable");
    const mapping = row(d.mappingTable, location.mappingIndex, "mappingTable");
    return {
      name: string(fn.nameStrindex),
      systemName: string(fn.systemNameStrindex),
      fileName: string(fn.filenameStrindex),
      line: line.line,
      address: location.address,
      mapping: string(mapping.filenameStrindex),
      buildId: String(attributesOf(mapping.attributeIndices)["process.executable.build_id.gnu"] ?? ""),
      attributes: attributesOf(location.attributeIndices),
    };
  };
  const profile = (p: Profile): FlatProfile => ({
    type: string(p.sampleType?.typeStrindex ?? 0),
    unit: string(p.sampleType?.unitStrindex ?? 0),
    periodType: string(p.periodType?.typeStrindex ?? 0),
    periodUnit: string(p.periodType?.unitStrindex ?? 0),
    period: p.period,
    time: p.timeUnixNano,
    duration: p.durationNano,
    attributes: attributesOf(p.attributeIndices),
    samples: p.samples.map((s) => ({
      stack: row(d.stackTable, s.stackIndex, "stackTable").locationIndices.map(frame),
      attributes: attributesOf(s.attributeIndices),
      link: s.linkIndex === 0 ? null : row(d.linkTable, s.linkIndex, "linkTable"),
      values: s.values,
      timestamps: s.timestampsUnixNano,
    })),
  });
  return data.resourceProfiles.flatMap((r) => r.scopeProfiles.flatMap((s) => s.profiles.map(profile)));
}

function inspect(x: bigint | number): string {
  return typeof x === "number" && Object.is(x, -0) ? "-0" : `${x}${typeof x === "bigint" ? "n" : ""}`;
}

/** What is wrong with the dictionary and the samples' references to it: nothing, in a sound message. */
export function dictionaryFaults(data: ProfilesData): string[] {
  const d = data.dictionary;
  if (!d) return ["no dictionary"];
  const faults: string[] = [];
  // JSON alone would make NaN null and −0 zero.
  const exact = (_: string, x: unknown) => (typeof x === "bigint" || typeof x === "number" ? inspect(x) : x);
  const text = (v: unknown) => JSON.stringify(v, exact);
  const empty = (v: unknown): boolean =>
    !v || v === 0n || (typeof v === "object" && Object.values(v as object).every(empty));
  const used = Object.fromEntries(Object.keys(d).map((t) => [t, new Set<number>()]));
  const mark = (table: keyof Dictionary, ...indices: number[]) => {
    for (const i of indices) {
      if (i < 0 || i >= d[table].length) faults.push(`${table} has no [${i}]`);
      if (used[table]?.has(i)) continue;
      used[table]?.add(i);
      if (table === "stackTable") mark("locationTable", ...(d.stackTable[i]?.locationIndices ?? []));
      if (table === "linkTable" || table === "stringTable") continue;
      const r = d[table][i] as Partial<Location & Mapping & FunctionRow & Attribute> | undefined;
      if (!r) continue;
      if (r.lines) mark("functionTable", ...r.lines.map((l) => l.functionIndex));
      if (r.mappingIndex) mark("mappingTable", r.mappingIndex);
      if (r.attributeIndices) mark("attributeTable", ...r.attributeIndices);
      const names = [r.nameStrindex, r.systemNameStrindex, r.filenameStrindex, r.keyStrindex, r.unitStrindex];
      mark("stringTable", ...names.filter((n) => n !== undefined));
    }
  };
  for (const r of data.resourceProfiles) {
    for (const p of r.scopeProfiles.flatMap((s) => s.profiles)) {
      for (const t of [p.sampleType, p.periodType]) if (t) mark("stringTable", t.typeStrindex, t.unitStrindex);
      mark("attributeTable", ...p.attributeIndices);
      const identities = new Set<string>();
      for (const s of p.samples) {
        mark("stackTable", s.stackIndex);
        mark("linkTable", s.linkIndex);
        mark("attributeTable", ...s.attributeIndices);
        if (s.values.length === 0 || s.values.length !== s.timestampsUnixNano.length)
          faults.push(`shape of ${text(s)}`);
        const identity = text([s.stackIndex, s.linkIndex, [...s.attributeIndices].sort((a, b) => a - b)]);
        if (identities.has(identity)) faults.push(`identity twice: ${identity}`);
        identities.add(identity);
        for (const t of s.timestampsUnixNano) {
          if (t < p.timeUnixNano || t >= p.timeUnixNano + p.durationNano) faults.push(`time ${t} outside the profile`);
        }
      }
    }
  }
  for (const [name, table] of Object.entries(d) as [keyof Dictionary, unknown[]][]) {
    if (table.length === 0 || !empty(table[0])) faults.push(`${name}[0] is not the zero element`);
    const seen = new Map<string, number>();
    table.forEach((entry, i) => {
      const key = text(entry);
      if (seen.has(key)) faults.push(`${name}[${i}] is the same as [${seen.get(key)}]: ${key}`);
      seen.set(key, i);
      if (i > 0 && !used[name]?.has(i)) faults.push(`${name}[${i}] is unreferenced: ${key}`);
    });
  }
  for (const { traceId, spanId } of d.linkTable.slice(1)) {
    if (!/[1-9a-f]/.test(traceId) || !/[1-9a-f]/.test(spanId)) faults.push(`link with a zero id: ${traceId} ${spanId}`);
  }
  return faults;
}
