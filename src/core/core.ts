/**
 * The wasm core behind a typed interface: numbers, pointers and bytes below, records and typed arrays above. One
 * instance holds one store; `openChunk` and `step` fill it, the other functions query it. Synchronous except for
 * `instantiate`.
 */

import * as Status from "../../assembly/abi/faults/status.ts";
import { instantiate } from "../../build/core.js";
import { loadAnswers, Views } from "./answers/views.ts";
import type { Dumps } from "./dumps/dump.ts";
import { type LoadRest, lazyDumps, Rest } from "./dumps/late-core.ts";
import { INPUT_FORMATS } from "./inputs/formats.ts";
import type { Opened } from "./instance/access.ts";
import { Capacity, type Input, type ReadStatus, type Stop, unreadDiagnostic, type Wasm } from "./instance/capacity.ts";
import { catalogueBytes, usualCatalogue } from "./instance/catalogue-bytes.ts";
import { SpanflameError } from "./instance/error.ts";
import { type IdNames, readIdNames } from "./instance/id-names.ts";
import { Instance, type ReadSetup, seeded } from "./instance/instance.ts";
import type { Memory } from "./instance/memory.ts";
import { readSettings } from "./instance/profile-facts.ts";
import { countersOf, factsOf, factsOfFile, Processes, resourceOf, statedResource } from "./instance/resource.ts";
import { type ChunkPart, mergePart } from "./reading/chunk-part.ts";
import { addEventType, noCounts, readChunkReport } from "./reading/chunk-report.ts";
import { Contents } from "./reading/contents.ts";
import { KeptDiagnostics, type Mark, START } from "./reading/kept.ts";
import { attributeKeysOf, profilesOf, sumsAtLimit } from "./reading/profiles.ts";
import type { Contexts } from "./samples/contexts.ts";
import { PROFILES, type ProfileRow } from "./tables/catalogue.ts";
import { extraProfile } from "./tables/extra-events.ts";
import { readingOfRow } from "./tables/readings.ts";
import type {
  ChunkSummary,
  Diagnostic,
  EventType,
  ExtraEvent,
  FileFormat,
  FileSummary,
  Filter,
  ProfileSummary,
  SelectionTotals,
  Setting,
  WriteOptions,
  WriteResult,
  WriteTotals,
} from "./types.ts";
import { VERSION } from "./version.ts";
import type { MessageFacts, MessageWriting } from "./writing/message-writing.ts";

const SAMPLES_LIMIT = 0xffff_0000;
/** Bytes of the input buffer of an empty core. */
const SMALL_INPUT = 1 << 16;

const STATUS: Record<number, ReadStatus> = {
  [Status.Done]: "done",
  [Status.More]: "more",
  [Status.Unreadable]: "unreadable",
};

/** Inference that is loaded at the end of the first recording that needs it. */
interface LateContexts {
  /** Whether the recording has anything from which context can be inferred. */
  isNeeded(): boolean;
  /** Fetches the code that infers it. */
  fetch(): Promise<unknown>;
  load(): Promise<void>;
}

