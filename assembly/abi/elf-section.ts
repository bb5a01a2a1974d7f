/**
 * Sections that the symbol reader knows by name or type: the row of a section in its image, and the number of its
 * stream after that of the file.
 */
export const File = 0;
export const Symtab = 1;
export const Strtab = 2;
export const Dynsym = 3;
export const Dynstr = 4;
export const DebugInfo = 5;
export const DebugAbbrev = 6;
export const DebugStr = 7;
export const DebugLineStr = 8;
export const DebugStrOffsets = 9;
export const DebugAddr = 10;
export const DebugRanges = 11;
export const DebugRnglists = 12;
export const DebugAranges = 13;
export const DebugLine = 14;
export const GnuDebugdata = 15;
export const GnuDebuglink = 16;
export const GnuDebugaltlink = 17;
export const DebugSup = 18;
export const DebugCuIndex = 19;
export const Gopclntab = 20;
