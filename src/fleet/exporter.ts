/**
 * Writes recordings into a data set. Recordings are read into one core until it has enough observations for a batch:
 * parts of many recordings are smaller, because stacks and names repeat, and are read faster.
 */

import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { bytesSource } from "../bytes/byte-source.ts";
import { Core } from "../core/core.ts";
import { openSpans, rowsOf, type SpanColumns } from "../core/samples/spans.ts";
import type { TableName } from "../core/tables/data-sets.ts";
import { recordedSpan } from "../core/tables/recorded-time.ts";
import type { Diagnostic, Resource } from "../core/types.ts";
import type { OpenRun } from "../input/dump/read-dumps.ts";
import type { ReadProgress } from "../input/open.ts";
import { formatCounted } from "../model/words/format.ts";
import { openInput } from "../node/node-source.ts";
import { contextsFor, partOf, readInto } from "../node/read.ts";
import { systemWords } from "../node/system-error.ts";
import { progress } from "../node/terminal.ts";
import { type Homes, markProcess } from "../requests/library-marks.ts";
import { openFiles } from "../requests/open-files.ts";
import { readTraceFile } from "../traces/read.ts";
import { Contents } from "./contents.ts";
import type { DataSet } from "./data-set.ts";
import { fileOptions, newKernels } from "./data-set-codec.ts";
import { localFiles, partsOf, registeredIn } from "./data-set-files.ts";
import { type Batch, Begins, isMore, type TakenRecording } from "./data-set-names.ts";
import { resourceWith } from "./deployment.ts";
import { changedAt, type ExportInput, stateOf } from "./export-inputs.ts";
import { writeIndex } from "./id-index.ts";
import { factsOf, instanceOf } from "./late-facts.ts";
import { writeFile } from "./parquet/file.ts";
import type { Kernels } from "./parquet/kernels.ts";
import { filePath } from "./parquet/parts.ts";
import { tableOf } from "./parquet/schema.ts";
import { partName, recordingsIn } from "./part-files.ts";
import { without } from "./remove.ts";
import { lowerOf } from "./tables/conditions.ts";
import type { DatedRows } from "./tables/dated-rows.ts";
import { CoreParts, type Further } from "./tables/part.ts";
import type { Recording } from "./tables/recording-rows.ts";
import { spansOf } from "./tables/select.ts";
import { keyOf, SpanTable, spanKey } from "./tables/span-rows.ts";
import { windowsOf } from "./tables/windows.ts";

/** Observations of a part; a part of one recording may have more. */
const BATCH_ROWS = 1 << 20;
/** A core that uses more memory takes no further recording. */
const BATCH_BYTES = 2 ** 30;
/** A larger recording gets an empty core. */
const LARGE_FILE = 2 ** 28;
/** A batch is written after a minute, so that a killed export has lost no more work. */
const COMMIT_MS = 60_000;
const MOST_DIAGNOSTICS = 1000;
/** Between two looks at a date that another writer changes. */
const PAUSE_MS = 50;
/** A file of at most so many bytes is read once. */
const READ_BYTES = 1 << 22;
const MAGIC = "FLR\0";
const PACKING_DAMAGED = /^(gzip|zstd|lz4|zip)\.damaged$/;
const CHANGED = { file: "the file changed while it was read", dump: "the dump changed while it was read" };

/**
 * `busy`: another writer is reading it. `unreadable`: an earlier run could not read it, so it is not read again.
 * `cut`: it brings a cut chunk, of which another input may have more; `bytes` is the size of that chunk.
 */
export type Result = "written" | "partly" | "known" | "busy" | "failed" | "unreadable" | "cut";

export interface Exported {
  input: string;
  result: Result;
  problem: string | null;
  diagnostics: Diagnostic[];
  bytes: number;
  samples: number;
  /** Of a dump. */
  calls: number;
  /** The rest of it is left to a later export. */
  isLeft?: boolean;
}

/** What the batches of an exporter wrote. */
export interface Written {
  parts: number;
  bytes: number;
}

export interface ExportChoice {
  /** Service of recordings that state none. */
  service: string;
  /** Spans that the recordings know are written. */
  spans: boolean;
  /** Attributes of all processes. */
  resource: Resource;
}

