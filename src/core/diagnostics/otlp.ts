/** The words for diagnostics about OTLP messages, in the order of `Diagnostic` in assembly/read/otlp/codes.ts. */
import { counted, type Wording } from "./wording.ts";

const TABLES = ["mapping", "location", "function", "link", "string", "attribute", "stack"] as const;

const range = (table: string): Wording => ({
  code: `otlp.${table}.range`,
  severity: "error",
  text: (n, times) =>
    `${counted(times, "reference")} to the ${table}_table beyond its end (first: ${n}); read as 0, which is none`,
});

export const OTLP_DIAGNOSTICS: readonly Wording[] = [
  {
    code: "otlp.field.broken",
    severity: "error",
    text: (n, times) =>
      `${counted(times, "field")} that cannot be read; the ${n} bytes of its message from there on are lost`,
  },
  {
    code: "otlp.message.cut",
    severity: "error",
    text: (n, times) =>
      `${counted(times, "length")} beyond the end of what it stands in; the first is ${n} bytes short, and what is there was read`,
  },
  ...TABLES.map(range),
  {
    code: "otlp.table.zero",
    severity: "warning",
    text: (n) =>
      `element 0 of the ${TABLES[Number(n) - 1] ?? "?"}_table is not the zero value; references to 0 mean none`,
  },
  {
    code: "otlp.strings.shifted",
    severity: "warning",
    text: (n) =>
      `the string_table of ${n} strings lacks the empty one at its start, and indices are one too high; repaired: they were read as one lower`,
  },
  {
    code: "otlp.layout.old",
    severity: "warning",
    text: () => "the samples have the field numbers of v1.8 and v1.9; they were read by those",
  },
  {
    code: "otlp.dictionary.missing",
    severity: "error",
    text: () => "there are profiles but no dictionary; their samples have no stacks and no names",
  },
  {
    code: "otlp.text",
    severity: "warning",
    text: (_, times) => `${counted(times, "text")} not in UTF-8; what is not became U+FFFD`,
  },
  {
    code: "otlp.id.length",
    severity: "error",
    text: (n, times) => `${counted(times, "id")} of ${n} bytes in links, where a trace has 16 and a span 8; left out`,
  },
  {
    code: "otlp.sample.lengths",
    severity: "error",
    text: (n, times) =>
      `${counted(times, "sample")} with unlike numbers of values and timestamps; in the first ${n} are without a partner, and were left out`,
  },
  {
    code: "otlp.sample.empty",
    severity: "warning",
    text: (_, times) => `${counted(times, "sample")} with neither values nor timestamps; left out`,
  },
  {
    code: "otlp.sample.values",
    severity: "info",
    text: (n, times) => `${counted(times, "sample")} with several values (${n}) and no timestamps; each value counts`,
  },
  {
    code: "otlp.attribute.twice",
    severity: "warning",
    text: (_, times) =>
      `an attribute key comes twice ${times === 1 ? "" : `(${times} times) `}on one owner; the first counts`,
  },
  {
    code: "otlp.attributes.many",
    severity: "warning",
    text: (_, times) => `${counted(times, "attribute")} behind the 256 that are kept of one owner; left out`,
  },
  {
    code: "otlp.lines.many",
    severity: "warning",
    text: (n, times) =>
      `${counted(times, "location")} with more than 64 lines; the first has ${n} more, which were left out`,
  },
  {
    code: "otlp.line.range",
    severity: "warning",
    text: (n, times) =>
      `${counted(times, "line or column", "lines or columns")} that no file has (first: ${n}); read as 0`,
  },
  {
    code: "otlp.value.deep",
    severity: "warning",
    text: (n, times) => `${counted(times, "attribute value")} nested deeper than ${n}; what is deeper was left out`,
  },
  {
    code: "otlp.wire-type",
    severity: "error",
    text: (n, times) =>
      `${counted(times, "field")} of another wire type than it should have (first: field ${n}); left out`,
  },
  {
    code: "otlp.profiles.many",
    severity: "warning",
    text: () => "more kinds of profiles than are told apart; further ones were added to others of their type",
  },
  {
    code: "otlp.resources.differ",
    severity: "info",
    text: (n, times) =>
      `${counted(times, "resource")} with attributes that not all have (${n} in the first); they became attributes of its samples`,
  },
  {
    code: "otlp.profile.type",
    severity: "warning",
    text: (_, times) => `${counted(times, "profile")} without a sample type`,
  },
  {
    code: "otlp.value.large",
    severity: "error",
    text: (_, times) =>
      `${counted(times, "text")} left out of lists in attribute values: together they refer to more text than a message of this size may`,
  },
  {
    code: "otlp.mapping.extent",
    severity: "warning",
    text: (n, times) =>
      `${counted(times, "mapping")} whose memory_start is not below its memory_limit (first start: 0x${n.toString(16)}); both were read as 0`,
  },
];
