/** A data set in a local folder. */

import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { PARTS_FILE, type TableName } from "../core/tables/data-sets.ts";
import { Folder, isMissing } from "../node/disk.ts";
import { UNPACKERS } from "./data-set-codec.ts";
import { Damaged } from "./parquet/damage.ts";
import { type Footer, footerSize, readFooter } from "./parquet/footer.ts";
import {
  type DataSetFiles,
  FOOTER_TAIL,
  groupsNoted,
  KEYS,
  type Part,
  parseParts,
  partsText,
  pathOf,
} from "./parquet/parts.ts";
import { ALL_TABLES, tableOf } from "./parquet/schema.ts";

const DATE = /^date=(\d{4}-\d\d-\d\d)$/;

function localParts(dir: string): Part[] {
  return ALL_TABLES.flatMap(({ name }) => [...partsOf(dir, name)]);
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

/** Parts of a table, by date. */
export function* partsOf(dir: string, table: TableName): Generator<Part> {
  for (const folder of namesIn(join(dir, table))) {
    const date = DATE.exec(folder)?.[1];
    if (date === undefined) continue;
    for (const name of namesIn(join(dir, table, folder)).filter((each) => /^[^_.].*\.parquet$/.test(each))) {
      const stats = statSync(join(dir, table, folder, name), { throwIfNoEntry: false });
      // Not a link without a file, a pipe, a device.
      if (stats?.isFile()) yield { table, date, part: name.slice(0, -".parquet".length), bytes: stats.size };
    }
  }
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

export function localFiles(dir: string): DataSetFiles {
  return {
    parts: localParts(dir),
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

/** Text of the current list of parts, and its parts by path. */
function listed(dir: string): { text: string; known: Map<string, Part> } {
  try {
    const text = readFileSync(join(dir, PARTS_FILE), "utf8");
    return { text, known: new Map(parseParts(text).parts.map((part) => [pathOf(part), part])) };
  } catch {
    // It is written again.
    return { text: "", known: new Map() };
  }
}

/** Why the list of parts cannot be read, if there is one. */
export function damagedList(dir: string): string[] {
  try {
    parseParts(readFileSync(join(dir, PARTS_FILE), "utf8"));
    return [];
  } catch (error) {
    return isMissing(error) ? [] : [error instanceof Error ? error.message : String(error)];
  }
}

/**
 * Lists the parts for readers of static hosts. The last one of several writers lists the parts of all. Parts never
 * change, so only new ones are read.
 */
export function writePartsFile(dir: string): void {
  const { text, known } = listed(dir);
  const parts = localParts(dir).flatMap((part) => {
    const own = known.get(pathOf(part));
    const isWhole = own?.footer !== undefined && (own.from !== undefined || !TIMES.has(part.table));
    if (isWhole && own.bytes === part.bytes) return [own];
    try {
      return [described(dir, part)];
    } catch (error) {
      // Another process has merged or removed it since; it lists its own.
      if (isMissing(error)) return [];
      throw error;
    }
  });
  const list = partsText(parts);
  if (list !== text) new Folder(dir).replace(PARTS_FILE, list);
}