export class Core {
  /** All questions on the current selection. */
  readonly views: Views;
  /** Throws `core.memory` where memory runs out. */
  private readonly wasm: Wasm;
  /** For readers: traps where memory runs out. */
  private readonly reader: Wasm;
  readonly capacity: Capacity;
  private readonly memory: Memory;
  /** Loaded with the rest of the core. */
  private writing: MessageWriting | null = null;
  /** Loaded with the rest of the core, or for recordings; without it no profile has a loss. */
  private losses: typeof import("./reading/losses.ts") | null = null;
  private lists: typeof import("./reading/lists.ts") | null = null;
  private readonly rest: Rest;
  /** For requests that the page does not make, in files that it does not load (store-columns.ts). */
  readonly instance: Instance;
  private readonly fileList: FileSummary[];
  private readonly opened: Opened[];
  readonly kept: KeptDiagnostics;
  /** What was read, which is not read again from another file. */
  readonly contents: Contents;
  private readonly seenTypes = new Map<string, EventType>();
  /** Catalogue of this session, by profile id. */
  private rows: ProfileRow[] = [];
  /** The reader of dumps, loaded for the first of them. */
  readonly dumps: () => Promise<Dumps>;
  /** Resource attributes by file that the host states, because no bytes of the file have them. */
  private readonly stated: Record<string, string>[] = [];
  /** Attributes of the files that are begun next, as the description of an upload states them, before or after. */
  around: Record<string, string> = {};
  /** Infers context at the end of each file; set by `keepContexts` (contexts.ts). */
  contexts: Pick<Contexts, "endFile" | "inferredIn" | "files" | "takeBack"> | null = null;
  /** Loads what infers context, before a recording ends. */
  private beforeEnd: LateContexts | null = null;
  /** Gets the bytes of each chunk and message before it is read, and the observations before it. */
  onContent: ((content: Uint8Array, observations: number) => void) | null = null;
  /** Gets the chunks of which observations come at the end of a file, and the observations before those of each. */
  onSettled: ((opened: number, observations: number) => void) | null = null;
  /** Only where an event has a counter. */
  private processes: Processes | null = null;
  /** Samples that are in the counts of `fileList`. */
  private countedSamples = 0;
  /** Bytes of the chunk or message opened last. */
  private openLength = 0;

  private constructor(
    wasm: Wasm,
    extra: readonly ExtraEvent[],
    loadRest: LoadRest | undefined,
    seed: bigint | undefined,
  ) {
    this.reader = wasm;
    this.capacity = new Capacity(wasm, {
      report: () => {
        this.reader.reportSoFar();
        this.takeReport();
      },
      forget: () => this.views.drop(),
      freeInput: () => this.instance.freeInput(),
      note: (diagnostic) => this.note(diagnostic),
    });
    this.rest = new Rest(this.capacity, loadRest);
    this.instance = new Instance(wasm, this.capacity, seeded(wasm, seed));
    this.instance.rest = () => this.complete();
    this.wasm = this.instance.wasm;
    this.memory = this.instance.memory;
    this.fileList = this.instance.files;
    this.opened = this.instance.opened;
    this.views = new Views(this.instance);
    this.dumps = lazyDumps(this);
    this.kept = new KeptDiagnostics(this.instance);
    this.contents = new Contents(this.instance);
    this.reset(extra);
  }

  /**
   * `extra` events get profiles beside those of the catalogue. Without `seed` (instance.ts) there is a random one. If
   * `module` is only the first part of the core, `loadRest` fetches the rest when `complete` is first called.
   */
  static async instantiate(
    module: WebAssembly.Module,
    extra: readonly ExtraEvent[] = [],
    seed?: bigint,
    loadRest?: LoadRest,
  ) {
    const core = new Core(await instantiate(module, {}), extra, loadRest, seed);
    if (loadRest === undefined) await core.complete();
    return core;
  }

  /** To be awaited before a message is opened or written: loads the rest of the core if it is missing. */
  async complete(): Promise<void> {
    // An import takes turns of the event loop each time.
    if (this.instance.rest === null) return;
    const modules = [import("./writing/message-writing.ts"), import("./inputs/words.ts")] as const;
    const rest = Promise.all([this.rest.complete(), loadAnswers(), this.loadLosses()]);
    const [{ MessageWriting }, { WORDINGS }] = await Promise.all([...modules, rest]);
    this.kept.wordings = WORDINGS;
    this.wasm.markFrees();
    this.writing ??= new MessageWriting(this.instance, this.capacity, this.views);
    this.instance.rest = null;
  }

  /**
   * To be awaited before a recording ends: loads what marks the memory that was freed, if it has any, and what infers
   * context, if that is asked for. `show` has what was read shown before, and asked about while something is fetched.
   */
  async completeFile(
    show: (meanwhile: () => Promise<unknown>) => Promise<unknown> = (fetch) => fetch(),
  ): Promise<void> {
    if (this.wasm.freeCount() > 0 || this.contents.isOfKnown) await this.complete();
    if (this.contents.isOfKnown) this.lists ??= await import("./reading/lists.ts");
    if (this.contexts !== null || this.beforeEnd?.isNeeded() !== true) return;
    await show(this.beforeEnd.fetch);
    await this.beforeEnd.load();
  }

