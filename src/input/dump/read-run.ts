/**
 * Feeds the streams of a run of a CDT dump to the core, in the order of assembly/abi/cdt-stream.ts: words before the
 * records that use them, calls before the trace, and the large texts after what refers to them.
 */

import { type ByteSource, fill } from "../../bytes/byte-source.ts";
import { Expansion } from "../../bytes/expansion.ts";
import { type GzipFault, unpackPartly } from "../../bytes/gzip-partly.ts";
import { StreamSource } from "../../bytes/stream-source.ts";
import type { Dumps, FramesAs } from "../../core/dumps/dump.ts";
import { Stream, streamName } from "../../core/tables/dump-streams.ts";
import type { Severity } from "../../core/types.ts";
import type { RunFiles, StreamFile } from "./runs.ts";

/** Bytes of a slice. */
const SLICE = 1 << 20;
/** Bytes of a trace file before its first block: its start time. */
const TRACE_START = 8;
/** Bytes of a damaged trace that are read again, because a block that a call names begins before the damage. */
const MOST_AGAIN = 1 << 26;
/** Streams that may unpack to as much as other inputs: loops make a trace a five-hundredth. */
const LARGE: readonly number[] = [Stream.Trace, Stream.Sql, Stream.Xml];
/** Unpacked bytes that the files of any other stream may have in any case; 64 MiB are some million calls. */
const FREE_UNPACKED = 1 << 26;
const EXCESS = "its records need far more memory than a file of this size may; the ones before were read";

/** A problem of a file of a stream. */
export interface StreamProblem {
  code: string;
  severity: Severity;
  message: string;
  path: string;
  /** In the decompressed file. */
  offset: number;
  stream: string;
}

export interface RunReading {
  dumps: Dumps;
  note(problem: StreamProblem): void;
  /** Called after each slice; false ends the reading. */
  breathe(): Promise<boolean>;
  /** Of the input that the files are in, if they are in one. */
  expansion?: Expansion | undefined;
}

/** Reads a run into the core; the answer is its number, or null if the reading was ended. */
export async function readRun(reading: RunReading, run: RunFiles): Promise<number | null> {
  const { dumps } = reading;
  const number = dumps.beginRun(run);
  const feed = new RunFeed(reading, run, number);
  const isSound = await feed.dictionaries();
  if (isSound === null) return null;
  const hasWords = feed.has(Stream.Dictionary) || feed.has(Stream.PosDictionary);
  dumps.wasm.endDictionary(!isSound || !hasWords || run.container === "capture");
  for (const stream of [Stream.Params, Stream.Suspend]) if ((await feed.stream(stream)) === null) return null;
  dumps.wasm.endPauses();
  if ((await feed.stream(Stream.Calls)) === null) return null;
  dumps.wasm.beginTraces();
  if ((await feed.trace()) === null) return null;
  dumps.wasm.endTrace();
  for (const stream of [Stream.Sql, Stream.Xml]) if ((await feed.stream(stream)) === null) return null;
  dumps.wasm.endDumpRun();
  feed.noteMissing(hasWords);
  feed.noteCounts();
  return number;
}

/**
 * Reads the trace of a run again for the frames of some calls: they become samples, or are listed with the texts that
 * their tags refer to, or are added up by parameters (`Dumps.tally`). False if the reading was ended.
 */
export async function readFrames(
  reading: RunReading,
  { run, number }: { run: RunFiles; number: number },
  isMarked: (call: number) => boolean,
  as: FramesAs,
): Promise<boolean> {
  // Its problems were noted when it was read first.
  const feed = new RunFeed({ ...reading, note: () => {}, expansion: undefined }, run, number, true);
  reading.dumps.beginFrames(number, isMarked, as);
  if ((await feed.frames()) === null) return false;
  if (!reading.dumps.endFrames(as)) {
    const message = "too many runs: outputs have the samples of this one without the name of the run";
    reading.note({
      code: "cdt.runs.many",
      severity: "warning",
      message,
      path: placeOf(run),
      offset: 0,
      stream: "",
    });
  }
  if (as === "samples" || as === "others") return true;
  for (const stream of [Stream.Sql, Stream.Xml]) if ((await feed.stream(stream)) === null) return false;
  return true;
}

/** The name of a run in a message that is about no file of it. */
function placeOf({ files, input, label }: RunFiles): string {
  return files[0]?.path || input || label || "dump";
}

