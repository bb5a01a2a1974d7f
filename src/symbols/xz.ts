/** xz, by xz-decompress: the packing of .gnu_debugdata. Loaded when a file has that section. */
import { type ByteSource, bytesSource } from "../bytes/byte-source.ts";
import { iterate } from "../bytes/iterate.ts";
import { joined } from "../bytes/joined.ts";

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

/** The unpacked bytes. Throws if they are damaged or too many. */
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
