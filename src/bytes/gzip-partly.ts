/**
 * gzip files that were cut or damaged: everything before the first wrong byte. Agents flush their files while they
 * write, so a copy of a live file has no end, and its last bytes are worth as much as the first.
 */
import type { ByteSource } from "./byte-source.ts";
import { GzipCut, unpackGzip, unpackMembersFinely } from "./gzip.ts";

/** Bytes at the end of a member: the size of its data. */
const SIZE_BYTES = 4;

export interface GzipFault {
  code: "truncated" | "damaged";
  /** A sentence for people. */
  text: string;
  /** Decompressed bytes before it. */
  bytes: number;
}

/** The decompressed bytes of a source that can be read again. `onFault` is called if they end too early. */
export async function* unpackPartly(
  source: ByteSource,
  onFault: (fault: GzipFault) => void,
): AsyncGenerator<Uint8Array> {
  let given = 0;
  const counted = async function* (pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      given += piece.length;
      yield piece;
    }
  };
  let isDamaged = false;
  try {
    yield* counted(unpackGzip(source));
    // The platform may ignore what is after the last member.
    if (await endsWithSize(source, given)) return;
  } catch (error) {
    // It loses bytes that it has decompressed when it fails; byte by byte, none is lost.
    isDamaged = isDataError(error);
  }
  try {
    yield* counted(unpackMembersFinely(source, given));
  } catch (cause) {
    const cut = cause instanceof GzipCut && !isDamaged ? cause : null;
    onFault({ code: cut === null ? "damaged" : "truncated", text: textOf(cut, given), bytes: given });
  }
}

/** Node names the cause, and it knows damage that fflate reads over to the end of the data. */
function isDataError(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === "Z_DATA_ERROR";
}

/** Whether a file of one member may end where its last bytes are: they are the size of its data, mod 2³². */
async function endsWithSize(source: ByteSource, bytes: number): Promise<boolean> {
  const tail = await source.slice(source.byteLength - SIZE_BYTES, source.byteLength);
  return new DataView(tail.buffer, tail.byteOffset, tail.length).getUint32(0, true) === bytes % 2 ** 32;
}

function textOf(cut: GzipCut | null, bytes: number): string {
  if (cut === null) return `the gzip data is damaged after ${bytes} decompressed bytes`;
  const { missingTail: missing } = cut;
  if (missing === null) return `the gzip data is cut off after ${bytes} decompressed bytes`;
  const end = missing === 1 ? "1 byte" : `${missing} bytes`;
  return `all ${bytes} decompressed bytes are there, but ${end} of the checksum and size at the end of the gzip file are missing`;
}
