/**
 * What a file is, beneath its compressions: a format that is read, a trace, symbols, an archive or something foreign.
 * A file is opened and classified once; its reader continues with it. Names and extensions are not trusted.
 */
import { type ByteSource, InputSource } from "../bytes/byte-source.ts";
import { Expansion } from "../bytes/expansion.ts";
import type { StreamSource } from "../bytes/stream-source.ts";
import type { Packing } from "../bytes/unpack.ts";
import { FOREIGN, FORMATS, PACKINGS } from "./formats.ts";
import { EMPTY, HEAD_BYTES, isTextual, JSON_TEXT, type Sniffed, UNKNOWN } from "./sniffed.ts";

/**
 * Wrappers inside wrappers: a zip of gzipped recordings is common, a fourth layer is a trap. There are gzip files that
 * decompress to themselves.
 */
export const LAYERS = 3;

export interface Classified {
  /** The file beneath, or the one given. */
  source: ByteSource;
  head: Uint8Array;
  /** A compression only where there are more of them than LAYERS. */
  sniffed: Sniffed;
  /** The compressions that were taken off, the outermost first. */
  packings: { packing: Packing; stream: StreamSource }[];
}

/** A file on its way to a reader. */
export interface Opened extends Classified {
  input: InputSource;
  /** What everything in the file may unpack to together. */
  expansion: Expansion;
}

/** Never throws: a file that cannot be read is like an empty one, and `input.faults` has the reason. */
export async function opened(file: ByteSource, rest?: () => Promise<void>): Promise<Opened> {
  const input = new InputSource(file, rest);
  const expansion = new Expansion(input);
  return { input, expansion, ...(await classified(input, expansion)) };
}

/** Ends the decompressors of a file that is not read. */
export async function closePackings({ packings }: Pick<Opened, "packings">): Promise<void> {
  for (const { stream } of [...packings].reverse()) await stream.close();
}

/** Takes compressions off a file that has `layer` wrappers around it. */
export async function classified(file: ByteSource, expansion: Expansion, layer = 0): Promise<Classified> {
  const packings: Classified["packings"] = [];
  for (let source = file; ; ) {
    const head = await source.slice(0, HEAD_BYTES);
    const sniffed = await sniffSource(source, head);
    const { kind } = sniffed;
    if (!isPacking(kind) || layer + packings.length === LAYERS) return { source, head, sniffed, packings };
    // Most recordings are not compressed: the page fetches this when a file needs it.
    const stream = (await import("../bytes/unpack.ts")).unpacked(kind, source, expansion);
    packings.push({ packing: kind, stream });
    source = stream;
  }
}

/** The classification of a file, as the page knows it. */
export interface FileKind {
  kind: Sniffed["kind"];
  /** It is compressed as a whole. */
  packed: boolean;
}

export function fileKind({ sniffed, packings }: Pick<Classified, "sniffed" | "packings">): FileKind {
  return { kind: sniffed.kind, packed: packings.length > 0 };
}

/** Whether a file of this kind is compressed as a whole. */
export function isPacking(kind: Sniffed["kind"]): kind is Packing {
  return kind === "gzip" || kind === "zstd" || kind === "lz4" || kind === "utf-16";
}

/** Description of a file inside too many wrappers. */
export function tooDeep(kind: string): string {
  return `${kind} inside ${LAYERS} other wrappers`;
}

/** Kinds that more bytes may show to be another one. */
const UNSURE: readonly Sniffed["kind"][] = ["pprof", "otlp", "logs", "foreign"];

/** `head`: the first bytes of the file, HEAD_BYTES are plenty. */
export function sniff(head: Uint8Array): Sniffed {
  for (const { kind, isIn } of PACKINGS) if (isIn(head)) return { kind };
  for (const { isIn, what, kind } of FOREIGN) if (isIn(head)) return { kind, what };
  if (head.length === 0) return { kind: "foreign", what: EMPTY };
  const isText = isTextual(head);
  for (const format of Object.values(FORMATS)) {
    const known = format.known(head, isText);
    if (known !== null) return known;
  }
  // After the formats, because a single character that identifies a text may be a length in any of them.
  const first = head.find((byte) => byte > 32);
  if (first === 0x7b || first === 0x5b) return { kind: "foreign", what: JSON_TEXT };
  return { kind: "foreign", what: isText ? "plain text" : UNKNOWN };
}

/** The format of a source with these first bytes; reads more of it where they are ambiguous. */
async function sniffSource(source: ByteSource, head: Uint8Array): Promise<Sniffed> {
  const sniffed = sniff(head);
  if (!UNSURE.includes(sniffed.kind) || head.length === 0) return sniffed;
  // Recordings are sure: the page fetches this when a file needs it.
  return (await import("./sniff-further.ts")).sniffFurther(source, head, sniffed);
}
