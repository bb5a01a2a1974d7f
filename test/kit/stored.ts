/** xz and zstd files whose content is stored, not compressed: for sections that are packed again after damage. */
import { crc32 } from "../../src/bytes/crc32.ts";

const u32 = (value: number) => {
  const out = Buffer.alloc(4);
  out.writeUInt32LE(value >>> 0);
  return out;
};
const withCrc = (bytes: Buffer) => Buffer.concat([bytes, u32(crc32(bytes, 0))]);
const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    bytes.push(rest < 128 ? rest : (rest % 128) + 128);
    if (rest < 128) return Buffer.from(bytes);
  }
}

/** RFC 8878: a frame of raw blocks, without its size. */
export function storedZstd(content: Uint8Array): Uint8Array {
  const parts = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x38])];
  const most = 1 << 16;
  for (let at = 0; at === 0 || at < content.length; at += most) {
    const part = content.subarray(at, at + most);
    const isLast = at + most >= content.length;
    parts.push(u32((part.length << 3) | Number(isLast)).subarray(0, 3), Buffer.from(part));
  }
  return Buffer.concat(parts);
}

/**
 * The .xz file format, 1.2.1: stream header, one block of LZMA2 without a check, index, footer. `dictionary`: the byte
 * that states the size of the dictionary.
 */
export function storedXz(content: Uint8Array, dictionary = 0x16): Uint8Array {
  const flags = Buffer.from([0, 0]);
  const header = withCrc(Buffer.from([2, 0, 0x21, 1, dictionary, 0, 0, 0]));
  const chunks: Buffer[] = [];
  const most = 1 << 16;
  for (let at = 0; at < content.length; at += most) {
    const part = content.subarray(at, at + most);
    chunks.push(Buffer.from([at === 0 ? 1 : 2, (part.length - 1) >> 8, (part.length - 1) & 0xff]), Buffer.from(part));
  }
  const block = Buffer.concat([header, ...chunks, Buffer.from([0])]);
  const index = withCrc(padded(Buffer.concat([Buffer.from([0, 1]), varint(block.length), varint(content.length)])));
  const footer = Buffer.concat([u32(index.length / 4 - 1), flags]);
  return Buffer.concat([
    Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]),
    withCrc(flags),
    padded(block),
    index,
    u32(crc32(footer, 0)),
    footer,
    Buffer.from("YZ"),
  ]);
}
