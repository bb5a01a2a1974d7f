/** gzip, all members of it, by the platform's own decompressor. */
import { type ByteSource, bytesSource } from "./byte-source.ts";

export interface Unpacked {
  source: ByteSource;
  /** Why it broke off, when it did; what came until then stands. */
  fault: string | null;
}

/** Compressed bytes are handed over in pieces of this size. */
const PIECE = 1 << 20;

function pieces(source: ByteSource): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      if (at >= source.byteLength) {
        controller.close();
        return;
      }
      const piece = await source.slice(at, at + PIECE);
      at += piece.length;
      controller.enqueue(piece as Uint8Array<ArrayBuffer>);
    },
  });
}

/** Unpacks into memory; stops with a fault above `limit` bytes. */
export async function gunzip(source: ByteSource, limit: number): Promise<Unpacked> {
  const parts: Uint8Array[] = [];
  let size = 0;
  let fault: string | null = null;
  const reader = pieces(source).pipeThrough(new DecompressionStream("gzip")).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      size += value.length;
      if (size > limit) {
        fault = `more than ${limit} bytes unpacked`;
        await reader.cancel();
        break;
      }
    }
  } catch (error) {
    fault = error instanceof Error ? error.message : String(error);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { source: bytesSource(bytes), fault };
}
