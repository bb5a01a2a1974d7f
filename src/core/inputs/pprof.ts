/** pprof profiles: messages of the diagnostics. */
import * as Diagnostic from "../../../assembly/abi/formats/pprof.ts";
import * as Limits from "../../../assembly/abi/limits.ts";
import { counted, deepStack, type Wording } from "../diagnostics/wording.ts";

const unknown = (what: string): Wording => ({
  code: `pprof.${what}.unknown`,
  severity: "error",
  text: (n, times) => `${counted(times, "reference")} to a ${what} that does not exist (first: id ${n}); left out`,
});

const ZERO = "the reserved id 0, by which no other entry can refer to it";

const zero = (what: string): Wording => ({
  code: `pprof.${what}.zero`,
  severity: "error",
  text: (_, times) => `the writer gave ${counted(times, what)} ${ZERO}`,
});

const twice = (what: string): Wording => ({
  code: `pprof.${what}.twice`,
  severity: "warning",
  text: (n, times) =>
    `${counted(times, what)} with the same id as another ${what} (first: id ${n}); the first one counts`,
});

type Code = (typeof Diagnostic)[Exclude<keyof typeof Diagnostic, "Reader">];

export const PPROF_WORDINGS: Record<Code, Wording> = {
  [Diagnostic.Broken]: {
    code: "pprof.field.broken",
    severity: "error",
    text: (n, times) =>
      `${counted(times, "field")} that cannot be read; the ${n} bytes of its message from there on are lost`,
  },
  [Diagnostic.Cut]: {
    code: "pprof.message.cut",
    severity: "error",
    text: (n, times) =>
      `${counted(times, "length")} beyond the end of the surrounding message; the first is ${n} bytes too long, and the available bytes were read`,
  },
  [Diagnostic.StringRange]: {
    code: "pprof.string.range",
    severity: "error",
    text: (n, times) =>
      `${counted(times, "reference")} to the string table beyond its end (first: ${n}); read as empty`,
  },
  [Diagnostic.FunctionsNumbered]: {
    code: "pprof.functions.numbered",
    severity: "warning",
    text: (n) =>
      `the writer gave all functions (${n}) the reserved id 0; repaired by the ids of the locations in their order`,
  },
  [Diagnostic.FunctionZero]: {
    code: "pprof.function.zero",
    severity: "error",
    text: (n) =>
      `the writer gave ${counted(Number(n), "function")} the reserved id 0, by which no line can refer to it`,
  },
  [Diagnostic.LocationZero]: zero("location"),
  [Diagnostic.MappingZero]: zero("mapping"),
  [Diagnostic.FunctionTwice]: twice("function"),
  [Diagnostic.LocationTwice]: twice("location"),
  [Diagnostic.MappingTwice]: twice("mapping"),
  [Diagnostic.MappingUnknown]: unknown("mapping"),
  [Diagnostic.FunctionUnknown]: unknown("function"),
  [Diagnostic.LocationUnknown]: unknown("location"),
  [Diagnostic.Text]: {
    code: "pprof.text",
    severity: "warning",
    text: (_, times) => `${counted(times, "text")} not in UTF-8; invalid bytes became U+FFFD`,
  },
  [Diagnostic.LineRange]: {
    code: "pprof.line.range",
    severity: "warning",
    text: (n, times) => `${counted(times, "number")} of a line or column that no file has (first: ${n}); read as 0`,
  },
  [Diagnostic.LinesMany]: {
    code: "pprof.lines.many",
    severity: "warning",
    text: (n, times) =>
      `${counted(times, "location")} with more than ${Limits.MAX_LINES} lines; the first has ${n} more, which were left out`,
  },
  [Diagnostic.ValueCount]: {
    code: "pprof.sample.values",
    severity: "error",
    text: (n, times) => `${counted(times, "sample")} without one value for each sample type (first: ${n} values)`,
  },
  [Diagnostic.NoTypes]: {
    code: "pprof.types.missing",
    severity: "error",
    text: () => "the profile has no sample types, so its values have no meaning",
  },
  [Diagnostic.TypesMany]: {
    code: "pprof.types.many",
    severity: "error",
    text: (n) => `the ${n} sample types do not all fit beside the profiles read before; the last ones were left out`,
  },
  [Diagnostic.LabelTwice]: {
    code: "pprof.label.twice",
    severity: "warning",
    text: (_, times) => `a label is repeated ${times === 1 ? "" : `(${times} times) `}on one sample; the first counts`,
  },
  [Diagnostic.LabelsMany]: {
    code: "pprof.labels.many",
    severity: "warning",
    text: (_, times) => `${counted(times, "label")} after the first ${Limits.MAX_ATTRIBUTES} of one sample; left out`,
  },
  [Diagnostic.WireType]: {
    code: "pprof.wire-type",
    severity: "error",
    text: (n, times) =>
      `${counted(times, "field")} with a wire type that it must not have (first: field ${n}); left out`,
  },
  [Diagnostic.CommentsLarge]: {
    code: "pprof.comments.large",
    severity: "error",
    text: (_, times) =>
      `${counted(times, "comment")} left out: together they refer to more text than a profile of this size may`,
  },
  [Diagnostic.MappingExtent]: {
    code: "pprof.mapping.extent",
    severity: "warning",
    text: (n, times) =>
      `${counted(times, "mapping")} whose memory_start is not below its memory_limit (first start: 0x${n.toString(16)}); both were read as 0`,
  },
  [Diagnostic.StackDeep]: deepStack("pprof"),
};
