/**
 * Writer of Cloud Profiler dumps for tests: calls as plain trees of frames become streams, and streams become a folder,
 * an export archive, files of a collector or a TCP capture. Shares no code with the reader.
 *
 *   calls → events of each thread → blocks of a few events → files of a few blocks
 */
import { gzipSync, zipSync } from "fflate";

/** A frame: it is entered `before` ms after the event before it, and left `after` ms after its last child. */
export interface WrittenFrame {
  method: string;
  before: number;
  after: number;
  children: readonly WrittenFrame[];
  tags?: readonly WrittenTag[];
}

/** A tag after the enter of its frame. */
export interface WrittenTag {
  name: string;
  value: string;
  /** Large texts are in another stream; those of `sql` are written once. */
  in: "trace" | "sql" | "xml";
}

export interface WrittenCall {
  threadId: number;
  thread: string;
  /** Time of the event before the root, in ms since 1970. */
  at: number;
  root: WrittenFrame;
  isRecorded: boolean;
  /** ms that the record has beyond the tree. */
  reactive: number;
  params: Readonly<Record<string, readonly string[]>>;
}

export interface Writing {
  calls: readonly WrittenCall[];
  /** Ends of pauses and their lengths: ms after the pause before, and ms. */
  pauses?: readonly (readonly [delta: number, delay: number])[];
  /** Time of files of calls and pauses, ms since 1970. */
  start: number;
  /** Age of the JVM at that time, ms. */
  age?: number;
  /** Format of the records, 0 to 4. */
  format?: number;
  eventsPerBlock?: number;
  blocksPerFile?: number;
  callsPerFile?: number;
  /** Texts per file of sql and xml. */
  textsPerFile?: number;
  dictionary?: "dictionary" | "posDictionary";
  /** What the dump states about parameters of calls. */
  stated?: Readonly<Record<string, { order: number; signature: string }>>;
  /** As a collector keeps dictionary, params and suspend: in pieces, each after its length. */
  isPhrased?: boolean;
}

/** Files by stream, the first at index 0. */
export type Streams = Record<string, Uint8Array[]>;

/** Key of a root: file from 1, offset of its block, ordinal of the event. */
export interface Key {
  file: number;
  offset: number;
  ordinal: number;
}

/** Bytes in the making. */
export class Bytes {
  private readonly bytes: number[] = [];

  get length(): number {
    return this.bytes.length;
  }

  byte(value: number): this {
    this.bytes.push(value & 0xff);
    return this;
  }

  raw(bytes: Iterable<number>): this {
    for (const byte of bytes) this.bytes.push(byte);
    return this;
  }

  int(value: number): this {
    for (const shift of [24, 16, 8, 0]) this.byte(value >>> shift);
    return this;
  }

  long(value: number): this {
    const wide = BigInt.asUintN(64, BigInt(value));
    return this.int(Number(wide >> 32n)).int(Number(wide & 0xffff_ffffn));
  }

  /** 32 bits in groups of 7, the lowest first; a negative number takes 5 bytes. */
  varint(value: number): this {
    let rest = value >>> 0;
    while (rest > 0x7f) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    return this.byte(rest);
  }

  zigzag(value: number): this {
    return this.varint((value << 1) ^ (value >> 31));
  }

  string(text: string): this {
    this.varint(text.length);
    for (let i = 0; i < text.length; i++) this.byte(text.charCodeAt(i) >> 8).byte(text.charCodeAt(i));
    return this;
  }

  done(): Uint8Array {
    return Uint8Array.from(this.bytes);
  }
}

type Event = { time: number } & (
  | { kind: "enter"; method: string; root: WrittenCall | null }
  | { kind: "exit" }
  | { kind: "tag"; tag: WrittenTag }
);

/** A file that is full after some records, and the next. */
class Rotated {
  readonly files: Bytes[] = [];
  private left = 0;
  private readonly most: number;
  private readonly head: (file: Bytes) => void;

