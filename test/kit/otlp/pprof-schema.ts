/**
 * pprof for tests, independent of the core: profile.proto by its field numbers, a strict reader, and samples with every
 * id resolved. Labels are texts, or bigints as the unsigned 64 bits that Datadog's ids are.
 */
import protobuf from "protobufjs";

const SCHEMA = `syntax = "proto3";
message Profile {
  repeated ValueType sample_type = 1; repeated Sample sample = 2; repeated Mapping mapping = 3;
  repeated Location location = 4; repeated Function function = 5; repeated string string_table = 6;
  int64 drop_frames = 7; int64 keep_frames = 8; int64 time_nanos = 9; int64 duration_nanos = 10;
  ValueType period_type = 11; int64 period = 12; repeated int64 comment = 13; int64 default_sample_type = 14;
}
message ValueType { int64 type = 1; int64 unit = 2; }
message Sample { repeated uint64 location_id = 1; repeated int64 value = 2; repeated Label label = 3; }
message Label { int64 key = 1; int64 str = 2; int64 num = 3; int64 num_unit = 4; }
message Mapping {
  uint64 id = 1; uint64 memory_start = 2; uint64 memory_limit = 3; uint64 file_offset = 4; int64 filename = 5;
  int64 build_id = 6; bool has_functions = 7; bool has_filenames = 8; bool has_line_numbers = 9; bool has_inline_frames = 10;
}
message Location { uint64 id = 1; uint64 mapping_id = 2; uint64 address = 3; repeated Line line = 4; bool is_folded = 5; }
message Line { uint64 function_id = 1; int64 line = 2; int64 column = 3; }
message Function { uint64 id = 1; int64 name = 2; int64 system_name = 3; int64 filename = 4; int64 start_line = 5; }`;

const Profile = protobuf.parse(SCHEMA).root.lookupType("Profile");

/** 64-bit fields come as decimal texts. */
interface Raw {
  sampleType: { type: string; unit: string }[];
  sample: {
    locationId: string[];
    value: string[];
    label: { key: string; str: string; num: string; numUnit: string }[];
  }[];
  mapping: { id: string; memoryStart: string; filename: string; buildId: string; hasFunctions: boolean }[];
  location: {
    id: string;
    mappingId: string;
    address: string;
    line: { functionId: string; line: string; column: string }[];
  }[];
  function: { id: string; name: string; systemName: string; filename: string; startLine: string }[];
  stringTable: string[];
  timeNanos: string;
  durationNanos: string;
  periodType: { type: string; unit: string } | null;
  period: string;
  defaultSampleType: string;
}

export interface PprofSample {
  /** `name:line` leaf first; an address in hex where there is no function. */
  stack: string[];
  values: bigint[];
  labels: Record<string, string | bigint>;
}

export interface Pprof {
  /** `type/unit`. */
  types: string[];
  samples: PprofSample[];
  mappings: { file: string; buildId: string; hasFunctions: boolean }[];
  timeNanos: bigint;
  durationNanos: bigint;
  period: string;
  defaultType: string;
  strings: string[];
}

/** Throws at an index that is not there, an id that is there twice, values that are too many or too few. */
export function readPprof(bytes: Uint8Array): Pprof {
  const raw = Profile.toObject(Profile.decode(bytes), { longs: String, defaults: true, arrays: true }) as Raw;
  const used = new Set<number>([0]);
  const text = (index: string): string => {
    const found = raw.stringTable[Number(index)];
    if (found === undefined) throw new Error(`no string ${index}`);
    used.add(Number(index));
    return found;
  };
  if (raw.stringTable[0] !== "") throw new Error("string 0 is not empty");
  const types = raw.sampleType.map(({ type, unit }) => `${text(type)}/${text(unit)}`);
  const functions = byId(raw.function, (fn) => ({ name: text(fn.name), all: [fn.systemName, fn.filename].map(text) }));
  const mappings = byId(raw.mapping, (mapping) => ({
    file: text(mapping.filename),
    buildId: text(mapping.buildId),
    hasFunctions: mapping.hasFunctions,
  }));
  const locations = byId(raw.location, ({ mappingId, address, line }) => {
    if (mappingId !== "0") taken(mappings, mappingId);
    if (line.length === 0) return [`0x${BigInt(address).toString(16)}`];
    return line.map((l) => `${taken(functions, l.functionId).name}${l.line === "0" ? "" : `:${l.line}`}`);
  });
  const samples = raw.sample.map(({ locationId, value, label }): PprofSample => {
    if (value.length !== types.length) throw new Error(`${value.length} values of ${types.length} types`);
    const labels = label.map(({ key, str, num, numUnit }): [string, string | bigint] => {
      text(numUnit);
      return [text(key), str === "0" ? BigInt.asUintN(64, BigInt(num)) : text(str)];
    });
    if (new Set(labels.map(([key]) => key)).size !== labels.length) throw new Error("a label twice");
    return {
      stack: locationId.flatMap((id) => taken(locations, id)),
      values: value.map(BigInt),
      labels: Object.fromEntries(labels),
    };
  });
  const period =
    raw.periodType === null ? "" : `${text(raw.periodType.type)}/${text(raw.periodType.unit)} ${raw.period}`;
  const defaultType = text(raw.defaultSampleType);
  const idle = raw.stringTable.filter((_, i) => !used.has(i));
  // Keys of links are there whenever there is a link of any kind.
  const extra = idle.filter((s) => s !== "span id" && s !== "local root span id");
  if (extra.length > 0) throw new Error(`unused strings: ${extra.slice(0, 5)}`);
  if (new Set(raw.stringTable).size !== raw.stringTable.length) throw new Error("a string twice");
  return {
    types,
    samples,
    mappings: [...mappings.values()],
    timeNanos: BigInt(raw.timeNanos),
    durationNanos: BigInt(raw.durationNanos),
    period,
    defaultType,
    strings: raw.stringTable,
  };
}

function byId<R extends { id: string }, T>(rows: R[], read: (row: R) => T): Map<string, T> {
  const map = new Map<string, T>();
  for (const row of rows) {
    if (row.id === "0" || map.has(row.id)) throw new Error(`id ${row.id} is zero or there twice`);
    map.set(row.id, read(row));
  }
  return map;
}

function taken<T>(map: Map<string, T>, id: string): T {
  const found = map.get(id);
  if (found === undefined) throw new Error(`no row with id ${id}`);
  return found;
}

/** Sum of the values of one sample type. */
export function total({ samples }: Pprof, type: number): bigint {
  return samples.reduce((sum, { values }) => sum + (values[type] ?? 0n), 0n);
}
