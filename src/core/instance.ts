/** The wasm instance of a core: its memory, its texts, its input buffer and the files read into it. */
import { LABEL_TEXT } from "../../assembly/abi/rank-row.ts";
import type { Access, Opened } from "./access.ts";
import { anyValueText } from "./any-value.ts";
import { attributeValue } from "./attribute-value.ts";
import type { Capacity, Input, Wasm } from "./capacity.ts";
import { SpanflameError } from "./error.ts";
import { InputBuffer } from "./input-buffer.ts";
import { Memory } from "./memory.ts";
import type { AttributeValue, ExtraEvent, FileSummary } from "./types.ts";

/** Settings of a core that hold for what is read next. */
export interface ReadSetup {
  extra: readonly ExtraEvent[];
  normalise: boolean;
  /** What the reading is for (read-filter.ts), as the core reads it. */
  wanted: Uint8Array | null;
  /** Names of labels with ids (id-names.ts), as the core reads them. */
  idNames: Uint8Array | null;
}

export class Instance implements Access {
  readonly wasm: Wasm;
  readonly memory: Memory;
  readonly files: FileSummary[] = [];
  readonly opened: Opened[] = [];
  readonly buffer: InputBuffer;
  private readonly reader: Wasm;
  private readonly capacity: Capacity;
  /** What decides the rows that a reading gives; another core with the same reads alike. */
  setup: ReadSetup = { extra: [], normalise: false, wanted: null, idNames: null };
  private isReading = false;
  /** Counts resets and readings. A copy of tables is valid as long as this is the same. */
  generation = 0;

  constructor(reader: Wasm, capacity: Capacity) {
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

  endReading(): void {
    this.isReading = false;
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
    this.refuseWhileReading();
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
    if (label >= LABEL_TEXT) return this.string(label - LABEL_TEXT);
    const value = this.value(label);
    return value instanceof Uint8Array ? anyValueText(value) : String(value);
  }

  value(attribute: number): AttributeValue {
    return attributeValue(this.wasm, this.memory, attribute);
  }
}
