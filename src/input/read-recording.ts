/** Reads a JFR recording chunk by chunk, even if it is damaged or starts in the middle of a file of another format. */

import type { ByteSource } from "../bytes/byte-source.ts";
import { BEGIN_LENGTH, beginKey, beginOf } from "../bytes/chunk-begin.ts";
import { hexOf } from "../bytes/hex.ts";
import { copyWords } from "../core/inputs/copies.ts";
import type { Severity } from "../core/types.ts";
import { type ChunkHeader, HEADER_BYTES, hasMagic, readChunkHeader } from "./chunk-header.ts";
import { findMagic, type LoadedChunk, loadChunk } from "./chunk-load.ts";
import type { KnownFile, Reading } from "./reading.ts";
import type { SideBySide } from "./side-by-side.ts";

/** Bytes of events per call into the core: less than ten milliseconds of work. */
const SLICE = 1 << 20;
/** A chunk that is loaded before there is room for it has at most so many bytes. */
const MOST_LOADED = 2 ** 28;
/** A stream in which no chunk begins for so many bytes is not read on: it may have no end. */
const BARREN = 2 ** 32;

/**
 * Reads the recording, or the recording inside a file of an unknown format: `foreign` completes "the file is …", and is
 * null for a recording. False if cancelled, or if the core is full.
 */
export function readRecording(
  reading: Reading,
  file: KnownFile,
  foreign: string | null,
  instead = "",
): Promise<boolean> {
  return new RecordingFile(reading, file).read(foreign, instead);
}

class RecordingFile {
  private readonly reading: Reading;
  private readonly file: KnownFile;
  private chunks = 0;
  private isOver = false;
  private beside: SideBySide | null = null;

  constructor(reading: Reading, file: KnownFile) {
    this.reading = reading;
    this.file = file;
  }

  private note(code: string, severity: Severity, message: string, chunk: number | null, offset: number | null): void {
    this.reading.core.note({ code, severity, message, file: this.file.name, chunk, offset });
  }

  async read(foreign: string | null, instead: string): Promise<boolean> {
    const { core } = this.reading;
    const { name, source, layer } = this.file;
    const first = foreign === null ? 0 : await this.nextChunk(source, 0);
    if (foreign !== null && first === source.byteLength) {
      // Archives contain other files, too; only a file that the user chose gets a separate entry.
      if (layer === 0) core.beginFile(name, source.byteLength);
      this.noteForeign(foreign, instead);
      return true;
    }
    core.beginFile(name, source.byteLength);
    core.contents.isAmongBegins = layer === 0 && foreign === null && source.ahead === undefined;
    if (first > 0) this.noteBytes(0, first);
    if (this.reading.others !== null) {
      const { SideBySide } = await import("./side-by-side.ts");
      this.beside = await SideBySide.of(this.reading, source, first);
    }
    const going = await this.readChunks(source, first).finally(() => this.beside?.end());
    await core.completeFile((meanwhile) => this.between(meanwhile, true));
    core.endFile(source.byteLength);
    return going;
  }

  private noteForeign(what: string, instead: string): void {
    const { name, head, source, layer } = this.file;
    const start = hexOf(head.subarray(0, 8), " ");
    if (this.reading.attached && name.endsWith(".json")) {
      // Nothing of the upload is lost; an archive without any profile is still one that cannot be read.
      if (layer === 0) this.reading.foundReadable();
      this.note("bundle.other", "info", `the attachment is ${what}, not a profile; it was not read`, null, null);
      return;
    }
    const size = source.byteLength === 0 ? "" : `${source.byteLength} bytes, starting with ${start}; `;
    const severity = layer === 0 ? "error" : "warning";
    const advice = instead === "" ? "" : `: ${instead}`;
    this.note("source.foreign", severity, `the file is ${what}, not a recording${advice} (${size}offset 0)`, null, 0);
  }

  private noteBytes(at: number, end: number, why = "they are not a chunk"): void {
    this.note("jfr.foreign-bytes", "error", `jfr: ${end - at} bytes at offset ${at}: ${why}`, null, at);
  }

  private async readChunks(source: ByteSource, first: number): Promise<boolean> {
    const mayHave = this.reading.expansion.messageLimit();
    for (let at = first; !this.isOver; ) {
      const merged = await this.mergeChunk(at);
      if (merged !== null) {
        if (!merged.going) return false;
        at = merged.end;
        continue;
      }
      const head = await this.between(() => source.slice(at, at + HEADER_BYTES));
      if (head === null) return false;
      if (head.length === 0) return true;
      if (!mayHave(this.chunks)) {
        const fact = `jfr: the file has more chunks than its bytes allow; those from offset ${at} on were not read`;
        this.note("source.excess", "error", fact, this.chunks, at);
        return true;
      }
      if (!hasMagic(head) || head.length < HEADER_BYTES) {
        const next = await this.between(() => this.nextChunk(source, at + 1));
        if (next === null) return false;
        this.noteBytes(at, next, hasMagic(head) ? "a chunk header needs 68" : undefined);
        at = next;
        continue;
      }
      const header = readChunkHeader(head);
      if (header.major !== 1 && header.major !== 2) {
        const message = `jfr: ${versionWords(header)} (offset ${at})`;
        this.note("jfr.version", "error", message, this.chunks, at);
        const next = await this.between(() => this.nextChunk(source, at + HEADER_BYTES));
        if (next === null) return false;
        at = next;
        continue;
      }
      const loaded = await this.loaded(source, at, header.size);
      if (loaded === null) return false;
      const chunk = await loadChunk(this.reading.core, loaded, at, header.size);
      await this.beside?.handOut();
      if (!(await this.readChunk(at, chunk, header))) return false;
      at += chunk.length;
      if (chunk.isWhole) continue;
      const from = at;
      const next = await this.between(() => this.nextChunk(source, from));
      if (next === null) return false;
      at = next;
      const why = `the chunk before claims ${header.size} bytes, but only ${chunk.length} of it are kept`;
      if (at > from && chunk.refusal === null) this.noteBytes(from, at, why);
    }
    return true;
  }

