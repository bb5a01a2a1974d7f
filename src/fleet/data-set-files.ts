/** A data set in a local folder: its parts, by the lists that it has of them (parquet/part-lists.ts). */

import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { PARTS_FILE, PARTS_FOLDER, STATE_FOLDER, type TableName } from "../core/tables/data-sets.ts";
import { Folder, isMissing } from "../node/disk.ts";
import { UNPACKERS } from "./data-set-codec.ts";
import { type Batch, MOST_MANIFEST_BYTES } from "./data-set-names.ts";
import { Damaged } from "./parquet/damage.ts";
import { type Footer, footerSize, readFooter } from "./parquet/footer.ts";
import {
  type AskedTime,
  type DateList,
  dateListOf,
  datesText,
  type Lists,
  listPath,
  listsFor,
  parseLists,
  parseParts,
  partsText,
} from "./parquet/part-lists.ts";
import { type DataSetFiles, FOOTER_TAIL, groupsNoted, KEYS, type Part, pathOf } from "./parquet/parts.ts";
import { ALL_TABLES, tableOf } from "./parquet/schema.ts";

const DATE = /^date=(\d{4}-\d\d-\d\d)$/;
/** Readers may still follow the list that was the current one. */
const KEPT_MS = 60_000;
const LIST_DIGITS = 16;
const LIST = /^\d{4}-\d\d-\d\d-[0-9a-f]{16}\.json$/;

/** The file that says in which catalogue (Iceberg) the parts are registered, and then the names of these. */
const REGISTERED = "registered";
/** Letters of the words for a catalogue. */
const MOST_PLACE = 200;

/** Lists by their paths, of the data sets that were read last: they never change. */
let known = new Map<string, ReadonlyMap<string, Part>>();

let root: { text: string; lists: Lists } = { text: "", lists: { dates: [], parts: [], older: null } };

const byPath = (parts: readonly Part[]) => new Map(parts.map((part) => [pathOf(part), part]));

/** Throws an error that says why the data set has no complete list. */
function textIn(dir: string, path: string): string {
  try {
    return readFileSync(join(dir, path), "utf8");
  } catch (error) {
    if (isMissing(error)) throw new Error(`${join(dir, path)} is missing: the copy of the data set is not complete`);
    throw error;
  }
}

/** Links in place of folders above parts: writers refuse them. */
export function linksAbove(dir: string, parts: readonly Part[]): ReadonlySet<string> {
  const folder = new Folder(dir);
  const found = new Set<string>();
  for (const part of parts) {
    try {
      folder.at(pathOf(part));
    } catch (error) {
      found.add(error instanceof Error ? error.message : String(error));
    }
  }
  return found;
}

/** What `parts.json` has. It is small, and asked for again and again. */
function rootOf(dir: string): Lists {
  const text = textIn(dir, PARTS_FILE);
  if (root.text !== text) root = { text, lists: parseLists(text) };
  return root.lists;
}

/** The list of a date, by path. */
function partsOn(dir: string, { list }: DateList): ReadonlyMap<string, Part> {
  const path = join(dir, listPath(list));
  const own = known.get(path) ?? byPath(parseParts(listPath(list), textIn(dir, listPath(list))));
  known.set(path, own);
  return own;
}

/** Parts of the dates that may have what is wanted. Throws an error if a list is missing or damaged. */
export function listedParts(dir: string, wanted: AskedTime = {}, date?: string): Part[] {
  const { dates, parts } = rootOf(dir);
  const isAsked = (each: { date: string }) => date === undefined || each.date === date;
  const own = listsFor(dates, wanted).filter(isAsked);
  return [...parts.filter(isAsked), ...own.flatMap((each) => [...partsOn(dir, each).values()])];
}

/** Whether the lists have this file. `verify` reads what the folder has where they are damaged. */
export function isListed(dir: string, path: string): boolean {
  try {
    const { dates, parts } = rootOf(dir);
    const date = dates.find((each) => each.date === dateOf(path));
    return date === undefined ? parts.some((part) => pathOf(part) === path) : partsOn(dir, date).has(path);
  } catch {
    return existsSync(join(dir, path));
  }
}

/** Parts of a table, of all dates or of one. */
export function partsOf(dir: string, table: TableName, date?: string): Part[] {
  return listedParts(dir, {}, date).filter((part) => part.table === table);
}