  constructor(most: number, head: (file: Bytes) => void) {
    this.most = most;
    this.head = head;
  }

  /** The file that the next record is written to; a file is begun for the first. */
  next(): Bytes {
    if (this.left === 0) {
      const file = new Bytes();
      this.head(file);
      this.files.push(file);
      this.left = this.most;
    }
    this.left--;
    return this.files.at(-1)!;
  }

  done(): Uint8Array[] {
    return this.files.map((file) => file.done());
  }
}

class DumpWriter {
  private readonly words: string[] = ["call.info"];
  private readonly wordIds = new Map<string, number>([["call.info", 0]]);
  private readonly texts: Record<"sql" | "xml", Rotated>;
  private readonly sqlPlaces = new Map<string, [number, number]>();
  readonly keys = new Map<WrittenCall, Key>();
  private readonly of: Writing;

  constructor(of: Writing) {
    this.of = of;
    const most = of.textsPerFile ?? Number.POSITIVE_INFINITY;
    this.texts = { sql: new Rotated(most, () => {}), xml: new Rotated(most, () => {}) };
  }

  /** Start of the JVM, which deltas of the trace count from. */
  private get born(): number {
    return this.of.start - (this.of.age ?? 0);
  }

  streams(): Streams {
    const trace = this.trace();
    const calls = this.calls();
    const params = new Bytes().byte(1);
    for (const name of new Set(this.of.calls.flatMap((call) => Object.keys(call.params)))) {
      const { order, signature } = this.of.stated?.[name] ?? { order: 0, signature: "" };
      params.string(name).byte(1).byte(1).varint(order).string(signature);
    }
    const dictionary = this.dictionary();
    return {
      [this.of.dictionary ?? "dictionary"]: [dictionary],
      params: [this.phrases([params.done()])],
      suspend: [this.suspend()],
      calls,
      trace,
      sql: this.texts.sql.done(),
      xml: this.texts.xml.done(),
    };
  }

  private id(word: string): number {
    const known = this.wordIds.get(word);
    if (known !== undefined) return known;
    this.words.push(word);
    this.wordIds.set(word, this.words.length - 1);
    return this.words.length - 1;
  }

  private dictionary(): Uint8Array {
    const hasIds = this.of.dictionary === "posDictionary";
    const records = this.words.map((word, id) => {
      const record = new Bytes();
      if (hasIds) record.varint(id);
      return record.string(word).done();
    });
    // Ids make the order free; the first is 0 in a raw file, which tells it from a phrased one.
    if (hasIds) records.splice(1, records.length, ...records.slice(1).reverse());
    return this.phrases(records);
  }

  private suspend(): Uint8Array {
    const head = new Bytes().long(this.of.start).done();
    const records = (this.of.pauses ?? []).map(([delta, delay]) => new Bytes().varint(delta).varint(delay).done());
    const [first = new Uint8Array(), ...rest] = records;
    return this.phrases([new Bytes().raw(head).raw(first).done(), ...rest]);
  }

  /** Records in phrases of two, or one after the other. */
  private phrases(records: readonly Uint8Array[]): Uint8Array {
    const out = new Bytes();
    for (let i = 0; i < records.length; i += 2) {
      const pair = new Bytes().raw(records[i]!).raw(records[i + 1] ?? []);
      if (this.of.isPhrased === true) out.int(pair.length);
      out.raw(pair.done());
    }
    return out.done();
  }

  private place(stream: "sql" | "xml", text: string): [file: number, offset: number] {
    const known = stream === "sql" ? this.sqlPlaces.get(text) : undefined;
    if (known !== undefined) return known;
    const file = this.texts[stream].next();
    const place: [number, number] = [this.texts[stream].files.length, file.length];
    file.string(text);
    if (stream === "sql") this.sqlPlaces.set(text, place);
    return place;
  }

