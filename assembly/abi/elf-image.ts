/** An ELF file as the symbol reader knows it. */
export const KIND = 0;
/** u32: 4 or 8 bytes in an address. */
export const WORD = 4;
/** u32: e_type; 2 is a program at a fixed address, 3 a library or a program at any address. */
export const TYPE = 8;
export const MACHINE = 12;
/** u32: length of the build id; its bytes. */
export const ID_SIZE = 16;
export const ID = 24;
/** u64: address of an offset 0: p_vaddr - p_offset of the first PT_LOAD. */
export const BASE = 88;
/** u32: flags of damage. */
export const FAULTS = 96;
/** u32: number of PT_LOAD segments, and where their rows are. */
export const LOADS = 100;
export const LOAD_ROWS = 104;
/** Rows of sections, SECTION_BYTES each, by their number in elf-section.ts. */
export const SECTIONS = 112;
/** u32: length of the build id of a Go program, a text; its bytes. */
export const GO_ID_SIZE = 1120;
export const GO_ID = 1124;
/** u32: 1 if it has the debug information that was split off from another file. */
export const IS_SPLIT = 1256;
/** u64: address of the section .text; 0 without one. */
export const TEXT_ADDRESS = 1264;
export const BYTES = 1272;

/** u64: place in the file, size there. */
export const SECTION_OFFSET = 0;
export const SECTION_SIZE = 8;
/** u64: size unpacked. */
export const SECTION_UNPACKED = 16;
/** u32: how it is packed; bytes of the packed data before the stream. */
export const SECTION_PACKING = 24;
export const SECTION_HEAD = 28;
/** u32: 1 if the file has it. */
export const SECTION_THERE = 32;
/** u32: bytes in an entry. */
export const SECTION_ENTRY = 36;
/** u32: bits of section-fault.ts. */
export const SECTION_FAULTS = 40;
export const SECTION_BYTES = 48;

/** A segment, all u64: address, bytes in memory, flags (bit 1 writable), place in the file, size there. */
export const LOAD_ADDRESS = 0;
export const LOAD_SIZE = 8;
export const LOAD_FLAGS = 16;
export const LOAD_OFFSET = 24;
export const LOAD_STORED = 32;
export const LOAD_BYTES = 40;
