/**
 * Streams of the symbol reader: the bytes of a file, and of its sections unpacked. Packed sections can only be read
 * forwards; going back unpacks them again from their start.
 */
import type { ByteSource } from "../bytes/byte-source.ts";
import { bytesSource } from "../bytes/byte-source.ts";
import { joined } from "../bytes/joined.ts";
import { iterate } from "../bytes/stream-source.ts";
import { takeFrom } from "../bytes/take.ts";
import { unpackZstd } from "../bytes/zstd.ts";

/** A part of a file that can be read in any order. */
export interface Stream {
  /** Fills `target` from `offset`; returns how many bytes there are. */
  read(offset: number, target: Uint8Array): Promise<number>;
}

/** Bytes [start, start + size) of a source as a separate source. */
export function partOf(source: ByteSource, start: number, size: number): ByteSource {
  return {
    byteLength: size,
    slice: (from, to) => source.slice(start + Math.min(from, size), start + Math.min(to, size)),
  };
}

export function plainStream(source: ByteSource): Stream {
  return {
    async read(offset, target) {
      if (source.readInto !== undefined) return source.readInto(offset, target);
      const bytes = await source.slice(offset, offset + target.length);
      target.set(bytes);
      return bytes.length;
    },
  };
}

/** The platform's name of the format, by which a section says how it is packed. */
export type SectionPacking = "zlib" | "zstd";

/** Unpacks the bytes of a section. */
export type Unpack = (source: ByteSource) => AsyncGenerator<Uint8Array>;
export type Unpackers = Readonly<Record<SectionPacking, Unpack>>;

export const UNPACKERS: Unpackers = {
  zlib: unpackZlib,
  zstd: (source) => unpackZstd(takeFrom(source)),
};

/** The unpacked bytes of a section. Damage ends them. */
export class PackedStream implements Stream {
  /** Why the bytes broke off. */
  fault: string | null = null;
  private readonly packed: ByteSource;
  private readonly unpack: Unpack;
  private pieces: AsyncGenerator<Uint8Array> | null = null;
  private piece: Uint8Array = new Uint8Array(0);
  /** Offset of `piece`. */
  private at = 0;
  private ended = false;

  constructor(packed: ByteSource, unpack: Unpack) {
    this.packed = packed;
    this.unpack = unpack;
  }

  async read(offset: number, target: Uint8Array): Promise<number> {
    if (this.pieces === null || offset < this.at) await this.restart();
    let done = 0;
    for (;;) {
      const from = offset + done - this.at;
      if (from < this.piece.length) {
        const part = this.piece.subarray(from, from + target.length - done);
        target.set(part, done);
        done += part.length;
      }
      if (done === target.length || !(await this.next())) return done;
    }
  }

  /** Whether there are bytes from `end` on, up to which they were read. */
  async hasMore(end: number): Promise<boolean> {
    while (this.at + this.piece.length <= end) if (!(await this.next())) return false;
    return true;
  }

  async close(): Promise<void> {
    await this.pieces?.return(undefined);
    this.pieces = null;
  }

  private async restart(): Promise<void> {
    await this.close();
    this.pieces = this.unpack(this.packed);
    this.piece = new Uint8Array(0);
    this.at = 0;
    this.ended = false;
  }

  private async next(): Promise<boolean> {
    if (this.ended || this.pieces === null) return false;
    const before = this.at + this.piece.length;
    try {
      const { done, value } = await this.pieces.next();
      if (done !== true) {
        this.at = before;
        this.piece = value;
        return true;
      }
    } catch (error) {
      this.fault = error instanceof Error ? error.message : String(error);
    }
    this.ended = true;
    return false;
  }
}

/** Packed bytes that are handed to the platform at once: a byte may become a thousand. */
const PIECE = 1 << 16;

/** The bytes of a zlib stream (RFC 1950). Throws what the platform reports if the data is damaged. */
function unpackZlib(source: ByteSource): AsyncGenerator<Uint8Array> {
  let at = 0;
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const piece = await source.slice(at, at + PIECE);
      at += piece.length;
      if (piece.length === 0) controller.close();
      else controller.enqueue(piece as Uint8Array<ArrayBuffer>);
    },
  });
  return iterate(packed.pipeThrough(new DecompressionStream("deflate")));
}

/** Symbols of the largest libraries have a few megabytes. */
const MOST_BYTES = 1 << 26;

/** Results of the decoder (xz.h of XZ Embedded) in words. */
const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    3: "it needs too much memory",
    4: "its dictionary is too large",
    5: "it is no xz stream",
    6: "its options are not supported",
    7: "its data is damaged",
    8: "it is cut off or damaged",
  }),
);

/** The bytes of an xz stream, as .gnu_debugdata is. Throws if they are damaged or too many. */
export async function unpackXz(packed: ByteSource): Promise<ByteSource> {
  const { XzReadableStream } = await import("xz-decompress");
  const bytes = await packed.slice(0, packed.byteLength);
  const stream = new Blob([bytes as BlobPart]).stream();
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of iterate(new XzReadableStream(stream))) {
      size += piece.length;
      if (size > MOST_BYTES) throw new Error(`more than ${MOST_BYTES} bytes were unpacked`);
      pieces.push(piece.slice());
    }
  } catch (error) {
    const [, code = ""] = /error code (\d)$/.exec(error instanceof Error ? error.message : "") ?? [];
    throw REASONS.get(code) === undefined ? error : new Error(REASONS.get(code));
  }
  return bytesSource(joined(pieces));
}
