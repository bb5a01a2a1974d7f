/**
 * Checksums of a file, so that no byte of it can change without being noticed. The field 32767 of Thrift structs is the
 * format's own place for what other readers skip. All are CRC-32; numbers are of 32 bits, little-endian.
 *
 *   page header    field 4 (crc) of the format: the bytes of the page as they are stored
 *   offset index   32767: the header of each page, that of the dictionary first
 *   column chunk   32767: offset index · column index or 0 · each BLOOM_PIECE bytes of the bloom filter's blocks
 *   footer         32767, its last field: MARK · all bytes of the footer before this number
 */
import { crc32 } from "../../bytes/crc32.ts";
import { Damaged } from "./damage.ts";

export const EXTENSION = 32767;
export const MARK = new TextEncoder().encode("spanflameCRC");
/** A reader of one block of a filter reads the piece around it. */
export const BLOOM_PIECE = 1 << 10;
/** With so many bytes of the mark, the file had one. */
const MARK_LEFT = 6;

export function checksum(bytes: Uint8Array): number {
  return crc32(bytes, 0);
}

export function packed(numbers: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * numbers.length);
  const view = new DataView(bytes.buffer);
  for (const [i, number] of numbers.entries()) view.setUint32(4 * i, number, true);
  return bytes;
}

export function unpacked(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: bytes.length >> 2 }, (_, i) => view.getUint32(4 * i, true));
}

/** Checksums of the pieces of the blocks of a bloom filter, of 32 bytes each. The header is before them. */
export function bloomChecks(bloom: Uint8Array): number[] {
  const pieces: number[] = [];
  for (let at = bloom.length % 32; at < bloom.length; at += BLOOM_PIECE)
    pieces.push(checksum(bloom.subarray(at, at + BLOOM_PIECE)));
  return pieces;
}

/** Whether the footer has checksums. Throws if its own is wrong. `at`: its place in the file. */
export function checkFooter(footer: Uint8Array, at: number): boolean {
  const end = footer.length - 5;
  const start = end - MARK.length;
  if (start < 0) return false;
  const left = MARK.filter((byte, i) => footer[start + i] === byte).length;
  if (left < MARK_LEFT) return false;
  const [own] = unpacked(footer.subarray(end, end + 4));
  if (left < MARK.length || own !== checksum(footer.subarray(0, end)))
    throw new Damaged("the checksum of the footer is wrong", { at });
  return true;
}
