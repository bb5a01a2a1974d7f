/**
 * Where a finding about DWARF was made first, a row by the number of its bit: u32 section (elf-section.ts), u64 offset
 * in it.
 */
export const SECTION = 0;
export const OFFSET = 8;
export const BYTES = 16;
