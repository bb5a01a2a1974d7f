/** Diagnostics about an OTLP message; `src/core/inputs/otlp.ts` has the words. Offsets are the message's. */

/** The number of the reader, which `open` takes. */
export const Reader = 1;

/** A field cannot be read; value: bytes of its message that are lost with it. */
export const Broken = 64;
/** A length goes beyond the message around it; value: bytes that are missing. */
export const Cut = 65;
/** An index that its table does not have; value: the index. In the order of the tables' field numbers. */
export const MappingRange = 66;
export const LocationRange = 67;
export const FunctionRange = 68;
export const LinkRange = 69;
export const StringRange = 70;
export const AttributeRange = 71;
export const StackRange = 72;
/** Element 0 of tables is not the zero value; value: bit n for the table with field number n. */
export const ZeroElement = 73;
/** The string table lacks its empty string 0; indices were read as one lower. Value: strings in the table. */
export const StringsShifted = 74;
/** The samples of a profile have the field numbers of v1.8 and v1.9; value: profiles with those of v1.10. */
export const OldLayout = 75;
/** Profiles without a dictionary to look things up in. */
export const NoDictionary = 76;
/** A text is not valid UTF-8; the invalid bytes were replaced. */
export const Text = 77;
/** An id of a link has neither 16 (trace) nor 8 (span) bytes; value: how many. */
export const IdLength = 78;
/** A sample has more values than timestamps or fewer; value: how many found no partner. */
export const SampleLengths = 79;
/** A sample has neither values nor timestamps. */
export const SampleEmpty = 80;
/** A sample without timestamps has several values; value: how many. */
export const SampleValues = 81;
/** An attribute key comes twice at one owner or in one list; the first one counts. */
export const AttributeTwice = 82;
/** More attributes on one owner than are kept. */
export const AttributesMany = 83;
/** More inlined lines at one location than are kept; value: how many. */
export const LinesMany = 84;
/** A line, column or start line is negative or too large; value: the number. */
export const LineRange = 85;
/** An attribute's value nests deeper than is read. */
export const ValueDeep = 86;
/** A known field has another wire type; value: the field number. */
export const WireType = 87;
/** More kinds of profiles than the store has rows; they were added to others of their type. */
export const ProfilesMany = 88;
/** More types than the store has rows: the samples of further ones are lost. */
export const TypesMany = 98;
/** Resources differ; value: how many attributes became attributes of samples. */
export const ResourcesDiffer = 89;
/** A profile has no sample type. */
export const NoType = 90;
/** Attribute values refer to more text than a message of its size may; value: 0. */
export const ValueLarge = 91;
/** A mapping does not start below its limit; value: the start. */
export const MappingExtent = 92;
/** A stack has more frames than are kept; value: how many were left out. */
export const StackDeep = 93;
/** A profile has the field numbers of a version before v1.8, and was left out. */
export const EarlierLayout = 94;
/** The samples of a profile are sound by the field numbers of v1.8 and by those of v1.10. */
export const LayoutOpen = 95;
/** A sample has the other field numbers than most samples of its profile. */
export const SampleLayout = 96;
