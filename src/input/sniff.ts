/** What a file is, by its first bytes; names and extensions lie. */
import type { OtlpForm } from "../otlp/messages.ts";
import { sniffJson, sniffProtobuf } from "../otlp/sniff.ts";
import { isPprof } from "./pprof.ts";

export type Sniffed =
  | { kind: "jfr" }
  | { kind: "gzip" | "zstd" | "lz4" }
  | { kind: "zip" }
  /** A message of OTLP profiles, which may have recordings in it. */
  | { kind: "otlp"; form: OtlpForm }
  | { kind: "pprof" }
  /** `what` completes "this is …". */
  | { kind: "foreign"; what: string };

/** What is foreign but could be a damaged message. */
export const EMPTY = "empty";
export const JSON_TEXT = "JSON";
export const UNKNOWN = "of no format that is known here";

const MAGICS: [number[], Sniffed][] = [
  [[0x46, 0x4c, 0x52, 0x00], { kind: "jfr" }],
  [[0x1f, 0x8b], { kind: "gzip" }],
  [[0x50, 0x4b, 0x03, 0x04], { kind: "zip" }],
  [[0x28, 0xb5, 0x2f, 0xfd], { kind: "zstd" }],
  [[0x04, 0x22, 0x4d, 0x18], { kind: "lz4" }],
  [[0x42, 0x5a, 0x68], { kind: "foreign", what: "bzip2-compressed" }],
  [[0x89, 0x50, 0x4e, 0x47], { kind: "foreign", what: "a PNG picture" }],
  [[0xca, 0xfe, 0xba, 0xbe], { kind: "foreign", what: "a Java class file" }],
  [[0x7f, 0x45, 0x4c, 0x46], { kind: "foreign", what: "an ELF binary" }],
  [[...new TextEncoder().encode("JAVA PROFILE")], { kind: "foreign", what: "a Java heap dump (hprof)" }],
  [[...new TextEncoder().encode("%PDF")], { kind: "foreign", what: "a PDF document" }],
];

/** `head`: the first bytes of the file, 64 are plenty. */
export function sniff(head: Uint8Array): Sniffed {
  // Skippable frames, which zstd and lz4 share: 50 to 5F 2A 4D 18. Only zstd's reader and ours know what follows.
  if (head[1] === 0x2a && head[2] === 0x4d && head[3] === 0x18 && (head[0] ?? 0) >> 4 === 5) return { kind: "zstd" };
  for (const [magic, sniffed] of MAGICS) {
    if (head.length >= magic.length && magic.every((byte, i) => head[i] === byte)) return sniffed;
  }
  if (head.length === 0) return { kind: "foreign", what: EMPTY };
  const isText = head.every((byte) => byte >= 32 || byte === 9 || byte === 10 || byte === 13);
  // Before what is told by one character, for lengths may look like any.
  // A pprof file that begins with samples looks like a dictionary of OTLP; that one begins with zero elements.
  if (!isText && isPprof(head)) return { kind: "pprof" };
  const form = isText ? sniffJson(head) : sniffProtobuf(head);
  if (form !== null) return { kind: "otlp", form };
  const first = head.find((byte) => byte > 32);
  if (first === 0x7b || first === 0x5b) return { kind: "foreign", what: JSON_TEXT };
  if (first === 0x3c) return { kind: "foreign", what: "HTML or XML" };
  if (isText) return { kind: "foreign", what: "plain text" };
  return { kind: "foreign", what: UNKNOWN };
}
