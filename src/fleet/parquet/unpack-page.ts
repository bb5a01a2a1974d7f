/**
 * Compressions of pages by their number in the format. A page states its size: a function throws if the bytes give
 * another one, and no size is believed that so many packed bytes cannot have.
 */
import { gunzipSync } from "fflate";
import { decompress } from "fzstd";
import { checksum } from "./checks.ts";
import { Damaged } from "./damage.ts";
import { Compression } from "./format.ts";

export type Unpack = (bytes: Uint8Array, size: number) => Uint8Array;
/** Functions of a platform, which are faster than those below. */
export type Unpackers = Readonly<Record<number, Unpack>>;

/** DuckDB's pages have up to 100 MB. */
const LARGEST_PAGE = 1 << 28;
/** Bytes that one packed byte can become, and that a few bytes can. */
const PACKINGS: Readonly<Record<number, { unpack: Unpack; ratio: number; free: number }>> = {
  [Compression.none]: { unpack: (bytes) => bytes, ratio: 1, free: 0 },
  [Compression.snappy]: { unpack: unpackSnappy, ratio: 64, free: 64 },
  [Compression.gzip]: { unpack: unpackGzip, ratio: 1032, free: 1032 },
  // A block of 4 bytes may be one byte 2¹⁷ times.
  [Compression.zstd]: {
    unpack: (bytes, size) => decompress(bytes, new Uint8Array(size)),
    ratio: 1 << 15,
    free: 1 << 17,
  },
};

export function unpackPage(codec: number, bytes: Uint8Array, size: number, own: Unpackers): Uint8Array {
  const packing = PACKINGS[codec];
  if (packing === undefined) throw new Damaged(`pages with compression ${codec} of Parquet cannot be read`);
  if (size > LARGEST_PAGE || size > packing.ratio * bytes.length + packing.free)
    throw new Damaged(`a page of ${bytes.length} bytes claims ${size} bytes when unpacked`);
  const page = unpacked(own[codec] ?? packing.unpack, bytes, size);
  if (page.length !== size) throw new Damaged(`a page has ${page.length} bytes instead of ${size} when unpacked`);
  // `slice` of a buffer of Node is no copy.
  return new Uint8Array(page.buffer, page.byteOffset, size);
}

function unpacked(unpack: Unpack, bytes: Uint8Array, size: number): Uint8Array {
  // Compressions of empty pages differ between engines.
  if (size === 0) return new Uint8Array(0);
  try {
    return unpack(bytes, size);
  } catch (error) {
    if (error instanceof Damaged) throw error;
    throw new Damaged("the packed bytes are damaged");
  }
}

/** fflate does not compare the end of a member, CRC-32 and size, with its content. */
function unpackGzip(bytes: Uint8Array, size: number): Uint8Array {
  const page = gunzipSync(bytes, { out: new Uint8Array(size) });
  const tail = new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 8, 8);
  if (tail.getUint32(4, true) !== size || tail.getUint32(0, true) !== checksum(page))
    throw new Damaged("the checksum of the gzip data is wrong");
  return page;
}

/** Size varint, then pieces: literals, and copies of what is before them. */
function unpackSnappy(bytes: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size);
  let at = 0;
  let end = 0;
  const u8 = () => {
    const byte = bytes[at++];
    if (byte === undefined) throw new Damaged("the snappy data ends inside a piece");
    return byte;
  };
  const little = (count: number) => {
    let value = 0;
    for (let i = 0; i < count; i++) value += u8() * 2 ** (8 * i);
    return value;
  };
  while (u8() >= 0x80);
  while (at < bytes.length) {
    const tag = u8();
    const kind = tag & 3;
    const short = tag >> 2;
    if (kind === 0) {
      const length = 1 + (short < 60 ? short : little(short - 59));
      if (length > bytes.length - at || length > size - end) throw new Damaged("the snappy data has a wrong length");
      out.set(bytes.subarray(at, at + length), end);
      at += length;
      end += length;
      continue;
    }
    const length = kind === 1 ? 4 + (short & 7) : 1 + short;
    const back = kind === 1 ? (tag >> 5) * 256 + u8() : little(kind === 2 ? 2 : 4);
    if (back === 0 || back > end || length > size - end) throw new Damaged("the snappy data has a wrong copy");
    for (const to = end + length; end < to; end++) out[end] = out[end - back]!;
  }
  return out.subarray(0, end);
}
