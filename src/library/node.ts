/** Inputs of Node: files by their paths, and files on web servers. They are read in parts. */
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { fileSource } from "./file-source.ts";
import type { NamedData } from "./inputs.ts";
import { open as openInputs } from "./open.ts";
import type { OpenOptions } from "./options.ts";
import type { Recording } from "./recording.ts";

export { openUrl, type UrlOptions } from "./url-source.ts";

/** An input that keeps its file open. */
export interface FileInput extends NamedData {
  /** Closes the file. Recordings that were read from it stay usable. */
  close(): Promise<void>;
}

/** An input with the name of the file, without folders. Throws errors of the operating system. */
export async function openFile(path: string | URL): Promise<FileInput> {
  const handle = await open(path, "r");
  try {
    const data = await fileSource(handle);
    return { name: basename(path instanceof URL ? fileURLToPath(path) : path), data, close: () => handle.close() };
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
  options?: OpenOptions,
): Promise<Recording> {
  const files: FileInput[] = [];
  try {
    for (const path of [paths].flat()) {
      const file = await openFile(path);
      files.push({ ...file, name: path instanceof URL ? fileURLToPath(path) : path });
    }
    return await openInputs(files, options);
  } finally {
    await Promise.all(files.map((file) => file.close()));
  }
}
