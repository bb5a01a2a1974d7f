/** Diagnostics about an OTLP message; src/core/diagnostics/otlp.ts has the words, in the same order. Offsets are the message's. */
export enum Diagnostic {
  /** A field cannot be read; value: bytes of its message that are lost with it. */
  Broken = 64,
  /** A length goes on behind the message around it; value: bytes that are missing. */
  Cut,
  /** An index that its table does not have; value: the index. In the order of the tables' field numbers. */
  MappingRange,
  LocationRange,
  FunctionRange,
  LinkRange,
  StringRange,
  AttributeRange,
  StackRange,
  /** Element 0 of a table is not the zero value; value: the table's field number. */
  ZeroElement,
  /** The string table lacks its empty string 0; indices were read as one lower. Value: strings in the table. */
  StringsShifted,
  /** Samples have the field numbers of v1.8 and v1.9. */
  OldLayout,
  /** Profiles without a dictionary to look things up in. */
  NoDictionary,
  /** A text is not UTF-8; what is not was replaced. */
  Text,
  /** An id of a link has neither 16 (trace) nor 8 (span) bytes; value: how many. */
  IdLength,
  /** A sample has more values than timestamps or fewer; value: how many found no partner. */
  SampleLengths,
  /** A sample has neither values nor timestamps. */
  SampleEmpty,
  /** A sample without timestamps has several values; value: how many. */
  SampleValues,
  /** An attribute key comes twice at one owner or in one list; the first one counts. */
  AttributeTwice,
  /** More attributes on one owner than are kept. */
  AttributesMany,
  /** More inlined lines at one location than are kept; value: how many. */
  LinesMany,
  /** A line, column or start line is negative or too large; value: the number. */
  LineRange,
  /** An attribute's value nests deeper than is read. */
  ValueDeep,
  /** A known field has another wire type; value: the field number. */
  WireType,
  /** More kinds of profiles than the store has rows; they were added to others of their type. */
  ProfilesMany,
  /** Resources differ; value: how many attributes became attributes of samples. */
  ResourcesDiffer,
  /** A profile has no sample type. */
  NoType,
  /** Attribute values refer to more text than a message of its size may; value: 0. */
  ValueLarge,
  /** A mapping does not start below its limit; value: the start. */
  MappingExtent,
}
