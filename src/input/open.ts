/**
 * Feeds recordings to the core, chunk by chunk through one buffer, so memory does not grow with the file. Unreadable
 * data is reported and skipped; if the core runs out of memory, reading ends, and all data read before is kept.
 */

import type { ByteSource, InputSource } from "../bytes/byte-source.ts";
import type { Expansion } from "../bytes/expansion.ts";
import type { StreamSource } from "../bytes/stream-source.ts";
import type { Entry } from "../bytes/unpack.ts";
import type { Beginning, Contents } from "../core/reading/contents.ts";
import type { Bundle } from "./bundle.ts";
import { type Classified, classified, LAYERS, type Opened, opened, sniff, tooDeep } from "./classify.ts";
import { isStreamEntry } from "./dump/detect.ts";
import type { OpenRun } from "./dump/read-dumps.ts";
import { type Container, formatOf, type Known } from "./formats.ts";
import type { OtherCores } from "./other-cores.ts";
import { readRecording } from "./read-recording.ts";
import type { Between, ChunkReader, KnownFile, Reading } from "./reading.ts";
import type { Sniffed } from "./sniffed.ts";
import { Slices } from "./turn.ts";
import type { ZipDump } from "./zip-dump.ts";

export type { ChunkReader } from "./reading.ts";

/** An input and its display name. */
export interface Input {
  name: string;
  source: ByteSource;
  /** Bytes of a stream, as its sender states them; 0 if they are unknown. */
  stated?: number | undefined;
  /** The file as it was opened to detect its format; it is not opened a second time. */
  opened?: Opened | undefined;
  /** Resource attributes that the description of its upload states; undefined for a file that is no attachment. */
  around?: Readonly<Record<string, string>> | undefined;
}

/** How far the reading of all inputs is. */
export interface ReadProgress {
  /** Bytes read, compressed ones of compressed inputs. */
  bytes: number;
  /** Bytes of all inputs; 0 if they are unknown. */
  total: number;
  /** Observations read. */
  samples: number;
}

export interface ReadHooks {
  onProgress?(progress: ReadProgress): void;
  /** Called between slices; true ends the reading, and all data read before is kept. */
  cancelled?(): boolean;
  /** Ends the reading, which rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Called between two chunks of a recording while the bytes of the next one are loaded: until it resolves, the core
   * answers questions about what has been read.
   */
  between?(loading: Promise<unknown>, mustShow: boolean): Promise<void>;
  /** Cores of other threads that read chunks of large recordings. */
  others?: OtherCores | undefined;
  /** Beginnings of chunks in all inputs (beginnings.ts), where this reading is of one of several. */
  begins?: Contents["begins"];
  /** The clock in milliseconds that decides when the event loop gets a turn; `Date.now` without it. */
  now?(): number;
}

/** How much of an input was read. `partly`: a part was read, and a diagnostic of the input is an error. */
export type Extent = "wholly" | "partly" | "not";

/** How much of an input was read. */
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
  /** Runs of dumps. Their files are read again for the frames of calls. */
  runs: OpenRun[];
}

/**
 * Reads all inputs into the core. Throws SpanflameError `core.busy` while another reading of this core is running;
 * never for the bytes of an input. Where the core runs out of memory the reading ends; diagnostics `core.full` name the
 * file and the place, and each file after it.
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
  const total = inputs.reduce((sum, { source, stated }) => sum + (stated ?? source.byteLength), 0);
  let before = 0;
  let going = true;
  const summaries: InputSummary[] = [];
  const runs: OpenRun[] = [];
  const slices = new Slices(hooks.now);
  let begins: ReturnType<typeof beginsOf> | undefined;
  let current = 0;
  core.contents.begins = hooks.begins ?? (() => (begins ??= beginsOf(inputs, current)));
  for (const { name, source, around, ...input } of inputs) {
    await core.words();
    const errors = core.errors();
    const rest = async () => {
      await slices.rest();
      hooks.signal?.throwIfAborted();
    };
    let readable = false;
    if (core.full) core.refuseFile(name, source.byteLength);
    else if (going) {
      const file = input.opened ?? (await opened(source, rest));
      file.input.rest = rest;
      const breath = newBreath(hooks, rest, core, before, total);
      const reading = new InputReading(core, breath, file, around !== undefined, hooks);
      going = await stating(core, around, () => reading.readAll(name));
      readable = reading.readable;
      runs.push(...reading.runs);
    }
    await core.words();
    const some = going && !core.full && core.errors() === errors ? "wholly" : "partly";
    summaries.push({ name, read: readable ? some : "not" });
    before += source.byteLength;
    current++;
  }
  return { readable: summaries.filter(({ read }) => read !== "not").length, inputs: summaries, runs };
}

/** Few recordings are cut off: the page fetches this for one that is. Of streams those before `current` were read. */
async function beginsOf(inputs: readonly Input[], current: number): Promise<ReadonlyMap<string, Beginning>> {
  const unread = inputs.filter(({ source }, i) => source.peek !== undefined || i >= current);
  const begun = inputs.filter((input, i) => i === current || input.opened !== undefined);
  const close = async () => {};
  return (await import("./beginnings.ts")).beginsIn(
    unread.map((input) => async () => ({ source: input.source, isBegun: begun.includes(input), close })),
  );
}

