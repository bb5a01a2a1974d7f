/** The interface between the readers of formats, their input and the core. */
import type { ByteSource } from "../bytes/byte-source.ts";
import type { Expansion } from "../bytes/expansion.ts";
import type { StreamSource } from "../bytes/stream-source.ts";
import type { LibraryPaths } from "../core/answers/library-paths.ts";
import type { Uploads } from "../core/answers/uploads.ts";
import type { Capacity, ReadStatus } from "../core/instance/capacity.ts";
import type { ChunkSummary } from "../core/types.ts";
import type { ChunkBuffer } from "./chunk-load.ts";
import type { DumpCore, OpenRun } from "./dump/read-dumps.ts";
import type { ChunkMerger, OtherCores } from "./other-cores.ts";
import type { MessageReader } from "./read-messages.ts";

/** Functions and options for reading, provided by the core. */
export interface ChunkReader extends MessageReader, ChunkBuffer, DumpCore, Partial<ChunkMerger> {
  /** Resource attributes of the files that are begun next. */
  around: Record<string, string>;
  /** Libraries of the profiled program, and other facts that uploads state. */
  readonly views: { readonly libraries: Pick<LibraryPaths, "add">; readonly uploads: Uploads };
  openChunk(length: number, offset: number, summary: Omit<ChunkSummary, "events">): ReadStatus;
  addCopy(summary: Omit<ChunkSummary, "events" | "copy">, events?: ChunkSummary["events"]): void;
  completeFile(show?: (meanwhile: () => Promise<unknown>) => Promise<unknown>): Promise<void>;
  samples(): number;
  /** Bytes of the store and everything else that the core holds. */
  bytesHeld(): number;
  readonly capacity: Pick<Capacity, "allow" | "endInput">;
  /** Lists a file that is not read because the core is full. */
  refuseFile(name: string, bytes: number): void;
  /** How many diagnostics are errors. */
  words(): Promise<void>;
  errors(): number;
  /** Throws `core.busy` while another reading is running. */
  beginReading(): void;
  endReading(): void;
  pauseReading(isPaused: boolean): void;
}

/**
 * Loads bytes between two chunks, while the core may be asked about what has been read. Null if cancelled. `mustShow`:
 * that is shown before the reading goes on.
 */
export type Between = <T>(load: () => Promise<T>, mustShow?: boolean) => Promise<T | null>;

/** A file whose format is known: an input, or a part of one. */
export interface KnownFile {
  name: string;
  source: ByteSource;
  /** Its first bytes. */
  head: Uint8Array;
  /** How many wrappers are around it. */
  layer: number;
}

/** The input that a file belongs to, and its path inside the input. */
export interface Reading {
  readonly core: ChunkReader;
  /** What everything in the input may unpack to together. */
  readonly expansion: Expansion;
  /** Cores of other threads; null: this one reads alone. */
  readonly others: OtherCores | null;
  /** Whether some chunk's metadata could be read, or some message. */
  readable: boolean;
  /** Whether the input is an attachment of an upload, or an upload whose description was read. */
  readonly attached: boolean;
  /** Runs of dumps that were read. */
  readonly runs: OpenRun[];
  /** Kept as long as nothing in it could be read. */
  held: ByteSource | null;
  /** Sets `readable`, and releases the kept bytes. */
  foundReadable(): void;
  /** The source, its progress that of the input where it is the outermost. */
  counted(source: ByteSource, layer: number): ByteSource;
  breathe(offset: number): Promise<boolean>;
  /** Null if questions wait for the end of the reading. */
  readonly between: Between | null;
  /** Reads a source of a known format. False if cancelled, or if the core is full. */
  read(name: string, source: ByteSource, layer: number): Promise<boolean>;
  /** Whether bytes may begin a recording: JFR, or anything compressed. */
  mayBeRecording(head: Uint8Array): boolean;
  noteFault(name: string, packing: string, source: StreamSource): void;
  note(file: string, code: string, message: string, offset?: number | null): void;
}
