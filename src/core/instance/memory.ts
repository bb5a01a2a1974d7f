/**
 * Reads of the core's linear memory. Growing it detaches every view, and a write through a detached view is silently
 * dropped, so views are made per call and never kept.
 */
export class Memory {
  private readonly wasm: WebAssembly.Memory;
  private buffer: ArrayBuffer;
  private view: DataView;
  /** A byte order mark is a character of the text. */
  private readonly decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  constructor(wasm: WebAssembly.Memory) {
    this.wasm = wasm;
    this.buffer = wasm.buffer;
    this.view = new DataView(this.buffer);
  }

  private data(): DataView {
    // Asking the memory for its buffer takes as long as a read; a buffer of before is empty.
    if (this.buffer.byteLength === 0) {
      this.buffer = this.wasm.buffer;
      this.view = new DataView(this.buffer);
    }
    return this.view;
  }

  u32(p: number): number {
    return this.data().getUint32(p, true);
  }

  u64(p: number): bigint {
    return this.data().getBigUint64(p, true);
  }

  i64(p: number): bigint {
    return this.data().getBigInt64(p, true);
  }

  f64(p: number): number {
    return this.data().getFloat64(p, true);
  }

  /** The bytes themselves, good until the next call into the core. */
  bytes(p: number, length: number): Uint8Array {
    return new Uint8Array(this.wasm.buffer, p, length);
  }

  /** A column itself, to be written to, good until the next call into the core. */
  words(p: number, length: number): Uint32Array {
    return new Uint32Array(this.wasm.buffer, p, length);
  }

  /** A copy of `length` elements of a column. */
  u32s(p: number, length: number): Uint32Array {
    return new Uint32Array(this.wasm.buffer, p, length).slice();
  }

  i64s(p: number, length: number): BigInt64Array {
    return new BigInt64Array(this.wasm.buffer, p, length).slice();
  }

  f64s(p: number, length: number): Float64Array {
    return new Float64Array(this.wasm.buffer, p, length).slice();
  }

  u8s(p: number, length: number): Uint8Array {
    return this.bytes(p, length).slice();
  }

  text(p: number, length: number): string {
    return this.decoder.decode(this.bytes(p, length));
  }
}