class RunFeed {
  private readonly reading: RunReading;
  private readonly run: RunFiles;
  private readonly number: number;
  private readonly isAgain: boolean;
  /** What the files of a stream unpack to, and the bytes of the core that they may take. */
  private readonly limits = new Map<number, { expansion: Expansion; allowance: { left: number } | null }>();

  /** `isAgain`: nothing is kept of a run that was read before but the frames of chosen calls. */
  constructor(reading: RunReading, run: RunFiles, number: number, isAgain = false) {
    this.reading = reading;
    this.run = run;
    this.number = number;
    this.isAgain = isAgain;
  }

  private limitsOf(stream: number) {
    const known = this.limits.get(stream);
    if (known !== undefined) return known;
    const byteLength = this.filesOf(stream).reduce((sum, file) => sum + file.open().byteLength, 0);
    const expansion = new Expansion({ byteLength }, LARGE.includes(stream) ? undefined : FREE_UNPACKED);
    const limits = { expansion, allowance: this.isAgain ? null : this.reading.dumps.allowanceOf(stream, byteLength) };
    this.limits.set(stream, limits);
    return limits;
  }

  has(stream: number): boolean {
    return this.filesOf(stream).length > 0;
  }

  private filesOf(stream: number): StreamFile[] {
    return this.run.files.filter((file) => file.stream === stream);
  }

  /** Whether all words were read; null if the reading was ended. */
  async dictionaries(): Promise<boolean | null> {
    const words = await this.stream(Stream.Dictionary);
    const placed = words === null ? null : await this.stream(Stream.PosDictionary);
    if (words === null || placed === null) return null;
    const isSound = words && placed;
    const isNeeded = !isSound || (!this.has(Stream.Dictionary) && !this.has(Stream.PosDictionary));
    if (isNeeded && (await this.stream(Stream.CallsDictionary)) === null) return null;
    return isSound;
  }

  /** Reads the files of a stream. Whether all of it was sound; null if the reading was ended. */
  async stream(stream: number): Promise<boolean | null> {
    let isSound = true;
    let last: number | null = null;
    for (const file of this.filesOf(stream)) {
      if (last !== null && file.index !== last + 1) this.noteGap(file, last);
      last = file.index;
      const wasSound = await this.file(file);
      if (wasSound === null) return null;
      isSound &&= wasSound;
    }
    return isSound;
  }

  /** Reads the trace. After a missing file, no thread has open frames. */
  async trace(): Promise<true | null> {
    let expected = 1;
    let last: number | null = null;
    for (const file of this.filesOf(Stream.Trace)) {
      if (last !== null && file.index !== last + 1) this.noteGap(file, last);
      if (file.index !== expected) this.reading.dumps.wasm.loseEvents(false);
      expected = file.index + 1;
      last = file.index;
      if ((await this.file(file)) === null) return null;
    }
    return true;
  }

  /** Reads the trace again, from the file with the first marked call to the end of the last one. */
  async frames(): Promise<true | null> {
    const { dumps } = this.reading;
    let last = dumps.firstFile - 1;
    for (const file of this.filesOf(Stream.Trace)) {
      if (file.index <= last) continue;
      if (dumps.wasm.isWalkOver()) break;
      if (file.index !== last + 1) dumps.wasm.loseEvents(false);
      last = file.index;
      const from = file.index === dumps.firstFile ? dumps.firstOffset : 0;
      if ((await this.file(file, () => dumps.wasm.isWalkOver(), from)) === null) return null;
    }
    return true;
  }

