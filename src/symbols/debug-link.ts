/**
 * .gnu_debuglink: name and checksum of a separate debug file.
 *
 *   section := base name, ended by a zero and padded to 4 bytes · CRC-32 of the whole file u32
 */

import { type ByteSource, piecesOf } from "../bytes/byte-source.ts";
import { crc32 } from "../bytes/crc32.ts";

export interface DebugLink {
  name: string;
  crc: number;
}

/** Bytes of a section beyond which it is none. */
const LONGEST = 4096;
const CHECKSUM_SIZE = 4;
const PIECE = 1 << 20;

/** The content of the section; null if it is damaged. */
export async function readDebugLink(section: ByteSource): Promise<DebugLink | null> {
  const bytes = (await section.slice(0, Math.min(section.byteLength, LONGEST))).slice();
  const end = bytes.indexOf(0);
  const at = Math.ceil((end + 1) / CHECKSUM_SIZE) * CHECKSUM_SIZE;
  if (end <= 0 || at + CHECKSUM_SIZE > bytes.length) return null;
  const crc = new DataView(bytes.buffer).getUint32(at, true);
  return { name: new TextDecoder().decode(bytes.subarray(0, end)), crc };
}

/** Whether the bytes of a file have the checksum. */
export async function hasChecksum(source: ByteSource, crc: number): Promise<boolean> {
  let sum = 0;
  for await (const piece of piecesOf(source, PIECE)) sum = crc32(piece, sum);
  return sum === crc;
}
