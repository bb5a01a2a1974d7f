/** Kind of a file by its first bytes: a file of another kind needs no symbol reader. */

const ELF = 0x464c457f;
const ZIP = 0x04034b50;
/** Bytes of the beginning of a file that `sniff` needs. */
export const MAGIC_SIZE = 4;

export function sniff(head: Uint8Array): "elf" | "zip" | "other" {
  if (head.length < MAGIC_SIZE) return "other";
  const magic = new DataView(head.buffer, head.byteOffset, head.length).getUint32(0, true);
  if (magic === ELF) return "elf";
  return magic === ZIP ? "zip" : "other";
}
