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
import type { ChunkPart } from "../core/chunk-part.ts";
import { type ChunkHeader, HEADER_BYTES, hasMagic, readChunkHeader } from "./chunk-header.ts";
import type { OtherCore, OtherCores } from "./other-cores.ts";
import type { Reading } from "./reading.ts";

type Peek = NonNullable<ByteSource["peek"]>;

/** A chunk in the plan. */
interface Planned {
  at: number;
  header: ChunkHeader;
  /** Index of the other core that reads it; null: the one that holds the recording. */
  by: number | null;
}

/** Chunks that another core has or has read, and that are not merged. */
const AHEAD = 2;
/** A larger chunk is read by the core that holds the recording: it would be in memory twice. */
const LARGEST = 2 ** 29;
/** Merging a part, in proportion to reading its chunk. */
const MERGE = 0.2;

export class SideBySide {
  private readonly reading: Reading;
  private readonly peek: Peek;
  private readonly plan: Planned[];
  private readonly cores: OtherCore[];
  /** Parts that are read or being read, by offset. */
  private readonly parts = new Map<number, { by: number; header: ChunkHeader; part: Promise<ChunkPart | null> }>();

  private constructor(reading: Reading, peek: Peek, plan: Planned[], cores: OtherCore[]) {
    this.reading = reading;
    this.peek = peek;
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
    const by = others.plan?.(sizes) ?? planOf(sizes, others);
    const count = 1 + Math.max(-1, ...by.map((core) => core ?? -1));
    const plan = chunks.map((chunk, i) => ({ ...chunk, by: by[i] ?? null }));
    return count === 0 ? null : new SideBySide(reading, peek, plan, others.open(count, setup));
  }

  /** To be called whenever the reading core has something to do for a while. */
  async handOut(): Promise<void> {
    for (const planned of this.plan) {
      const { at, header, by } = planned;
      if (by === null || this.load(by) >= AHEAD) continue;
      const bytes = await this.peek(at, at + header.bytes);
      const core = this.cores[by];
      // A source that ends here has a fault, which the reading core reports.
      if (core === undefined || bytes.length < header.bytes) return this.end();
      const part = core.read(bytes).then((read) => read && { ...read, core: by });
      this.parts.set(at, { by, header, part });
      planned.by = null;
    }
  }

  private load(by: number): number {
    let n = 0;
    for (const part of this.parts.values()) if (part.by === by) n++;
    return n;
  }

  /** Undefined if the reading core reads this chunk; a part of null if the other core could not. */
  async partAt(at: number): Promise<{ header: ChunkHeader; part: ChunkPart | null } | undefined> {
    await this.handOut();
    const read = this.parts.get(at);
    if (read === undefined) return undefined;
    const part = await read.part;
    this.parts.delete(at);
    await this.handOut();
    return { header: read.header, part };
  }

  /** From now on, the reading core reads alone. */
  end(): void {
    this.plan.length = 0;
    this.parts.clear();
    this.reading.core.endMerging?.();
  }
}

/** The plausible chunks that follow each other from `at` on. */
async function headersFrom(peek: Peek, size: number, first: number): Promise<Omit<Planned, "by">[]> {
  const chunks: Omit<Planned, "by">[] = [];
  for (let at = first; ; ) {
    const head = await peek(at, at + HEADER_BYTES);
    if (head.length < HEADER_BYTES || !hasMagic(head)) return chunks;
    const header = readChunkHeader(head);
    const isPlausible = (header.major === 1 || header.major === 2) && header.bytes >= HEADER_BYTES;
    if (!isPlausible || at + header.bytes > size) return chunks;
    chunks.push({ at, header });
    at += header.bytes;
  }
}

/**
 * Gives each chunk to the core that has the recording earliest merged up to there. Time is in bytes read.
 */
function planOf(sizes: readonly number[], { most, startBytes }: OtherCores): (number | null)[] {
  const free = Array.from({ length: most }, () => startBytes);
  let merged = 0;
  return sizes.map((bytes) => {
    const by = free.indexOf(Math.min(...free));
    const read = (free[by] ?? Number.POSITIVE_INFINITY) + bytes;
    const other = Math.max(merged, read) + MERGE * bytes;
    if (merged + bytes <= other || bytes > LARGEST) {
      merged += bytes;
      return null;
    }
    free[by] = read;
    merged = other;
    return by;
  });
}
