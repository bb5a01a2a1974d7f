/** Findings about DWARF, one bit each. */
export const Units = 1;
export const Lines = 2;
export const Alternate = 8;
export const Ranges = 16;
export const Aranges = 32;
export const Version = 64;
export const Fuel = 128;
export const Abbreviations = 256;
export const Texts = 512;
