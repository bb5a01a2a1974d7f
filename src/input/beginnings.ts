/**
 * Beginnings of the chunks in all inputs of a reading, for a chunk that is cut off: it does not count if another input
 * has more of it. Sources that are read in one direction, and archives, are left out.
 */

import type { ByteSource } from "../bytes/byte-source.ts";
import { BEGIN_LENGTH, beginKey, beginOf } from "../bytes/chunk-begin.ts";
import { readChunkHeader } from "./chunk-header.ts";
import { type ChunkBuffer, loadChunk } from "./chunk-load.ts";
import { closePackings, opened } from "./classify.ts";

/** A chunk is loaded to measure it. */
const NOWHERE: ChunkBuffer = { reserve() {}, grow() {}, input: (end, start = 0) => new Uint8Array(end - start) };

/** Opens a source; null where there is none. */
export type Opening = () => Promise<{ source: ByteSource; close(): Promise<void> } | null>;

/** The most bytes of each beginning. */
export async function beginsIn(inputs: readonly Opening[]): Promise<ReadonlyMap<string, number>> {
  const begins = new Map<string, number>();
  for (const open of inputs) {
    const input = await open().catch(() => null);
    if (input === null) continue;
    if (input.source.peek !== undefined) await note(begins, input.source);
    await input.close();
  }
  return begins;
}

async function note(begins: Map<string, number>, file: ByteSource): Promise<void> {
  const known = await opened(file);
  const { source, sniffed } = known;
  if (sniffed.kind === "jfr") {
    for (let at = 0; ; ) {
      const head = await source.slice(at, at + BEGIN_LENGTH);
      const begin = beginKey(beginOf(head));
      if (begin === null) break;
      const { bytes: claimed, size } = readChunkHeader(head);
      const isSized = claimed >= BEGIN_LENGTH && (await source.slice(at + claimed - 1, at + claimed)).length === 1;
      const isStream = source.ahead !== undefined;
      // An incomplete chunk ends where the next one begins; a stream is not searched for that.
      const cut = async () => (isStream ? source.byteLength - at : (await loadChunk(NOWHERE, source, at, size)).length);
      const bytes = isSized ? claimed : await cut();
      const { key } = begin;
      begins.set(key, Math.max(bytes, begins.get(key) ?? 0));
      if (bytes === 0 || (!isSized && isStream)) break;
      at += bytes;
    }
  }
  await closePackings(known);
}
