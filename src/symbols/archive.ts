/** ELF files in a zip archive. */
import type { ByteSource } from "../bytes/byte-source.ts";
import { Expansion } from "../bytes/expansion.ts";
import { isBinary, MAGIC_SIZE } from "../bytes/magic.ts";
import type { Entry } from "../bytes/zip.ts";

/** Bytes of all entries that are held in memory. */
const MOST_HELD = 2 ** 31;
/** Bytes that an archive may have decompressed, however small it is, and for each of its bytes: libraries need ten. */
const FREE_EXPANSION = 2 ** 26;
const MOST_EXPANSION = 20;
/** Entries that are given up since they have too many bytes, before the archive is. */
const MOST_REFUSED = 8;
const PIECE = 1 << 22;

export interface ElfEntry {
  /** Path inside the archive. */
  name: string;
  /** The bytes; empty if they cannot be unpacked. */
  pieces: Uint8Array[];
  /** Why they cannot be unpacked. */
  fault: string | null;
}

/** `skips`: names of entries that are not read. Throws if the archive is broken. */
export async function* elfEntries(
  archive: ByteSource,
  skips: (name: string) => boolean = () => false,
): AsyncGenerator<ElfEntry> {
  let [held, refused] = [0, 0];
  const { zipEntries } = await import("../bytes/unpack.ts");
  const expansion = new Expansion(archive, FREE_EXPANSION, MOST_EXPANSION);
  for await (const { name, source } of zipEntries(archive, expansion)) {
    if (skips(name)) continue;
    const head = (await source.slice(0, MAGIC_SIZE)).slice();
    if (source.isExcess && head.length < MAGIC_SIZE)
      throw new Error(`${source.fault}; entries from ${JSON.stringify(name)} on are missing`);
    if (!isBinary(head) && source.fault === null) continue;
    const pieces = await piecesOf(source, MOST_HELD - held);
    const fault = pieces === null ? "it and the entries before it are too large to be held in memory" : source.fault;
    if (pieces !== null && fault === null) held += source.byteLength;
    else if (source.isExcess && ++refused < MOST_REFUSED) expansion.release(source.byteLength);
    yield { name, pieces: fault === null && pieces !== null ? pieces : [], fault };
  }
}

/** All bytes; null if there are more than `most`. */
async function piecesOf(source: Entry["source"], most: number): Promise<Uint8Array[] | null> {
  const pieces: Uint8Array[] = [];
  for (let size = 0; size <= most; ) {
    const piece = await source.slice(size, size + PIECE);
    if (piece.length === 0) return pieces;
    pieces.push(piece);
    size += piece.length;
  }
  return null;
}

/** The bytes of an entry as a source, without a copy of them. */
export function piecesSource(pieces: readonly Uint8Array[]): ByteSource {
  const byteLength = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return {
    byteLength,
    async slice(start, end) {
      const out = new Uint8Array(Math.max(0, Math.min(end, byteLength) - start));
      for (let at = start; at < start + out.length; ) {
        const [piece, within] = [pieces[Math.floor(at / PIECE)]!, at % PIECE];
        const part = piece.subarray(within, within + start + out.length - at);
        out.set(part, at - start);
        at += part.length;
      }
      return out;
    },
  };
}
