/** What a file is, by its first bytes; names and extensions lie. */
import type { Packing } from "../bytes/unpack.ts";
import { FOREIGN, FORMATS, hasBytes, type Known, PACKINGS } from "./formats.ts";

export type Sniffed =
  | Known
  | { kind: Packing | "zip" }
  /** `what` completes "this is …". */
  | { kind: "foreign"; what: string };

/** The first bytes that are looked at. */
export const HEAD_BYTES = 64;

/** What is foreign but could be a damaged message. */
export const EMPTY = "empty";
export const JSON_TEXT = "JSON";
export const UNKNOWN = "of no format that is known here";

/** `head`: the first bytes of the file, HEAD_BYTES are plenty. */
export function sniff(head: Uint8Array): Sniffed {
  for (const { kind, isIn } of PACKINGS) if (isIn(head)) return { kind };
  for (const { magic, what } of FOREIGN) if (hasBytes(head, magic)) return { kind: "foreign", what };
  if (head.length === 0) return { kind: "foreign", what: EMPTY };
  const isText = head.every((byte) => byte >= 32 || byte === 9 || byte === 10 || byte === 13);
  for (const format of FORMATS) {
    const known = format.known(head, isText);
    if (known !== null) return known;
  }
  // After the formats: what one character tells may be a length in any of them.
  const first = head.find((byte) => byte > 32);
  if (first === 0x7b || first === 0x5b) return { kind: "foreign", what: JSON_TEXT };
  if (first === 0x3c) return { kind: "foreign", what: "HTML or XML" };
  return { kind: "foreign", what: isText ? "plain text" : UNKNOWN };
}