  private trace(): Uint8Array[] {
    const { calls } = this.of;
    const threads = new Map<number, Event[]>();
    for (const call of calls) {
      const events = threads.get(call.threadId) ?? [];
      threads.set(call.threadId, events);
      callEvents(call, events);
    }
    const out = new Rotated(this.of.blocksPerFile ?? Number.POSITIVE_INFINITY, (file) => file.long(this.born));
    const size = this.of.eventsPerBlock ?? Number.POSITIVE_INFINITY;
    // Blocks of the threads by turns.
    const waiting = [...threads].map(([id, events]) => ({ id, events, at: 0 }));
    while (waiting.some(({ events, at }) => at < events.length)) {
      for (const thread of waiting) {
        const part = thread.events.slice(thread.at, thread.at + size);
        if (part.length === 0) continue;
        this.block(out.next(), out.files.length, thread.id, part);
        thread.at += part.length;
      }
    }
    return out.done();
  }

  private block(file: Bytes, index: number, thread: number, events: readonly Event[]): void {
    const offset = file.length;
    file.long(thread).long((events[0]?.time ?? 0) - 3);
    let before = this.born;
    events.forEach((event, ordinal) => {
      const delta = (event.time - before) | 0;
      before = event.time;
      const bits = { enter: 0, exit: 1, tag: 2 }[event.kind];
      const isLong = delta < 0 || delta > 31;
      file.byte(bits | ((delta & 31) << 2) | (isLong ? 0x80 : 0));
      if (isLong) file.varint(delta >> 5);
      if (event.kind === "enter") {
        file.varint(this.id(event.method));
        if (event.root !== null) this.keys.set(event.root, { file: index, offset, ordinal });
      }
      if (event.kind === "tag") this.tag(file, event.tag);
    });
    file.byte(3);
  }

  private tag(file: Bytes, { name, value, in: stream }: WrittenTag): void {
    file.varint(this.id(name));
    if (stream === "trace") {
      file.byte(0).string(value);
      return;
    }
    const [index, offset] = this.place(stream, value);
    file
      .byte(stream === "xml" ? 1 : 3)
      .varint(index)
      .varint(offset);
  }

  private calls(): Uint8Array[] {
    const { format = 4, start } = this.of;
    let before = start;
    let names: string[] = [];
    const out = new Rotated(this.of.callsPerFile ?? Number.POSITIVE_INFINITY, (file) => {
      if (format > 0) file.int(0xfffefdfc).int(format);
      file.long(start);
      before = start;
      names = [];
    });
    for (const call of this.of.calls.filter(({ isRecorded }) => isRecorded)) {
      const file = out.next();
      const key = this.keys.get(call)!;
      const time = call.at + call.root.before;
      file.zigzag(time - before).varint(this.id(call.root.method));
      before = time;
      file.varint(Math.max(0, spanOf(call.root)) + call.reactive).varint(countOf(call.root));
      if (format >= 1) {
        const known = names.indexOf(call.thread);
        file.varint(known < 0 ? names.length : known);
        if (known < 0) {
          names.push(call.thread);
          file.string(call.thread);
        }
        file.varint(LOGS.written).varint(LOGS.generated - LOGS.written);
      }
      file.varint(key.file).varint(key.offset).varint(key.ordinal);
      if (format >= 2) for (const value of [FIGURES.cpu, FIGURES.wait, FIGURES.memory]) file.varint(value);
      if (format >= 3) for (const value of FIGURES.io) file.varint(value);
      if (format >= 4) file.varint(FIGURES.transactions).varint(FIGURES.queue);
      const params = Object.entries(call.params);
      file.varint(params.length);
      for (const [name, values] of params) {
        file.varint(this.id(name)).varint(values.length);
        for (const value of values) file.string(value);
      }
    }
    return out.done();
  }
}

/** Figures of every record. */
export const LOGS = { written: 20, generated: 50 };
export const FIGURES = { cpu: 7, wait: 2, memory: 70_000, io: [11, 12, 13, 14], transactions: 3, queue: 5 };

