/** pprof profiles in the making, by protobufjs and the field numbers of google/pprof/proto/profile.proto. */
import protobuf from "protobufjs";

const int = (id: number) => ({ type: "int64", id });
const unsigned = (id: number) => ({ type: "uint64", id });
const many = (type: string, id: number) => ({ rule: "repeated", type, id });
const packed = (type: string, id: number) => ({ ...many(type, id), options: { packed: true } });

const Profile = protobuf.Root.fromJSON({
  nested: {
    Profile: {
      fields: {
        sampleType: many("ValueType", 1),
        sample: many("Sample", 2),
        mapping: many("Mapping", 3),
        location: many("Location", 4),
        function: many("Function", 5),
        stringTable: many("string", 6),
        dropFrames: int(7),
        keepFrames: int(8),
        timeNanos: int(9),
        durationNanos: int(10),
        periodType: { type: "ValueType", id: 11 },
        period: int(12),
        comment: packed("int64", 13),
        defaultSampleType: int(14),
      },
    },
    ValueType: { fields: { type: int(1), unit: int(2) } },
    Sample: { fields: { locationId: packed("uint64", 1), value: packed("int64", 2), label: many("Label", 3) } },
    Label: { fields: { key: int(1), str: int(2), num: int(3), numUnit: int(4) } },
    Mapping: {
      fields: {
        id: unsigned(1),
        memoryStart: unsigned(2),
        memoryLimit: unsigned(3),
        fileOffset: unsigned(4),
        filename: int(5),
        buildId: int(6),
        hasFunctions: { type: "bool", id: 7 },
      },
    },
    Location: { fields: { id: unsigned(1), mappingId: unsigned(2), address: unsigned(3), line: many("Line", 4) } },
    Line: { fields: { functionId: unsigned(1), line: int(2) } },
    Function: { fields: { id: unsigned(1), name: int(2), systemName: int(3), filename: int(4), startLine: int(5) } },
  },
}).lookupType("Profile");

/** A sample: frames leaf first, of which an array is one location with inlined functions; labels by name. */
export interface SampleSpec {
  stack: (string | string[])[];
  values: (bigint | number)[];
  labels?: Record<string, string | bigint | number | [number, string]>;
}

export interface PprofSpec {
  types: [type: string, unit: string][];
  samples: SampleSpec[];
  period?: [type: string, unit: string, period: number];
  comments?: string[];
  defaultType?: string;
  timeNanos?: string;
  durationNanos?: string;
  /** By function; the others are in a.go. */
  files?: Record<string, string>;
  /** File of the mapping of all locations. */
  mapping?: string;
  buildId?: string;
}

/** Ids begin at 100: a reader must not take them for places. */
const FIRST_ID = 100;

export function pprofOf(spec: PprofSpec): Uint8Array {
  const strings = [""];
  const string = (text: string) => {
    if (!strings.includes(text)) strings.push(text);
    return strings.indexOf(text);
  };
  const functions: object[] = [];
  const byName = new Map<string, number>();
  const functionOf = (name: string) => {
    const known = byName.get(name);
    if (known !== undefined) return known;
    const id = FIRST_ID + functions.length;
    const filename = string(spec.files?.[name] ?? "a.go");
    functions.push({ id, name: string(name), systemName: string(name), filename, startLine: 7 });
    byName.set(name, id);
    return id;
  };
  const locations: object[] = [];
  const byLines = new Map<string, number>();
  const locationOf = (frame: string | string[]) => {
    const names = typeof frame === "string" ? [frame] : frame;
    const known = byLines.get(names.join());
    if (known !== undefined) return known;
    const id = FIRST_ID + locations.length;
    const line = names.map((name, i) => ({ functionId: functionOf(name), line: 10 + i }));
    locations.push({ id, mappingId: FIRST_ID, address: 0x1000 + id, line });
    byLines.set(names.join(), id);
    return id;
  };
  const valueType = ([type, unit]: readonly [string, string]) => ({ type: string(type), unit: string(unit) });
  const labelOf = (key: string, value: string | bigint | number | [number, string]) => {
    if (typeof value === "string") return { key: string(key), str: string(value) };
    if (Array.isArray(value)) return { key: string(key), num: value[0], numUnit: string(value[1]) };
    return { key: string(key), num: BigInt.asIntN(64, BigInt(value)).toString() };
  };
  const message = {
    sampleType: spec.types.map(valueType),
    sample: spec.samples.map(({ stack, values, labels = {} }) => ({
      locationId: stack.map(locationOf),
      value: values.map(String),
      label: Object.entries(labels).map(([key, value]) => labelOf(key, value)),
    })),
    mapping: [
      {
        id: FIRST_ID,
        memoryStart: 0x1000,
        memoryLimit: 0x2000,
        fileOffset: 0,
        filename: string(spec.mapping ?? "/bin/app"),
        buildId: string(spec.buildId ?? "abc123"),
        hasFunctions: true,
      },
    ],
    location: locations,
    function: functions,
    timeNanos: spec.timeNanos ?? "0",
    durationNanos: spec.durationNanos ?? "0",
    ...(spec.period === undefined
      ? {}
      : { periodType: valueType([spec.period[0], spec.period[1]]), period: spec.period[2] }),
    comment: (spec.comments ?? []).map(string),
    defaultSampleType: string(spec.defaultType ?? ""),
    stringTable: strings,
  };
  return Uint8Array.from(Profile.encode(Profile.fromObject(message)).finish());
}
