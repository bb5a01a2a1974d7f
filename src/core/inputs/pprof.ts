/** pprof profiles: messages of the diagnostics. */
import * as Diagnostic from "../../../assembly/abi/formats/pprof.ts";
import * as Limits from "../../../assembly/abi/limits.ts";
import { counted, error, protobufWordings, type Wording, warning } from "../diagnostics/wording.ts";

const unknown = (what: string): Wording =>
  error(
    `pprof.${what}.unknown`,
    (n, times) => `${counted(times, "reference")} to a ${what} that does not exist (first: id ${n}); left out`,
  );

const ZERO = "the reserved id 0, by which no other entry can refer to it";

const zero = (what: string): Wording =>
  error(`pprof.${what}.zero`, (_, times) => `the writer gave ${counted(times, what)} ${ZERO}`);

const twice = (what: string): Wording =>
  warning(
    `pprof.${what}.twice`,
    (n, times) => `${counted(times, what)} with the same id as another ${what} (first: id ${n}); the first one counts`,
  );

type Code = (typeof Diagnostic)[Exclude<keyof typeof Diagnostic, "Reader">];

export const PPROF_WORDINGS: Record<Code, Wording> = {
  ...protobufWordings("pprof", Diagnostic),
  [Diagnostic.StringRange]: error(
    "pprof.string.range",
    (n, times) => `${counted(times, "reference")} to the string table beyond its end (first: ${n}); read as empty`,
  ),
  [Diagnostic.FunctionsNumbered]: warning(
    "pprof.functions.numbered",
    (n) =>
      `the writer gave all functions (${n}) the reserved id 0; repaired by the ids of the locations in their order`,
  ),
  [Diagnostic.FunctionZero]: error(
    "pprof.function.zero",
    (n) => `the writer gave ${counted(Number(n), "function")} the reserved id 0, by which no line can refer to it`,
  ),
  [Diagnostic.LocationZero]: zero("location"),
  [Diagnostic.MappingZero]: zero("mapping"),
  [Diagnostic.FunctionTwice]: twice("function"),
  [Diagnostic.LocationTwice]: twice("location"),
  [Diagnostic.MappingTwice]: twice("mapping"),
  [Diagnostic.MappingUnknown]: unknown("mapping"),
  [Diagnostic.FunctionUnknown]: unknown("function"),
  [Diagnostic.LocationUnknown]: unknown("location"),
  [Diagnostic.LineRange]: warning(
    "pprof.line.range",
    (n, times) => `${counted(times, "number")} of a line or column that no file has (first: ${n}); read as 0`,
  ),
  [Diagnostic.ValueCount]: error(
    "pprof.sample.values",
    (n, times) => `${counted(times, "sample")} without one value for each sample type (first: ${n} values)`,
  ),
  [Diagnostic.NoTypes]: error(
    "pprof.types.missing",
    () => "the profile has no sample types, so its values have no meaning",
  ),
  [Diagnostic.TypesMany]: error(
    "pprof.types.many",
    (n) => `the ${n} sample types do not all fit beside the profiles read before; the last ones were left out`,
  ),
  [Diagnostic.LabelTwice]: warning(
    "pprof.label.twice",
    (_, times) => `a label is repeated ${times === 1 ? "" : `(${times} times) `}on one sample; the first counts`,
  ),
  [Diagnostic.LabelsMany]: warning(
    "pprof.labels.many",
    (_, times) => `${counted(times, "label")} after the first ${Limits.MAX_ATTRIBUTES} of one sample; left out`,
  ),
  [Diagnostic.WireType]: error(
    "pprof.wire-type",
    (n, times) => `${counted(times, "field")} with a wire type that it must not have (first: field ${n}); left out`,
  ),
  [Diagnostic.CommentsLarge]: error(
    "pprof.comments.large",
    (_, times) =>
      `${counted(times, "comment")} left out: together they refer to more text than a profile of this size may`,
  ),
};
