/** Damage of an ELF file, one bit each; what is undamaged is read. */
export const Segments = 1;
export const Sections = 2;
export const SectionData = 4;
