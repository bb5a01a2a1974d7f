/** Magic numbers of files that symbols are in, and of gzip. */
import { startsWith } from "./byte-order-mark.ts";

/** Bytes of the beginning of a file that tell ELF files and archives from others. */
export const MAGIC_SIZE = 4;

export function isElf(head: Uint8Array): boolean {
  return startsWith(head, [0x7f, 0x45, 0x4c, 0x46]);
}

export function isZip(head: Uint8Array): boolean {
  return startsWith(head, [0x50, 0x4b, 0x03, 0x04]);
}

export function isGzip(head: Uint8Array): boolean {
  return startsWith(head, [0x1f, 0x8b]);
}
