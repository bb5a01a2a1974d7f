/** Magic numbers of files that symbols are in, and of gzip. */
import { startsWith } from "./byte-order-mark.ts";

/** Bytes of the beginning of a file that tell files of symbols and archives from others. */
export const MAGIC_SIZE = 8;
/** Versions of class files of Java, which begin as universal binaries do, count from this number. */
const MOST_PARTS = 45;

export function isElf(head: Uint8Array): boolean {
  return startsWith(head, [0x7f, 0x45, 0x4c, 0x46]);
}

/** A universal binary of macOS. */
export function isUniversal(head: Uint8Array): boolean {
  const [, , , version, first, second, third, parts = MOST_PARTS] = head;
  const isFew = first === 0 && second === 0 && third === 0 && parts < MOST_PARTS;
  return startsWith(head, [0xca, 0xfe, 0xba]) && (version === 0xbe || version === 0xbf) && isFew;
}

/** Mach-O, also several in one file. */
export function isMachO(head: Uint8Array): boolean {
  const [first] = head;
  return ((first === 0xce || first === 0xcf) && startsWith(head.subarray(1), [0xfa, 0xed, 0xfe])) || isUniversal(head);
}

/** A file that may have symbols. */
export function isBinary(head: Uint8Array): boolean {
  return isElf(head) || isMachO(head);
}

export function isZip(head: Uint8Array): boolean {
  return startsWith(head, [0x50, 0x4b, 0x03, 0x04]);
}
