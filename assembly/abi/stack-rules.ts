/**
 * Rules that apply to a name, as a bit set per class of names; made by `src/core/answers/stack-rules.ts` and read by
 * `assembly/view/stack-rules.ts`.
 */
export const ANY = 0;
export const LEAF = 8;
export const OUTERMOST = 16;
export const UNLESS = 24;
export const BYTES = 32;
/** A name and its class. */
export const RULED_NAME = 0;
export const RULED_CLASS = 4;
export const RULED_BYTES = 8;
/** Bits of a class. */
export const MOST_RULES = 64;