  /** From the next chunk on, keeps the facts from which context is inferred; `late` loads the rest. */
  noteContexts(late: LateContexts): void {
    this.wasm.keepContexts(true);
    this.beforeEnd = late;
  }

  /** To be awaited before the profiles of recordings are asked for. */
  async loadLosses(): Promise<void> {
    this.losses ??= await import("./reading/losses.ts");
  }

  /** Drops all files. Memory that the instance has grown to stays. */
  reset(extra: readonly ExtraEvent[] = []): void {
    this.instance.refuseWhileReading();
    this.wasm.reset();
    this.views.reset();
    this.stated.length = 0;
    this.around = {};
    this.contexts = null;
    this.beforeEnd = null;
    this.fileList.length = 0;
    this.countedSamples = 0;
    this.opened.length = 0;
    this.kept.reset();
    this.contents.forget();
    this.seenTypes.clear();
    this.rows = [...PROFILES, ...extra.map(extraProfile)];
    const counts = this.rows.some(({ events }) => events.some((row) => readingOfRow(row) === "counter"));
    this.processes = counts ? new Processes(this.instance) : null;
    this.instance.setup = { ...this.instance.setup, extra, wanted: null };
    this.instance.buffer.forget();
    this.instance.generation++;
    this.capacity.stop = null;
    this.reserve(SMALL_INPUT);
    const catalogue = extra.length === 0 ? usualCatalogue() : catalogueBytes(this.rows);
    this.instance.lend(catalogue, (p, n) => this.wasm.loadCatalogue(p, n));
    this.instance.lend(new TextEncoder().encode(VERSION), (p, n) => this.wasm.setVersion(p, n));
  }

  /** Bytes of the store and everything else that the core holds. */
  bytesHeld(): number {
    return this.wasm.arenaBytes();
  }

  /** Has the core use at most so many bytes from now on; 4 GiB at first. */
  limitMemory(bytes: number): void {
    this.capacity.limitMemory(bytes);
  }

  // ---- reading ----

  /**
   * Functions that are read from now on get normalised names, without the parts that differ from run to run, in all
   * views and outputs. Views normalise the names that they show in any case.
   */
  normaliseNames(on: boolean): void {
    this.wasm.normaliseNames(on);
    this.instance.setup = { ...this.instance.setup, normalise: on };
  }

  /** Labels and context fields of these names are ids as well, in what is read from now on. */
  idNames(names: IdNames): void {
    readIdNames(this.instance, names);
  }

  /**
   * Begins a reading of inputs. There is one input buffer and one open chunk: a second reading, a question that needs
   * the buffer, writing and `reset` throw `core.busy` until `endReading`.
   */
  beginReading(): void {
    this.instance.beginReading();
  }

  endReading(): void {
    this.instance.endReading();
  }

  /** While a reading is paused, between two chunks, questions about what has been read are answered. */
  pauseReading(isPaused: boolean): void {
    this.instance.pauseReading(isPaused);
  }

  /** Starts a file; the chunks opened next are its. */
  beginFile(name: string, bytes: number, format: FileFormat = "jfr", stated = this.around): void {
    this.endFile();
    this.wasm.beginMessages();
    this.stated.push(stated);
    this.fileList.push({ name, bytes, format, chunks: [], messages: [], samples: 0, resource: {} });
  }

