/** Removal of a file's wrappers: compression and archives. */
import type { ByteSource } from "../bytes/byte-source.ts";
import type { Expansion } from "../bytes/expansion.ts";
import type { StreamSource } from "../bytes/stream-source.ts";
import type { Packing } from "../bytes/unpack.ts";
import { sniffSource } from "./sniff.ts";
import { HEAD_BYTES, type Sniffed } from "./sniffed.ts";

/**
 * Wrappers inside wrappers: a zip of gzipped recordings is common, a fourth layer is a trap. There are gzip files that
 * decompress to themselves.
 */
export const LAYERS = 3;

export interface Unwrapped {
  /** The file beneath, or the one given. */
  source: ByteSource;
  head: Uint8Array;
  /** A compression only where there are more of them than LAYERS. */
  sniffed: Sniffed;
  /** The compressions that were taken off, the outermost first. */
  packings: { packing: Packing; stream: StreamSource }[];
}

/** Takes compressions off a file that has `layer` wrappers around it. */
export async function unwrapped(file: ByteSource, expansion: Expansion, layer = 0): Promise<Unwrapped> {
  const packings: Unwrapped["packings"] = [];
  for (let source = file; ; ) {
    const head = await source.slice(0, HEAD_BYTES);
    const sniffed = await sniffSource(source, head);
    const { kind } = sniffed;
    if (!isPacking(kind) || layer + packings.length === LAYERS) return { source, head, sniffed, packings };
    // Most recordings are not compressed: the page fetches this when a file needs it.
    const stream = (await import("../bytes/unpack.ts")).unpacked(kind, source, expansion);
    packings.push({ packing: kind, stream });
    source = stream;
  }
}

/** Whether a file of this kind is compressed as a whole. */
export function isPacking(kind: Sniffed["kind"]): kind is Packing {
  return kind === "gzip" || kind === "zstd" || kind === "lz4" || kind === "utf-16";
}

/** Description of a file inside too many wrappers. */
export function tooDeep(kind: string): string {
  return `${kind} inside ${LAYERS} other wrappers`;
}
