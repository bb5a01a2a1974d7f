/** A text of an answer: u64 where it is read from, u32 place among the texts, u32 size in bytes. */
export const TEXT_SOURCE = 0;
export const TEXT_AT = 8;
export const TEXT_SIZE = 12;
export const TEXT_BYTES = 16;