export class Exporter {
  private readonly core: Core;
  private readonly kernels: Kernels;
  private readonly set: DataSet;
  private readonly choice: ExportChoice;
  private traceFiles = 0;
  private readonly homes: Homes = new Map();
  private flushed = performance.now();
  private taken: Recording[] = [];
  /** Claims of dates whose parts must not change until the batch is written. */
  private readonly dates: string[] = [];
  /** For the manifest of the next batch: files, and the contents that they bring. */
  private manifest: TakenRecording[] = [];
  /** Chunks of the next batch. */
  private readonly begins = new Begins();
  readonly written: Written = { parts: 0, bytes: 0 };

  private constructor(core: Core, kernels: Kernels, set: DataSet, choice: ExportChoice) {
    this.core = core;
    this.kernels = kernels;
    this.set = set;
    this.choice = choice;
  }

  static async of(module: WebAssembly.Module, set: DataSet, choice: ExportChoice): Promise<Exporter> {
    const kernels = await newKernels();
    for (const path of set.unlisted()) set.takeAll(recordingsIn(kernels, set.folder, path));
    return new Exporter(await Core.instantiate(module), kernels, set, choice);
  }

  /** The result for an input that cannot be read. */
  static failed({ name }: ExportInput, problem: string | null): Exported {
    return { input: name, result: "failed", problem, diagnostics: [], bytes: 0, samples: 0, calls: 0 };
  }

  /** Reads a recording into the current batch. Errors of the data set are thrown; those of the recording are not. */
  async add(input: ExportInput): Promise<Exported> {
    const done = Exporter.failed(input, null);
    let identity: Identity;
    try {
      if (input.fault !== undefined) throw new Error(input.fault);
      identity = identityOf(input);
    } catch (error) {
      return { ...done, problem: systemWords(error) };
    }
    const { sha256, size } = identity;
    const claim = this.set.claim(sha256);
    if (claim === "busy") return { ...done, result: "busy", bytes: size };
    // The same bytes under another name, in this run.
    if (claim === "own") return { ...done, result: "known", bytes: size };
    if (claim === "done") return { ...done, ...this.knownAs(sha256), bytes: size };
    if (size > LARGE_FILE) await this.flush();
    try {
      const read = await (input.isTrace === true ? this.readTrace(input, sha256, size) : this.read(input, identity));
      const isFull = this.core.samples() + callsIn(this.core) >= BATCH_ROWS || this.core.bytesHeld() > BATCH_BYTES;
      if (isFull || performance.now() - this.flushed > COMMIT_MS) await this.flush();
      return { ...done, bytes: size, ...read };
    } catch (error) {
      this.dropBatch();
      throw error;
    }
  }

  /** The result of a recording that the data set has. */
  private knownAs(sha256: string): Pick<Exported, "result" | "problem"> {
    const reason = this.set.unreadable(sha256);
    if (reason === null) return { result: "known", problem: null };
    const problem = `an earlier run could not read it (${reason}); it is read again when its content changes`;
    return { result: "unreadable", problem };
  }

