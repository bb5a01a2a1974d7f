/**
 * Framing of files with several messages in protobuf: the bytes before each message, which have its length.
 *
 *   frames      | length u32 big-endian | message | …            the Collector's file exporter
 *   delimited   "OTLP" | version u32 little-endian | | length varint | message | …
 *               Jeffrey's `.otlp` files (the class OtlpFileFormat there). Files that were appended to each other
 *               have magic and version again between two messages.
 */

import { startsWith } from "../bytes/byte-order-mark.ts";
import { CUT, VARINT_BYTES, Varint } from "../bytes/protobuf.ts";

export type FramedForm = "frames" | "delimited";

const LENGTH_BYTES = 4;
/** `OTLP`. In protobuf its first byte would be a field of wire type 7, which does not exist. */
const MAGIC = [0x4f, 0x54, 0x4c, 0x50];
const MAGIC_BYTES = 8;
/** The version of files that this reader was written for. */
export const KNOWN_VERSION = 1;

/** The most bytes before a message. */
export const FRAME_HEAD_BYTES = MAGIC_BYTES + VARINT_BYTES;

export interface FrameHead {
  /** Bytes before the message. */
  bytes: number;
  /** Length of the message. */
  length: number;
}

export function isFramed(form: string): form is FramedForm {
  return form === "frames" || form === "delimited";
}

/** Version of a delimited file that starts with `head`; null if it does not start with the magic. */
export function delimitedVersion(head: Uint8Array): number | null {
  if (head.length < MAGIC_BYTES || !startsWith(head, MAGIC)) return null;
  return new DataView(head.buffer, head.byteOffset).getUint32(MAGIC.length, true);
}

/**
 * The bytes before the next message. `head`: the next FRAME_HEAD_BYTES of the file, or all that are left, at least one.
 * Null if the file ends in them.
 */
export function frameHead(form: FramedForm, head: Uint8Array): FrameHead | null {
  if (form === "frames") {
    if (head.length < LENGTH_BYTES) return null;
    return { bytes: LENGTH_BYTES, length: new DataView(head.buffer, head.byteOffset).getUint32(0) };
  }
  const start = delimitedVersion(head) === null ? 0 : MAGIC_BYTES;
  // Magic and version with nothing after them are an empty file.
  if (start > 0 && head.length === start) return { bytes: start, length: 0 };
  const varint = new Varint();
  const end = varint.read(head, start, head.length);
  if (end === CUT) return null;
  // No length is above 10 bytes: whatever it is, it goes beyond the end of the file.
  return end < 0
    ? { bytes: start + VARINT_BYTES, length: Number.MAX_SAFE_INTEGER }
    : { bytes: end, length: varint.value };
}
