/** Entry of a thread that reads chunks for the core of another thread (chunk-threads.ts), one at a time. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import type { FilePlace } from "../bytes/byte-source.ts";
import type { ReadSetup } from "../core/instance/instance.ts";
import { PartReader } from "../core/part-reader.ts";
import type { ChunkPart } from "../core/reading/chunk-part.ts";
import type { PlacedChunk } from "../input/other-cores.ts";

/** In this order: the core once, the setup of the core that merges before the first chunk of a file, chunks. */
export type ThreadMessage =
  | { module: WebAssembly.Module }
  | { setup: ReadSetup }
  | { chunk: Uint8Array<ArrayBuffer> | PlacedChunk; spare: ArrayBuffer | null };

/** The answer to a chunk. */
export type ThreadAnswer = Omit<ChunkPart, "core"> | null;

/** The file that was read last; it is open. */
let opened: { place: FilePlace; file: number } | null = null;

/** A descriptor of the file, null if it is not what it was. */
function fileAt(place: FilePlace): number | null {
  if (opened !== null && isSame(opened.place, place)) return opened.file;
  if (opened !== null) closeSync(opened.file);
  opened = null;
  const file = openSync(place.path, "r");
  const { dev: device, ino: inode, size: bytes, mtimeNs: changedNanos } = fstatSync(file, { bigint: true });
  if (!isSame(place, { path: place.path, device, inode, bytes, changedNanos })) {
    closeSync(file);
    return null;
  }
  opened = { place, file };
  return file;
}

function isSame(a: FilePlace, b: FilePlace): boolean {
  const isFile = a.path === b.path && a.device === b.device && a.inode === b.inode;
  return isFile && a.bytes === b.bytes && a.changedNanos === b.changedNanos;
}

/** Fills the core's buffer; false if the file has fewer bytes. */
function load({ place, at }: PlacedChunk, target: Uint8Array): boolean {
  const file = fileAt(place);
  for (let done = 0; done < target.length; ) {
    const read = file === null ? 0 : readSync(file, target, done, target.length - done, at + done);
    if (read === 0) return false;
    done += read;
  }
  return true;
}

function read(reader: PartReader, chunk: Uint8Array | PlacedChunk, spare: ArrayBuffer | null): ThreadAnswer {
  if (chunk instanceof Uint8Array) return reader.read(chunk, spare);
  return reader.readInto(chunk.bytes, (target) => load(chunk, target), spare);
}

let module: WebAssembly.Module | null = null;
let reader: Promise<PartReader> | null = null;

parentPort?.on("message", async (message: ThreadMessage) => {
  if ("module" in message) module = message.module;
  else if ("setup" in message) {
    if (module !== null) reader = PartReader.of(module, message.setup);
  } else {
    const known = await reader;
    const part = known && read(known, message.chunk, message.spare);
    parentPort?.postMessage(part, part === null ? [] : [part.rows.buffer]);
  }
});