  /** `isOver`: whether the rest of the file is of no use. `from`: the first block of a trace that is of use. */
  private async file(file: StreamFile, isOver = () => false, from = 0): Promise<boolean | null> {
    const { dumps } = this.reading;
    const { allowance } = this.limitsOf(file.stream);
    dumps.wasm.beginStreamFile(file.stream, file.index);
    let open = await this.open(file);
    const before = dumps.wasm.usedBytes();
    const isExcess = () => allowance !== null && dumps.wasm.usedBytes() - before > allowance.left;
    let isSound = true;
    let at = 0;
    /** Bytes from `at` on that were read already: a compressed file cannot go back. */
    let held = new Uint8Array(0);
    let again = 0;
    this.missing = null;
    if (from > TRACE_START && (await fill(open.source, 0, dumps.buffer(TRACE_START))) === TRACE_START) {
      dumps.push(TRACE_START, false);
      dumps.wasm.skipTo(from);
      at = from;
    }
    for (let size = SLICE; ; ) {
      const buffer = dumps.buffer(size);
      buffer.set(held);
      const length = held.length + (await fill(open.source, at + held.length, buffer.subarray(held.length)));
      held = held.subarray(held.length);
      const isFinal = length < size;
      let used = dumps.push(length, isFinal);
      /** Where the file goes on after damage; null: it does not. */
      let next: number | null = at;
      for (let stop = dumps.fault(); stop !== null; stop = dumps.fault()) {
        isSound = false;
        const isKnown = open.fault !== null || this.run.isCut === true;
        const end = isFinal ? at + length : Number.POSITIVE_INFINITY;
        next = this.afterFault(file, stop, { isKnown, mayGoBack: again < MOST_AGAIN, end });
        if (next === null) break;
        again += Math.max(0, at + used - next);
        if (next < at || next >= at + length) break;
        used = next - at;
        used += dumps.push(length, isFinal, used);
        next = at;
      }
      if (next === null) break;
      if (next !== at) {
        if (next < at) open = await this.open(file);
        at = next;
        continue;
      }
      at += used;
      held = dumps.buffer(size).slice(used, length);
      if ((isFinal && used === length) || isOver()) break;
      if (isFinal && used === 0) break;
      // A record longer than the slice.
      if (used === 0) size *= 2;
      if (isExcess()) {
        isSound = false;
        this.note(file, `cdt.${streamName(file.stream)}.excess`, "error", EXCESS, at);
        if (file.stream === Stream.Trace) dumps.wasm.loseEvents(true);
        break;
      }
      if (!(await this.reading.breathe())) return null;
    }
    if (allowance !== null) allowance.left -= Math.max(0, dumps.wasm.usedBytes() - before);
    if (open.source instanceof StreamSource) await open.source.close();
    // A dump may have thousands of files of a slice each.
    if (!(await this.reading.breathe())) return null;
    if (open.source instanceof StreamSource && open.source.isExcess) {
      this.note(file, "cdt.gzip.excess", "error", open.source.fault ?? "", open.source.byteLength);
      return false;
    }
    const { fault } = open;
    if (fault === null) return isSound;
    const { code, text, bytes } = fault;
    const severity = code === "truncated" ? "warning" : "error";
    this.note(file, `cdt.gzip.${code}`, severity, text, bytes);
    return false;
  }

  private async open(file: StreamFile): Promise<{ source: ByteSource; readonly fault: GzipFault | null }> {
    const source = file.open();
    const head = await source.slice(0, 2);
    if (head[0] !== 0x1f || head[1] !== 0x8b) return { source, fault: null };
    const opened: { source: ByteSource; fault: GzipFault | null } = { source, fault: null };
    const pieces = unpackPartly(source, (fault) => {
      opened.fault = fault;
    });
    const limited = this.limitsOf(file.stream).expansion.limit(pieces);
    opened.source = new StreamSource(this.reading.expansion?.limit(limited) ?? limited);
    return opened;
  }

  /** Notes the fault. Where the trace goes on, or null if the rest of the file, which ends at `end`, is lost. */
  private afterFault(
    file: StreamFile,
    { fault, position, block }: NonNullable<ReturnType<Dumps["fault"]>>,
    { isKnown, mayGoBack, end }: { isKnown: boolean; mayGoBack: boolean; end: number },
  ): number | null {
    const name = streamName(file.stream);
    if (file.stream === Stream.Sql || file.stream === Stream.Xml) {
      // Later damage of the file may be a consequence of the first.
      if (this.missing === null && !isKnown)
        this.note(file, `cdt.${name}.truncated`, "warning", "a text is longer than the rest of the file", position);
      return this.nextText(file, mayGoBack ? 0 : position);
    }
    const next = file.stream === Stream.Trace ? this.nextBlock(file, mayGoBack ? block : position, end) : null;
    if (fault === "phrase")
      this.note(file, "cdt.phrase.length", "error", "a phrase has an impossible length", position);
    else if (fault === "format") this.note(file, "cdt.calls.format", "error", "the format or the time is unknown", 0);
    else if (fault === "truncated" && next === null) {
      // A file that is known to be cut has one diagnostic.
      if (!isKnown) this.note(file, `cdt.${name}.truncated`, "warning", "the file ends within a record", position);
    } else {
      this.note(file, `cdt.${name}.implausible`, "error", "the bytes are damaged", position);
    }
    if (file.stream !== Stream.Trace) return null;
    const { dumps } = this.reading;
    if (next !== null) dumps.wasm.resumeTrace(next);
    else if (fault !== "truncated") dumps.wasm.loseEvents(true);
    else if (file.index !== this.filesOf(Stream.Trace).at(-1)?.index) dumps.wasm.loseEvents(false);
    return next;
  }

