/**
 * The messages of opentelemetry/proto/profiles/v1development/profiles.proto as of v1.10 (and of common.proto and
 * resource.proto as far as profiles use them), as data: both walks and most rules of the validator use it.
 */

/** A table of the dictionary, by the name of its field. */
export type TableName =
  | "mapping_table"
  | "location_table"
  | "function_table"
  | "link_table"
  | "string_table"
  | "attribute_table"
  | "stack_table";

export type Kind =
  | "int32"
  | "uint32"
  | "int64"
  | "uint64"
  | "fixed64"
  | "bool"
  | "double"
  | "string"
  | "bytes"
  /** Bytes of which only the length is kept. */
  | "payload"
  | "message";

export interface Field {
  /** Place in FIELDS. */
  readonly id: number;
  /** Place in its message's `fields`. */
  readonly slot: number;
  readonly number: number;
  /** As in the .proto, and as JSON has it: lowerCamelCase. */
  readonly name: string;
  readonly json: string;
  readonly kind: Kind;
  readonly repeated: boolean;
  /** Of the one value: 0 varint, 1 fixed 64 bits, 2 length-delimited. */
  readonly wire: number;
  readonly owner: MessageType;
  /** Type of the nested message for kind "message". */
  readonly message: MessageType | null;
  /** The table that the number is an index of. */
  readonly refers: TableName | null;
  /** Hex digits of an id in JSON; 0 where bytes are base64. */
  readonly hexDigits: number;
}

export interface MessageType {
  readonly name: TypeName;
  readonly fields: Field[];
  readonly byNumber: (Field | undefined)[];
  /** Whether its fields are members of one oneof, of which the last one holds. */
  readonly oneof: boolean;
  /** Too large to be loaded as a whole: read field by field. All others are loaded. */
  readonly streamed: boolean;
}

/** `NUMBER NAME KIND`, `*` after repeated fields, `>TABLE` after an index. */
const SHAPES = {
  ProfilesData: ["1 resource_profiles ResourceProfiles*", "2 dictionary ProfilesDictionary"],
  ResourceProfiles: ["1 resource Resource", "2 scope_profiles ScopeProfiles*", "3 schema_url string"],
  ScopeProfiles: ["1 scope Scope", "2 profiles Profile*", "3 schema_url string"],
  Resource: ["1 attributes KeyValue*", "2 dropped_attributes_count uint32", "3 entity_refs EntityRef*"],
  EntityRef: ["1 schema_url string", "2 type string", "3 id_keys string*", "4 description_keys string*"],
  Scope: ["1 name string", "2 version string", "3 attributes KeyValue*", "4 dropped_attributes_count uint32"],
  KeyValue: ["1 key string", "2 value AnyValue", "3 key_strindex int32>string_table"],
  AnyValue: [
    "1 string_value string",
    "2 bool_value bool",
    "3 int_value int64",
    "4 double_value double",
    "5 array_value ArrayValue",
    "6 kvlist_value KeyValueList",
    "7 bytes_value bytes",
    "8 string_value_strindex int32>string_table",
  ],
  ArrayValue: ["1 values AnyValue*"],
  KeyValueList: ["1 values KeyValue*"],
  Profile: [
    "1 sample_type ValueType",
    "2 samples Sample*",
    "3 time_unix_nano fixed64",
    "4 duration_nano uint64",
    "5 period_type ValueType",
    "6 period int64",
    "7 profile_id bytes",
    "8 dropped_attributes_count uint32",
    "9 original_payload_format string",
    "10 original_payload payload",
    "11 attribute_indices int32*>attribute_table",
  ],
  ValueType: ["1 type_strindex int32>string_table", "2 unit_strindex int32>string_table"],
  Sample: [
    "1 stack_index int32>stack_table",
    "2 attribute_indices int32*>attribute_table",
    "3 link_index int32>link_table",
    "4 values int64*",
    "5 timestamps_unix_nano fixed64*",
  ],
  ProfilesDictionary: [
    "1 mapping_table Mapping*",
    "2 location_table Location*",
    "3 function_table Function*",
    "4 link_table Link*",
    "5 string_table string*",
    "6 attribute_table KeyValueAndUnit*",
    "7 stack_table Stack*",
  ],
  Mapping: [
    "1 memory_start uint64",
    "2 memory_limit uint64",
    "3 file_offset uint64",
    "4 filename_strindex int32>string_table",
    "5 attribute_indices int32*>attribute_table",
  ],
  Stack: ["1 location_indices int32*>location_table"],
  Location: [
    "1 mapping_index int32>mapping_table",
    "2 address uint64",
    "3 lines Line*",
    "4 attribute_indices int32*>attribute_table",
  ],
  Line: ["1 function_index int32>function_table", "2 line int64", "3 column int64"],
  Function: [
    "1 name_strindex int32>string_table",
    "2 system_name_strindex int32>string_table",
    "3 filename_strindex int32>string_table",
    "4 start_line int64",
  ],
  Link: ["1 trace_id bytes", "2 span_id bytes"],
  KeyValueAndUnit: ["1 key_strindex int32>string_table", "2 value AnyValue", "3 unit_strindex int32>string_table"],
} as const satisfies Record<string, readonly string[]>;

