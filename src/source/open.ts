/**
 * Feeds recordings to the core, chunk by chunk through one buffer, so memory does not grow with the file. Whatever
 * cannot be read is noted and stepped over; only a core out of memory ends a file.
 */
import type { ChunkSummary, Diagnostic, Severity } from "../core/types.ts";
import { type ByteSource, fill } from "./byte-source.ts";
import { type ChunkHeader, HEADER_BYTES, hasMagic, readChunkHeader } from "./chunk-header.ts";
import { gunzip } from "./gunzip.ts";
import { sniff } from "./sniff.ts";

/** What is read, under the name to show. */
export interface Input {
  name: string;
  source: ByteSource;
}

/** What this file needs of the core. */
export interface ChunkReader {
  beginFile(name: string, bytes: number): void;
  reserve(bytes: number): void;
  input(length: number): Uint8Array;
  openChunk(length: number, offset: number, summary: Omit<ChunkSummary, "events">): "done" | "more" | "unreadable";
  step(budget: number): "done" | "more" | "unreadable";
  bytesLeft(): number;
  closeChunk(): void;
  note(finding: Diagnostic): void;
  samples(): number;
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
/** Bytes looked through at once for the next chunk of a damaged file. */
const SEARCH = 1 << 20;
/** The most that a packed recording may unpack to in memory. */
const UNPACKED_LIMIT = 2 ** 31 - 2 ** 20;

/** What became of the inputs. */
export interface ReadSummary {
  /** Inputs of which at least one chunk could be read. */
  readable: number;
}

/** Reads all inputs into the core. Never throws for what is in them. */
export async function readInputs(core: ChunkReader, inputs: Input[], hooks: ReadHooks = {}): Promise<ReadSummary> {
  const total = inputs.reduce((sum, input) => sum + input.source.byteLength, 0);
  let before = 0;
  let readable = 0;
  for (const input of inputs) {
    const reading = new FileReading(core, input.name, newBreath(hooks, core, before, total));
    const going = await reading.read(input.source);
    if (reading.readable) readable++;
    if (!going) break;
    before += input.source.byteLength;
  }
  return { readable };
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

class FileReading {
  private readonly core: ChunkReader;
  private readonly name: string;
  private readonly breath: Breath;
  private chunks = 0;
  /** Whether some chunk's metadata could be read. */
  readable = false;

  constructor(core: ChunkReader, name: string, breath: Breath) {
    this.core = core;
    this.name = name;
    this.breath = breath;
  }

  private note(code: string, severity: Severity, message: string, chunk: number | null, offset: number | null): void {
    this.core.note({ code, severity, message, file: this.name, chunk, offset });
  }

  /** False when cancelled. */
  async read(packed: ByteSource): Promise<boolean> {
    const source = await this.unpack(packed);
    this.core.beginFile(this.name, source.byteLength);
    const head = await source.slice(0, 64);
    const sniffed = sniff(head);
    if (sniffed.kind !== "jfr" && (await this.findMagic(source, 0)) === source.byteLength) {
      const what = sniffed.kind === "foreign" ? sniffed.what : "gzip in gzip";
      const start = [...head.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
      const bytes = source.byteLength === 0 ? "" : `, ${source.byteLength} bytes starting with ${start}`;
      this.note("source.foreign", "error", `not a JFR recording: the file is ${what}${bytes} (offset 0)`, null, 0);
      return true;
    }
    return this.readChunks(source);
  }

  private async unpack(packed: ByteSource): Promise<ByteSource> {
    if (sniff(await packed.slice(0, 64)).kind !== "gzip") return packed;
    const { source, fault } = await gunzip(packed, UNPACKED_LIMIT);
    if (fault !== null) {
      const message = `gzip: ${fault}; the ${source.byteLength} bytes before that were read`;
      this.note("gzip.damaged", "error", message, null, null);
    }
    return source;
  }

  private async readChunks(source: ByteSource): Promise<boolean> {
    const size = source.byteLength;
    for (let at = 0; at < size; ) {
      const head = await source.slice(at, at + HEADER_BYTES);
      if (!hasMagic(head) || head.length < HEADER_BYTES) {
        const next = await this.findMagic(source, at + 1);
        const where = hasMagic(head) ? "a chunk header needs 68" : "they are no chunk";
        this.note("jfr.foreign-bytes", "error", `jfr: ${next - at} bytes at offset ${at}: ${where}`, null, at);
        at = next;
        continue;
      }
      const header = readChunkHeader(head);
      if (header.major !== 1 && header.major !== 2) {
        const message = `jfr: version ${header.version} at offset ${at}; 1.x and 2.x can be read`;
        this.note("jfr.version", "error", message, this.chunks, at);
        at = await this.findMagic(source, at + HEADER_BYTES);
        continue;
      }
      const length = await this.extent(source, at, header);
      if (!(await this.readChunk(source, at, length, header))) return false;
      at += length;
    }
    return true;
  }

  /** Bytes of the chunk at `at`: as its header says, or up to the next chunk or the end where that cannot be. */
  private async extent(source: ByteSource, at: number, header: ChunkHeader): Promise<number> {
    const left = source.byteLength - at;
    if (header.size >= BigInt(HEADER_BYTES) && header.size <= BigInt(left)) return Number(header.size);
    return (await this.findMagic(source, at + HEADER_BYTES)) - at;
  }

  private async readChunk(source: ByteSource, at: number, length: number, header: ChunkHeader): Promise<boolean> {
    try {
      this.core.reserve(length);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.note("core.memory", "error", `jfr: ${message} (offset ${at}); the chunk was left out`, this.chunks, at);
      return this.breath(at + length);
    }
    const there = await fill(source, at, this.core.input(length));
    this.chunks++;
    const { version, startUnixNano, durationNano } = header;
    let status = this.core.openChunk(there, at, { version, bytes: length, startUnixNano, durationNano });
    if (status !== "unreadable") this.readable = true;
    let going = true;
    while (status === "more" && going) {
      status = this.core.step(SLICE);
      going = await this.breath(at + length - this.core.bytesLeft());
    }
    this.core.closeChunk();
    return going;
  }

  /** Offset of the next plausible chunk header from `from` on, or the length of the source. */
  private async findMagic(source: ByteSource, from: number): Promise<number> {
    const size = source.byteLength;
    for (let at = from; at < size; at += SEARCH) {
      // Some bytes more, so that a header across the seam is found.
      const bytes = await source.slice(at, Math.min(size, at + SEARCH + 8));
      for (let i = bytes.indexOf(0x46); i >= 0 && i < SEARCH; i = bytes.indexOf(0x46, i + 1)) {
        const major = bytes[i + 5];
        if (hasMagic(bytes, i) && bytes[i + 4] === 0 && (major === 1 || major === 2)) return at + i;
      }
    }
    return size;
  }
}
