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
    const chunk = chunkAt(await peek(at, at + HEADER_BYTES), at, byteLength);
    if (chunk === null || chunks.length === MOST_CHUNKS) return null;
    chunks.push(chunk);
    at += chunk.bytes;
  }
  return chunks;
}

function chunkAt(head: Uint8Array, at: number, byteLength: number): PlacedHeader | null {
  if (head.length < HEADER_BYTES || !hasMagic(head) || (head[COMPRESSED]! & 1) === 0) return null;
  const header = readChunkHeader(head);
  const { major, bytes } = header;
  const isChunk = (major === 1 || major === 2) && bytes >= HEADER_BYTES && at + bytes <= byteLength;
  return isChunk ? { ...header, at } : null;
}

/** As `chunksOf`, with those that have any of the ids, as a number or as text. An only chunk is not searched. */
export async function chunksWith(
  source: ByteSource,
  ids: readonly bigint[],
): Promise<{ all: PlacedHeader[]; some: PlacedHeader[] } | null> {
  const next = searchFor(ids.flatMap(needlesOf));
  const { byteLength } = source;
  const [all, some]: [PlacedHeader[], PlacedHeader[]] = [[], []];
  const rooms = [0, 1].map(() => new Uint8Array(PIECE + HEADER_BYTES));
  const load = async (at: number) => {
    const room = rooms.reverse()[0]!.subarray(0, Math.max(0, byteLength - at));
    return room.subarray(0, await fill(source, at, room));
  };
  // A piece is loaded while the one before is searched.
  let [end, ahead, coming] = [0, 0, load(0)];
  // A chunk is found once: the search goes on after it.
  for (let at = 0, clear = 0, k = 0; at < byteLength; at = Math.max(at + PIECE, clear)) {
    let piece = await coming;
    if (ahead !== at) piece = await load(at);
    while (end < Math.min(byteLength, at + PIECE)) {
      const chunk = chunkAt(piece.subarray(end - at, end - at + HEADER_BYTES), end, byteLength);
      if (chunk === null || all.length === MOST_CHUNKS) return null;
      all.push(chunk);
      end += chunk.bytes;
    }
    if (all[0]!.bytes === byteLength) return { all, some: all };
    [ahead, coming] = [at + PIECE, load(at + PIECE)];
    for (let i = next(piece, Math.max(0, clear - at)); i >= 0 && at + i < end; i = next(piece, clear - at)) {
      while (all[k]!.at + all[k]!.bytes <= at + i) k++;
      some.push(all[k]!);
      clear = all[k]!.at + all[k]!.bytes;
    }
  }
  await coming;
  return { all, some };
}

/** As a varint, whose first eight bytes are those of protobuf; in hex and in decimal digits. */
function needlesOf(id: bigint): Uint8Array[] {
  const writer = new WireWriter();
  writer.whole(id);
  const texts = [id.toString(16), `${id}`].map((digits) => new TextEncoder().encode(digits));
  return [writer.bytes.subarray(0, SAME_BYTES), ...texts];
}

/**
 * Where any of the needles is from `from` on; −1 without one. Each is found by one of its first bytes: a step passes
 * as many bytes as the shortest needle has, at most eight.
 */
function searchFor(needles: readonly Uint8Array[]): (bytes: Uint8Array, from: number) => number {
  const step = Math.min(SAME_BYTES, ...needles.map(({ length }) => length));
  const begins = Array.from({ length: 256 }, (_, byte) =>
    needles.flatMap((needle) =>
      [...needle.subarray(0, step)].flatMap((each, k) => (each === byte ? [{ needle, k }] : [])),
    ),
  );
  const isOne = Uint8Array.from(begins, ({ length }) => Math.min(1, length));
  return (bytes, from) => {
    for (let i = from + step - 1; i < bytes.length; i += step) {
      if (isOne[bytes[i]!] === 0) continue;
      for (const { needle, k } of begins[bytes[i]!]!) if (i - k >= from && isAt(bytes, i - k, needle)) return i - k;
    }
    return -1;
  };
}

function isAt(bytes: Uint8Array, at: number, needle: Uint8Array): boolean {
  let k = 0;
  while (k < needle.length && bytes[at + k] === needle[k]) k++;
  return k === needle.length;
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
