/** An open file of Node as a byte source. */
import type { FileHandle } from "node:fs/promises";
import { resolve } from "node:path";
import type { ByteSource, Fault } from "../bytes/byte-source.ts";

/** One read of the operating system takes less than this. */
const LARGEST_READ = 1 << 30;

/**
 * Its bytes as they are when they are read; `change` compares size and time with those of now. With `path`, other
 * threads can open the file, too.
 */
export async function fileSource(handle: FileHandle, path?: string): Promise<ByteSource> {
  const opened = await handle.stat({ bigint: true });
  const byteLength = Number(opened.size);
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
  const slice = async (start: number, end: number): Promise<Uint8Array<ArrayBuffer>> => {
    const bytes = new Uint8Array(Math.max(0, Math.min(end, byteLength) - start));
    return bytes.subarray(0, await readInto(start, bytes));
  };
  const change = async (): Promise<Fault | null> => {
    const { size, mtimeNs } = await handle.stat({ bigint: true });
    if (mtimeNs === opened.mtimeNs && size === opened.size) return null;
    const offset = Math.min(byteLength, Number(size));
    if (size > opened.size) {
      const message = `the file grew from ${byteLength} to ${size} bytes while it was read; the appended bytes were not read`;
      return { code: "source.grown", message, offset };
    }
    const message = `the file was written to while it was read: ${byteLength} bytes before, ${size} after; read it again`;
    return { code: "source.changed", message, offset };
  };
  const { dev: device, ino: inode, size, mtimeNs: changedNanos } = opened;
  const place = path !== undefined && { place: { path: resolve(path), device, inode, bytes: size, changedNanos } };
  return { byteLength, slice, peek: slice, readInto, change, ...place };
}
