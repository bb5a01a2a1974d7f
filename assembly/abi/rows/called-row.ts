/** A function at an address, or a function that was inlined into the one around it. */
/** u32: row of the function around it; 0 for a function that was not inlined. */
export const PARENT = 0;
/** u32: texts of its linkage name and of its plain name. */
export const LINKAGE = 4;
export const NAME = 8;
/** u32: where it was inlined: base, folder and name of the file as texts, line, column. */
export const BASE = 12;
export const FOLDER = 16;
export const FILE = 20;
export const CALL_LINE = 24;
export const CALL_COLUMN = 28;
/** u32: index of that file in the line table of the unit, + 1; 0 if there is none. */
export const CALL_FILE = 32;
/** u32: row of the unit. */
export const UNIT = 36;
/** u64: the entry with its name, if that is still to be read, + 1. */
export const ORIGIN = 40;
/** u32: 1 if an address has it, or one inside it. */
export const IS_USED = 48;
/** u32: row of the namespace or class around it, if it has no linkage name (qualifier-row.ts). */
export const QUALIFIER = 52;
export const BYTES = 56;
