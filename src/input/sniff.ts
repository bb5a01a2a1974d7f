/** Detection of a file's format by its first bytes; names and extensions are not trusted. */
import type { ByteSource } from "../bytes/byte-source.ts";
import { FOREIGN, FORMATS, PACKINGS } from "./formats.ts";
import { EMPTY, isTextual, JSON_TEXT, type Sniffed, UNKNOWN } from "./sniffed.ts";

/** Kinds that more bytes may show to be another one. */
const UNSURE: readonly Sniffed["kind"][] = ["pprof", "otlp", "logs", "foreign"];

/** `head`: the first bytes of the file, HEAD_BYTES are plenty. */
export function sniff(head: Uint8Array): Sniffed {
  for (const { kind, isIn } of PACKINGS) if (isIn(head)) return { kind };
  for (const { isIn, what, kind = "foreign" } of FOREIGN) if (isIn(head)) return { kind, what };
  if (head.length === 0) return { kind: "foreign", what: EMPTY };
  const isText = isTextual(head);
  for (const format of FORMATS) {
    const known = format.known(head, isText);
    if (known !== null) return known;
  }
  // After the formats, because a single character that identifies a text may be a length in any of them.
  const first = head.find((byte) => byte > 32);
  if (first === 0x7b || first === 0x5b) return { kind: "foreign", what: JSON_TEXT };
  if (first === 0x3c) return { kind: "foreign", what: "HTML or XML" };
  return { kind: "foreign", what: isText ? "plain text" : UNKNOWN };
}

/** The format of a source with these first bytes; reads more of it where they are ambiguous. */
export async function sniffSource(source: ByteSource, head: Uint8Array): Promise<Sniffed> {
  const sniffed = sniff(head);
  if (!UNSURE.includes(sniffed.kind) || head.length === 0) return sniffed;
  // Recordings are sure: the page fetches this when a file needs it.
  return (await import("./sniff-further.ts")).sniffFurther(source, head, sniffed);
}
