/** The format of an input inside its wrappers, for the page. */
import { type ByteSource, InputSource } from "../bytes/byte-source.ts";
import { Expansion } from "../bytes/expansion.ts";
import { type Sniffed, TRACE } from "./sniffed.ts";
import { unwrapped } from "./unwrap.ts";

export interface InputKind {
  kind: Sniffed["kind"];
  packed: boolean;
}

/** Never throws: an input that cannot be read is like an empty one. */
export async function inputKind(file: ByteSource): Promise<InputKind> {
  const { sniffed, packings } = await unwrapped(new InputSource(file), new Expansion(file));
  return { kind: sniffed.kind, packed: packings.length > 0 };
}

/** Whether a file has spans in place of samples. */
export async function isTraceFile(file: ByteSource): Promise<boolean> {
  const { sniffed } = await unwrapped(new InputSource(file), new Expansion(file));
  return sniffed.kind === "foreign" && sniffed.what === TRACE;
}
