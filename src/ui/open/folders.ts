/** Recordings and dumps in dropped folders, however deep. */
import { isDumpPath, isRunPath } from "../../core/input-formats.ts";
import { isProfileName, usualEndings } from "../../model/recording/folder-files.ts";
import type { DumpPart, InputFile } from "../../worker/api.ts";

const MOST_FILES = 500;
/** Files of a dump: a year of an agent that begins a file of each stream every hour. */
const MOST_PARTS = 100_000;

/**
 * How to read dropped items with a folder among them; else null. Must be asked while the drop is being handled.
 */
export function droppedFolders(items: DataTransferItemList | undefined): (() => Promise<InputFile[]>) | null {
  const entries = Array.from(items ?? [], (item) => item.webkitGetAsEntry());
  if (!entries.some((entry) => entry?.isDirectory === true)) return null;
  return async () => {
    const found: InputFile[] = [];
    for (const entry of entries) {
      const files: Collected = { recordings: [], parts: [] };
      if (entry !== null) await collect(entry, "", files);
      // The files of a dump are one file of the page, named as their folder.
      if (entry !== null && files.parts.some(({ path }) => isRunPath(path)))
        found.push({ name: entry.name, blob: new Blob(), parts: files.parts });
      found.push(...files.recordings);
    }
    if (found.length > MOST_FILES)
      throw new Error(`The folder contains more than ${MOST_FILES} recordings: open some of them.`);
    if (found.length === 0)
      throw new Error(`The folder contains no recording: no file name ends in ${usualEndings()}, and it is no dump.`);
    return found;
  };
}

interface Collected {
  recordings: InputFile[];
  parts: DumpPart[];
}

async function collect(entry: FileSystemEntry, folder: string, files: Collected): Promise<void> {
  const path = folder + entry.name;
  if (isFile(entry)) {
    const isPart = folder !== "" && isDumpPath(path) && !isProfileName(entry.name);
    if (!isPart && folder !== "" && !isProfileName(entry.name)) return;
    if (files.recordings.length > MOST_FILES || files.parts.length === MOST_PARTS) return;
    const blob = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    if (isPart) files.parts.push({ path, blob });
    else files.recordings.push({ name: path, blob });
  } else if (isFolder(entry)) {
    for (const each of await entriesOf(entry)) await collect(each, `${path}/`, files);
  }
}

/** By name. A reader gives some at a time, and an empty list at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all.sort((a, b) => (a.name < b.name ? -1 : 1));
    all.push(...some);
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
