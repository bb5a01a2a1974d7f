/** The wasm instance of a core: its memory, its texts, its input buffer and the files read into it. */
import * as RankRow from "../../../assembly/abi/rows/rank-row.ts";
import * as ValueKind from "../../../assembly/abi/value-kind.ts";
import type { AttributeValue, ExtraEvent, FileSummary } from "../types.ts";
import type { Access, Opened } from "./access.ts";
import { anyValueText } from "./any-value.ts";
import type { Capacity, Input, Wasm } from "./capacity.ts";
import { SpanflameError } from "./error.ts";
import { Memory } from "./memory.ts";

/** Settings of a core that hold for what is read next. */
export interface ReadSetup {
  /** Of the hashes. */
  seed: bigint;
  extra: readonly ExtraEvent[];
  normalise: boolean;
  /** What the reading is for (read-filter.ts), as the core reads it. */
  wanted: Uint8Array | null;
  /** Names of labels with ids (id-names.ts), as the core reads them. */
  idNames: Uint8Array | null;
}

export class Instance implements Access {
  rest: Access["rest"] = null;
  readonly wasm: Wasm;
  readonly memory: Memory;
  readonly files: FileSummary[] = [];
  readonly opened: Opened[] = [];
  readonly buffer: InputBuffer;
  private readonly reader: Wasm;
  private readonly capacity: Capacity;
  /** What decides the rows that a reading gives; another core with the same reads alike. */
  setup: ReadSetup;
  private isReading = false;
  /** The reading is between two chunks: questions are answered, about what has been read. */
  isPaused = false;
  /** Counts resets and readings. A copy of tables is valid as long as this is the same. */
  generation = 0;

  constructor(reader: Wasm, capacity: Capacity, seed: bigint) {
    this.setup = { seed, extra: [], normalise: false, wanted: null, idNames: null };
    this.reader = reader;
    this.capacity = capacity;
    this.wasm = capacity.guarded;
    this.memory = new Memory(reader.memory);
    this.buffer = new InputBuffer(this);
  }

  // ---- the input buffer: there is one, so that readings, questions and writing take turns ----

  beginReading(): void {
    this.refuseWhileReading();
    this.generation++;
    this.isReading = true;
  }

  /** The samples are others, although none was added: they were marked, or have a context that was inferred. */
  changeSamples(): void {
    this.wasm.forgetColumns();
    this.generation++;
  }

  endReading(): void {
    this.isReading = false;
    this.isPaused = false;
  }

  pauseReading(isPaused: boolean): void {
    if (isPaused) this.generation++;
    this.isPaused = isPaused;
  }

  refuseWhileReading(): void {
    if (this.isReading) throw new SpanflameError("core.busy", "another reading of this core is running");
  }

  reserve(bytes: number, toRead?: Input): void {
    this.capacity.refresh();
    if (!this.buffer.reserve(bytes, toRead !== undefined)) throw this.noRoom(bytes, toRead);
  }

  grow(bytes: number, toRead: Input): void {
    this.capacity.refresh();
    if (!this.buffer.grow(bytes)) throw this.noRoom(bytes, toRead);
  }

  private noRoom(bytes: number, toRead: Input | undefined): SpanflameError {
    return this.capacity.noRoom(bytes, toRead, this.files.at(-1));
  }

  freeInput(): void {
    this.reader.freeReserved();
    this.buffer.forget();
  }

  /** No chunk may be open. */
  lend<T>(bytes: Uint8Array, call: (pointer: number, size: number) => T): T {
    if (!this.isPaused) this.refuseWhileReading();
    this.reserve(bytes.length);
    this.buffer.view(0, bytes.length).set(bytes);
    return call(this.buffer.at, bytes.length);
  }

  // ---- texts ----

  string(index: number): string {
    return this.memory.text(this.wasm.stringPointer(index), this.wasm.stringSize(index));
  }

  frameName(name: number): string {
    return this.memory.text(this.wasm.namePointer(name), this.wasm.nameSize(name));
  }