  private async read(input: ExportInput, { sha256, size, isPlain, bytes }: Identity): Promise<Partial<Exported>> {
    const { core } = this;
    const first = core.samples();
    const since = core.kept.mark();
    const calls = callsIn(core);
    const before = stateOf(input);
    const chunk = core.instance.opened.length;
    // Until the core is reset.
    const contexts = this.choice.spans && this.taken.length === 0 ? await contextsFor({ spans: true }) : null;
    let runs: OpenRun[] = [];
    let readable = 0;
    const contents = new Contents(this.set, this.begins, sha256, isPlain ? size : 0);
    core.onContent = (content, observations) => contents.take(content, observations, isOtlp(core));
    core.onSettled = (opened, observations) => contents.settled(opened - chunk, observations);
    try {
      const read = await openFiles(core, { contexts, recordings: () => this.readFiles(input, bytes), isMore: true });
      if (read !== null) ({ runs, readable } = read);
    } catch (error) {
      if (input.run === undefined) throw error;
      // What was read of the dump is in no part.
      this.release(sha256, contents);
      await this.flush();
      this.reset();
      return { problem: stateOf(input) === before ? systemWords(error) : CHANGED.dump };
    } finally {
      core.endFile();
      core.onContent = null;
      core.onSettled = null;
    }
    markProcess(core, this.homes);
    const diagnostics = core.diagnostics(since).slice(0, MOST_DIAGNOSTICS);
    const files = core.files(since.files);
    const isLeft = input.isGrowing === true && files.some(({ chunks }) => chunks.at(-1)?.headerBytes !== undefined);
    const lastChunk = (files.at(-1)?.chunks.length ?? 0) - 1;
    const isCutOff = input.isGrowing === true && diagnostics.some(({ code }) => PACKING_DAMAGED.test(code));
    const told = diagnostics.filter(
      ({ severity, chunk, code }) =>
        severity !== "info" && !(isLeft && (chunk === lastChunk || PACKING_DAMAGED.test(code))),
    );
    const resource = resourceWith({ ...files[0]?.resource }, input.facts ?? {}, this.choice.resource);
    if (stateOf(input) !== before) {
      // Its observations stay in the core, and are in no part.
      this.release(sha256, contents);
      return { result: "failed", problem: CHANGED[input.run === undefined ? "file" : "dump"], diagnostics: told };
    }
    if (isCutOff && lastChunk < 0) {
      // Its last message is not all there.
      this.release(sha256, contents);
      return { result: "known", isLeft: true };
    }
    const name = input.run?.label ?? basename(input.path);
    if (isLeft) contents.leaveLast();
    contents.takeRead(core, chunk, first, core.samples());
    const dumps = runs.length === 0 ? null : await core.dumps();
    const own = runs.filter(({ number }) => contents.takeRun(dumps!, number));
    if (contents.isBusy) {
      this.release(sha256, contents);
      return { result: "busy", diagnostics: [] };
    }
    const { cutBytes } = contents;
    if (cutBytes > 0 && input.isLast !== true) {
      this.release(sha256, contents);
      return { result: "cut", bytes: cutBytes };
    }
    const added = contents.takenAs(name);
    const { shared } = contents;
    const facts = factsOf({ ...files[0]?.resource, ...this.choice.resource });
    const file = {
      ...{ sha256, file: name, bytes: size },
      ...(shared.length > 0 && { with: shared }),
      ...(contents.hasChunks && Object.keys(facts).length > 0 && { facts }),
    };
    const cutBefore =
      contents.cutBefore === 0 ? null : cutWords(contents.cutBefore, registeredIn(this.set.folder)?.place);
    if (contents.isKnown && cutBefore !== null) {
      this.set.unclaim(sha256);
      return { result: "failed", problem: cutBefore };
    }
    if (contents.isKnown) {
      // A copy, which is not read again, or a file that another one contains.
      if (isLeft) this.set.unclaim(sha256);
      else this.manifest.push({ ...file, isCopy: true });
      return { result: "known", isLeft };
    }
    const counted = contents.counted(first, core.samples());
    const samples = counted.flatMap(({ ranges }) => ranges).reduce((sum, [from, to]) => sum + to - from, 0);
    const more = { samples, calls: callsIn(core) - calls - contents.knownCalls };
    const error = told.find(({ severity }) => severity === "error");
    // A run is begun before its files are read.
    const isReadable = readable > 0 && (runs.length === 0 || error === undefined || more.samples + more.calls > 0);
    const problem = (error ?? (isReadable ? null : told[0]))?.message ?? cutBefore;
    if (isLeft) this.set.unclaim(sha256);
    else
      this.manifest.push({
        ...file,
        ...(!isReadable && { unreadable: problem ?? "it has no samples" }),
        ...contents.ofFile,
      });
    this.manifest.push(...added);
    const recording = {
      name,
      bytes: size,
      service: resource["service.name"] ?? this.choice.service,
      instance: instanceOf(resource),
      resource,
      diagnostics: told.map(({ severity, code, message }) => `${severity} ${code}: ${message}`),
      begin: files.map((file) => recordedSpan(file).startUnixNano).find((start) => start !== 0n) ?? 0n,
      changed: changedAt(input),
      first,
      last: core.samples(),
      windows: windowsOf(files, first),
      chunks: [chunk, core.instance.opened.length] as const,
      traceFile: 0,
    };
    for (const { sha256: part, ranges, others } of counted)
      this.taken.push({
        ...recording,
        sha256: part,
        ranges,
        knownChunks: new Set([...others].map((i) => chunk + i)),
        runs: part === sha256 ? own.map(({ number }) => number) : [],
      });
    return { result: resultOf(isReadable, problem), problem, diagnostics: told, isLeft, ...more };
  }

