/** Damage of an ELF file, one bit each; what is undamaged is read. */
export const Segments = 1;
export const Sections = 2;
/** The table with the names of sections. */
export const SectionNames = 4;
/** No damage: an object or a kernel module, whose code has no addresses yet; the memory of a process. */
export const NotLinked = 8;
export const CoreDump = 16;
/** It has a header and nothing else. */
export const Empty = 32;
