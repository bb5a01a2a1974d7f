/** ELF files in a zip archive. */
import type { ByteSource } from "../bytes/byte-source.ts";
import { Expansion } from "../bytes/expansion.ts";
import type { Entry } from "../bytes/zip.ts";
import { MAGIC_SIZE, sniff } from "./sniff.ts";

/** Bytes of an entry that are held in memory. */
const LARGEST_ENTRY = 2 ** 31;
/** Bytes that an archive may have decompressed, however small it is. */
const FREE_EXPANSION = 2 ** 28;
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
  const { zipEntries } = await import("../bytes/unpack.ts");
  for await (const { name, source } of zipEntries(archive, new Expansion(archive, FREE_EXPANSION))) {
    if (skips(name)) continue;
    const head = (await source.slice(0, MAGIC_SIZE)).slice();
    if (sniff(head) !== "elf") continue;
    const pieces = await piecesOf(source);
    yield source.fault === null ? { name, pieces, fault: null } : { name, pieces: [], fault: source.fault };
  }
}

async function piecesOf(source: Entry["source"]): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for (let size = 0; ; ) {
    const piece = await source.slice(size, size + PIECE);
    if (piece.length === 0) return pieces;
    pieces.push(piece);
    size += piece.length;
    if (size > LARGEST_ENTRY) throw new Error("an entry of the archive is too large to be held in memory");
  }
}
