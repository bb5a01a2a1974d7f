/** Diagnostics about a pprof profile; `src/core/inputs/pprof.ts` has the words. Offsets are the profile's. */

/** The number of the reader, which `open` takes. */
export const Reader = 2;

/** A field cannot be read; value: bytes of its message that are lost with it. */
export const Broken = 128;
/** A length goes beyond the message around it; value: bytes that are missing. */
export const Cut = 129;
/** An index that the string table does not have; value: the index. */
export const StringRange = 130;
/** Ids that no mapping, function or location has; value: the id. */
export const MappingUnknown = 131;
export const FunctionUnknown = 132;
export const LocationUnknown = 133;
/** A text is not valid UTF-8; the invalid bytes were replaced. */
export const Text = 134;
/** A line or column is negative or too large; value: the number. */
export const LineRange = 135;
/** More inlined lines at one location than are kept; value: how many. */
export const LinesMany = 136;
/** A sample has not one value for each sample type; value: how many it has. */
export const ValueCount = 137;
/** No sample types, so no value means anything. */
export const NoTypes = 138;
/** More sample types than the store has rows left; value: how many. */
export const TypesMany = 139;
/** A label comes twice on one sample; the first one counts. */
export const LabelTwice = 140;
/** More labels on one sample than are kept. */
export const LabelsMany = 141;
/** A known field has another wire type; value: the field number. */
export const WireType = 142;
/** Comments refer to more text than a profile of its size may; value: 0. */
export const CommentsLarge = 143;
/** A mapping does not start below its limit; value: the start. */
export const MappingExtent = 144;
/** A stack has more frames than are kept; value: how many were left out. */
export const StackDeep = 145;
/** No function has an id, and there are as many as locations, whose ids they got; value: how many. */
export const FunctionsNumbered = 146;
/** Functions have id 0, which is reserved; value: how many. */
export const FunctionZero = 147;
/** Locations and mappings have id 0, which is reserved. */
export const LocationZero = 148;
export const MappingZero = 149;
/** Several functions, locations or mappings, which differ, have one id; the first counts; value: the id. */
export const FunctionTwice = 150;
export const LocationTwice = 151;
export const MappingTwice = 152;