/** Reads a file with attributes that another one states about it. */
async function stating(core: ChunkReader, around: Input["around"], read: () => Promise<boolean>): Promise<boolean> {
  const before = core.around;
  core.around = { ...before, ...around };
  try {
    return await read();
  } finally {
    core.around = before;
  }
}

/** Reports progress and lets the event loop run now and then; false once the reading is cancelled. */
type Breath = (bytesDone: number) => Promise<boolean>;

function newBreath(
  hooks: ReadHooks,
  rest: () => Promise<void>,
  core: ChunkReader,
  before: number,
  total: number,
): Breath {
  return async (bytesDone) => {
    const bytes = before + bytesDone;
    hooks.onProgress?.({ bytes, total: bytes > total ? 0 : total, samples: core.samples() });
    await rest();
    return hooks.cancelled?.() !== true;
  };
}

/** The next entry of an archive, null at its end, or the error that prevents it. */
async function nextEntry(
  entries: AsyncGenerator<Entry>,
  expansion: Expansion,
): Promise<{ entry?: Entry; reason?: string; isExcess?: true }> {
  try {
    const { done, value } = await entries.next();
    if (done) return {};
    return expansion.enter() ? { entry: value } : { reason: "it has too many entries for its bytes", isExcess: true };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

const PLACELESS = { chunk: null, offset: null };

/**
 * Bytes of the core's memory that an input may take: these in any case, or so many for each of its bytes. A byte of a
 * sound recording takes less than four, a compressed one less than forty.
 */
const FREE_MEMORY = 2 ** 25;
const MEMORY_PER_BYTE = 200;

/** An archive that is open: its entries, and what the description of an upload in it states. */
interface Archive {
  name: string;
  layer: number;
  entries: AsyncGenerator<Entry>;
  bundle: Bundle;
}

// Few recordings are in archives: the page fetches this when a file needs it.
const unpacking = () => import("../bytes/unpack.ts");

/** One input, through its wrappers to the recordings in it. */
class InputReading implements Reading {
  readonly core: ChunkReader;
  readonly others: OtherCores | null;
  readonly between: Between | null;
  private breath: Breath;
  readable = false;
  attached: boolean;
  readonly runs: OpenRun[] = [];
  held: ByteSource | null = null;
  private readonly file: Opened;
  private readonly input: InputSource;
  readonly expansion: Expansion;
  /** Bytes that the core held before the input. */
  private readonly before: number;

  constructor(
    core: ChunkReader,
    breath: Breath,
    file: Opened,
    attached: boolean,
    { others, between, cancelled }: ReadHooks,
  ) {
    this.core = core;
    this.attached = attached;
    this.others = others ?? null;
    this.between =
      between === undefined
        ? null
        : (load, mustShow) => this.whileLoading(load(), (loading) => between(loading, mustShow === true), cancelled);
    this.breath = breath;
    this.file = file;
    this.input = file.input;
    this.expansion = file.expansion;
    this.before = core.bytesHeld();
  }

  /** Reads the input, and notes whatever kept its bytes from being read. */
  async readAll(name: string): Promise<boolean> {
    const { input } = this;
    this.core.capacity.allow(() => this.before + Math.max(FREE_MEMORY, MEMORY_PER_BYTE * input.byteLength));
    let isSpent = false;
    const read = await this.readClassified(name, input, 0, this.file).finally(() => {
      isSpent = this.core.capacity.endInput();
    });
    const going = read || isSpent;
    await input.inspect();
    for (const { code, message, offset } of input.faults) {
      // Bytes that a recorder appended are no loss.
      const severity = code === "source.grown" ? "warning" : "error";
      this.core.note({ code, severity, message, file: name, chunk: null, offset });
    }
    return going;
  }

  foundReadable(): void {
    this.readable = true;
    this.held?.hold?.(null);
  }

  /**
   * Reads a recording, a compressed file, an archive, or a message around one. False when cancelled, or when the core
   * is full.
   */
  async read(name: string, source: ByteSource, layer: number): Promise<boolean> {
    return this.readClassified(name, source, layer, await classified(source, this.expansion, layer));
  }

  private async readClassified(name: string, source: ByteSource, layer: number, file: Classified): Promise<boolean> {
    const { packings } = file;
    if (packings.length > 0) this.counted(source, layer);
    const going = await this.readKnown({ ...file, name, layer: layer + packings.length });
    for (const { packing, stream } of [...packings].reverse()) {
      this.noteFault(name, packing, stream);
      await stream.close();
    }
    return going;
  }

  private async readKnown({ sniffed, ...file }: KnownFile & { sniffed: Sniffed }): Promise<boolean> {
    const { name, source, layer } = file;
    if (file.head.length === 0 && this.input.faults.length > 0) {
      // No further diagnostic: an input that cannot be read is not empty.
      if (layer === 0) this.core.beginFile(name, 0);
      return true;
    }
    if ("what" in sniffed) return readRecording(this, file, sniffed.what, sniffed.instead);
    const { kind } = sniffed;
    if ((kind === "zip" || kind === "multipart") && layer < LAYERS) return this.readArchive(kind, name, source, layer);
    const format = formatOf(sniffed.kind);
    if (format === undefined || (format.wraps === true && layer >= LAYERS)) {
      return readRecording(this, file, tooDeep(sniffed.kind));
    }
    return format.read(this, file, sniffed as Known);
  }

  mayBeRecording(head: Uint8Array): boolean {
    const sniffed = sniff(head);
    return !("what" in sniffed) && sniffed.kind !== "otlp";
  }

  breathe(offset: number): Promise<boolean> {
    return this.breath(offset);
  }

  private async whileLoading<T>(
    loading: Promise<T>,
    between: (loading: Promise<unknown>) => Promise<void>,
    cancelled: ReadHooks["cancelled"],
  ): Promise<T | null> {
    this.core.pauseReading(true);
    try {
      await between(loading);
      // Bytes that are not there yet are of no use.
      return cancelled?.() === true ? null : await loading;
    } finally {
      this.core.pauseReading(false);
    }
  }

  /** Progress is that of the compressed bytes, because the decompressed size is unknown. */
  counted(source: ByteSource, layer: number): ByteSource {
    if (layer > 0) return source;
    const { breath, input } = this;
    this.breath = () => breath(input.position);
    return source;
  }

  private async readArchive(kind: Container, name: string, archive: ByteSource, layer: number): Promise<boolean> {
    const { multipartEntries, zipEntries } = await unpacking();
    const source = this.counted(archive, layer);
    const entries = kind === "zip" ? zipEntries(source, this.expansion) : multipartEntries(source);
    const { around } = this.core;
    // Most recordings are no archives.
    const { Bundle } = await import("./bundle.ts");
    const bundle = new Bundle(around);
    try {
      return await this.readEntries(kind, { name, layer, entries, bundle });
    } finally {
      this.core.around = around;
      await entries.return(undefined);
    }
  }

  private async readEntries(kind: Container, { name, layer, entries, bundle }: Archive): Promise<boolean> {
    let dump: ZipDump | undefined;
    for (;;) {
      // Only the archive's own faults are caught: those of the core are not the zip's.
      const { entry, reason, isExcess } = await nextEntry(entries, this.expansion);
      if (reason !== undefined && dump === undefined) {
        this.note(
          name,
          isExcess ? "source.excess" : `${kind}.damaged`,
          `${kind}: ${reason}; the entries before that were read`,
        );
      }
      if (entry === undefined) {
        this.core.views.libraries.add(bundle.libraries);
        for (const [facts, path] of bundle.uploads(name)) this.core.views.uploads.set(facts, [path]);
        for (const finding of bundle.findings()) this.core.note({ ...finding, ...PLACELESS, file: name });
        return (await dump?.read(this, name, layer, reason)) ?? true;
      }
      if (isStreamEntry(entry.name)) {
        dump ??= new (await import("./zip-dump.ts")).ZipDump();
        await dump.take(entry);
        continue;
      }
      const path = `${name}/${entry.name}`;
      if (entry.refusal !== undefined) {
        this.note(path, `${kind}.damaged`, `${kind}: ${entry.refusal}`);
        continue;
      }
      if (await bundle.take(entry)) continue;
      const { resource, isUpload } = bundle.folderOf(entry.name);
      this.core.around = resource;
      this.attached ||= isUpload;
      if (!(await this.read(path, entry.source, layer + 1))) return false;
      this.noteFault(path, kind, entry.source);
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
