/**
 * Feeds recordings to the core, chunk by chunk through one buffer, so memory does not grow with the file. Whatever
 * cannot be read is noted and stepped over; a core that is full ends the reading, and keeps what was read.
 */

import { type ByteSource, InputSource } from "../bytes/byte-source.ts";
import { Expansion } from "../bytes/expansion.ts";
import type { StreamSource } from "../bytes/stream-source.ts";
import type { Entry, Packing } from "../bytes/unpack.ts";
import type { ReadStatus } from "../core/capacity.ts";
import type { ChunkSummary, Severity } from "../core/types.ts";
import { type ChunkHeader, HEADER_BYTES, hasMagic, readChunkHeader } from "./chunk-header.ts";
import { type ChunkBuffer, findMagic, type LoadedChunk, loadChunk } from "./chunk-load.ts";
import type { Reading } from "./message-files.ts";
import type { MessageReader } from "./read-messages.ts";
import { type Sniffed, sniff } from "./sniff.ts";

/** What is read, under the name to show. */
export interface Input {
  name: string;
  source: ByteSource;
}

/** What this file needs of the core. */
export interface ChunkReader extends MessageReader, ChunkBuffer {
  openChunk(length: number, offset: number, summary: Omit<ChunkSummary, "events">): ReadStatus;
  samples(): number;
  /** Lists a file that is not read because the core is full. */
  refuseFile(name: string, bytes: number): void;
  /** How many diagnostics are errors. */
  errors(): number;
  /** Throws `core.busy` while another reading goes on. */
  beginReading(): void;
  endReading(): void;
}

export interface ReadProgress {
  bytes: number;
  total: number;
  samples: number;
}

export interface ReadHooks {
  onProgress?(progress: ReadProgress): void;
  /** Asked between slices; true ends the reading, and what was read stands. */
  cancelled?(): boolean;
}

/** Bytes of events per call into the core: some ten milliseconds of work. */
const SLICE = 4 << 20;
/** Work between two looks at the event loop, in milliseconds. */
const BREATH_MS = 40;
/** Packings inside packings: a zip of gzipped recordings is common, a fourth layer is a trap. */
const LAYERS = 3;
/** A stream in which no chunk begins for so many bytes is not read on: it may have no end. */
const BARREN = 2 ** 32;

/** How much of an input was read. `partly`: something was read, and some diagnostic about the input is an error. */
export type Extent = "wholly" | "partly" | "not";

export interface InputSummary {
  /** As given. */
  name: string;
  read: Extent;
}

/** The result of a reading. */
export interface ReadSummary {
  /** Inputs of which at least one chunk or message could be read. */
  readable: number;
  /** All inputs, in the order given. A cancelled reading has read the current one partly and those after it not. */
  inputs: InputSummary[];
}

/**
 * Reads all inputs into the core. Throws SpanflameError `core.busy` while another reading of this core goes on; never for
 * the bytes of an input. Where the core runs out of memory the reading ends; diagnostics `core.full` name the file and the
 * place, and each file after it.
 */
export async function readInputs(core: ChunkReader, inputs: Input[], hooks: ReadHooks = {}): Promise<ReadSummary> {
  core.beginReading();
  try {
    return await readAll(core, inputs, hooks);
  } finally {
    core.endReading();
  }
}

async function readAll(core: ChunkReader, inputs: Input[], hooks: ReadHooks): Promise<ReadSummary> {
  const total = inputs.reduce((sum, input) => sum + input.source.byteLength, 0);
  let before = 0;
  let going = true;
  const summaries: InputSummary[] = [];
  for (const { name, source } of inputs) {
    const errors = core.errors();
    const input = new InputReading(core, newBreath(hooks, core, before, total), new InputSource(source));
    if (core.full) core.refuseFile(name, source.byteLength);
    else going &&= await input.readAll(name);
    const some = going && !core.full && core.errors() === errors ? "wholly" : "partly";
    summaries.push({ name, read: input.readable ? some : "not" });
    before += source.byteLength;
  }
  return { readable: summaries.filter(({ read }) => read !== "not").length, inputs: summaries };
}

/** Reports progress and lets the event loop run now and then; false once the reading is cancelled. */
type Breath = (bytesDone: number) => Promise<boolean>;

function newBreath(hooks: ReadHooks, core: ChunkReader, before: number, total: number): Breath {
  let last = Date.now();
  return async (bytesDone) => {
    hooks.onProgress?.({ bytes: Math.min(total, before + bytesDone), total, samples: core.samples() });
    if (hooks.cancelled === undefined) return true;
    if (Date.now() - last > BREATH_MS) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      last = Date.now();
    }
    return !hooks.cancelled();
  };
}

