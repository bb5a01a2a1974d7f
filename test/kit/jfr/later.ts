/** The same recording, begun some nanoseconds later: no copy for a reader. */
import { HEADER_BYTES, hasMagic, readChunkHeader } from "../../../src/input/chunk-header.ts";

const START = 32;

export function later(recording: Uint8Array, nanos = 1): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(recording);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at + HEADER_BYTES <= bytes.length && hasMagic(bytes, at); ) {
    view.setBigInt64(at + START, view.getBigInt64(at + START) + BigInt(nanos));
    at += readChunkHeader(bytes.subarray(at)).bytes;
  }
  return bytes;
}
