/**
 * Parser of chunk headers (68 bytes, big-endian, at offset `at` of the file): the fields for the end of the chunk, and
 * those for the overview. The core reads the rest of the header.
 */
import type { ChunkSummary } from "../core/types.ts";

export const HEADER_BYTES = 68;

export interface ChunkHeader extends Omit<ChunkSummary, "events"> {
  major: number;
  /** As written: may be anything in a damaged file. */
  size: bigint;
}

/** True where `bytes` start with "FLR\0". */
export function hasMagic(bytes: Uint8Array, at = 0): boolean {
  return bytes[at] === 0x46 && bytes[at + 1] === 0x4c && bytes[at + 2] === 0x52 && bytes[at + 3] === 0;
}

export function readChunkHeader(bytes: Uint8Array): ChunkHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  const major = view.getUint16(4);
  const size = view.getBigInt64(8);
  return {
    version: `${major}.${view.getUint16(6)}`,
    major,
    size,
    bytes: Number(size),
    startUnixNano: view.getBigInt64(32),
    durationNano: view.getBigInt64(40),
  };
}
