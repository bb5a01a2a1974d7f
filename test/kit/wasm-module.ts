/** What a wasm module consists of, as far as its size is explained by it. */

const CODE = 10;
const DATA = 11;
const NAMES = 0;

export interface WasmModule {
  /** By number: the whole section. */
  sections: Map<number, Uint8Array>;
  /** Bytes of each function, in order. */
  functions: number[];
  /** Those of a module with names: by the function's place, imports counted. */
  names: Map<number, string>;
  /** Where data is put. */
  data: { offset: number; size: number }[];
}

export function wasmModule(bytes: Uint8Array): WasmModule {
  const module: WasmModule = { sections: new Map(), functions: [], names: new Map(), data: [] };
  const reader = new Reader(bytes, 8);
  while (reader.at < bytes.length) {
    const id = reader.byte();
    const section = reader.block();
    module.sections.set(id, section.bytes.subarray(section.at));
    if (id === CODE) module.functions = section.list(() => section.skip(section.number()));
    if (id === DATA) module.data = section.list(() => section.segment());
    if (id === NAMES && section.text() === "name") module.names = namesIn(section);
  }
  return module;
}

const OF_FUNCTIONS = 1;

function namesIn(section: Reader): Map<number, string> {
  while (section.at < section.bytes.length) {
    const id = section.byte();
    const part = section.block();
    if (id === OF_FUNCTIONS) return new Map(part.list(() => [part.number(), part.text()]));
  }
  return new Map();
}

class Reader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  byte(): number {
    return this.bytes[this.at++] ?? 0;
  }

  /** LEB128; addresses of the core's data fit 31 bits. */
  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  list<T>(one: () => T): T[] {
    return Array.from({ length: this.number() }, one);
  }

  block(): Reader {
    const size = this.number();
    this.skip(size);
    return new Reader(this.bytes.subarray(0, this.at), this.at - size);
  }

  text(): string {
    const size = this.skip(this.number());
    return new TextDecoder().decode(this.bytes.subarray(this.at - size, this.at));
  }

  skip(size: number): number {
    this.at += size;
    return size;
  }

  /** An active segment of the only memory: its flag, `i32.const` with the address, `end`, and its bytes. */
  segment(): { offset: number; size: number } {
    this.skip(2);
    const offset = this.number();
    this.skip(1);
    return { offset, size: this.skip(this.number()) };
  }
}
