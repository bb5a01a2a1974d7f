/**
 * The core of another thread, which reads chunks for the core that holds the recording (chunk-part.ts). Chunks have
 * most in common, so it keeps its tables and sends each row once. It drops them when they have grown; the next part
 * then has all its rows.
 */

import { Core } from "./core.ts";
import { setIdNames } from "./instance/id-names.ts";
import type { ReadSetup } from "./instance/instance.ts";
import type { ChunkPart } from "./reading/chunk-part.ts";
import { readChunkReport } from "./reading/chunk-report.ts";
import { readOnly } from "./reading/read-filter.ts";

/** Bytes of events per call into the core. */
const SLICE = 2 ** 26;
const MOST_BYTES = 2 ** 28;
/** A header of the file is read by the core that holds the recording. */
const NO_SUMMARY = { version: "", bytes: 0, startUnixNano: 0n, durationNano: 0n };

/** A core that reads chunks for another one, which has the same setup. */
export class PartReader {
  private readonly core: Core;
  private readonly setup: ReadSetup;

  private constructor(core: Core, setup: ReadSetup) {
    this.core = core;
    this.setup = setup;
    this.prepare();
  }

  static async of(module: WebAssembly.Module, setup: ReadSetup): Promise<PartReader> {
    return new PartReader(await Core.instantiate(module, setup.extra, setup.seed), setup);
  }

  private prepare(): void {
    const { extra, normalise, wanted, idNames } = this.setup;
    this.core.reset(extra);
    this.core.normaliseNames(normalise);
    if (idNames !== null) setIdNames(this.core.instance, idNames);
    if (wanted !== null) readOnly(this.core, wanted);
    this.core.beginFile("", 0);
  }

  read(chunk: Uint8Array, spare: ArrayBuffer | null = null): Omit<ChunkPart, "core"> | null {
    const load = (target: Uint8Array) => {
      target.set(chunk);
      return true;
    };
    return this.readInto(chunk.length, load, spare);
  }

  /**
   * Reads the chunk of `length` bytes that `load` fills in; null if it cannot, or if memory is short. The rows are in
   * `spare`, if they fit.
   */
  readInto(
    length: number,
    load: (target: Uint8Array) => boolean,
    spare: ArrayBuffer | null = null,
  ): Omit<ChunkPart, "core"> | null {
    const { core } = this;
    const { wasm, memory } = core.instance;
    if (core.full || core.bytesHeld() > MOST_BYTES) this.prepare();
    try {
      wasm.beginPart();
      core.reserve(length, { kind: "chunk", offset: 0 });
      if (!load(core.input(length))) return null;
      const hash = core.contents.hash(length);
      let status = core.openChunk(length, 0, NO_SUMMARY);
      const isReadable = status !== "unreadable";
      while (status === "more") status = core.step(SLICE);
      if (status === "full") return null;
      const types = isReadable ? readChunkReport(wasm, memory) : [];
      core.close();
      const size = wasm.writePart();
      const room = spare !== null && spare.byteLength >= size ? spare : new ArrayBuffer(size);
      const rows = new Uint8Array(room, 0, size);
      rows.set(memory.bytes(wasm.partPointer(), size));
      return {
        status: isReadable ? "done" : "unreadable",
        hash,
        types,
        rows,
      };
    } catch {
      this.prepare();
      return null;
    }
  }
}
