/** Where a finding about DWARF was made first, by the number of its bit: u32 section (elf-section.ts), u64 offset in it. */
export const DWARF_PLACE_SECTION = 0;
export const DWARF_PLACE_OFFSET = 8;
export const DWARF_PLACE_BYTES = 16;
