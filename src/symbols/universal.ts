/**
 * Universal binaries of macOS: a Mach-O file for each processor (Apple's <mach-o/fat.h>). All numbers are big endian.
 *
 *   header   ca fe ba be, or ca fe ba bf for places of 64 bits · parts u32
 *   part     processor u32, u32 · offset · size · alignment u32 · [u32, 64 bits]
 */
import type { ByteSource } from "../bytes/byte-source.ts";
import { isUniversal, MAGIC_SIZE } from "../bytes/magic.ts";

export interface Part {
  /** Of the processor. */
  name: string;
  start: number;
  end: number;
}

const MAGIC_64 = 0xcafebabf;
const PART_START = 8;
const PART_SIZE = 12;
const PART_SIZE_64 = 16;
const PROCESSORS: Record<number, string> = {
  7: "i386",
  16777223: "x86_64",
  12: "arm",
  16777228: "arm64",
  33554444: "arm64_32",
};

/** The parts that are inside the file; none if it is no universal binary. */
export async function universalParts(source: ByteSource): Promise<Part[]> {
  const head = await source.slice(0, MAGIC_SIZE);
  if (!isUniversal(head)) return [];
  const is64 = viewOf(head).getUint32(0) === MAGIC_64;
  // One byte: `isUniversal` has seen that the others are 0.
  const count = head[7] ?? 0;
  const each = is64 ? 32 : 20;
  const rows = viewOf(await source.slice(MAGIC_SIZE, MAGIC_SIZE + count * each));
  const parts: Part[] = [];
  for (let at = 0; at + each <= rows.byteLength; at += each) {
    const start = is64 ? Number(rows.getBigUint64(at + PART_START)) : rows.getUint32(at + PART_START);
    const size = is64 ? Number(rows.getBigUint64(at + PART_SIZE_64)) : rows.getUint32(at + PART_SIZE);
    const processor = rows.getUint32(at);
    const name = PROCESSORS[processor] ?? `processor ${processor}`;
    if (start < source.byteLength && size > 0)
      parts.push({ name, start, end: Math.min(start + size, source.byteLength) });
  }
  return parts;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
