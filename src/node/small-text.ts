/** Short text files that options name: rules, conditions, headers, certificates. */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Socket } from "node:net";
import { UsageError } from "./exit.ts";
import { systemWords } from "./system-error.ts";

/** Above a file of the certificates of all public authorities, and above a thousand long rules. */
const MOST_MIB = 4;
/** For a pipe that nobody writes to. */
const PATIENCE_MS = 30_000;
/** Opening a pipe without a writer returns at once. Windows has no such flag. */
const NO_WAIT = constants.O_NONBLOCK ?? 0;

/** The text of a file or pipe. Throws a UsageError that begins with `option`. */
export async function smallText(option: string, path: string, patience = PATIENCE_MS): Promise<string> {
  try {
    return await textIn(path, patience);
  } catch (error) {
    throw new UsageError(`${option}: ${path}: ${systemWords(error)}`);
  }
}

async function textIn(path: string, patience: number): Promise<string> {
  const handle = await open(path, constants.O_RDONLY | NO_WAIT);
  try {
    const stats = await handle.stat();
    if (stats.isFIFO()) return await textOf(pipe(handle, patience));
    // A folder refuses the read. /dev/zero and its like have no end.
    if (stats.isFile() || stats.isDirectory()) return await textOf(pieces(handle));
    throw new Error("it is a device, neither a file nor a pipe");
  } finally {
    // The socket of a pipe has closed it.
    await handle.close().catch(() => {});
  }
}

/** The size of a file may be 0 for one that the system makes, such as those of /proc, so the bytes are counted. */
async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let read = 0;
  for await (const piece of bytes) {
    read += piece.length;
    if (read > MOST_MIB * 2 ** 20) throw new Error(`it has more than ${MOST_MIB} MiB, the most for such a file`);
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

async function* pieces(handle: FileHandle): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(64 * 1024);
  for (;;) {
    const { bytesRead } = await handle.read(buffer);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** A socket waits for bytes without a thread of Node, which a process could not end before. */
function pipe({ fd }: FileHandle, patience: number): AsyncIterable<Uint8Array> {
  const socket = new Socket({ fd, readable: true, writable: false });
  socket.setTimeout(patience, () => {
    socket.destroy(new Error(`nothing was written to the pipe for ${patience / 1000} s`));
  });
  return socket;
}
