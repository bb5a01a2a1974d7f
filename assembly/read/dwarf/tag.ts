/** Tags of DWARF 5, section 7, that the reader needs. */
/** Numbers of DWARF 5, section 7, and of the extensions of GNU, that the reader needs. */
export const CLASS: u32 = 0x02;
export const STRUCTURE: u32 = 0x13;
export const UNION: u32 = 0x17;
export const INLINED_SUBROUTINE: u32 = 0x1d;
export const MODULE: u32 = 0x1e;
export const SUBPROGRAM: u32 = 0x2e;
export const INTERFACE: u32 = 0x38;
export const NAMESPACE: u32 = 0x39;
