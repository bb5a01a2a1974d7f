/**
 * Reading the chunks of a recording side by side: the core that holds the recording reads some of them, cores of other
 * threads the others, and it merges theirs in the order of the chunks. The result does not depend on who reads a chunk.
 *
 *   plan      made once, by the sizes in the chunks' headers: who reads which chunk, so that all end at about the same
 *             time. It ends before the first header that is not plausible: from there on one core reads
 *   handOut   gives the others the next chunks of the plan, a few at a time, so that memory stays bounded
 *   partAt    what another core has read of the chunk at an offset
 *
 * Sources that are read in one direction have one core: their chunks are not known before they are read.
 */

import type { ByteSource } from "../bytes/byte-source.ts";
import { BEGIN_LENGTH, beginKey, beginOf } from "../bytes/chunk-begin.ts";
import type { ChunkPart } from "../core/reading/chunk-part.ts";
import { type ChunkHeader, HEADER_BYTES, hasMagic, readChunkHeader } from "./chunk-header.ts";
import { planOf } from "./chunk-plan.ts";
import type { OtherCore, OtherCores, PlacedChunk } from "./other-cores.ts";
import type { Reading } from "./reading.ts";

type Peek = NonNullable<ByteSource["peek"]>;
type Find = (at: number, bytes: number) => Promise<Uint8Array<ArrayBuffer> | PlacedChunk | null>;

/** A chunk in the plan. */
interface Planned {
  at: number;
  header: ChunkHeader;
  /** By which it is recognised in other files; "" if it is too short, or not complete. */
  begin: string;
  /** Index of the other core that reads it; null: the one that holds the recording. */
  by: number | null;
}

/** Chunks that another core has or has read, and that are not merged. */
const AHEAD = 2;
export class SideBySide {
  private readonly reading: Reading;
  /** The bytes of a chunk, or where another thread finds them; null if the source ends before. */
  private readonly find: Find;
  private readonly plan: Planned[];
  private readonly cores: OtherCore[];
  /** Parts that are read or being read, by offset. */
  private readonly parts = new Map<number, Planned & { by: number; read: Promise<ChunkPart | null> }>();

  private constructor(reading: Reading, find: Find, plan: Planned[], cores: OtherCore[]) {
    this.reading = reading;
    this.find = find;
    this.plan = plan;
    this.cores = cores;
  }

  /** Null if one core is as fast. */
  static async of(reading: Reading, source: ByteSource, first: number): Promise<SideBySide | null> {
    const { core, others } = reading;
    const peek = source.peek?.bind(source);
    const setup = core.setupOfOthers?.() ?? null;
    if (others === null || others.most < 1 || peek === undefined || setup === null) return null;
    const chunks = await headersFrom(peek, source.byteLength, first);
    const sizes = chunks.map(({ header }) => header.bytes);
    const by = others.plan?.(sizes) ?? planOf(sizes, others.most, others.startBytes);
    const count = 1 + Math.max(-1, ...by.map((core) => core ?? -1));
    // The reading core knows what to do with chunks that may be copies.
    const seen = new Set([""]);
    const plan = chunks.map((chunk, i) => {
      const isCopy = seen.has(chunk.begin) || core.contents.has(chunk.begin);
      seen.add(chunk.begin);
      return { ...chunk, by: isCopy ? null : (by[i] ?? null) };
    });
    return count === 0 ? null : new SideBySide(reading, findIn(source, peek, others), plan, others.open(count, setup));
  }

  /** To be called whenever the reading core has something to do for a while. */
  async handOut(): Promise<void> {
    for (const planned of this.plan) {
      const { at, header, by } = planned;
      if (by === null || this.load(by) >= AHEAD) continue;
      const chunk = await this.find(at, header.bytes);
      const core = this.cores[by];
      // A source that ends here has a fault, which the reading core reports.
      if (core === undefined || chunk === null) return this.end();
      const read = core.read(chunk).then((part) => part && { ...part, core: by });
      this.parts.set(at, { ...planned, by, read });
      planned.by = null;
    }
  }

  private load(by: number): number {
    let n = 0;
    for (const part of this.parts.values()) if (part.by === by) n++;
    return n;
  }

  /** Undefined if the reading core reads this chunk; a part of null if the other core could not. */
  async partAt(at: number): Promise<(Planned & { part: ChunkPart | null }) | undefined> {
    await this.handOut();
    const planned = this.parts.get(at);
    if (planned === undefined) return undefined;
    const part = await planned.read;
    this.parts.delete(at);
    await this.handOut();
    return { ...planned, part };
  }

  /** The part is merged. */
  merged({ core, rows }: ChunkPart): void {
    this.cores[core]?.reuse?.(rows.buffer);
  }

  /** From now on, the reading core reads alone. */
  end(): void {
    this.plan.length = 0;
    this.parts.clear();
    this.reading.core.endMerging?.();
  }
}

function findIn({ place }: ByteSource, peek: Peek, { readFiles }: OtherCores): Find {
  if (readFiles === true && place !== undefined) return async (at, bytes) => ({ place, at, bytes });
  return async (at, bytes) => {
    const chunk = await peek(at, at + bytes);
    return chunk.length < bytes ? null : chunk;
  };
}

/** The plausible chunks that follow each other from `at` on. */
async function headersFrom(peek: Peek, size: number, first: number): Promise<Omit<Planned, "by">[]> {
  const chunks: Omit<Planned, "by">[] = [];
  for (let at = first; ; ) {
    const head = await peek(at, at + BEGIN_LENGTH);
    if (head.length < HEADER_BYTES || !hasMagic(head)) return chunks;
    const header = readChunkHeader(head);
    const isPlausible = (header.major === 1 || header.major === 2) && header.bytes >= HEADER_BYTES;
    if (!isPlausible || at + header.bytes > size) return chunks;
    const begin = beginKey(beginOf(head, header.bytes));
    chunks.push({ at, header, begin: begin === null || begin.isCut ? "" : begin.key });
    at += header.bytes;
  }
}
