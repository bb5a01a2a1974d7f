/** The beginning of a chunk of a recording, by which it is recognised in other files, even if it is cut off. */

/** "FLR\0" */
const MAGIC = 0x464c5200;
/** Of a header: its size, its times, and a byte that is 0 once the chunk is complete. */
const SIZE_AT = 8;
const TIMES_AT = 32;
const STATE_AT = 64;
const HEADER = 68;
export const BEGIN_LENGTH = 1024;

interface Begin {
  /** The same before and after the chunk is complete. */
  parts: Uint8Array[];
  /** It is not complete, or bytes are missing. */
  isCut: boolean;
}

/** The beginning of a chunk of `length` bytes; null if `head` is something else, or too short to be recognised. */
export function beginOf(head: Uint8Array, length = head.length): Begin | null {
  if (head.length < BEGIN_LENGTH) return null;
  const view = new DataView(head.buffer, head.byteOffset, HEADER);
  if (view.getUint32(0) !== MAGIC) return null;
  return {
    parts: [head.subarray(TIMES_AT, STATE_AT), head.subarray(HEADER, BEGIN_LENGTH)],
    isCut: view.getBigInt64(SIZE_AT) !== BigInt(length) || head[STATE_AT] !== 0,
  };
}

/** Each byte as another unit of UTF-16. */
const units = new TextDecoder("latin1");

/** A beginning as the key of a map, as far as there is one. */
export function beginKey(begin: Begin | null): { key: string; isCut: boolean } | null {
  if (begin === null) return null;
  return { key: begin.parts.map((part) => units.decode(part)).join(""), isCut: begin.isCut };
}
