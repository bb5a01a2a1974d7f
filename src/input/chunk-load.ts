/**
 * Loads a chunk into the core's buffer. The size in its header is not trusted: memory is allocated for bytes that
 * exist, so that 68 bytes which claim 4 GiB cost no more than the bytes after them.
 */

import { type ByteSource, fill } from "../bytes/byte-source.ts";
import type { Input } from "../core/instance/capacity.ts";
import { HEADER_BYTES, hasMagic } from "./chunk-header.ts";

/** Functions of the core that this file uses. */
export interface ChunkBuffer {
  reserve(bytes: number, toRead: Input): void;
  grow(bytes: number, toRead: Input): void;
  input(end: number, start?: number): Uint8Array;
}

export interface LoadedChunk {
  /** Bytes in the core's buffer. */
  there: number;
  /** Bytes of the source that the chunk takes. */
  length: number;
  /**
   * False where more bytes followed than are kept of a chunk whose size is unknown: the next chunk is to be searched
   * for.
   */
  isWhole: boolean;
  /** Why the core has no room for the chunk. */
  refusal: string | null;
}

/** A header that gives its chunk more is not believed: wasm memory ends here. */
const LARGEST_CHUNK = 2 ** 32;
/** Bytes of a stream that are kept of a chunk with an impossible size. Recorders make chunks of some 10 MB. */
const MOST_UNSIZED = 2 ** 28;
/** Bytes that are loaded, or searched for the next chunk, at once. */
const STEP = 1 << 20;
/** Magic, two bytes of the major version, two of the minor one, eight of the size. */
const LOOK = 16;

/** Loads the chunk at `at`, whose header claims `size` bytes. */
export async function loadChunk(
  core: ChunkBuffer,
  source: ByteSource,
  at: number,
  size: bigint,
  mostUnsized = MOST_UNSIZED,
): Promise<LoadedChunk> {
  const isPossible = size >= BigInt(HEADER_BYTES) && size <= BigInt(LARGEST_CHUNK);
  const isKnown = source.ahead === undefined;
  if (isPossible && (!isKnown || at + Number(size) <= source.byteLength)) {
    return loadSized(core, source, at, Number(size));
  }
  return loadUnsized(core, source, at, isKnown ? Number.POSITIVE_INFINITY : mostUnsized);
}

/** If the source ends early, the bytes up to the next chunk. */
async function loadSized(core: ChunkBuffer, source: ByteSource, at: number, size: number): Promise<LoadedChunk> {
  const room = new Room(core, at, size);
  const step = source.ahead === undefined ? size : STEP;
  let there = 0;
  while (there < size) {
    const end = Math.min(size, there + step);
    if (!room.has(end)) return { there: 0, length: size, isWhole: true, refusal: room.refusal };
    const read = await fill(source, at + there, core.input(end, there));
    there += read;
    if (read === 0) break;
  }
  if (there === size) return { there, length: size, isWhole: true, refusal: null };
  const bytes = core.input(there);
  const next = magicIn(bytes, HEADER_BYTES, there, 0) ?? there;
  source.unread?.(at + next, bytes.slice(next));
  return { there: next, length: next, isWhole: true, refusal: null };
}

/** The bytes up to the next chunk or the end, at most `limit`. */
async function loadUnsized(core: ChunkBuffer, source: ByteSource, at: number, limit: number): Promise<LoadedChunk> {
  const room = new Room(core, at, limit);
  for (let there = 0; ; ) {
    const bytes = await source.slice(at + there, at + there + STEP + LOOK);
    const next = magicIn(bytes, there === 0 ? HEADER_BYTES : 0, STEP, there);
    const isLast = bytes.length < STEP + LOOK;
    const n = next ?? (isLast ? bytes.length : STEP);
    if (!room.has(there + n)) return { there: 0, length: there, isWhole: false, refusal: room.refusal };
    core.input(there + n, there).set(bytes.subarray(0, n));
    there += n;
    if (next !== null || isLast) return { there, length: there, isWhole: true, refusal: null };
    if (there >= limit) return { there, length: there, isWhole: false, refusal: null };
  }
}

/** The core's buffer while it is filled. */
class Room {
  refusal: string | null = null;
  private bytes = 0;
  private readonly core: ChunkBuffer;
  private readonly input: Input;
  private readonly most: number;

  constructor(core: ChunkBuffer, at: number, most: number) {
    this.core = core;
    this.input = { kind: "chunk", offset: at };
    this.most = most;
  }

  /** Makes room for the first `wanted` bytes, and some more: that is a third of all copies at most. */
  has(wanted: number): boolean {
    if (wanted <= this.bytes) return true;
    const wish = Math.max(wanted, Math.min(this.most, Math.ceil(1.5 * this.bytes)));
    try {
      if (this.bytes === 0) this.core.reserve(wish, this.input);
      else this.core.grow(wish, this.input);
      this.bytes = wish;
      return true;
    } catch (error) {
      this.refusal = error instanceof Error ? error.message : String(error);
      return false;
    }
  }
}

/**
 * Offset of the next plausible chunk header from `from` on, or the end of the source; null after `most` bytes without.
 */
export async function findMagic(source: ByteSource, from: number, most: number): Promise<number | null> {
  for (let at = from; at - from < most; at += STEP) {
    // Some bytes more, so that a header across the seam is found.
    const bytes = await source.slice(at, at + STEP + LOOK);
    const found = magicIn(bytes, 0, STEP);
    if (found !== null) return at + found;
    if (bytes.length < STEP + LOOK) return source.byteLength;
  }
  return null;
}

/**
 * Place of the first plausible chunk header that begins in bytes [from, end). `before` are the bytes of the chunk
 * before `bytes`, where its beginning is known: its checkpoints have copies of its header.
 */
function magicIn(bytes: Uint8Array, from: number, end: number, before: number | null = null): number | null {
  for (let i = bytes.indexOf(0x46, from); i >= 0 && i < end; i = bytes.indexOf(0x46, i + 1)) {
    const major = bytes[i + 5];
    if (!hasMagic(bytes, i) || bytes[i + 4] !== 0 || (major !== 1 && major !== 2)) continue;
    if (before === null || !isCopy(bytes, i, before + i)) return i;
  }
  return null;
}

/** Whether the header at `i`, at `offset` of a chunk, is a copy: it gives the chunk the bytes up to its own end. */
function isCopy(bytes: Uint8Array, i: number, offset: number): boolean {
  if (i + LOOK > bytes.length) return false;
  const size = new DataView(bytes.buffer, bytes.byteOffset + i, LOOK).getBigInt64(8);
  return size === BigInt(offset + HEADER_BYTES);
}
