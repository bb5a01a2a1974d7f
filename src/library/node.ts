/** Inputs of Node: files by their paths, and files on web servers. They are read in parts. */
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { fileSource } from "./file-source.ts";
import type { NamedData } from "./inputs.ts";

export { openUrl, type UrlOptions } from "./url-source.ts";

/** An input that keeps its file open. */
export interface OpenFile extends NamedData {
  /** Ends the use of the file. What was read stays. */
  close(): Promise<void>;
}

/** An input with the name of the file, without folders. Throws errors of the operating system. */
export async function openFile(path: string | URL): Promise<OpenFile> {
  const handle = await open(path, "r");
  try {
    const data = await fileSource(handle);
    return { name: basename(path instanceof URL ? fileURLToPath(path) : path), data, close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