function callEvents(call: WrittenCall, events: Event[]): void {
  let time = call.at;
  const walk = (frame: WrittenFrame, root: WrittenCall | null) => {
    time += frame.before;
    events.push({ time, kind: "enter", method: frame.method, root });
    for (const tag of frame.tags ?? []) events.push({ time, kind: "tag", tag });
    for (const child of frame.children) walk(child, null);
    time += frame.after;
    if (root !== null) {
      events.push({ time, kind: "tag", tag: { name: "call.info", value: "", in: "trace" } });
      events.push({ time, kind: "tag", tag: { name: "java.thread", value: call.thread, in: "trace" } });
    }
    events.push({ time, kind: "exit" });
  };
  walk(call.root, call);
}

/** ms from the enter of a frame to its exit. */
export function spanOf(frame: WrittenFrame): number {
  return frame.children.reduce((sum, child) => sum + child.before + spanOf(child), 0) + frame.after;
}

export function countOf(frame: WrittenFrame): number {
  return frame.children.reduce((sum, child) => sum + countOf(child), 1);
}

/** The streams of a run, and the key of each call. */
export function writeStreams(of: Writing): { streams: Streams; keys: Map<WrittenCall, Key> } {
  const writer = new DumpWriter(of);
  return { streams: writer.streams(), keys: writer.keys };
}

/** Files of a folder: `SERVER/2024/02/03/MS/STREAM/000001.gz`. */
export function asFolder(streams: Streams, folder: string, isPacked = true): Record<string, Uint8Array> {
  return Object.fromEntries(
    Object.entries(streams).flatMap(([stream, files]) =>
      files.map((bytes, i) => {
        const path = `${folder}/${stream}/${String(i + 1).padStart(6, "0")}`;
        return isPacked ? [`${path}.gz`, gzipSync(bytes, { mtime: 0 })] : [path, bytes];
      }),
    ),
  );
}

/** An export archive; those made on Windows have backslashes. */
export function asZip(streams: Streams, folder: string, separator: "/" | "\\"): Uint8Array {
  const files = asFolder(streams, `execution-statistics-collector/dump/${folder}`);
  const entries = Object.entries(files).map(([path, bytes]) => [path.replaceAll("/", separator), bytes] as const);
  return zipSync(Object.fromEntries(entries), { level: 0 });
}

/** Files of a collector: `PREFIX.trace.0.protocol`. */
export function asStreamFiles(streams: Streams, prefix: string): Record<string, Uint8Array> {
  return Object.fromEntries(
    Object.entries(streams).flatMap(([stream, files]) =>
      files.map((bytes, i) => [`${prefix}.${stream === "trace" ? "traces" : stream}.${i}.protocol`, bytes]),
    ),
  );
}

/** A capture of an agent that sends streams in commands of at most `size` bytes of data. */
export function asCapture(streams: Streams, pod: string, size = 100): Uint8Array {
  const out = new Bytes();
  const field = (bytes: ArrayLike<number>) => out.int(bytes.length).raw(Array.from(bytes));
  const text = (words: string) => field(new TextEncoder().encode(words));
  out.byte(0x14).long(100_605);
  text(pod);
  text("shop");
  text("prod");
  out.long(100_605);
  let handle = 0;
  for (const [stream, files] of Object.entries(streams)) {
    files.forEach((bytes, i) => {
      const id = new Bytes().long(0).long(++handle).done();
      out.byte(0x15);
      text(stream);
      out.int(i).int(0).raw(id).long(0).long(0).int(i);
      for (let at = 0; at < bytes.length; at += size) {
        out.byte(0x02).raw(id);
        field(bytes.subarray(at, at + size));
        // Acknowledgements of the collector.
        out.byte(0x00).byte(0x11).byte(0x00);
      }
    });
  }
  return out.byte(0x04).done();
}
