/** Recordings, dumps and files of symbols in folders that were dropped or chosen, however deep. */
import { isDumpPath, isRunPath } from "../../../core/inputs/bundle-paths.ts";
import { isProfileName, usualEndings } from "../../../model/recording/folder-files.ts";
import type { DumpPart, InputFile } from "../../../worker/api.ts";

const MOST_FILES = 500;
/**
 * Most files of a dump, a year of an agent that begins a file of each stream every hour; and most other files that
 * may have symbols.
 */
const MOST_PARTS = 100_000;

/** The recordings, the dumps, and files that may have symbols, of what was dropped. */
export async function filesOfEntries(entries: readonly (FileSystemEntry | null)[]): Promise<InputFile[]> {
  const found: InputFile[] = [];
  for (const entry of entries) {
    const files = newCollected();
    if (entry !== null) await collect(entry, "", files);
    found.push(...inputsOf(files));
  }
  return checked(found);
}

/** The recordings, the dump, and files that may have symbols, of a folder that was chosen. */
export function chosenFolder(list: Iterable<File>): InputFile[] {
  const files = newCollected();
  const inFolder = Array.from(list, (file) => ({ path: file.webkitRelativePath || file.name, file }));
  for (const { path, file } of inFolder.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const kind = kindOf(path, files);
    if (kind !== null) add(files, kind, path, file);
  }
  return checked(inputsOf(files));
}

/** Files with paths: those of each folder with a dump become one file of the page. */
export function withDumps(files: readonly InputFile[]): InputFile[] {
  const folderOf = (name: string) => name.slice(0, name.indexOf("/") + 1);
  const dumps = new Map<string, DumpPart[]>();
  for (const { name } of files) if (isRunPath(name) && folderOf(name) !== "") dumps.set(folderOf(name), []);
  const partsOf = ({ name }: InputFile) => (isDumpPath(name) ? dumps.get(folderOf(name)) : undefined);
  for (const file of files) partsOf(file)?.push({ path: file.name, blob: file.blob });
  return files.flatMap((file) => {
    const parts = partsOf(file);
    if (parts === undefined) return file;
    return parts[0]?.path === file.name ? inputsOf({ ...newCollected(), parts }) : [];
  });
}

interface Collected {
  recordings: InputFile[];
  parts: DumpPart[];
  /** Neither by their names. */
  others: InputFile[];
}

const newCollected = (): Collected => ({ recordings: [], parts: [], others: [] });

/** What a file of a folder is. Null: there are too many of them. */
function kindOf(path: string, { recordings, parts, others }: Collected): keyof Collected | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const isRecording = name === path || isProfileName(name);
  if (recordings.length > MOST_FILES || parts.length + others.length >= MOST_PARTS) return null;
  if (isRecording) return "recordings";
  return isDumpPath(path) ? "parts" : "others";
}

function add(files: Collected, kind: keyof Collected, path: string, blob: Blob): void {
  if (kind === "parts") files.parts.push({ path, blob });
  else if (kind === "others") files.others.push({ name: path, blob, onlySymbols: true });
  else files.recordings.push({ name: path, blob });
}

/** The files of a dump are one file of the page, named as their folder. */
function inputsOf({ recordings, parts, others }: Collected): InputFile[] {
  const [first] = parts;
  const files = [...recordings, ...others];
  if (first === undefined || !parts.some(({ path }) => isRunPath(path))) return files;
  return [{ name: first.path.slice(0, first.path.indexOf("/")), blob: new Blob(), parts }, ...files];
}

function checked(found: InputFile[]): InputFile[] {
  if (found.filter(({ onlySymbols }) => onlySymbols !== true).length > MOST_FILES)
    throw new Error(`The folder contains more than ${MOST_FILES} recordings: open some of them.`);
  return found;
}

/** Why nothing of a folder was opened. */
export function nothingFound(): Error {
  return new Error(
    `The folder contains no recording: no file name ends in ${usualEndings()}, and it is no dump. It contains no symbols, either.`,
  );
}

async function collect(entry: FileSystemEntry, folder: string, files: Collected): Promise<void> {
  const path = folder + entry.name;
  if (isFile(entry)) {
    const kind = kindOf(path, files);
    if (kind !== null) add(files, kind, path, await new Promise<File>((then, fail) => entry.file(then, fail)));
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
