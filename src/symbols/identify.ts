/** Kind and build id of a file, from its headers alone. */
import type { ByteSource } from "../bytes/byte-source.ts";
import { type Image, SymbolReader } from "./reader.ts";

export type { ElfKind, Image } from "./reader.ts";

/** Reads the headers of a file. */
export async function identify(module: WebAssembly.Module, source: ByteSource): Promise<Image> {
  const reader = await SymbolReader.create(module);
  try {
    return await reader.open(source);
  } finally {
    await reader.close();
  }
}