  /** References into the damaged file of sql or xml that were not tried yet, the next one last; null: it is sound. */
  private missing: { reference: number; offset: number }[] | null = null;

  /**
   * Goes on in a damaged file of texts where the next reference leads, at `least` or after it: only there it is known
   * where a text begins.
   */
  private nextText(file: StreamFile, least: number): number | null {
    const { references } = this.reading.dumps;
    this.missing ??= references.missing(file.stream, file.index).reverse();
    for (let next = this.missing.pop(); next !== undefined; next = this.missing.pop()) {
      if (next.offset < least || references.isFound(next.reference)) continue;
      references.resume(next.offset);
      return next.offset;
    }
    return null;
  }

  private blockOffsets = new Map<number, number[]>();

  /** The first block between `offset` and `end` that a call names: calls of a cut trace name blocks beyond its end. */
  private nextBlock(file: StreamFile, offset: number, end: number): number | null {
    const known = this.blockOffsets.get(file.index) ?? this.reading.dumps.blocks(this.number, file.index);
    this.blockOffsets.set(file.index, known);
    let [low, high] = [0, known.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (known[middle]! > offset) high = middle;
      else low = middle + 1;
    }
    const next = known[low] ?? end;
    return next < end ? next : null;
  }

  private noteGap(file: StreamFile, last: number): void {
    const missing = last + 1 === file.index - 1 ? `file ${last + 1} is` : `files ${last + 1} to ${file.index - 1} are`;
    this.note(file, "cdt.stream.gap", "warning", `${missing} missing before it`, 0);
  }

  /** Streams that are not there, and references that lead nowhere. */
  noteMissing(hasWords: boolean): void {
    const missing = (stream: number, severity: Severity, message: string) =>
      this.note(stream, "cdt.stream.missing", severity, message);
    if (!hasWords) missing(Stream.Dictionary, "error", "there is no dictionary: methods are shown by their numbers");
    for (const stream of [Stream.Trace, Stream.Suspend, Stream.Calls]) {
      if (!this.has(stream)) missing(stream, "warning", `there is no stream ${streamName(stream)}`);
    }
  }

  /** What only the whole run shows. */
  noteCounts(): void {
    const { short, dangling, lost, fragments, underflows, backwards, deep } = this.reading.dumps.counts(this.number);
    if (short !== null) this.note(Stream.Dictionary, "cdt.dictionary.short", "warning", `id ${short} has no text`);
    if (dangling > 0) {
      const calls = dangling === 1 ? "1 call leads" : `${dangling} calls lead`;
      this.note(Stream.Calls, "cdt.call.dangling", "warning", `${calls} to no enter of the method in the trace`);
    }
    if (lost !== null) {
      const { stream, file: index, offset, references, all } = lost;
      const file = this.filesOf(stream).find((each) => each.index === index);
      const message = `${references} of ${all} references lead to no text, first ${index}:${offset}`;
      this.note(file ?? stream, "cdt.reference.dangling", "warning", message, offset);
    }
    if (fragments > 0) {
      this.note(
        Stream.Trace,
        "cdt.trace.fragment",
        "warning",
        `${fragments} pieces of roots whose beginning is missing`,
      );
    }
    if (underflows > 0)
      this.note(Stream.Trace, "cdt.trace.underflow", "warning", `${underflows} exits without an enter`);
    if (deep > 0)
      this.note(Stream.Trace, "cdt.trace.deep", "warning", `${deep} frames are deeper than stacks are long`);
    if (backwards > 0)
      this.note(Stream.Trace, "cdt.clock.backwards", "info", `${backwards} frames end before they begin`);
  }

  /** A problem of a file, or of a stream: of its first file, or of the run. */
  private note(of: StreamFile | number, code: string, severity: Severity, message: string, offset = 0): void {
    const [stream, file] = typeof of === "number" ? [of, this.filesOf(of)[0]] : [of.stream, of];
    const path = file?.path ?? placeOf(this.run);
    this.reading.note({ code, severity, message, path, offset, stream: streamName(stream) });
  }
}