  label(label: number): string {
    if (label >= RankRow.LABEL_TEXT) return this.string(label - RankRow.LABEL_TEXT);
    const value = this.value(label);
    return value instanceof Uint8Array ? anyValueText(value) : String(value);
  }

  value(attribute: number): AttributeValue {
    return attributeValue(this.wasm, this.memory, attribute);
  }
}

/**
 * Keys the hash tables of a fresh core by 64 random bits. The author of a file does not know them and cannot choose
 * inputs that share a slot. No answer depends on the seed; tests pass a fixed one.
 */
export function seeded(
  wasm: Pick<Wasm, "seedHashes">,
  seed = crypto.getRandomValues(new BigUint64Array(1))[0]!,
): bigint {
  wasm.seedHashes(seed);
  return seed;
}

/** Functions of the core that this file calls (assembly/store/tables.ts). */
interface Attributes {
  attributeType(attribute: number): number;
  attributeValue(attribute: number): bigint;
  stringPointer(string: number): number;
  stringSize(string: number): number;
  encodedPointer(encoded: number): number;
  encodedSize(encoded: number): number;
}

/** Attributes of the store as JavaScript values. */
function attributeValue(wasm: Attributes, memory: Memory, attribute: number): AttributeValue {
  const value = wasm.attributeValue(attribute);
  const index = Number(BigInt.asUintN(32, value));
  switch (wasm.attributeType(attribute)) {
    case ValueKind.None:
      return "";
    case ValueKind.Text:
      return memory.text(wasm.stringPointer(index), wasm.stringSize(index));
    case ValueKind.Bool:
      return value !== 0n;
    case ValueKind.Double:
      return new Float64Array(BigUint64Array.of(BigInt.asUintN(64, value)).buffer)[0] ?? 0;
    case ValueKind.Encoded:
      return memory.bytes(wasm.encodedPointer(index), wasm.encodedSize(index)).slice();
    default:
      return BigInt.asIntN(64, value);
  }
}

/** Readers load 8 bytes at once, also at the last byte. */
const BEHIND = 64n;

/**
 * The block of the core's memory that takes a chunk or a message. There is one at a time (assembly/memory/arena.ts).
 */
class InputBuffer {
  at = 0;
  private capacity = 0;
  private readonly wasm: Access["wasm"];
  private readonly memory: Memory;

  constructor({ wasm, memory }: Pick<Access, "wasm" | "memory">) {
    this.wasm = wasm;
    this.memory = memory;
  }

  /** To be called when the core took its memory back. */
  forget(): void {
    this.capacity = 0;
  }

  /** Room for `bytes`; the contents are void. `toRead`: they are a chunk or a message. False if memory is exhausted. */
  reserve(bytes: number, toRead: boolean): boolean {
    return bytes <= this.capacity || this.moveTo(this.wasm.tryReserve(BigInt(bytes) + BEHIND, toRead), bytes);
  }

  /** Room for `bytes`; the contents are kept. False if memory is exhausted. */
  grow(bytes: number): boolean {
    return bytes <= this.capacity || this.moveTo(this.wasm.growReserved(BigInt(bytes) + BEHIND), bytes);
  }

  /** Fills the buffer with bytes to be read. False if memory is exhausted. */
  put(bytes: Uint8Array): boolean {
    if (!this.reserve(bytes.length, true)) return false;
    this.view(0, bytes.length).set(bytes);
    return true;
  }

  /** Bytes [start, end), to be filled before the next call into the core. */
  view(start: number, end: number): Uint8Array {
    return this.memory.bytes(this.at + start, end - start);
  }

  private moveTo(at: number, bytes: number): boolean {
    if (at === 0) return false;
    this.at = at;
    this.capacity = bytes;
    return true;
  }
}

/** A text that changes as soon as the samples of a core are others. */
export function samplesStamp({ generation, wasm }: Instance): string {
  return `${generation} ${wasm.observationCount.value}`;
}
