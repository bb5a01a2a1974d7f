/** What a file is beneath what it is packed in, by its first bytes. */
import { type ByteSource, InputSource } from "../bytes/byte-source.ts";
import { Expansion } from "../bytes/expansion.ts";
import { type Sniffed, sniff } from "./sniff.ts";

export interface InputKind {
  kind: Sniffed["kind"];
  packed: boolean;
}

const HEAD_BYTES = 64;
/** Deeper than this nothing is read either (open.ts). */
const LAYERS = 3;

/** Never throws: an input that cannot be read is like an empty one. */
export async function inputKind(file: ByteSource): Promise<InputKind> {
  let source: ByteSource = new InputSource(file);
  for (let layer = 0; ; layer++) {
    const { kind } = sniff(await source.slice(0, HEAD_BYTES));
    const isPacking = kind === "gzip" || kind === "zstd" || kind === "lz4";
    if (!isPacking || layer === LAYERS) return { kind, packed: layer > 0 };
    const { unpacked } = await import("../bytes/unpack.ts");
    source = unpacked(kind, source, new Expansion(file));
  }
}
