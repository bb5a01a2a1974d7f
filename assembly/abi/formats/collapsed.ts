/**
 * Diagnostics about collapsed stacks; `src/core/inputs/collapsed.ts` has the words. Offsets are those of lines.
 * The value is the number of the line in its file, unless it is stated.
 */

/** The number of the reader, which `open` takes. */
export const Reader = 3;

/** A line has no number after its last blank. */
export const NoWeight = 192;
/** A weight does not fit in 64 bits with a sign. */
export const LargeWeight = 193;
/** A weight has decimals; it was rounded. */
export const Fraction = 194;
/** A line is not valid UTF-8; the invalid bytes were replaced. */
export const Text = 195;
/** The store has no row left for the profile. */
export const NoProfile = 196;
/** A line with a number is no stack: a setting, or the sum of the other lines. */
export const NoStack = 197;
/** Every line has two numbers: two profiles. */
export const TwoWeights = 198;
/** A stack has more frames than are kept; value: how many were left out. */
export const StackDeep = 199;
/** Every line has two numbers, and this one has one. */
export const OneWeight = 200;
/** A line has a second number before its last one, and other lines have not. */
export const SecondWeight = 201;
/** Every line ends in two numbers, and nothing tells whether the first is a part of the name. */
export const MaybeTwoWeights = 202;
/** Every line ends in three numbers or more. */
export const ManyWeights = 203;
