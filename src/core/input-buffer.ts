/**
 * The block of the core's memory that takes a chunk or a message. There is one at a time (assembly/memory/arena.ts).
 */
import type { Access } from "./access.ts";
import type { Memory } from "./memory.ts";

/** Readers load 8 bytes at once, also at the last byte. */
const BEHIND = 64n;

export class InputBuffer {
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
