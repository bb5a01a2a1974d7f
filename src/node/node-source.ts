/** Files, pipes and standard input as byte sources. */
import { type FileHandle, open } from "node:fs/promises";
import { basename } from "node:path";
import { StreamSource } from "../bytes/stream-source.ts";
import type { Input } from "../input/open.ts";
import { fileSource } from "./file-source.ts";
import { systemWords } from "./system-error.ts";

/** An input whose bytes arrive one after the other: read once, and never held as a whole. */
async function* piped(stream: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  for await (const part of stream) yield part;
}

export interface OpenInput extends Input {
  /** Whether the input can be read once only. */
  isPipe: boolean;
  close(): Promise<void>;
}

/** Opens a path, or standard input for `-`. Throws errors of the operating system. */
export async function openInput(path: string): Promise<OpenInput> {
  if (path === "-") {
    return { name: "-", source: new StreamSource(piped(process.stdin)), isPipe: true, close: async () => {} };
  }
  const handle = await openFile(path);
  const stats = await handle.stat();
  const name = basename(path);
  const close = () => handle.close();
  if (stats.isFile() || stats.isDirectory())
    return { name, source: await fileSource(handle, path), isPipe: false, close };
  // Reading /dev/zero and its like would have no end.
  if (stats.isCharacterDevice() || stats.isBlockDevice()) {
    await close();
    throw new Error("it is a device, neither a file nor a pipe");
  }
  const stream = handle.createReadStream({ autoClose: false });
  return { name, source: new StreamSource(piped(stream as AsyncIterable<Buffer>)), isPipe: true, close };
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, "r");
  } catch (error) {
    // Node gives arguments as text: bytes of a name that are no UTF-8 are lost before a program sees them.
    if (!path.includes("\ufffd")) throw error;
    throw new Error(
      `${systemWords(error)}; if its name has bytes that are not UTF-8, rename it or redirect it: spanflame info - < FILE`,
    );
  }
}
