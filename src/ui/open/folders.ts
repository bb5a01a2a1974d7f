/** Recordings in dropped folders, however deep. */
import { isProfileName, usualEndings } from "../../model/recording/folder-files.ts";
import type { InputFile } from "../../worker/api.ts";

const MOST_FILES = 500;

/**
 * How to read dropped items with a folder among them; else null. Must be asked while the drop is being handled.
 */
export function droppedFolders(items: DataTransferItemList | undefined): (() => Promise<InputFile[]>) | null {
  const entries = Array.from(items ?? [], (item) => item.webkitGetAsEntry());
  if (!entries.some((entry) => entry?.isDirectory === true)) return null;
  return async () => {
    const files: InputFile[] = [];
    for (const entry of entries) if (entry !== null) await collect(entry, "", files);
    if (files.length === 0)
      throw new Error(`The folder contains no recording: no file name ends in ${usualEndings()}.`);
    return files;
  };
}

async function collect(entry: FileSystemEntry, folder: string, files: InputFile[]): Promise<void> {
  const path = folder + entry.name;
  if (isFile(entry)) {
    if (folder !== "" && !isProfileName(entry.name)) return;
    if (files.length === MOST_FILES)
      throw new Error(`The folder contains more than ${MOST_FILES} recordings: open some of them.`);
    files.push({ name: path, blob: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)) });
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
