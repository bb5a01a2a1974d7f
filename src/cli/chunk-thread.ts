/** Entry of a thread that reads chunks for the core of another thread (chunk-threads.ts), one at a time. */
import { parentPort, workerData } from "node:worker_threads";
import type { ChunkPart } from "../core/chunk-part.ts";
import type { ReadSetup } from "../core/instance.ts";
import { PartReader } from "../core/part-reader.ts";

/** Sent before the first chunk of a file: what is read from now on is merged into a core with this setup. */
export interface ThreadSetup {
  setup: ReadSetup;
}

/** The answer to a chunk's bytes. */
export type ThreadAnswer = Omit<ChunkPart, "core"> | null;

const module = workerData as WebAssembly.Module;
let reader: Promise<PartReader> | null = null;

parentPort?.on("message", async (message: ThreadSetup | Uint8Array<ArrayBuffer>) => {
  if (!(message instanceof Uint8Array)) {
    reader = PartReader.of(module, message.setup);
    return;
  }
  const part: ThreadAnswer = (await reader)?.read(message) ?? null;
  parentPort?.postMessage(part, part === null ? [] : [part.rows.buffer]);
});