  /** Leaves an input to other writers and runs. */
  private release(sha256: string, contents: Contents): void {
    this.set.unclaim(sha256);
    contents.release();
  }

  private async readFiles(
    input: ExportInput,
    bytes: Uint8Array | null,
  ): Promise<{ runs: OpenRun[]; readable: number }> {
    const { run, files, name } = input;
    // The threads of several jobs have no terminal.
    const onProgress = (read: ReadProgress) => progress.show(() => `reading ${name}${partOf(read)}`);
    const open =
      bytes === null
        ? openInput
        : async () => ({ name, source: bytesSource(bytes), isPipe: false, close: async () => {} });
    if (run === undefined || files === undefined) return readInto(this.core, [input], { onProgress, open });
    const runs = await (await import("../node/dump-inputs.ts")).readRunInput(this.core, { ...input, run, files });
    return { runs, readable: runs.length };
  }

  /** Reads the spans of a trace file. It is a row of `recordings` without samples. */
  private async readTrace(input: ExportInput, sha256: string, size: number): Promise<Partial<Exported>> {
    const { core } = this;
    const store = await openSpans(core);
    const source = await openInput(input.path);
    const traceFile = ++this.traceFiles;
    try {
      const { spans, diagnostics: found } = await readTraceFile(input.name, source.source, store, traceFile);
      const diagnostics = found.slice(0, MOST_DIAGNOSTICS).filter(({ severity }) => severity !== "info");
      const problem = diagnostics.find(({ severity }) => severity === "error")?.message ?? null;
      if (spans === 0) {
        this.set.unclaim(sha256);
        return { result: "failed", problem: problem ?? "the file has no span", diagnostics };
      }
      const name = basename(input.path);
      const key = traceKey(store.columns(), traceFile);
      const claim = this.set.claim(key);
      if (claim !== "mine") {
        if (claim === "busy") this.set.unclaim(sha256);
        else this.manifest.push({ sha256, file: name, bytes: size, isCopy: true });
        return { result: claim === "busy" ? "busy" : "known", diagnostics };
      }
      this.manifest.push({ sha256: key, file: name, bytes: size, isContent: true, of: sha256 });
      const [first, chunk] = [core.samples(), core.instance.opened.length];
      this.manifest.push({ sha256, file: name, bytes: size });
      this.taken.push({
        ...{ sha256, name, bytes: size, service: "", instance: "", resource: {} },
        diagnostics: diagnostics.map(({ severity, code, message }) => `${severity} ${code}: ${message}`),
        ...{
          begin: 0n,
          changed: changedAt(input),
          first,
          last: first,
          windows: [],
          ranges: [],
          chunks: [chunk, chunk],
          knownChunks: new Set(),
          traceFile,
          runs: [],
        },
      });
      return { result: resultOf(true, problem), problem, diagnostics };
    } finally {
      await source.close();
    }
  }