  /**
   * Ends the file begun last: lists of live objects count from here on. Only now is the size of one that came as a
   * stream known. Beginning another file or asking for profiles does it as well.
   */
  endFile(bytes?: number): void {
    const file = this.fileList[this.fileList.length - 1];
    if (file !== undefined && bytes !== undefined) file.bytes = bytes;
    const process = this.processes?.numberOf(this.fileList.length - 1) ?? 0;
    const before = this.samples();
    const kept = this.wasm.observationCount.value;
    this.capacity.endFile(file?.name ?? "", () => this.reader.endFile(process));
    if (this.onSettled !== null) {
      const runs = this.memory.words(this.wasm.settledRuns(), 2 * this.wasm.settledCount());
      for (let i = 0; i < runs.length && this.samples() > before; i += 2) this.onSettled(runs[i]!, runs[i + 1]!);
    }
    if (file === undefined) return;
    if (this.contexts === null) this.wasm.forgetContexts();
    else this.contexts.endFile();
    this.views.forget();
    const samples = this.samples();
    file.samples += samples - this.countedSamples;
    this.countedSamples = samples;
    this.contents.noteLists(kept);
    if (this.contents.isOfKnown && this.lists !== null) this.countedSamples -= this.lists.takeOlderBack(this);
  }

  /**
   * Room for `bytes` of input; the buffer's content is void. Writing gives the buffer back. `toRead`: a chunk or a
   * message at this offset of the file; readers leave some memory to the views. Throws SpanflameError `core.memory`.
   * The core is full where that is not for the size of the chunk or message.
   */
  reserve(bytes: number, toRead?: Input): void {
    this.instance.reserve(bytes, toRead);
  }

  /**
   * Room for `bytes` of input, counting those that are in the buffer already. Throws `core.memory`, as `reserve` does.
   */
  grow(bytes: number, toRead: Input): void {
    this.instance.grow(bytes, toRead);
  }

  /** Bytes that the core's memory can still grow by. */
  room(): number {
    return 2 ** 32 - this.bytesHeld();
  }

  /** Bytes [start, end) of the input buffer, to be filled before the next call into the core. */
  input(end: number, start = 0): Uint8Array {
    return this.instance.buffer.view(start, end);
  }

  /**
   * Opens the chunk that is in the first `length` bytes of the input buffer. `offset` is its position in the file,
   * `summary` the content of its header.
   */
  openChunk(length: number, offset: number, summary: Omit<ChunkSummary, "events">): ReadStatus {
    this.addChunk(offset, summary);
    return this.open(INPUT_FORMATS.jfr.reader, length);
  }

  /** Adds a chunk that another core has read; null if it has to be read here (chunk-part.ts). */
  mergeChunk(part: ChunkPart, offset: number, summary: Omit<ChunkSummary, "events">): ReadStatus | null {
    if (!this.instance.buffer.put(part.rows)) return null;
    const file = this.addChunk(offset, summary);
    const { taken, status } = mergePart(this.reader, this.instance, part, (call) =>
      this.capacity.read(this.stopAt(0), call),
    );
    if (taken) this.addCounts(part.types);
    else {
      this.opened.pop();
      file.chunks.pop();
    }
    this.limitSamples();
    return taken ? status : null;
  }

  setupOfOthers(): ReadSetup | null {
    return this.contexts === null ? this.instance.setup : null;
  }

  endMerging(): void {
    this.wasm.endMerging();
  }

  /** Adds a chunk that counts elsewhere (reading/contents.ts). */
  addCopy(summary: Omit<ChunkSummary, "events" | "copy">, events: ChunkSummary["events"] = noCounts()): void {
    this.fileList.at(-1)?.chunks.push({ ...summary, events, copy: true });
  }

  private addChunk(offset: number, summary: Omit<ChunkSummary, "events">): FileSummary {
    const file = this.fileList[this.fileList.length - 1];
    if (file === undefined) throw new RangeError("openChunk before beginFile");
    this.opened.push({ file: this.fileList.length - 1, index: file.chunks.length, offset });
    file.chunks.push({ ...summary, events: noCounts() });
    return file;
  }

  /** Opens the message in the first `length` bytes of the input buffer, which is at `offset` of the file. */
  openMessage(length: number, offset: number): ReadStatus {
    const file = this.addMessage(length, offset);
    return this.open(INPUT_FORMATS[file.format].reader, length);
  }

