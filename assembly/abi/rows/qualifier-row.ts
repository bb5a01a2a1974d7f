/** A namespace or class around functions that DWARF names without a linkage name. */
/** u32: row of the one around it; 0 if there is none. */
export const PARENT = 0;
/** u32: its name as a text; 0 if it has none. */
export const NAME = 4;
/** u32: 1 for a namespace, 0 for a class. */
export const IS_NAMESPACE = 8;
export const BYTES = 12;
/** Qualifiers that a name has, the innermost. */
export const MOST_QUALIFIERS = 32;