/** Files that are like parts, whether they are listed or not. */
export function partsInFolder(dir: string): Part[] {
  return ALL_TABLES.flatMap(({ name: table }) =>
    namesIn(join(dir, table)).flatMap((folder) => {
      const date = DATE.exec(folder)?.[1];
      const names = date === undefined ? [] : namesIn(join(dir, table, folder));
      return names.flatMap((name): Part[] => {
        const [, part] = /^([^_.].*)\.parquet$/.exec(name) ?? [];
        const stats = statSync(join(dir, table, folder, name), { throwIfNoEntry: false });
        // Not a link without a file, a pipe, a device.
        return part !== undefined && stats?.isFile() ? [{ table, date: date!, part, bytes: stats.size }] : [];
      });
    }),
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    // A file is no folder of parts.
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}

/** Files that are listed, but missing or of another size. */
function incomplete(dir: string, parts: readonly Part[]): string[] {
  return parts.flatMap((part) => {
    const size = statSync(join(dir, pathOf(part)), { throwIfNoEntry: false })?.size;
    if (size === part.bytes) return [];
    return [`${pathOf(part)} ${size === undefined ? "is missing" : `has ${size} of ${part.bytes} bytes`}`];
  });
}

/**
 * Parts of the dates that may have what is wanted. Throws an error unless they are all there: the others are an answer
 * without some of its rows, or with rows of another state. An index only repeats the tables.
 */
export function completeParts(dir: string, wanted: AskedTime = {}): Part[] {
  const parts = listedParts(dir, wanted);
  const [first, ...others] = incomplete(
    dir,
    parts.filter(({ table }) => table !== "ids"),
  );
  if (first === undefined) return parts.filter((part) => part.table !== "ids" || existsSync(join(dir, pathOf(part))));
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  throw new Error(
    `${dir}: ${first}${more}: the data set is being written, or its copy is not complete; if parts were deleted by hand, delete ${PARTS_FILE} and run spanflame compact ${dir}`,
  );
}

export function localFiles(dir: string, wanted: AskedTime = {}): DataSetFiles {
  return {
    parts: completeParts(dir, wanted),
    unpackers: UNPACKERS,
    open: (part) => ({
      byteLength: part.bytes,
      slice: (from, to) => bytesOf(join(dir, pathOf(part)), from, to),
    }),
  };
}

function bytesOf(path: string, from: number, to: number): ArrayBuffer {
  const bytes = new Uint8Array(to - from);
  const file = openSync(path, "r");
  try {
    let at = 0;
    while (at < bytes.length) {
      const count = readSync(file, bytes, at, bytes.length - at, from + at);
      if (count === 0) throw new Error(`${path} ends before byte ${to}`);
      at += count;
    }
  } finally {
    closeSync(file);
  }
  return bytes.buffer;
}

/** Columns with the first and the last moment of rows, and their units in a millisecond. Of an index, its keys. */
const TIMES = new Map<string, readonly (readonly [column: string, units: bigint])[]>([
  [
    "samples",
    [
      ["time", 1000n],
      ["time_end", 1000n],
    ],
  ],
  [
    "spans",
    [
      ["start_unix_nano", 1_000_000n],
      ["end", 1000n],
    ],
  ],
  ["ids", [["key", KEYS]]],
]);

/** The footer of a file, and the bytes that it has with its tail. */
export function localFooter(path: string, bytes: number): { footer: Footer; size: number } {
  if (bytes < FOOTER_TAIL) throw new Damaged(`the file has ${bytes} bytes`);
  const end = bytes - FOOTER_TAIL;
  const size = footerSize(new Uint8Array(bytesOf(path, end, bytes)), bytes);
  return { footer: readFooter(new Uint8Array(bytesOf(path, end - size, end)), bytes), size: size + FOOTER_TAIL };
}

/** A part with the bytes of its footer, tail included, and its times. Readers find out what cannot be. */
export function described(dir: string, part: Part): Part {
  try {
    const { footer, size } = localFooter(join(dir, pathOf(part)), part.bytes);
    const end = part.table === "functions" ? part.bytes - firstTaken(footer) : size;
    return { ...part, footer: end, ...timesOf(footer, part.table), ...groupsNoted(footer.notes, part.bytes) };
  } catch (error) {
    if (error instanceof Damaged) return { ...part, footer: 0 };
    throw error;
  }
}

/** The first byte of the columns that a reader of a trace reads, in the last row group of functions. */
function firstTaken({ groups }: Footer): number {
  const names = tableOf("functions").columns.filter(({ forEngines }) => forEngines !== true);
  const taken = groups.at(-1)!.chunks.filter(({ leaf }) => names.slice(1).some(({ name }) => name === leaf.column));
  return Math.min(...taken.map(({ whole }) => whole.from));
}

/** Null where a row group does not say it. Where no row has a time, no time has any. */
function timesOf({ groups }: Footer, table: string): Pick<Part, "from" | "to"> | null {
  const times = TIMES.get(table);
  if (times === undefined) return null;
  const ends = groups.flatMap(({ chunks }) =>
    times.flatMap(([column, units]) => {
      const chunk = chunks.find(({ leaf }) => leaf.column === column);
      if (chunk === undefined || chunk.isEmpty) return [];
      const longs = [chunk.least, chunk.most].map((bytes) =>
        bytes?.length === 8 ? new DataView(bytes.buffer, bytes.byteOffset, 8).getBigInt64(0, true) : null,
      );
      return [longs.map((long) => (long === null ? Number.NaN : Number(long / units)))];
    }),
  );
  if (ends.length === 0) return { from: 0, to: 0 };
  const [from, to] = [Math.min(...ends.map(([least]) => least!)), Math.max(...ends.map(([, most]) => most! + 1))];
  return Number.isSafeInteger(from) && Number.isSafeInteger(to) ? { from, to } : null;
}

/** Why the lists cannot be read. */
export function damagedLists(dir: string): string[] {
  try {
    listedParts(dir);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Whether the lists are those that a writer goes on with: of this version, and whole. */
export function hasLists(dir: string): boolean {
  return damagedLists(dir).length === 0 && rootOf(dir).parts.length === 0;
}

/** Lists all parts that the folder has. Only where its writers are, these are the parts of the data set. */
export function listFolder(dir: string): void {
  const dates = new Map<string, Part[]>();
  for (const part of partsInFolder(dir)) {
    const own = dates.get(part.date) ?? [];
    own.push(...describedIn(dir, part));
    dates.set(part.date, own);
  }
  writeRoot(
    dir,
    [...dates].map(([date, parts]) => writeList(dir, date, parts)),
  );
}

/** Takes what a batch moved and removed into the lists. If it is repeated, it makes the same lists. */
export function changeLists(dir: string, files: Batch["files"]): void {
  const { dates } = rootOf(dir);
  const lists = new Map(dates.map((each) => [each.date, each]));
  for (const date of new Set(files.map(({ to }) => dateOf(to)))) {
    const former = lists.get(date);
    const parts = new Map(former === undefined ? [] : partsOn(dir, former));
    const own = files.filter((each) => dateOf(each.to) === date);
    for (const { to } of own) parts.delete(to);
    for (const { from, to } of own) {
      const [table = "", , name = ""] = to.split("/");
      const added = from === null ? [] : describedIn(dir, { table, date, part: name.replace(/\.parquet$/, "") });
      for (const part of added) parts.set(to, part);
    }
    if (parts.size === 0) lists.delete(date);
    else lists.set(date, writeList(dir, date, [...parts.values()]));
  }
  writeRoot(dir, [...lists.values()]);
}

const dateOf = (path: string) => DATE.exec(path.split("/")[1] ?? "")?.[1] ?? "";

/** None if it was removed since. */
function describedIn(dir: string, part: Omit<Part, "bytes">): Part[] {
  const path = join(dir, pathOf(part));
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? [] : [described(dir, { ...part, bytes: stats.size })];
}

/** A list is named by its content: one that is there is this one. */
function writeList(dir: string, date: string, parts: readonly Part[]): DateList {
  const sorted = parts.toSorted((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));
  const text = partsText(sorted);
  const list = `${date}-${createHash("sha256").update(text).digest("hex").slice(0, LIST_DIGITS)}.json`;
  const folder = new Folder(dir);
  folder.makeFolder(PARTS_FOLDER);
  folder.replace(listPath(list), text);
  return dateListOf(date, list, sorted);
}

/** The catalogue that has the rows of a data set, and the parts whose rows it has; null if there is none. */
export function registeredIn(folder: string): { place: string; parts: ReadonlySet<string> } | null {
  const text = new Folder(folder).read(`${STATE_FOLDER}/${REGISTERED}`, MOST_MANIFEST_BYTES);
  if (text === null) return null;
  const [place = "", ...parts] = text.split("\n");
  return { place: place.trim().slice(0, MOST_PLACE), parts: new Set(parts) };
}

/** Names the lists, after all of them are written. Readers may still read the former ones for a while. */
function writeRoot(dir: string, lists: readonly DateList[]): void {
  const folder = new Folder(dir);
  const sorted = lists.toSorted((a, b) => (a.date < b.date ? -1 : 1));
  folder.replace(PARTS_FILE, datesText(sorted, registeredIn(dir)?.place));
  const current = new Set(sorted.map(({ list }) => list));
  for (const name of folder.names(PARTS_FOLDER)) {
    const path = listPath(name);
    const isFormer = LIST.test(name) && !current.has(name);
    const stats = !isFormer ? undefined : statSync(join(dir, path), { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > KEPT_MS) folder.remove(path);
  }
  known = new Map([...known].filter(([path]) => current.has(path.slice(path.lastIndexOf("/") + 1))));
}
