/** A page of a stream that the symbol reader needs: bytes to be written to memory by the host. */
export const STREAM = 0;
/** u32: where the bytes are to be written. */
export const AT = 4;
/** u32: number of bytes; all of them are inside the stream. */
export const SIZE = 8;
/** u64: offset in the stream. */
export const OFFSET = 16;
export const BYTES = 24;
