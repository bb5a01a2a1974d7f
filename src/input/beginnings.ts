/**
 * Beginnings of the chunks in all inputs of a reading, for a chunk that is cut off: it does not count if another input
 * has more of it. Sources that are read in one direction, and archives, are left out.
 */

import type { ByteSource } from "../bytes/byte-source.ts";
import { BEGIN_LENGTH, beginKey, beginOf } from "../bytes/chunk-begin.ts";
import { readChunkHeader } from "./chunk-header.ts";
import { closePackings, opened } from "./classify.ts";

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
      const claimed = readChunkHeader(head).bytes;
      // The size of an incomplete chunk is not known, and that of a stream only at its end.
      const end = claimed >= BEGIN_LENGTH ? at + claimed : source.byteLength;
      const isWhole = (await source.slice(end - 1, end)).length === 1;
      const bytes = (isWhole ? end : source.byteLength) - at;
      const { key } = begin;
      begins.set(key, Math.max(bytes, begins.get(key) ?? 0));
      if (!isWhole || end === at) break;
      at = end;
    }
  }
  await closePackings(known);
}
