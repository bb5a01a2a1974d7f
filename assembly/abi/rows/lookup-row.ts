/** An address that is looked up, in ascending order; no address is there twice. */
export const ADDRESS = 0;
/** u32: number of symbols that may name it, and where they are: 0, or rows of CANDIDATE_BYTES. */
export const CANDIDATES = 8;
export const CANDIDATE_ROWS = 12;
/** u32: row of its innermost function, 0 if DWARF has none for it. */
export const SCOPE = 16;
/** u32: line and column of its row in the line table; file as three texts (abi/rows/called-row.ts). */
export const LINE = 20;
export const COLUMN = 24;
/** u32: 1 if a row of a line table covers it. */
export const HAS_LINE = 28;
export const BASE = 32;
export const FOLDER = 36;
export const FILE = 40;
/** u32: 1 if the address is in a segment of any file. */
export const MAPPED = 44;
export const BYTES = 64;

/** A symbol at the start that counts: u32 text of its name, u32 order of preference, the lowest first. */
export const CANDIDATE_NAME = 0;
export const CANDIDATE_RANK = 4;
/** u64: where its name is. */
export const CANDIDATE_SOURCE = 8;
export const CANDIDATE_BYTES = 16;
