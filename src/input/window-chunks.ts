/**
 * The chunks of a recording that an answer about a few ids needs: those that contain one of them, and those of a time.
 * The file is searched for the bytes of the ids without being read.
 */
import { type ByteSource, fill } from "../bytes/byte-source.ts";
import { WireWriter } from "../bytes/wire-writer.ts";
import { type ChunkHeader, HEADER_BYTES, hasMagic, readChunkHeader } from "./chunk-header.ts";

export interface PlacedHeader extends ChunkHeader {
  at: number;
}

/** Bytes that are searched at a time. */
const PIECE = 1 << 22;
const LONGEST_ID = 20;
/** A recording with more chunks is read as a whole: that reading limits their number itself. */
const MOST_CHUNKS = 1 << 14;
/** Of the varints of JFR and of protobuf. The ninth byte of JFR has eight bits. */
const SAME_BYTES = 8;
const COMPRESSED = 67;

/** The chunks of a source; null where it has others, where one is damaged, or has other integers than the JDK's. */
export async function chunksOf({ byteLength, peek }: ByteSource): Promise<PlacedHeader[] | null> {
  if (peek === undefined) return null;
  const chunks: PlacedHeader[] = [];
  for (let at = 0; at < byteLength; ) {
    const head = await peek(at, at + HEADER_BYTES);
    if (head.length < HEADER_BYTES || !hasMagic(head) || (head[COMPRESSED]! & 1) === 0) return null;
    const header = readChunkHeader(head);
    const { major, bytes } = header;
    if ((major !== 1 && major !== 2) || bytes < HEADER_BYTES || at + bytes > byteLength) return null;
    if (chunks.length === MOST_CHUNKS) return null;
    chunks.push({ ...header, at });
    at += bytes;
  }
  return chunks;
}

/** The chunks with any of the ids, as a number or as text. */
export async function chunksWith(
  source: ByteSource,
  chunks: readonly PlacedHeader[],
  ids: readonly bigint[],
): Promise<PlacedHeader[]> {
  const needles = ids.flatMap(needlesOf);
  const found: PlacedHeader[] = [];
  const room = new Uint8Array(PIECE + LONGEST_ID);
  for (const chunk of chunks) {
    const end = chunk.at + chunk.bytes;
    for (let at = chunk.at; at < end; at += PIECE) {
      const there = await fill(source, at, room.subarray(0, Math.min(end - at, room.length)));
      const piece = room.subarray(0, there);
      if (!needles.some((needle) => contains(piece, needle))) continue;
      found.push(chunk);
      break;
    }
  }
  return found;
}

/** As a varint, whose first eight bytes are those of protobuf; in hex and in decimal digits. */
function needlesOf(id: bigint): Uint8Array[] {
  const writer = new WireWriter();
  writer.whole(id);
  const texts = [id.toString(16), `${id}`].map((digits) => new TextEncoder().encode(digits));
  return [writer.bytes.subarray(0, SAME_BYTES), ...texts];
}

/** By the byte in the middle: the first ones of ids are often the same. */
function contains(bytes: Uint8Array, needle: Uint8Array): boolean {
  const middle = needle.length >> 1;
  for (let i = bytes.indexOf(needle[middle]!, middle); i >= 0; i = bytes.indexOf(needle[middle]!, i + 1)) {
    let k = 0;
    while (k < needle.length && bytes[i - middle + k] === needle[k]) k++;
    if (k === needle.length) return true;
  }
  return false;
}

/** The chunks that touch a time, with so many ns before and after it; one lasts until the next one begins at least. */
export function chunksAround(chunks: readonly PlacedHeader[], from: bigint, to: bigint): PlacedHeader[] {
  return chunks.filter(({ startUnixNano, durationNano }, i) => {
    const next = chunks[i + 1]?.startUnixNano ?? startUnixNano;
    const end = startUnixNano + durationNano;
    return startUnixNano <= to && (i + 1 === chunks.length || (next > end ? next : end) >= from);
  });
}

/** A source of some chunks of another; the same source with all of them. */
export function onlyChunks(
  source: ByteSource,
  all: readonly PlacedHeader[],
  some: readonly PlacedHeader[],
): ByteSource {
  if (some.length === all.length) return source;
  const { peek, change } = source;
  const byteLength = some.reduce((sum, { bytes }) => sum + bytes, 0);
  const slice = async (start: number, end: number): Promise<Uint8Array<ArrayBuffer>> => {
    const target = new Uint8Array(Math.max(0, Math.min(end, byteLength) - start));
    let base = 0;
    for (const { at, bytes } of some) {
      const [from, to] = [Math.max(start, base), Math.min(start + target.length, base + bytes)];
      if (from < to) target.set(await peek!(at + from - base, at + to - base), from - start);
      base += bytes;
    }
    return target;
  };
  return { byteLength, slice, peek: slice, ...(change && { change: change.bind(source) }) };
}
