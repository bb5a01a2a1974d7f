/** Kind and build id of a file, from its headers alone. */
import type { ByteSource } from "../bytes/byte-source.ts";
import { type Image, SymbolReader } from "./reader.ts";

export type { ElfKind, Image } from "./reader.ts";

/** A reader that no call is using: folders may have thousands of files, and a new reader costs a millisecond. */
const idle = new WeakMap<WebAssembly.Module, SymbolReader>();

/** Reads the headers of a file. */
export async function identify(module: WebAssembly.Module, source: ByteSource): Promise<Image> {
  const reader = idle.get(module) ?? (await SymbolReader.create(module));
  idle.delete(module);
  try {
    const image = await reader.open(source);
    await reader.renew();
    idle.set(module, reader);
    return image;
  } finally {
    await reader.close();
  }
}
