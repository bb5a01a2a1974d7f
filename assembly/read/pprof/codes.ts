/** Diagnostics about a pprof profile; src/core/diagnostics/pprof.ts has the words, in the same order. */
export enum Diagnostic {
  /** A field cannot be read; value: bytes of its message that are lost with it. */
  Broken = 128,
  /** A length goes on behind the message around it; value: bytes that are missing. */
  Cut,
  /** An index that the string table does not have; value: the index. */
  StringRange,
  /** Ids that no mapping, function or location has; value: the id. */
  MappingUnknown,
  FunctionUnknown,
  LocationUnknown,
  /** A text is not UTF-8; what is not was replaced. */
  Text,
  /** A line or column is negative or too large; value: the number. */
  LineRange,
  /** More inlined lines at one location than are kept; value: how many. */
  LinesMany,
  /** A sample has not one value for each sample type; value: how many it has. */
  ValueCount,
  /** No sample types, so no value means anything. */
  NoTypes,
  /** More sample types than the store has rows left; value: how many. */
  TypesMany,
  /** A label comes twice on one sample; the first one counts. */
  LabelTwice,
  /** More labels on one sample than are kept. */
  LabelsMany,
  /** A known field has another wire type; value: the field number. */
  WireType,
  /** Comments refer to more text than a profile of its size may; value: 0. */
  CommentsLarge,
  /** A mapping does not start below its limit; value: the start. */
  MappingExtent,
}
