/**
 * gzip files that were cut or damaged: everything before the first wrong byte. Agents flush their files while they
 * write, so a copy of a live file has no end, and its last bytes are worth as much as the first.
 */
import type { ByteSource } from "./byte-source.ts";
import { unpackGzip, unpackMembersFinely } from "./gzip.ts";

export interface GzipFault {
  code: "truncated" | "damaged";
  text: string;
  /** Decompressed bytes before it. */
  bytes: number;
}

/** fflate's code of an error for data that ends too early. */
const UNEXPECTED_END = 0;

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
  try {
    yield* counted(unpackGzip(source));
  } catch {
    // The platform loses bytes that it has decompressed when it fails; byte by byte, none is lost.
    let cause: unknown = null;
    try {
      yield* counted(unpackMembersFinely(source, given));
    } catch (error) {
      cause = error;
    }
    if (cause === null) return;
    const isCut = typeof cause === "object" && "code" in cause && cause.code === UNEXPECTED_END;
    onFault({ code: isCut ? "truncated" : "damaged", text: isCut ? "cut off" : "damaged", bytes: given });
  }
}
