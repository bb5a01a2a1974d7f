/** What a file is to the symbol reader: its kind and its build id, from its headers alone. */
import type { ByteSource } from "../bytes/byte-source.ts";
import { type Image, SymbolReader } from "./reader.ts";

export type { ElfKind, Image } from "./reader.ts";

const ELF = 0x464c457f;
const ZIP = 0x04034b50;

/** What the first bytes say: a file of another kind needs no reader. */
export function sniff(head: Uint8Array): "elf" | "zip" | "other" {
  if (head.length < 4) return "other";
  const magic = new DataView(head.buffer, head.byteOffset, head.length).getUint32(0, true);
  if (magic === ELF) return "elf";
  return magic === ZIP ? "zip" : "other";
}

/** Reads the headers of a file. */
export async function identify(module: WebAssembly.Module, source: ByteSource): Promise<Image> {
  const reader = await SymbolReader.create(module);
  try {
    return await reader.open(source);
  } finally {
    await reader.close();
  }
}
