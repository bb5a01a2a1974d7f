/** Answers of the detection of formats. */
import type { Packing } from "../bytes/unpack.ts";
import type { Container, Known } from "./formats.ts";

export type Sniffed =
  | Known
  | { kind: Packing | Container }
  /** Not read as a recording; `what` completes "this is …", `instead` is what to do. */
  | { kind: "trace" | "symbols" | "foreign"; what: string; instead?: string };

/** Number of first bytes that are checked. */
export const HEAD_BYTES = 64;

/** Formats that are foreign but could be a damaged message. */
export const EMPTY = "empty";
export const JSON_TEXT = "JSON";
export const UNKNOWN = "of an unknown format";

/** Spans, which are read beside recordings. */
export const TRACE: Sniffed = { kind: "trace", what: "a trace" };

/** No byte is a control character. */
export function isTextual(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte >= 32 || byte === 9 || byte === 10 || byte === 13);
}
