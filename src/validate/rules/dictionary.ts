/** Rules of single entries of the dictionary. */
import type { Message, Table } from "../message.ts";
import { eachEntry, eachRow, type Fault, PROFCHECK, PROTO, type Rule, rule, SEMCONV } from "./rule.ts";

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;
const FRAME_TYPE = "profile.frame.type";
const BUILD_ID = "process.executable.build_id.";

/** Units as pprof spells them, and what UCUM has for them (https://ucum.org/ucum). */
const UCUM: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bytes: "By",
    byte: "By",
    kilobytes: "kBy",
    megabytes: "MBy",
    nanoseconds: "ns",
    microseconds: "us",
    milliseconds: "ms",
    seconds: "s",
    minutes: "min",
    hours: "h",
    count: "1",
    percent: "%",
  }),
);

export const DICTIONARY_RULES: Rule[] = [
  rule(
    "E09",
    "A link has a trace_id of 16 and a span_id of 8 bytes",
    `${PROTO}, ${PROFCHECK}`,
    eachEntry("Link", (links, { texts }) => (row) => {
      const trace = texts.get(links.ints("trace_id").get(row)).length;
      const span = texts.get(links.ints("span_id").get(row)).length;
      if (trace !== TRACE_ID_BYTES) return ["trace_id", `${trace} bytes`];
      return span === SPAN_ID_BYTES ? null : ["span_id", `${span} bytes`];
    }),
  ),
  rule("E10", "Lines, columns and start lines are not negative", PROFCHECK, (message, found) => {
    eachRow("Line", notNegative("line", "column"))(message, found);
    eachRow("Function", notNegative("start_line"))(message, found);
  }),
  rule(
    "E11",
    "A mapping's memory_start is below its memory_limit, or both are 0",
    PROFCHECK,
    eachRow("Mapping", (mappings) => (row) => {
      const start = mappings.pairs("memory_start").unsigned(row);
      const limit = mappings.pairs("memory_limit").unsigned(row);
      return start < limit || (start === 0n && limit === 0n)
        ? null
        : ["memory_start", `${hex(start)}, limit ${hex(limit)}`];
    }),
  ),
  rule(
    "W06",
    "The ids of a link are not all zero",
    PROTO,
    eachEntry("Link", (links, { texts }) => (row) => {
      if (texts.isAllZero(links.ints("trace_id").get(row))) return ["trace_id", "is all zero"];
      return texts.isAllZero(links.ints("span_id").get(row)) ? ["span_id", "is all zero"] : null;
    }),
  ),
  rule(
    "W07",
    "A function has a name, a system_name or a filename",
    PROTO,
    eachEntry("Function", (functions, message) => (row) => {
      const names = ["name_strindex", "system_name_strindex", "filename_strindex"];
      const isNamed = names.some((name) => message.stringAt(functions.ints(name).get(row)) !== 0);
      return isNamed ? null : ["", "has no name"];
    }),
  ),
  rule(
    "W10",
    "The address of a location is in its mapping",
    PROTO,
    eachEntry("Location", (locations, message) => {
      const addresses = locations.pairs("address");
      const mappings = message.of("Mapping");
      return (row) => {
        const mapping = locations.ints("mapping_index").get(row);
        const start = mappings.pairs("memory_start").unsigned(mapping);
        const limit = mappings.pairs("memory_limit").unsigned(mapping);
        const address = addresses.unsigned(row);
        if (limit <= start || address === 0n || (address >= start && address <= limit)) return null;
        return ["address", `${hex(address)} is not in [${hex(start)}, ${hex(limit)}]`];
      };
    }),
  ),
  rule(
    "W13",
    "No stack contains the first location, which means no location",
    PROTO,
    eachEntry("Stack", (stacks) => {
      const locations = stacks.lists("location_indices");
      return (row) => {
        const at = locations.of(row).indexOf(0);
        return at < 0 ? null : [`location_indices[${at}]`, "is 0"];
      };
    }),
  ),
  rule(
    "W14",
    "The unit of an attribute is a UCUM code, not a word of pprof",
    PROTO,
    eachEntry("KeyValueAndUnit", (attributes, message) => (row) => {
      const unit = message.texts.text(message.stringAt(attributes.ints("unit_strindex").get(row)));
      return UCUM.has(unit) ? ["unit_strindex", `${unit}, which UCUM calls ${UCUM.get(unit)}`] : null;
    }),
  ),
  rule(
    "I09",
    `A mapping has a build id: an attribute ${BUILD_ID}…`,
    `${SEMCONV}: mappings`,
    eachEntry("Mapping", (mappings, message) => {
      const has = attributeFinder(mappings, message, (key) => key.startsWith(BUILD_ID));
      return (row) => (has(row) ? null : ["attribute_indices", "no build id"]);
    }),
  ),
  rule(
    "I15",
    `A location has a ${FRAME_TYPE}`,
    SEMCONV,
    eachEntry("Location", (locations, message) => {
      const has = attributeFinder(locations, message, (key) => key === FRAME_TYPE);
      return (row) => (has(row) ? null : ["attribute_indices", `no ${FRAME_TYPE}`]);
    }),
  ),
];

const hex = (value: bigint) => `0x${value.toString(16)}`;

function notNegative(...names: string[]) {
  return (table: Table) =>
    (row: number): Fault => {
      const name = names.find((column) => table.pairs(column).isNegative(row));
      return name === undefined ? null : [name, `${table.pairs(name).signed(row)} is negative`];
    };
}

/** Whether a row has an attribute whose key is wanted. */
export function attributeFinder(
  table: Table,
  message: Message,
  isWanted: (key: string) => boolean,
): (row: number) => boolean {
  const indices = table.lists("attribute_indices");
  const attributes = message.of("KeyValueAndUnit");
  const keys = attributes.ints("key_strindex");
  const wanted = new Set<number>();
  for (let i = 1; i < attributes.rows; i++) {
    if (isWanted(message.texts.text(message.stringAt(keys.get(i))))) wanted.add(i);
  }
  return (row) => indices.of(row).some((index) => wanted.has(index));
}
