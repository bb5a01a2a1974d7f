/** ELF files of 64 bits with sections of any content, for tests of hostile ones. Code is from CODE on. */
import { deflateSync } from "node:zlib";

export const CODE = 0x1000;
const CODE_BYTES = 0x20_0000;
const HEAD = 64;
const SEGMENT = 56;
const SECTION = 64;
const COMPRESSED = 0x800n;
const NAMES = 3;

export interface SectionContent {
  name: string;
  content: Uint8Array;
  /** SHT_PROGBITS by default. */
  type?: number;
  link?: number;
  entry?: number;
  isCompressed?: boolean;
  /** Type of compression and packed bytes; zlib by default. */
  packing?: readonly [type: number, packed: Uint8Array];
  /** Bytes that a compressed section promises; those that it has by default. */
  promised?: number;
}

/** Numbers of 1, 2, 4 or 8 bytes and texts, one after the other. */
export function bytes(...parts: (readonly [width: 1 | 2 | 4 | 8, value: number] | string | Uint8Array)[]): Uint8Array {
  return Buffer.concat(
    parts.map((part) => {
      if (typeof part === "string") return Buffer.from(`${part}\0`);
      if (part instanceof Uint8Array) return part;
      const out = Buffer.alloc(8);
      out.writeBigUInt64LE(BigInt.asUintN(64, BigInt(part[1])));
      return out.subarray(0, part[0]);
    }),
  );
}

/** The content many times. */
export function times(count: number, content: Uint8Array): Uint8Array {
  const out = new Uint8Array(count * content.length);
  for (let i = 0; i < count; i++) out.set(content, i * content.length);
  return out;
}

/** A unit of .debug_info, version 4, with addresses of 8 bytes and the abbreviations at 0. */
export function unitOf(entries: Uint8Array): Uint8Array {
  const body = bytes([2, 4], [4, 0], [1, 8], entries);
  return bytes([4, body.length], body);
}

export function elfOf(sections: readonly SectionContent[]): Uint8Array {
  const all = [...sections, { name: ".shstrtab", content: new Uint8Array(0), type: NAMES }];
  const names = Buffer.from(`\0${all.map(({ name }) => `${name}\0`).join("")}`);
  const rows: Uint8Array[] = [new Uint8Array(SECTION)];
  const contents: Uint8Array[] = [];
  let at = HEAD + SEGMENT;
  let nameAt = 1;
  for (const { name, content, type = 1, link = 0, entry = 0, isCompressed = false, promised, packing } of all) {
    const size = promised ?? content.length;
    const [how, body] = packing ?? [1, isCompressed ? deflateSync(content) : content];
    const packed = isCompressed ? bytes([4, how], [4, 0], [8, size], [8, 1], body) : content;
    const held = type === NAMES && name === ".shstrtab" ? names : packed;
    const flags = isCompressed ? Number(COMPRESSED) : 0;
    rows.push(
      bytes(
        [4, nameAt],
        [4, type],
        [8, flags],
        [8, 0],
        [8, at],
        [8, held.length],
        [4, link],
        [4, 0],
        [8, 1],
        [8, entry],
      ),
    );
    contents.push(held);
    at += held.length;
    nameAt += name.length + 1;
  }
  const segment = bytes([4, 1], [4, 5], [8, 0], [8, 0], [8, 0], [8, CODE], [8, CODE + CODE_BYTES], [8, CODE]);
  const counts = bytes([2, HEAD], [2, SEGMENT], [2, 1], [2, SECTION], [2, rows.length], [2, rows.length - 1]);
  const head = bytes([4, 0x464c457f], [1, 2], [1, 1], [1, 1], new Uint8Array(9), [2, 3], [2, 62], [4, 1]);
  return Buffer.concat([head, bytes([8, 0], [8, HEAD], [8, at], [4, 0]), counts, segment, ...contents, ...rows]);
}