  private async between<T>(load: () => Promise<T>, mustShow = false): Promise<T | null> {
    return (this.reading.between ?? ((now) => now()))(load, mustShow);
  }

  /**
   * The source with the bytes of a chunk, which are loaded before the core's buffer is used, so that the core may be
   * asked meanwhile. Null if cancelled.
   */
  private async loaded(source: ByteSource, at: number, size: bigint): Promise<ByteSource | null> {
    const end = at + Number(size);
    const isPossible = size >= HEADER_BYTES && size <= MOST_LOADED;
    if (this.reading.between === null || !isPossible) return source;
    const ahead = source.ahead?.bind(source);
    // A stream keeps them.
    if (ahead !== undefined) return (await this.between(() => ahead(at, end))) === null ? null : source;
    if (end > source.byteLength) return source;
    const bytes = await this.between(() => source.slice(at, end));
    return bytes && { byteLength: end, slice: async (from, to) => bytes.subarray(from - at, to - at) };
  }

  /** The chunk at `at`, if another core reads it; null if it has to be read here. */
  private async mergeChunk(at: number): Promise<{ going: boolean; end: number } | null> {
    const read = await this.beside?.partAt(at);
    if (read === undefined) return null;
    const { core } = this.reading;
    if (core.full) return { going: false, end: at };
    const { header, begin, part } = read;
    const end = at + header.bytes;
    const status = (part && core.mergeChunk?.(part, at, summaryOf(header, header.bytes))) ?? null;
    if (part === null || status === null) {
      this.beside?.end();
      return null;
    }
    this.beside?.merged(part);
    core.contents.addChunk(begin, header.bytes, part.hash);
    this.chunks++;
    if (status !== "unreadable") this.reading.foundReadable();
    return { going: (await this.reading.breathe(end)) && status !== "full", end };
  }

  /** Reads the chunk in the core's buffer. */
  private async readChunk(at: number, { there, length, refusal }: LoadedChunk, header: ChunkHeader): Promise<boolean> {
    if (this.reading.core.full) return false;
    if (refusal !== null) {
      this.note("core.memory", "error", `jfr: ${refusal} (offset ${at}); the chunk was left out`, this.chunks, at);
      return this.reading.breathe(at + length);
    }
    const { core } = this.reading;
    const begin = core.onContent === null ? beginKey(beginOf(core.input(Math.min(there, BEGIN_LENGTH)), there)) : null;
    const copy = begin && (await core.contents.takeChunk(there, begin));
    if (copy !== null) {
      core.addCopy(summaryOf(header, length), copy.events);
      core.note({ ...copyWords("chunk", copy, at), file: this.file.name, chunk: this.chunks++, offset: at });
      this.reading.foundReadable();
      return this.reading.breathe(at + length);
    }
    this.chunks++;
    let status = core.openChunk(there, at, summaryOf(header, length));
    if (status === "more" || status === "done") this.reading.foundReadable();
    let going = status !== "full";
    try {
      while (status === "more" && going) {
        status = core.step(SLICE);
        going = (await this.reading.breathe(at + length - core.bytesLeft())) && status !== "full";
      }
    } finally {
      core.close();
      core.contents.endChunk();
    }
    return going;
  }

  /** Offset of the next plausible chunk header from `from` on, or the end of the source. */
  private async nextChunk(source: ByteSource, from: number): Promise<number> {
    const found = await findMagic(source, from, source.ahead === undefined ? Number.POSITIVE_INFINITY : BARREN);
    if (found !== null) return found;
    this.isOver = true;
    const fact = `jfr: no chunk begins in the ${BARREN} bytes from offset ${from} on; the bytes after them were not read`;
    this.note("jfr.barren", "error", fact, null, from);
    return source.byteLength;
  }
}

function summaryOf({ version, bytes, startUnixNano, durationNano }: ChunkHeader, length: number) {
  const cut = bytes > length ? { headerBytes: bytes } : {};
  return { version, bytes: length, ...cut, startUnixNano, durationNano };
}

/** Before version 1, recordings of JDK 7 and 8 had a format of which nothing is left. */
function versionWords({ major, version }: ChunkHeader): string {
  if (major === 0) return `recorded by JDK 7 or 8 (JFR ${version}); JDK 9+ is supported`;
  return `the recording has JFR version ${version}; 1.x and 2.x are supported`;
}
