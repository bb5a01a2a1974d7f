/**
 * Entries of a zip archive (APPNOTE.TXT of PKWARE) in file order, from their local headers only, because a stream has
 * its directory at the end.
 *
 *   entry      := 50 4B 03 04 · version u16 · flags u16 · method u16 · time u32 · CRC u32 · size u32 · decompressed u32
 *                 · name length u16 · extra length u16 · name · extra · data · [descriptor]
 *   descriptor := [50 4B 07 08] · CRC u32 · size u32 or u64 · decompressed u32 or u64    (flag 8: sizes known later)
 */
import { Inflate } from "fflate";
import type { ByteSource } from "./byte-source.ts";
import type { Expansion } from "./expansion.ts";
import { StreamSource } from "./stream-source.ts";
import { PIECE, Window } from "./window.ts";

export interface Entry {
  /** Path inside the archive. */
  name: string;
  source: StreamSource;
  /** Why nothing of it can be read, which the source throws as well; absent for other entries. */
  refusal?: string;
}

const LOCAL_HEADER = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
/** Signatures of the directory, of its end, and of records that may be between entries. */
const DIRECTORY = [0x02014b50, 0x06054b50, 0x06064b50, 0x08064b50];
const HEADER_BYTES = 30;
const ENCRYPTED = 1;
const SIZES_FOLLOW = 8;
const UTF8 = 0x800;
const STORED = 0;
const DEFLATED = 8;
/** Extra field with sizes of 64 bits, where the header has the other number. */
const ZIP64 = 1;
const SEE_ZIP64 = 0xffff_ffff;
/** Sizes of a descriptor, with and without its signature, with sizes of 32 and 64 bits. */
const DESCRIPTORS = [16, 24, 12, 20];
const LONGEST_DESCRIPTOR = 24;
/**
 * Characters of a path that are kept. JavaScript's tables compare texts above 16 KiB one by one: their hash is their
 * length.
 */
const LONGEST_NAME = 1000;
/** Compressed bytes that are inflated at once: a byte may become a thousand. */
const INFLATE_PIECE = 1 << 14;

/**
 * One entry at a time: an entry must be read, as far as it is wanted, before the next one is requested. Throws where
 * the archive itself is broken.
 */
export async function* zipEntries(archive: ByteSource, expansion: Expansion): AsyncGenerator<Entry> {
  const window = new Window(archive);
  for (;;) {
    await window.wait(HEADER_BYTES);
    const there = window.held;
    const start = window.offset();
    const view = viewOf(window.rest());
    const signature = there < 4 ? 0 : view.getUint32(0, true);
    if (DIRECTORY.includes(signature)) {
      if (await hasWholeDirectory(window)) return;
      throw new Error(`the archive ends inside its directory, which starts at byte ${start}`);
    }
    if (there === 0) throw new Error(`the archive ends at byte ${start}, before its directory`);
    if (signature !== LOCAL_HEADER) throw new Error(`no entry starts at byte ${start}`);
    const inHeader = HEADER_BYTES + (there < HEADER_BYTES ? 0 : view.getUint16(26, true) + view.getUint16(28, true));
    if (!(await window.wait(inHeader))) throw new Error(`the archive ends in the header at byte ${start}`);
    const { name, flags, method, packed } = headerOf(window.rest().subarray(0, inHeader));
    window.pass(inHeader);
    const data = new EntryData(window, (flags & SIZES_FOLLOW) !== 0, packed);
    if (!name.endsWith("/")) {
      const refusal = refusalOf(flags, method);
      const bytes = refusal === null ? expansion.limit(contentOf(data, method)) : throwing(refusal);
      const source = new StreamSource(bytes);
      yield refusal === null ? { name, source } : { name, source, refusal };
      await source.close();
    }
    await data.pass();
  }
}

/**
 * Whether the directory at the cursor ends with its last record. Nothing of it is used: if it is cut, a part of the
 * archive may be missing.
 *
 *   record := signature u32 · fixed part · parts whose lengths are in the fixed part
 */
async function hasWholeDirectory(window: Window): Promise<boolean> {
  while (await window.wait(4)) {
    const record = RECORDS[viewOf(window.rest()).getUint32(0, true)];
    // Not the archive's end, but damage: the entries are known by their own headers.
    if (record === undefined) return true;
    if (!(await window.wait(record.fixed))) return false;
    const view = viewOf(window.rest());
    if (record.isLast === true) return true;
    const size = record.fixed + (record.lengths ?? []).reduce((sum, at) => sum + view.getUint16(at, true), 0);
    if (!(await window.wait(size))) return false;
    window.pass(size);
  }
  return false;
}

/** Records of the directory by signature: entry, end of zip64 and its place, end. */
const RECORDS: Record<number, { fixed: number; lengths?: number[]; isLast?: true }> = {
  33639248: { fixed: 46, lengths: [28, 30, 32] },
  101075792: { fixed: 56 },
  117853008: { fixed: 20 },
  101010256: { fixed: 22, isLast: true },
};

interface Header {
  name: string;
  flags: number;
  method: number;
  /** Number of bytes of the data; null if only a descriptor after them states it. */
  packed: number | null;
}

