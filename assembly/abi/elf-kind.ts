/** What the first bytes of a file are to the symbol reader. */
export const Unknown = 0;
/** An ELF file that can be read. */
export const Elf = 1;
/** An ELF or a Mach-O file. */
export const BigEndian = 2;
/** A Mach-O file that can be read. */
export const MachO = 3;
export const Pe = 4;
/** An ELF file of no class, of an unknown version, or too short for its header. */
export const BadHeader = 5;
/** A universal binary, which has a Mach-O file for each processor. */
export const Fat = 6;
