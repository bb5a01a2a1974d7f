/**
 * Names of the supplement of a file that dwz made smaller: entries and texts that several libraries share are there.
 *
 *   .gnu_debugaltlink   name, ended by a zero · build id of the supplement
 *   .debug_sup          version u16 · 1 in the supplement itself u8 · name, ended by a zero · size of the id · id
 */
import type { ByteSource } from "../bytes/byte-source.ts";
import { hexOf } from "../bytes/hex.ts";

export interface Supplement {
  isSupplement: boolean;
  name: string;
  /** In hex. */
  id: string;
}

/** Bytes of a section beyond which it is none, and of an id. */
const LONGEST = 4096;
const LONGEST_ID = 64;
const HEAD = 3;

/** The content of .debug_sup; null if it is damaged. */
export async function readSupplement(section: ByteSource): Promise<Supplement | null> {
  const bytes = await section.slice(0, Math.min(section.byteLength, LONGEST));
  const end = bytes.indexOf(0, HEAD);
  const [size = 0] = bytes.subarray(end + 1);
  const id = bytes.slice(end + 2, end + 2 + size);
  if (end < 0 || size === 0 || size > LONGEST_ID || id.length < size) return null;
  const name = new TextDecoder().decode(bytes.slice(HEAD, end));
  return { isSupplement: bytes[2] === 1, name, id: hexOf(id) };
}

/** The content of .gnu_debugaltlink; null if it is damaged. */
export async function readAlternateLink(section: ByteSource): Promise<Supplement | null> {
  const bytes = await section.slice(0, Math.min(section.byteLength, LONGEST));
  const end = bytes.indexOf(0);
  const id = bytes.slice(end + 1, end + 1 + LONGEST_ID);
  if (end <= 0 || id.length === 0) return null;
  return { isSupplement: false, name: new TextDecoder().decode(bytes.slice(0, end)), id: hexOf(id) };
}
