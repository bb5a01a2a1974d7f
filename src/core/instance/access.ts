/** Access to the wasm instance, shared by the parts of the core. */

import type { FileSummary } from "../types.ts";
import type { Wasm } from "./capacity.ts";
import type { Memory } from "./memory.ts";

/** A chunk or a message: the subject of a diagnostic of the core. */
export interface Opened {
  /** Index of its file. */
  file: number;
  /** Index in the file. */
  index: number;
  /** In the file, decompressed. */
  offset: number;
}

export interface Access {
  /** Loads the rest of the core; null where it is there. */
  readonly rest: (() => Promise<void>) | null;
  /** Throws `core.memory` where memory runs out. */
  readonly wasm: Wasm;
  readonly memory: Memory;
  readonly files: readonly FileSummary[];
  /** Chunks and messages of all files, in the order opened. */
  readonly opened: readonly Opened[];
  /** The text with this index in the table of strings. */
  string(index: number): string;
  /** The text of a frame's name (assembly/view/frame-names.ts). */
  frameName(name: number): string;
  /** The value of an attribute, or the text of a rank label, as text. */
  label(label: number): string;
  /** Passes a copy of the bytes in the core's memory to `call`. */
  lend<T>(bytes: Uint8Array, call: (pointer: number, size: number) => T): T;
}
