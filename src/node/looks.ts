/** Repeated looks at files that grow or appear: `--watch`. */
import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";

const LOOK_MS = 2_000;

/** Size and time of a file; "" if it is none. */
export function stateOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats?.isFile() === true ? `${stats.size} ${stats.mtimeNs}` : "";
}

/** An answer about a file; `otherwise` where it cannot be opened, as the reader says, too. */
export function opened<T>(path: string, otherwise: T, ask: (file: number) => T): T {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return otherwise;
  }
  try {
    return ask(file);
  } finally {
    closeSync(file);
  }
}

const CHUNK_HEAD = 16;
/** "FLR\0" */
export const CHUNK_MAGIC = 0x464c5200;

/**
 * Bytes of the whole chunks of a recording whose last chunk is not complete: its header has no size yet, or one beyond
 * the file. Null for a complete one, and for another file.
 */
export function wholeChunks(path: string): number | null {
  return opened(path, null, (file) => {
    const end = fstatSync(file).size;
    const head = new DataView(new ArrayBuffer(CHUNK_HEAD));
    let at = 0;
    readSync(file, head, 0, CHUNK_HEAD, 0);
    if (head.getUint32(0) !== CHUNK_MAGIC) return null;
    while (end - at >= CHUNK_HEAD && readSync(file, head, 0, CHUNK_HEAD, at) === CHUNK_HEAD) {
      if (head.getUint32(0) !== CHUNK_MAGIC) return null;
      const size = Number(head.getBigInt64(8));
      if (size < CHUNK_HEAD || at + size > end) return at;
      at += size;
    }
    return at < end ? at : null;
  });
}

/** Calls `look` with its number, again two seconds after each, until SIGINT or SIGTERM. */
export async function untilEnded(look: (number: number) => Promise<void>): Promise<void> {
  let isEnded = false;
  let wake = () => {};
  const end = () => {
    isEnded = true;
    wake();
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.once(signal, end);
  try {
    for (let number = 0; !isEnded; number++) {
      await look(number);
      if (isEnded) break;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOK_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}