/** The next entry of an archive, none at its end, or why there is none. */
async function nextEntry(entries: AsyncGenerator<Entry>): Promise<{ entry?: Entry; reason?: string }> {
  try {
    const { done, value } = await entries.next();
    return done ? {} : { entry: value };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

// Most recordings are neither packed nor messages: the page fetches these when a file asks for them.
const unpacking = () => import("../bytes/unpack.ts");
const messageFiles = () => import("./message-files.ts");

/** One input, through its wrappers to the recordings in it. */
class InputReading implements Reading {
  readonly core: ChunkReader;
  private breath: Breath;
  readable = false;
  held: ByteSource | null = null;
  private readonly input: InputSource;
  private readonly expansion: Expansion;

  constructor(core: ChunkReader, breath: Breath, input: InputSource) {
    this.core = core;
    this.breath = breath;
    this.input = input;
    this.expansion = new Expansion(input);
  }

  /** Reads the input, and notes whatever kept its bytes from being read. */
  async readAll(name: string): Promise<boolean> {
    const { input } = this;
    const going = await this.read(name, input, 0);
    await input.inspect();
    for (const { code, message, offset } of input.faults) {
      // Bytes that a recorder appended are no loss.
      const severity = code === "source.grown" ? "warning" : "error";
      this.core.note({ code, severity, message, file: name, chunk: null, offset });
    }
    return going;
  }

  private foundReadable(): void {
    this.readable = true;
    this.held?.hold?.(null);
  }

  /**
   * Reads what `source` is: a recording, something packed, an archive, a message around one. False when cancelled, or when
   * the core is full.
   */
  async read(name: string, source: ByteSource, layer: number): Promise<boolean> {
    const head = await source.slice(0, 64);
    if (head.length === 0 && this.input.faults.length > 0) {
      // That is all there is to say of it: an input that cannot be read is not empty.
      if (layer === 0) this.core.beginFile(name, 0);
      return true;
    }
    const sniffed = sniff(head);
    switch (sniffed.kind) {
      case "gzip":
      case "zstd":
      case "lz4":
        if (layer < LAYERS) return this.readPacked(name, sniffed.kind, source, layer);
        break;
      case "zip":
        if (layer < LAYERS) return this.readArchive(name, source, layer);
        break;
      case "otlp":
        if (layer < LAYERS) return (await messageFiles()).readOtlp(this, name, sniffed.form, source, layer);
        break;
      case "pprof":
        return (await messageFiles()).readPprof(this, name, source, layer);
      default:
    }
    const file = new FileReading(this.core, name, this.breath, () => this.foundReadable());
    return file.read(source, head, sniffed, layer);
  }

  breathe(offset: number): Promise<boolean> {
    return this.breath(offset);
  }

  /** Progress is that of the packed bytes: nobody knows how many come out of them. */
  counted(source: ByteSource, layer: number): ByteSource {
    if (layer > 0) return source;
    const { breath, input } = this;
    this.breath = () => breath(input.position);
    return source;
  }

  private async readPacked(name: string, packing: Packing, packed: ByteSource, layer: number): Promise<boolean> {
    const { unpacked } = await unpacking();
    const source = unpacked(packing, this.counted(packed, layer), this.expansion);
    const going = await this.read(name, source, layer + 1);
    this.noteFault(name, packing, source);
    await source.close();
    return going;
  }

  private async readArchive(name: string, archive: ByteSource, layer: number): Promise<boolean> {
    const { zipEntries } = await unpacking();
    const entries = zipEntries(this.counted(archive, layer), this.expansion);
    try {
      for (;;) {
        // Only the archive's own faults are caught: those of the core are not the zip's.
        const { entry, reason } = await nextEntry(entries);
        if (reason !== undefined) {
          this.note(name, "zip.damaged", `zip: ${reason}; the entries before that were read`);
        }
        if (entry === undefined) return true;
        const path = `${name}/${entry.name}`;
        if (!(await this.read(path, entry.source, layer + 1))) return false;
        this.noteFault(path, "zip", entry.source);
      }
    } finally {
      await entries.return(undefined);
    }
  }

  noteFault(name: string, packing: string, { fault, isExcess, byteLength }: StreamSource): void {
    if (fault === null) return;
    this.note(
      name,
      isExcess ? "source.excess" : `${packing}.damaged`,
      `${packing}: ${fault}; the ${byteLength} bytes before that were read`,
    );
  }

  note(file: string, code: string, message: string, offset: number | null = null): void {
    this.core.note({ code, severity: "error", message, file, chunk: null, offset });
  }
}

/** One recording, chunk by chunk. */
class FileReading {
  private readonly core: ChunkReader;
  private readonly name: string;
  private readonly breath: Breath;
  private readonly onReadable: () => void;
  private chunks = 0;
  private isOver = false;

  constructor(core: ChunkReader, name: string, breath: Breath, onReadable: () => void) {
    this.core = core;
    this.name = name;
    this.breath = breath;
    this.onReadable = onReadable;
  }

  private note(code: string, severity: Severity, message: string, chunk: number | null, offset: number | null): void {
    this.core.note({ code, severity, message, file: this.name, chunk, offset });
  }

  /** False when cancelled. */
  async read(source: ByteSource, head: Uint8Array, sniffed: Sniffed, layer: number): Promise<boolean> {
    const first = sniffed.kind === "jfr" ? 0 : await this.nextChunk(source, 0);
    if (first === source.byteLength) {
      // Archives hold other files too; only what a user chose gets an entry of its own.
      if (layer === 0) this.core.beginFile(this.name, source.byteLength);
      this.noteForeign(head, sniffed, source.byteLength, layer);
      return true;
    }
    this.core.beginFile(this.name, source.byteLength);
    if (first > 0) this.noteBytes(0, first);
    const going = await this.readChunks(source, first);
    this.core.endFile(source.byteLength);
    return going;
  }

  private noteForeign(head: Uint8Array, sniffed: Sniffed, bytes: number, layer: number): void {
    const what = sniffed.kind === "foreign" ? sniffed.what : `${sniffed.kind} inside ${LAYERS} other wrappers`;
    const start = [...head.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const size = bytes === 0 ? "" : `, ${bytes} bytes starting with ${start}`;
    const severity = layer === 0 ? "error" : "warning";
    this.note("source.foreign", severity, `not a JFR recording: the file is ${what}${size} (offset 0)`, null, 0);
  }

  private noteBytes(at: number, end: number, why = "they are no chunk"): void {
    this.note("jfr.foreign-bytes", "error", `jfr: ${end - at} bytes at offset ${at}: ${why}`, null, at);
  }

  private async readChunks(source: ByteSource, first: number): Promise<boolean> {
    for (let at = first; !this.isOver; ) {
      const head = await source.slice(at, at + HEADER_BYTES);
      if (head.length === 0) return true;
      if (!hasMagic(head) || head.length < HEADER_BYTES) {
        const next = await this.nextChunk(source, at + 1);
        this.noteBytes(at, next, hasMagic(head) ? "a chunk header needs 68" : undefined);
        at = next;
        continue;
      }
      const header = readChunkHeader(head);
      if (header.major !== 1 && header.major !== 2) {
        const message = `jfr: version ${header.version} at offset ${at}; 1.x and 2.x can be read`;
        this.note("jfr.version", "error", message, this.chunks, at);
        at = await this.nextChunk(source, at + HEADER_BYTES);
        continue;
      }
      const chunk = await loadChunk(this.core, source, at, header.size);
      if (!(await this.readChunk(at, chunk, header))) return false;
      at += chunk.length;
      if (chunk.isWhole) continue;
      const from = at;
      at = await this.nextChunk(source, from);
      const why = `the chunk before gives itself ${header.size} bytes, and no more than ${chunk.length} of it are kept`;
      if (at > from && chunk.refusal === null) this.noteBytes(from, at, why);
    }
    return true;
  }

  /** Reads the chunk in the core's buffer. */
  private async readChunk(
    at: number,
    { there, length, refusal }: LoadedChunk,
    { version, startUnixNano, durationNano }: ChunkHeader,
  ): Promise<boolean> {
    if (this.core.full) return false;
    if (refusal !== null) {
      this.note("core.memory", "error", `jfr: ${refusal} (offset ${at}); the chunk was left out`, this.chunks, at);
      return this.breath(at + length);
    }
    this.chunks++;
    let status = this.core.openChunk(there, at, { version, bytes: length, startUnixNano, durationNano });
    if (status === "more" || status === "done") this.onReadable();
    let going = status !== "full";
    try {
      while (status === "more" && going) {
        status = this.core.step(SLICE);
        going = (await this.breath(at + length - this.core.bytesLeft())) && status !== "full";
      }
    } finally {
      this.core.close();
    }
    return going;
  }

  /** Offset of the next plausible chunk header from `from` on, or the end of the source. */
  private async nextChunk(source: ByteSource, from: number): Promise<number> {
    const found = await findMagic(source, from, source.ahead === undefined ? Number.POSITIVE_INFINITY : BARREN);
    if (found !== null) return found;
    this.isOver = true;
    const fact = `jfr: no chunk begins in the ${BARREN} bytes from offset ${from} on; what comes after them was not read`;
    this.note("jfr.barren", "error", fact, null, from);
    return source.byteLength;
  }
}