  /** Writes the batch and takes it into the data set. */
  async flush(): Promise<void> {
    this.flushed = performance.now();
    if (this.manifest.length === 0) return;
    progress.show(() => `writing ${formatCounted(this.core.samples(), "sample")}`);
    const claims: string[] = [];
    const lock = async () => {
      if (claims.length === 0 && this.manifest.some(({ begin }) => begin !== undefined))
        claims.push(await this.set.lock());
    };
    try {
      this.lesser();
      const recordings = this.taken;
      // Parts of spans claim their dates, and so does who replaces a cut chunk, with the lock: all take the lock first.
      if (recordings.some(({ traceFile }) => traceFile > 0)) await lock();
      let written = await this.writeParts();
      // Others may have written a chunk of the batch meanwhile; from here on they wait.
      await lock();
      const lesser = this.lesser();
      if (this.taken.length < recordings.length) {
        for (const { from } of written.files) if (from !== null) this.set.discard(from);
        written = await this.writeParts();
      }
      const replaced = lesser.size === 0 ? null : await without(this.kernels, this.set, lesser, this.dates);
      const batch: Batch = { recordings: this.manifest, files: [...(replaced?.files ?? []), ...written.files] };
      if (replaced !== null) batch.forgotten = this.set.forgotten(lesser, false);
      this.set.commit(batch);
      this.written.parts += written.parts;
      this.written.bytes += written.bytes;
      for (const date of replaced?.indexed ?? []) writeIndex(this.kernels, this.set, date);
      this.taken = [];
      this.manifest = [];
      this.reset();
    } catch (error) {
      this.dropBatch();
      throw error;
    } finally {
      this.releaseDates(0);
      for (const claim of claims) this.set.unclaim(claim);
    }
  }

  private async writeParts(): Promise<Written & Pick<Batch, "files">> {
    const written = { parts: 0, bytes: 0 };
    const moves = new Map<TableName, Batch["files"]>();
    const parts = this.taken.length === 0 ? null : await this.partsOf(this.taken);
    for (const part of parts?.parts(partName) ?? []) {
      written.parts++;
      for (const { name, rows, count } of part.tables) {
        const file = this.set.newFile();
        written.bytes += writeFile(tableOf(name), rows, count, fileOptions(this.kernels, name), file.write);
        file.close();
        const own = moves.get(name) ?? [];
        moves.set(name, own);
        own.push({ from: file.path, to: filePath(name, part.date, part.name) });
      }
    }
    // Samples come last, so that a reader never finds samples without their stacks.
    return { ...written, files: [...moves.values()].flat() };
  }

  /**
   * Of two chunks that begin alike the one with more of it counts: those of the batch that have less are taken out of
   * it. Gives the recordings of those that the data set has.
   */
  private lesser(): Set<string> {
    const gone = new Set<string>();
    if (this.manifest.some(({ begin }) => begin !== undefined)) this.set.update();
    for (const each of this.manifest) {
      const { sha256, begin } = each;
      if (begin === undefined) continue;
      const [known, most] = [this.set.begins.get(begin), this.begins.get(begin)];
      const own = { sha256, bytes: each.bytes, isCut: each.isCut === true, isApart: true };
      if (known !== undefined && isMore(own, known) && most?.sha256 === sha256) gone.add(known.sha256);
      else if (own.isCut && (known !== undefined || most?.sha256 !== sha256)) {
        this.taken = this.taken.filter((recording) => recording.sha256 !== sha256);
        for (const name of ["begin", "isCut", "isApart"] as const) delete each[name];
      }
    }
    return gone;
  }

  private async partsOf(recordings: readonly Recording[]): Promise<CoreParts> {
    return new CoreParts(this.kernels, this.core, recordings, await this.furtherOf(recordings));
  }

  private async furtherOf(recordings: readonly Recording[]): Promise<Further> {
    const { kernels, core, choice } = this;
    const dated: DatedRows[] = [];
    let traces: Further["traces"] = null;
    if (choice.spans || recordings.some(({ traceFile }) => traceFile > 0)) {
      const spans = await SpanTable.of(kernels, core, recordings, choice.spans);
      dated.push(spans);
      traces = spans.traces();
      await this.leaveOutKnown(spans);
    }
    if (recordings.some(({ runs }) => runs.length > 0)) {
      const { CallTable } = await import("./tables/call-rows.ts");
      dated.push(await CallTable.of(kernels, core, recordings));
    }
    return { dated, traces };
  }

  /** Claims all of these dates, or none: two writers would wait for each other. */
  private claimsAll(dates: readonly string[]): boolean {
    const before = this.dates.length;
    for (const key of dates.map((date) => `compact-${date}`)) {
      if (this.dates.includes(key)) continue;
      if (this.set.claim(key) !== "mine") {
        this.releaseDates(before);
        return false;
      }
      this.dates.push(key);
    }
    return true;
  }

