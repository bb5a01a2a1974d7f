/**
 * The contents of inputs: chunks of recordings, and messages. Each counts once, whatever file and packing it is in:
 * dumps of a running recording overlap, and a file may be given twice. Data sets know theirs by the same `beginOf`
 * (src/bytes/chunk-begin.ts).
 */
import * as EndListRow from "../../../assembly/abi/rows/end-list-row.ts";
import type { Copy } from "../inputs/copies.ts";
import type { Instance } from "../instance/instance.ts";

/** The beginning of a chunk (src/bytes/chunk-begin.ts). */
interface Begin {
  key: string;
  isCut: boolean;
}

interface Content {
  /** Number of the chunk or message, over all files. */
  ordinal: number;
  bytes: number;
  isCut: boolean;
  hash: bigint;
  /** What later chunks of its file use of it. */
  periods: Uint8Array | null;
}

/** A beginning of a chunk: the places that have it, and the most bytes that one of them has. */
export interface Beginning {
  places: number;
  bytes: number;
}

/** A list of the state at the end of a chunk, of an event of a file, among its observations [first, end). */
export interface List {
  file: number;
  event: number;
  /** When its chunk began. */
  begin: bigint;
  first: number;
  end: number;
}

export class Contents {
  /** Beginnings of chunks in all inputs, where they can be known before. */
  begins: (() => Promise<ReadonlyMap<string, Beginning>>) | null = null;
  /** The chunks that are read are among them: a file that grows meanwhile has more of its last one there than here. */
  isAmongBegins = false;
  private readonly instance: Instance;
  private readonly chunks = new Map<string, Content[]>();
  private readonly messages = new Map<string, Content>();
  /** Files of the chunks that are to be read from a later file. */
  private readonly skipped = new Map<string, number>();
  /** Files that share a chunk are of one process: an earlier one of each. */
  private readonly earlier = new Map<number, number>();
  /** Those that count. */
  readonly lists: List[] = [];
  /** The chunk that is being read. */
  private last: Content | null = null;
  private state: { hash: bigint; periods: Uint8Array } | null = null;

  constructor(instance: Instance) {
    this.instance = instance;
  }

  /** What is read next is no copy of what was read before, as the two sides of a comparison. */
  forget(): void {
    this.chunks.clear();
    this.messages.clear();
    this.skipped.clear();
    this.earlier.clear();
    this.lists.length = 0;
    this.last = null;
  }

  /** The chunk in the input buffer counts from now on, if it does not count elsewhere. */
  async takeChunk(length: number, { key, isCut }: Begin): Promise<Copy | null> {
    const known = this.chunks.get(key) ?? [];
    const hash = this.hash(length);
    const former = known.find((each) => (each.isCut || isCut ? true : each.bytes === length && each.hash === hash));
    if (former !== undefined) {
      if (former.periods !== null) this.periods().set(former.periods);
      this.join(this.instance.opened[former.ordinal]!.file);
      const isLess = former.isCut && (!isCut || former.bytes < length);
      const isEqual = former.bytes === length && former.hash === hash;
      return { place: this.placeOf(former), isLess, ...(isEqual && this.eventsOf(former)) };
    }
    const begin = isCut ? (await this.begins?.())?.get(key) : undefined;
    if (begin !== undefined && begin.bytes > length && begin.places > Number(this.isAmongBegins)) {
      this.skipped.set(key, this.instance.files.length - 1);
      return { place: "another file", isLess: false };
    }
    this.add(key, { length, isCut, hash });
    return null;
  }

  /** Whether a chunk with this beginning counts already. */
  has(key: string): boolean {
    return this.chunks.has(key);
  }

  /** Notes the chunk opened last, which another core has read. */
  addChunk(key: string, length: number, hash: bigint): void {
    this.add(key, { length, isCut: false, hash }, this.instance.opened.length - 1);
    this.endChunk();
  }

  /** The chunk taken last was read. */
  endChunk(): void {
    if (this.last === null) return;
    const { wasm } = this.instance;
    const hash = wasm.contentHash(wasm.periodsInFile(), wasm.PERIODS_BYTES.value);
    // They seldom change.
    if (this.state?.hash !== hash) this.state = { hash, periods: this.periods().slice() };
    this.last.periods = this.state.periods;
    this.last = null;
  }

  /** The first file that is known to be of the same process as this one. */
  processOf(file: number): number {
    const earlier = this.earlier.get(file);
    return earlier === undefined ? file : this.processOf(earlier);
  }

  /** The file that is read shares a chunk with this one. */
  private join(file: number): void {
    const [first, own] = [this.processOf(file), this.processOf(this.instance.files.length - 1)];
    if (first !== own) this.earlier.set(Math.max(first, own), Math.min(first, own));
  }

  /** The file that is read shares a chunk with one before it. */
  get isOfKnown(): boolean {
    return this.earlier.has(this.instance.files.length - 1);
  }

  /** Notes the lists of the file that ended, whose observations are those from `first` on. */
  noteLists(first: number): void {
    const { wasm, memory, files } = this.instance;
    const [at, count, end] = [wasm.endListRows(), wasm.endListCount(), wasm.observationCount.value];
    for (let p = at; p < at + count * EndListRow.BYTES; p += EndListRow.BYTES) {
      const [event, begin] = [memory.u32(p + EndListRow.EVENT), memory.i64(p + EndListRow.BEGIN)];
      this.lists.push({ file: files.length - 1, event, begin, first, end });
    }
  }

  /**
   * The message in the input buffer counts from now on, if it does not count elsewhere. Equal messages without a time
   * may be of equal work.
   */
  takeMessage(length: number): Copy | null {
    const hash = this.hash(length);
    const key = `${length} ${hash}`;
    const former = this.messages.get(key);
    const opened = former && this.instance.opened[former.ordinal];
    const message = opened && this.instance.files[opened.file]?.messages[opened.index];
    if (former !== undefined && message !== undefined && message.startUnixNano !== 0n)
      return { place: this.placeOf(former), isLess: false };
    const ordinal = this.instance.opened.length;
    this.messages.set(key, { ordinal, bytes: length, isCut: false, hash, periods: null });
    return null;
  }

  private add(
    key: string,
    { length, ...content }: { length: number; isCut: boolean; hash: bigint },
    ordinal = this.instance.opened.length,
  ): void {
    const skipped = this.skipped.get(key);
    if (skipped !== undefined) this.join(skipped);
    this.last = { ...content, ordinal, bytes: length, periods: null };
    const known = this.chunks.get(key);
    if (known === undefined) this.chunks.set(key, [this.last]);
    else known.push(this.last);
  }

  /** Of the bytes in the input buffer. */
  hash(length: number): bigint {
    return this.instance.wasm.contentHash(this.instance.buffer.at, length);
  }

  /** The settings of the open file that hold for its later chunks, in the core's memory. */
  private periods(): Uint8Array {
    const { wasm, memory } = this.instance;
    return memory.bytes(wasm.periodsInFile(), wasm.PERIODS_BYTES.value);
  }

  private eventsOf({ ordinal }: Content): Pick<Copy, "events"> {
    const { file = -1, index = -1 } = this.instance.opened[ordinal] ?? {};
    const events = this.instance.files[file]?.chunks[index]?.events;
    return events === undefined ? {} : { events };
  }

  private placeOf({ ordinal }: Content): string {
    const opened = this.instance.opened[ordinal];
    return this.instance.files[opened?.file ?? -1]?.name ?? "";
  }
}
