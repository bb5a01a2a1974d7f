/** A text of an answer: u64 where it is read from, u32 place among the texts, u32 size in bytes. */
export const SOURCE = 0;
export const AT = 8;
export const SIZE = 12;
export const BYTES = 16;