  private releaseDates(from: number): void {
    for (const key of this.dates.splice(from)) this.set.unclaim(key);
  }

  /** Leaves out spans that the data set has, and claims their dates until the batch is written. */
  private async leaveOutKnown(spans: SpanTable): Promise<void> {
    const dates = spans.idsOfFiles();
    while (!this.claimsAll([...dates.keys()])) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    for (const [date, ids] of dates) {
      const parts = [...partsOf(this.set.folder, "spans")].filter((part) => part.date === date);
      if (parts.length === 0) continue;
      const known = (await spansOf(localFiles(this.set.folder), parts, ids)).filter(({ isOfFile }) => isOfFile);
      spans.leaveOut(
        new Set(known.map(({ trace, id, start }) => spanKey(trace === null ? 0n : lowerOf(trace), id, start))),
      );
    }
  }

  private dropBatch(): void {
    for (const { sha256 } of this.manifest) this.set.unclaim(sha256);
    this.taken = [];
    this.manifest = [];
    this.reset();
  }

  private reset(): void {
    this.core.reset();
    this.homes.clear();
    this.begins.clear();
  }
}

function resultOf(isReadable: boolean, problem: string | null): Result {
  if (!isReadable) return "failed";
  return problem === null ? "written" : "partly";
}

/** Identity of the spans of a trace file, in whatever format it has them. */
function traceKey(columns: SpanColumns, file: number): string {
  const { source, id } = columns;
  const own = [...rowsOf(columns, "files")].filter((row) => source[row] === file && id[row] !== 0n);
  const spans = new Set(own.map((row) => keyOf(columns, row)));
  return createHash("sha256")
    .update([...spans].sort().join("\n"))
    .digest("hex");
}

function isOtlp({ instance: { files } }: Core): boolean {
  return files.at(-1)?.format.startsWith("otlp") === true;
}

/** Calls of dumps; row 0 is none. */
function callsIn({ instance }: Core): number {
  return Math.max(0, instance.wasm.callCount.value - 1);
}

interface Identity {
  sha256: string;
  size: number;
  /** All of it, until the next one is read; null if it is too long. */
  bytes: Uint8Array | null;
  /** It begins as a recording does, so it is not packed. */
  isPlain: boolean;
}

function cutWords(chunks: number, registered: string | undefined): string {
  const counted = formatCounted(chunks, "chunk");
  if (registered !== undefined)
    return `the data set is registered in ${registered} with only the beginning of ${counted}, whose rows stay there`;
  return `the data set has only the beginning of ${counted}, from a recording that was cut; remove that recording, and export both again`;
}

/** Of a dump, the hash of the hashes of its files, each with its stream and number. Throws errors of the system. */
function identityOf({ path, files }: ExportInput): Identity {
  if (files === undefined) return fileIdentity(path);
  const hash = createHash("sha256");
  let bytes = 0;
  for (const { file, stream, index } of files) {
    const { sha256, size } = fileIdentity(file);
    hash.update(`${stream} ${index} ${sha256}\n`);
    bytes += size;
  }
  return { sha256: hash.digest("hex"), size: bytes, bytes: null, isPlain: false };
}

/** A piece of a file that is hashed. There is one, so that a fleet of small recordings needs no new memory for each. */
const piece = new Uint8Array(READ_BYTES);

/** Hash and size of a file. Throws errors of the system. */
function fileIdentity(path: string): Identity {
  const hash = createHash("sha256");
  const file = openSync(path, "r");
  let size = 0;
  let last = 0;
  let isPlain = false;
  try {
    for (let n = readSync(file, piece); n > 0; n = readSync(file, piece)) {
      if (size === 0) isPlain = new TextDecoder("latin1").decode(piece.subarray(0, MAGIC.length)) === MAGIC;
      hash.update(piece.subarray(0, n));
      size += n;
      last = n;
    }
  } finally {
    closeSync(file);
  }
  return { sha256: hash.digest("hex"), size, bytes: last === size ? piece.subarray(0, size) : null, isPlain };
}
