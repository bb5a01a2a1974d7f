/**
 * Beginnings of the chunks in all inputs of a reading, for a chunk that is cut off: it does not count if another input
 * has more of it. Recordings in messages of other formats are left out.
 */

import type { ByteSource } from "../bytes/byte-source.ts";
import { BEGIN_LENGTH, beginKey, beginOf } from "../bytes/chunk-begin.ts";
import { StreamSource } from "../bytes/stream-source.ts";
import type { Beginning } from "../core/reading/contents.ts";
import { readChunkHeader } from "./chunk-header.ts";
import { type ChunkBuffer, findMagic, loadChunk } from "./chunk-load.ts";
import { type Classified, classified, closePackings, LAYERS, type Opened, opened } from "./classify.ts";

/** Bytes of all pipes that are kept in memory until they are read, or of a file that are searched for a chunk. */
const AHEAD = 2 ** 28;
/** A chunk of a stream is loaded to find its end; larger ones are not. */
const MOST_LOADED = 2 ** 28;

/** An input; of a pipe that was begun only what is left of it is kept for its reader. */
export interface Begun {
  source: ByteSource;
  isBegun?: boolean;
  close(): Promise<void>;
}

/** Opens a source; null where there is none, or nothing is left to read in it. */
export type Opening = () => Promise<Begun | null>;

/**
 * The places and the most bytes of each beginning. Pipes are loaded in the order in which they are read, because a
 * program may write one after the other: those after one with too many bytes are left out.
 */
export async function beginsIn(inputs: readonly Opening[]): Promise<ReadonlyMap<string, Beginning>> {
  const begins = new Map<string, Beginning>();
  let left = AHEAD;
  const load = async (stream: StreamSource) => {
    const before = stream.byteLength;
    left = (await stream.load(left)) ? left - (stream.byteLength - before) : 0;
  };
  const begun: StreamSource[] = [];
  for (const open of inputs) {
    const input = await open().catch(() => null);
    if (input === null) continue;
    const { source } = input;
    if (source.peek !== undefined) await noteFile(begins, source);
    else if (source instanceof StreamSource && input.isBegun === true) begun.push(source);
    else if (source instanceof StreamSource) {
      for (const each of begun.splice(0)) await load(each);
      if (left > 0) {
        await load(source);
        source.hold(0, Number.POSITIVE_INFINITY);
        await noteFile(begins, loaded(source));
        source.hold(null);
      }
    }
    await input.close();
  }
  return begins;
}

/** The bytes of a stream that came so far. */
function loaded(stream: StreamSource): ByteSource {
  const { byteLength } = stream;
  const slice = (start: number, end: number) => stream.slice(start, Math.max(start, Math.min(end, byteLength)));
  return { byteLength, slice };
}

async function noteFile(begins: Map<string, Beginning>, file: ByteSource): Promise<void> {
  const known = await opened(file);
  await note(begins, known, known.expansion, 0);
}

async function note(begins: Map<string, Beginning>, known: Classified, expansion: Opened["expansion"], layer: number) {
  const { source, sniffed, packings } = known;
  const inner = layer + packings.length;
  // The reader reports the damage.
  if (sniffed.kind === "jfr" || "what" in sniffed) await noteChunks(begins, source);
  else if ((sniffed.kind === "zip" || sniffed.kind === "multipart") && inner < LAYERS) {
    const { multipartEntries, zipEntries } = await import("../bytes/unpack.ts");
    const entries = sniffed.kind === "zip" ? zipEntries(source, expansion) : multipartEntries(source);
    const next = () => entries.next().catch(() => ({ done: true, value: undefined }) as const);
    for (let entry = await next(); !entry.done && expansion.enter(); entry = await next()) {
      await note(begins, await classified(entry.value.source, expansion, inner + 1), expansion, inner + 1);
    }
    await entries.return(undefined);
  }
  await closePackings(known);
}

/** The chunks of a recording, and of a file of another format that has one in it. */
async function noteChunks(begins: Map<string, Beginning>, source: ByteSource): Promise<void> {
  const buffer = new Scratch();
  for (let at = 0; ; ) {
    const head = await source.slice(at, at + BEGIN_LENGTH);
    if (head.length < BEGIN_LENGTH) return;
    const begin = beginKey(beginOf(head));
    if (begin === null) {
      const next = await findMagic(source, at + 1, AHEAD);
      if (next === null) return;
      at = next;
      continue;
    }
    const { bytes: claimed, size } = readChunkHeader(head);
    const isSized = source.ahead === undefined && claimed >= BEGIN_LENGTH && at + claimed <= source.byteLength;
    const { length, refusal } = isSized
      ? { length: claimed, refusal: null }
      : await loadChunk(buffer, source, at, size, MOST_LOADED);
    if (refusal !== null) return;
    const { places, bytes } = begins.get(begin.key) ?? { places: 0, bytes: 0 };
    begins.set(begin.key, { places: places + 1, bytes: Math.max(length, bytes) });
    at += length;
  }
}

/** Where a chunk is loaded to find its end. */
class Scratch implements ChunkBuffer {
  private bytes = new Uint8Array(0);

  reserve(bytes: number): void {
    this.grow(bytes);
  }

  grow(bytes: number): void {
    if (bytes <= this.bytes.length) return;
    if (bytes > MOST_LOADED) throw new RangeError("the chunk is too large to be searched for");
    const more = new Uint8Array(bytes);
    more.set(this.bytes);
    this.bytes = more;
  }

  input(end: number, start = 0): Uint8Array {
    return this.bytes.subarray(start, end);
  }
}