export type TypeName = keyof typeof SHAPES;
type NameIn<Shape> = Shape extends `${string} ${infer Name} ${string}` ? Name : never;
export type FieldName<Type extends TypeName> = NameIn<(typeof SHAPES)[Type][number]>;

const STREAMED = ["ProfilesData", "ResourceProfiles", "ScopeProfiles", "Profile", "ProfilesDictionary"];
/**
 * OTLP/JSON has these in hex (https://github.com/open-telemetry/opentelemetry-proto/blob/main/docs/specification.md;
 * profile_id as the Collector does).
 */
const HEX_DIGITS: Record<string, number> = { trace_id: 32, span_id: 16, profile_id: 32 };
const WIRES: Partial<Record<Kind, number>> = { string: 2, bytes: 2, payload: 2, message: 2, fixed64: 1, double: 1 };

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

export const FIELDS: Field[] = [];

export const TYPES = Object.fromEntries(
  Object.keys(SHAPES).map((name) => [
    name,
    { name, fields: [], byNumber: [], oneof: name === "AnyValue", streamed: STREAMED.includes(name) },
  ]),
) as unknown as Record<TypeName, MessageType>;

for (const [typeName, shape] of Object.entries(SHAPES)) {
  const owner = TYPES[typeName as TypeName];
  for (const line of shape) {
    const [, number, name = "", type = "", star, table] = /^(\d+) (\w+) (\w+)(\*)?(?:>(\w+))?$/.exec(line) ?? [];
    const message = Object.hasOwn(TYPES, type) ? TYPES[type as TypeName] : null;
    const kind = message === null ? (type as Kind) : "message";
    const field: Field = {
      id: FIELDS.length,
      slot: owner.fields.length,
      number: Number(number),
      name,
      json: camelCase(name),
      kind,
      repeated: star !== undefined,
      wire: WIRES[kind] ?? 0,
      owner,
      message,
      refers: (table as TableName | undefined) ?? null,
      hexDigits: HEX_DIGITS[name] ?? 0,
    };
    FIELDS.push(field);
    owner.fields.push(field);
    owner.byNumber[field.number] = field;
  }
}

/** The message type of a table's rows; strings are not messages. */
export const TABLES: Record<TableName, TypeName | null> = {
  mapping_table: "Mapping",
  location_table: "Location",
  function_table: "Function",
  link_table: "Link",
  string_table: null,
  attribute_table: "KeyValueAndUnit",
  stack_table: "Stack",
};

export function fieldOf(type: TypeName, name: string): Field {
  const field = TYPES[type].fields.find((f) => f.name === name);
  if (field === undefined) throw new Error(`${type} has no field ${name}`);
  return field;
}
