/** OTLP messages: messages of the diagnostics. */
import * as Diagnostic from "../../../assembly/abi/formats/otlp.ts";
import * as Limits from "../../../assembly/abi/limits.ts";
import { counted, error, info, protobufWordings, type Wording, warning } from "../diagnostics/wording.ts";

const TABLES = ["mapping", "location", "function", "link", "string", "attribute", "stack"] as const;

const range = (table: string): Wording =>
  error(
    `otlp.${table}.range`,
    (n, times) =>
      `${counted(times, "reference")} to the ${table}_table beyond its end (first: ${n}); read as 0 (no reference)`,
  );

/** Tables of optional references, and of strings. */
const OPTIONAL: readonly string[] = ["mapping", "link", "string"];

const listOf = (tables: readonly string[]) => tables.map((name) => `${name}_table`).join(", ");

function zeroElements(tables: readonly string[]): string {
  const meant = tables.filter((name) => !OPTIONAL.includes(name));
  const not = tables.filter((name) => OPTIONAL.includes(name));
  const readings = [
    meant.length > 0 && `references to 0 of ${listOf(meant)} are read as that element`,
    not.length > 0 && `references to 0 of ${listOf(not)} are read as no reference`,
  ];
  return `the writer did not reserve element 0 of ${listOf(tables)} for the zero value; ${readings.filter(Boolean).join(", ")}`;
}

type Code = (typeof Diagnostic)[Exclude<keyof typeof Diagnostic, "Reader">];

export const OTLP_WORDINGS: Record<Code, Wording> = {
  ...protobufWordings("otlp", Diagnostic),
  [Diagnostic.MappingRange]: range("mapping"),
  [Diagnostic.LocationRange]: range("location"),
  [Diagnostic.FunctionRange]: range("function"),
  [Diagnostic.LinkRange]: range("link"),
  [Diagnostic.StringRange]: range("string"),
  [Diagnostic.AttributeRange]: range("attribute"),
  [Diagnostic.StackRange]: range("stack"),
  [Diagnostic.ZeroElement]: warning("otlp.table.zero", (n) =>
    zeroElements(TABLES.filter((_, i) => ((n >> BigInt(i + 1)) & 1n) === 1n)),
  ),
  [Diagnostic.StringsShifted]: warning(
    "otlp.strings.shifted",
    (n) =>
      `the string_table of ${n} strings lacks the empty one at its start, and indices are one too high; repaired by subtracting one`,
  ),
  [Diagnostic.OldLayout]: warning(
    "otlp.layout.old",
    (n, times) =>
      `${counted(times, "profile")} with the field numbers of v1.8 and v1.9, read by those${n === 0n ? "" : `; ${n} of the message with those of v1.10 and later, read by these`}`,
  ),
  [Diagnostic.EarlierLayout]: error(
    "otlp.layout.earlier",
    (_, times) =>
      `${counted(times, "profile")} with the field numbers of v1.7 or an earlier version, which are not read; left out`,
  ),
  [Diagnostic.LayoutOpen]: warning(
    "otlp.layout.open",
    (_, times) =>
      `${counted(times, "profile")} with samples that fit the field numbers of v1.8 and v1.9 as well as those of v1.10 and later; read by the later ones`,
  ),
  [Diagnostic.SampleLayout]: error(
    "otlp.layout.sample",
    (_, times) =>
      `${counted(times, "sample")} with the field numbers of another version than most samples of the profile; left out`,
  ),
  [Diagnostic.NoDictionary]: error(
    "otlp.dictionary.missing",
    () => "there are profiles but no dictionary; their samples have no stacks and no names",
  ),
  [Diagnostic.IdLength]: error(
    "otlp.id.length",
    (n, times) => `${counted(times, "id")} of ${n} bytes in links, where a trace has 16 and a span 8; left out`,
  ),
  [Diagnostic.SampleLengths]: error(
    "otlp.sample.lengths",
    (n, times) =>
      `${counted(times, "sample")} with different numbers of values and timestamps; the first has ${n} without a counterpart, which were left out`,
  ),
  [Diagnostic.SampleEmpty]: warning(
    "otlp.sample.empty",
    (_, times) => `${counted(times, "sample")} with neither values nor timestamps; left out`,
  ),
  [Diagnostic.SampleValues]: info(
    "otlp.sample.values",
    (n, times) => `${counted(times, "sample")} with several values (${n}) and no timestamps; each value counts`,
  ),
  [Diagnostic.AttributeTwice]: warning(
    "otlp.attribute.twice",
    (_, times) =>
      `an attribute key is repeated ${times === 1 ? "" : `(${times} times) `}on one owner; the first counts`,
  ),
  [Diagnostic.AttributesMany]: warning(
    "otlp.attributes.many",
    (_, times) => `${counted(times, "attribute")} after the first ${Limits.MAX_ATTRIBUTES} of one owner; left out`,
  ),
  [Diagnostic.LineRange]: warning(
    "otlp.line.range",
    (n, times) => `${counted(times, "line or column", "lines or columns")} that no file has (first: ${n}); read as 0`,
  ),
  [Diagnostic.ValueDeep]: warning(
    "otlp.value.deep",
    (n, times) => `${counted(times, "attribute value")} nested deeper than ${n}; the deeper parts were left out`,
  ),
  [Diagnostic.WireType]: error(
    "otlp.wire-type",
    (n, times) => `${counted(times, "field")} of another wire type than it should have (first: field ${n}); left out`,
  ),
  [Diagnostic.ProfilesMany]: warning(
    "otlp.profiles.many",
    () => "more kinds of profiles than the core distinguishes; the rest was added to other profiles of their type",
  ),
  [Diagnostic.TypesMany]: error(
    "otlp.types.many",
    (_, times) =>
      `${counted(times, "profile")} left out: their types do not fit beside the profiles read before; all their samples are lost`,
  ),
  [Diagnostic.ResourcesDiffer]: info(
    "otlp.resources.differ",
    (n, times) =>
      `${counted(times, "resource")} with attributes that not all resources share (${n} in the first); these became attributes of its samples`,
  ),
  [Diagnostic.NoType]: warning("otlp.profile.type", (_, times) => `${counted(times, "profile")} without a sample type`),
  [Diagnostic.ValueLarge]: error(
    "otlp.value.large",
    (_, times) =>
      `${counted(times, "text")} left out of lists in attribute values: together they refer to more text than a message of this size may`,
  ),
};
