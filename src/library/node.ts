/** Inputs of Node: files by their paths, and files on web servers. They are read in parts. */
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { ChunkThreads } from "../node/chunk-threads.ts";
import { fileSource } from "../node/file-source.ts";
import { checked } from "./check.ts";
import type { NamedData } from "./inputs.ts";
import { loadModule } from "./load-core.ts";
import { openWith } from "./open.ts";
import { OPEN_PATH } from "./option-checks.ts";
import type { OpenPathOptions } from "./options.ts";
import type { Recording } from "./recording.ts";

export type { OpenPathOptions } from "./options.ts";
export { openUrl, type UrlOptions } from "./url-source.ts";

/** The built chunk-thread.ts (scripts/vite.package.config.ts). */
const ENTRY = "chunk-thread";
const THREAD = new URL(`./${ENTRY}.js`, import.meta.url);

/** An input that keeps its file open. */
export interface FileInput extends NamedData {
  /** Closes the file. Recordings that were read from it stay usable. */
  close(): Promise<void>;
}

/** An input with the name of the file, without folders. Throws errors of the operating system. */
export async function openFile(path: string | URL): Promise<FileInput> {
  const handle = await open(path, "r");
  try {
    const local = path instanceof URL ? fileURLToPath(path) : path;
    const data = await fileSource(handle, local);
    return { name: basename(local), data, close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Opens files by their paths, as `open` does, and closes them once they are read. Inputs have the paths as names, so
 * that files of equal names in different folders stay distinguishable.
 *
 * @throws errors of the operating system for a file that cannot be opened; otherwise as `open` does
 */
export async function openPath(
  paths: string | URL | readonly (string | URL)[],
  options?: OpenPathOptions,
): Promise<Recording> {
  const { jobs = 1, traces = [], symbols = [], ...rest } = checked("openPath", options, OPEN_PATH);
  const threads = new ChunkThreads(THREAD, jobs);
  const files: FileInput[] = [];
  try {
    const opened = async (given: typeof paths) => {
      const before = files.length;
      for (const path of [given].flat()) {
        const file = await openFile(path);
        files.push({ ...file, name: path instanceof URL ? fileURLToPath(path) : path });
      }
      return files.slice(before);
    };
    const inputs = await opened(paths);
    const all = { ...rest, traces: await opened(traces), symbols: await opened(symbols) };
    return await openWith(() => loadModule(rest.wasm), inputs, all, undefined, threads);
  } finally {
    threads.close();
    await Promise.all(files.map((file) => file.close()));
  }
}