  /**
   * Reads the resources of a message that will be opened later. If a file has several messages, all are scanned before
   * the first is opened: shared attributes become facts of the file, the others are added to samples.
   */
  scanMessage(length: number): void {
    const file = this.fileList[this.fileList.length - 1];
    if (file === undefined || this.full) return;
    const nowhere = { file: file.name, chunk: null, isChunk: false, offset: null };
    this.capacity.read(nowhere, () => {
      this.reader.scan(this.instance.buffer.at, length);
      return "done";
    });
  }

  private addMessage(length: number, offset: number): FileSummary {
    const file = this.fileList[this.fileList.length - 1];
    if (file === undefined) throw new RangeError("openMessage before beginFile");
    this.opened.push({ file: this.fileList.length - 1, index: file.messages.length, offset });
    file.messages.push({ bytes: length, samples: 0, startUnixNano: 0n, durationNano: 0n });
    return file;
  }

  private open(reader: number, length: number): ReadStatus {
    const call = () => this.status(this.reader.open(reader, this.instance.buffer.at, length, this.opened.length - 1));
    this.openLength = length;
    this.onContent?.(this.input(length), this.samples());
    return this.capacity.read(this.stopAt(0), call);
  }

  /** Reads about `budget` bytes more of the open chunk or message. */
  step(budget: number): ReadStatus {
    const status = this.capacity.read(this.stopAt(this.openLength - this.bytesLeft()), () =>
      this.status(this.reader.step(budget)),
    );
    this.limitSamples();
    if (status === "done") this.takeReport();
    return status;
  }

  private limitSamples(): void {
    if (this.wasm.observationCount.value <= SAMPLES_LIMIT) return;
    throw new SpanflameError("core.samples", "more than 4 billion samples in one session");
  }

  /** Bytes of the open chunk or message whose samples are still to be read. */
  bytesLeft(): number {
    return this.wasm.bytesLeft();
  }

  /** Closes the chunk or message; only its rows in the store are kept. */
  close(): void {
    this.wasm.close();
  }

  /** Notes a diagnostic of the host that feeds the core: foreign bytes, a compression that broke off. */
  note(diagnostic: Diagnostic): void {
    this.kept.note(diagnostic);
  }

  /** Whether memory ran out while reading: all data read before is kept, and no more can be read. */
  get full(): boolean {
    return this.capacity.stop !== null;
  }

  /** Lists a file that cannot be read, because the core is full. */
  refuseFile(name: string, bytes: number): void {
    this.beginFile(name, bytes);
    const { stop } = this.capacity;
    if (stop !== null) this.note(unreadDiagnostic(name, stop));
  }

  /** The place `read` bytes into the open chunk or message. */
  private stopAt(read: number): Stop {
    const { file, index, offset } = this.opened[this.opened.length - 1]!;
    const { name, format } = this.fileList[file]!;
    return { file: name, chunk: index, isChunk: format === "jfr", offset: offset + read };
  }

  private status(code: number): ReadStatus {
    const status = STATUS[code];
    if (status === undefined) throw new RangeError(`core: status ${code}`);
    return status;
  }

  /** Event counts of the chunk just finished, and the event types. */
  private takeReport(): void {
    const opened = this.opened[this.opened.length - 1];
    const file = opened && this.fileList[opened.file];
    const message = file?.messages[opened?.index ?? 0];
    if (message !== undefined) {
      message.samples = this.wasm.messageSamples();
      const [start = 0n, end = 0n] = [this.wasm.openedStart, this.wasm.openedEnd].map((at) =>
        BigInt.asUintN(64, at.value),
      );
      if (end !== 0n) [message.startUnixNano, message.durationNano] = [start, end - start];
    }
    this.addCounts(readChunkReport(this.wasm, this.memory));
  }

  private addCounts(types: readonly EventType[]): void {
    const opened = this.opened[this.opened.length - 1];
    const events = opened && this.fileList[opened.file]?.chunks[opened.index]?.events;
    if (events === undefined) return;
    for (const type of types) {
      // Several type ids may carry one name.
      events[type.event] = (events[type.event] ?? 0) + type.count;
      addEventType(this.seenTypes, type);
    }
  }

