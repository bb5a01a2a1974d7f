/** Cores of other threads that read chunks for the core that holds the recording. */
import type { FilePlace } from "../bytes/byte-source.ts";
import type { ReadStatus } from "../core/instance/capacity.ts";
import type { ReadSetup } from "../core/instance/instance.ts";
import type { ChunkPart } from "../core/reading/chunk-part.ts";
import type { ChunkSummary } from "../core/types.ts";

/** A chunk that another thread reads from a file. */
export interface PlacedChunk {
  place: FilePlace;
  at: number;
  bytes: number;
}

/** A core of another thread. */
export interface OtherCore {
  /** Reads a chunk, whose bytes it takes over; null if it cannot. Never rejects. */
  read(chunk: Uint8Array<ArrayBuffer> | PlacedChunk): Promise<Omit<ChunkPart, "core"> | null>;
  /** Takes the memory of a part, which is merged, for the next one: new memory costs more than reading a part. */
  reuse?(rows: ArrayBuffer): void;
}

export interface OtherCores {
  /** How many there may be. */
  readonly most: number;
  /** Whether they read from files. Otherwise they are sent the bytes of each chunk. */
  readonly readFiles?: boolean;
  /** Bytes that a core reads while another one starts: files that are not larger are read by one. */
  readonly startBytes: number;
  /** The first `count` of them, which read chunks for a core with this setup from now on. */
  open(count: number, setup: ReadSetup): OtherCore[];
  /** Which of them reads each chunk of these sizes, null: none of them. Without it the usual plan is made. */
  plan?(sizes: readonly number[]): (number | null)[];
}

/** Functions of a core that merges what other cores read. */
export interface ChunkMerger {
  /** Adds a chunk that another core has read; null if it has to be read here. */
  mergeChunk(part: ChunkPart, offset: number, summary: Omit<ChunkSummary, "events">): ReadStatus | null;
  /** Null if only this core can read: what is read next depends on more than its setup. */
  setupOfOthers(): ReadSetup | null;
  /** No part of other cores comes any more. */
  endMerging(): void;
}
