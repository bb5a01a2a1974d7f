/** Files and standard input as byte sources. */
import { type FileHandle, open } from "node:fs/promises";
import { basename } from "node:path";
import { type ByteSource, bytesSource } from "../source/byte-source.ts";
import type { Input } from "../source/open.ts";

/** One read of the operating system takes less than this. */
const LARGEST_READ = 1 << 30;

function fileSource(handle: FileHandle, byteLength: number): ByteSource {
  const readInto = async (start: number, target: Uint8Array): Promise<number> => {
    let done = 0;
    while (done < target.length) {
      const wish = Math.min(LARGEST_READ, target.length - done);
      const { bytesRead } = await handle.read(target, done, wish, start + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return done;
  };
  const slice = async (start: number, end: number): Promise<Uint8Array> => {
    const bytes = new Uint8Array(Math.max(0, Math.min(end, byteLength) - start));
    return bytes.subarray(0, await readInto(start, bytes));
  };
  return { byteLength, slice, readInto };
}

async function standardInput(): Promise<ByteSource> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  return bytesSource(Buffer.concat(parts));
}

export interface OpenInput extends Input {
  close(): Promise<void>;
}

/** Opens a path, or standard input for `-`. Throws what the operating system says. */
export async function openInput(path: string): Promise<OpenInput> {
  if (path === "-") return { name: "-", source: await standardInput(), close: async () => {} };
  const handle = await open(path, "r");
  const { size } = await handle.stat();
  return { name: basename(path), source: fileSource(handle, size), close: () => handle.close() };
}