  // ---- facts ----

  /** Files from number `first` on. */
  files(first = 0): FileSummary[] {
    const facts = factsOf(this.instance, first);
    const files = first === 0 ? this.fileList : this.fileList.slice(first);
    for (const [i, file] of files.entries()) {
      file.resource = statedResource(resourceOf(facts[i] ?? []), this.stated[first + i] ?? {});
      const counters = countersOf(facts[i] ?? []);
      if (counters !== undefined) file.counters = counters;
    }
    return files;
  }

  /** Facts of a message beside samples. Resource attributes have types if the recording states them. */
  private messageFacts(): MessageFacts {
    const facts = factsOf(this.instance, 0);
    const resources = this.files().map(({ format, resource }, i) => factsOfFile(format, resource, facts[i] ?? []));
    return { rows: this.rows, resources };
  }

  /** Event types of all files, in the order first seen. */
  eventTypes(): EventType[] {
    return [...this.seenTypes.values()];
  }

  /** Every distinct setting that the recordings state, in the order read. */
  settings(): Setting[] {
    return readSettings(this.instance);
  }

  /** Samples read so far: observations, before aggregation. */
  samples(): number {
    return this.wasm.observationCount.value - this.wasm.copiedCount.value + this.wasm.countedOnly.value;
  }

  /** To be awaited after each file, before `errors` and `diagnostics`. */
  words(): Promise<void> {
    return this.kept.words();
  }

  /** Of files after `since`. */
  diagnostics(since: Mark = START): Diagnostic[] {
    const lost = this.losses?.diagnosticsSince(this.instance, since) ?? [];
    return [...this.kept.list(since), ...lost, ...sumsAtLimit(this.instance, since.samples)];
  }

  /** How many diagnostics are errors. */
  errors(): number {
    return this.kept.errors();
  }

  /** Profiles that have samples, and types that messages state without; in the order of the catalogue. */
  profiles(): ProfileSummary[] {
    if (!this.instance.isPaused) this.endFile();
    return profilesOf(this.instance, this.rows, this.contexts, this.losses);
  }

  /** The catalogue's row of a profile, or the one made for an extra event. */
  catalogueRow(profile: number): ProfileRow | undefined {
    return this.rows[profile];
  }

  /** Keys of the context attributes that samples carry. */
  attributeKeys(): string[] {
    return attributeKeysOf(this.instance);
  }

  // ---- the selection that all questions are about ----

  /**
   * Makes the samples of `profile` (null: of all) that pass the filter the current selection. They weigh by the
   * profile's measure of this index: its value, or its second measure. Questions about a recording name their samples
   * instead (src/requests/held-core.ts).
   */
  select(profile: number | null, filter: Filter, measure = 0): SelectionTotals {
    this.views.choose(profile, filter, measure);
    return this.views.totals();
  }

  // ---- writing ----

  /**
   * The samples of `profile` (null: of all) that pass the filter, as one message. They become the selection. No chunk
   * may be open: the message takes the input buffer's place. Throws SpanflameError `core.memory` where it does not fit;
   * then nothing is selected, and the recording stays open.
   */
  write(profile: number | null, filter: Filter, options: WriteOptions): WriteResult {
    return this.beginWriting().whole({ profile, filter, options, facts: this.messageFacts() });
  }

  /**
   * Writes a message in parts without a copy: each is a view of the core's memory, valid until `sink` returns.
   * For callers that pass a large message on. `size` counts a payload by its bytes, which JSON has in base64.
   */
  writeTo(
    profile: number | null,
    filter: Filter,
    options: WriteOptions,
    sink: (part: Uint8Array) => void,
  ): WriteTotals {
    return this.beginWriting().parts({ profile, filter, options, facts: this.messageFacts() }, sink);
  }

  private beginWriting(): MessageWriting {
    if (this.writing === null) throw new RangeError("write before complete");
    this.instance.refuseWhileReading();
    this.endFile();
    return this.writing;
  }
}