function headerOf(bytes: Uint8Array): Header {
  const view = viewOf(bytes);
  const flags = view.getUint16(6, true);
  const extraAt = HEADER_BYTES + view.getUint16(26, true);
  const path = new TextDecoder((flags & UTF8) === 0 ? "latin1" : "utf-8").decode(bytes.subarray(HEADER_BYTES, extraAt));
  const name = path.length > LONGEST_NAME ? `…${path.slice(-LONGEST_NAME)}` : path;
  const size = view.getUint32(18, true);
  const packed = size === SEE_ZIP64 ? zip64Size(viewOf(bytes.subarray(extraAt)), view.getUint32(22, true)) : size;
  const isUnknown = (flags & SIZES_FOLLOW) !== 0 && (packed === 0 || packed === null);
  return { name, flags, method: view.getUint16(8, true), packed: isUnknown ? null : packed };
}

/** The compressed size in the extra fields. It follows the decompressed size if the header lacks that, too. */
function zip64Size(extra: DataView, unpacked: number): number | null {
  for (let at = 0; at + 4 <= extra.byteLength; at += 4 + extra.getUint16(at + 2, true)) {
    const place = at + 4 + (unpacked === SEE_ZIP64 ? 8 : 0);
    if (extra.getUint16(at, true) === ZIP64 && place + 8 <= extra.byteLength) {
      return Number(extra.getBigUint64(place, true));
    }
  }
  return SEE_ZIP64;
}

function refusalOf(flags: number, method: number): string | null {
  if ((flags & ENCRYPTED) !== 0) return "the entry is encrypted; unpack it with its password first";
  return method === STORED || method === DEFLATED ? null : `compression method ${method} is not supported`;
}

// biome-ignore lint/correctness/useYield: an entry of which nothing can be read
async function* throwing(reason: string): AsyncGenerator<Uint8Array> {
  throw new Error(reason);
}

async function* contentOf(data: EntryData, method: number): AsyncGenerator<Uint8Array> {
  const out: Uint8Array[] = [];
  const inflater = new Inflate((piece) => out.push(piece));
  for (let piece = await data.next(); piece !== null; piece = await data.next()) {
    if (method === STORED) yield piece.slice();
    else {
      for (let at = 0; at < piece.length; at += INFLATE_PIECE) {
        // A copy, because the inflater keeps its input, and pieces are views.
        inflater.push(piece.slice(at, at + INFLATE_PIECE));
        yield* out.splice(0);
      }
    }
  }
  if (data.isCut) throw new Error("the archive ends inside an entry");
  if (method === STORED) return;
  inflater.push(new Uint8Array(0), true);
  yield* out.splice(0);
}

/** The compressed bytes of an entry, up to the next header. */
class EntryData {
  /** The archive ended before the entry did. */
  isCut = false;
  private readonly window: Window;
  private readonly hasDescriptor: boolean;
  private readonly start: number;
  /** Offset of the end; null until a descriptor is found. */
  private end: number | null;

  constructor(window: Window, hasDescriptor: boolean, size: number | null) {
    this.window = window;
    this.hasDescriptor = hasDescriptor;
    this.start = window.offset();
    this.end = size === null ? null : this.start + size;
  }

  /** The next bytes, as a view; null at the end. */
  async next(): Promise<Uint8Array | null> {
    const { window } = this;
    const isThere = await window.wait(this.end === null ? PIECE : 1);
    const length = this.end === null ? this.unknown(window.rest(), !isThere) : this.end - window.offset();
    const piece = window.rest().subarray(0, length);
    window.pass(piece.length);
    if (piece.length > 0) return piece;
    this.isCut = this.end === null || window.offset() < this.end;
    return null;
  }

  /** Skips to the next header. In a file, those bytes are not read if the size is known. */
  async pass(): Promise<void> {
    const { window } = this;
    if (this.end === null) while ((await this.next()) !== null);
    if (this.end !== null) window.pass(this.end - window.offset());
    if (!this.hasDescriptor || this.end === null) return;
    await window.wait(LONGEST_DESCRIPTOR + 4);
    const view = viewOf(window.rest());
    const size = [0, ...DESCRIPTORS].find((n) => n + 4 <= view.byteLength && isHeader(view.getUint32(n, true)));
    window.pass(size ?? 0);
  }

  /**
   * How many of the bytes belong to the entry. Its descriptor is found by the size in it, which must be that of the
   * data so far: the signature alone is no proof, and some writers leave it out.
   */
  private unknown(bytes: Uint8Array, isLast: boolean): number {
    const view = viewOf(bytes);
    const done = this.window.offset() - this.start;
    for (let at = bytes.indexOf(0x50); at >= 0; at = bytes.indexOf(0x50, at + 1)) {
      if (at + LONGEST_DESCRIPTOR > bytes.length && !isLast) return Math.max(0, at - LONGEST_DESCRIPTOR);
      if (at + 4 > bytes.length) break;
      const signature = view.getUint32(at, true);
      const size = signature === DESCRIPTOR ? at : at - 12;
      const place = signature === DESCRIPTOR ? at + 8 : at - 8;
      if ((signature !== DESCRIPTOR && !isHeader(signature)) || size < 0 || place + 4 > bytes.length) continue;
      if (view.getUint32(place, true) !== (done + size) % 2 ** 32) continue;
      this.end = this.start + done + size;
      return size;
    }
    return isLast ? bytes.length : Math.max(0, bytes.length - LONGEST_DESCRIPTOR);
  }
}

function isHeader(signature: number): boolean {
  return signature === LOCAL_HEADER || DIRECTORY.includes(signature);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
