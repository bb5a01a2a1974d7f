/** Parts of a data set in a local folder, as `compact` and `remove` read them and write others in their place. */

import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { TableName } from "../core/tables/data-sets.ts";
import type { DataSet } from "./data-set.ts";
import { fileOptions, UNPACKERS } from "./data-set-codec.ts";
import { isListed, localFooter, partsOf } from "./data-set-files.ts";
import { type Batch, isPart } from "./data-set-names.ts";
import { textsOf } from "./parquet/column-data.ts";
import { Damaged, DamagedFile } from "./parquet/damage.ts";
import { writeFile } from "./parquet/file.ts";
import type { Footer } from "./parquet/footer.ts";
import type { Kernels } from "./parquet/kernels.ts";
import { filePath } from "./parquet/parts.ts";
import { readFile } from "./parquet/read-file.ts";
import { tableOf } from "./parquet/schema.ts";
import { checkedPart, DATED, mergedTables, type PartRows } from "./tables/merge.ts";

/** Tables that every part has. */
export const TABLES = ["functions", "stacks", "recordings", "samples"] as const satisfies readonly TableName[];
export const ALL_TABLES = [...TABLES, ...DATED] as const;

type Rows = PartRows["samples"];

const DAY_NAME_DIGITS = 16;

/** Names of the parts that writers made, by date. Others stay as they are. */
export function partsByDate(folder: string): Map<string, string[]> {
  const dates = new Map<string, string[]>();
  for (const { date, part } of partsOf(folder, "samples")) {
    if (!isPart(filePath("samples", date, part))) continue;
    const parts = dates.get(date);
    if (parts === undefined) dates.set(date, [part]);
    else parts.push(part);
  }
  return dates;
}

/** Name of a part, made of its recordings, so that a name never belongs to other rows. */
export function partName(date: string, recordings: readonly { sha256: string }[]): string {
  const hash = createHash("sha256");
  for (const { sha256 } of recordings) hash.update(`${sha256}\n`);
  return `${date}-${hash.digest("hex").slice(0, DAY_NAME_DIGITS)}`;
}

/** Throws Damaged for what is no file: a pipe would be read without an end. */
function sizeOf(file: string): number {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) throw new Damaged(stats === undefined ? "there is no such file" : "it is no file");
  return stats.size;
}

export function bytesIn(folder: string, path: string): Uint8Array {
  sizeOf(join(folder, path));
  return readFileSync(join(folder, path));
}

/** The footer of a file. No other bytes are read. */
export function footerIn(folder: string, path: string): Footer {
  const file = join(folder, path);
  return localFooter(file, sizeOf(file)).footer;
}

/** The answer of `read`; its faults name the file. */
export function inFile<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Damaged) throw new DamagedFile(path, error);
    throw error;
  }
}

/** The part, once every column of it was read. */
export function readAll(part: PartRows): PartRows {
  for (const table of ALL_TABLES) for (const { name } of tableOf(table).columns) part[table]?.column(name);
  return part;
}

/** The rows of a file of a table. */
export function readTable(kernels: Kernels, folder: string, table: TableName, path: string): Rows {
  return inFile(path, () => readFile(kernels, tableOf(table), bytesIn(folder, path), UNPACKERS));
}

/** Its columns are read, and checked, when they are asked for. */
export function readPart(kernels: Kernels, folder: string, date: string, part: string): PartRows {
  const rowsOf = (table: TableName): Rows => readTable(kernels, folder, table, filePath(table, date, part));
  const [functions, stacks, recordings, samples] = TABLES.map(rowsOf) as [Rows, Rows, Rows, Rows];
  const [spans, calls] = DATED.map((table) =>
    isListed(folder, filePath(table, date, part)) ? rowsOf(table) : null,
  ) as [Rows | null, Rows | null];
  const own = { functions, stacks, recordings, samples, spans, calls };
  return checkedPart(own, (table, read) => inFile(filePath(table, date, part), read));
}

/** Files that take the place of those of parts. */
export interface Replacement {
  /** Their bytes. */
  before: number;
  after: number;
  files: Batch["files"];
}

/** Writes the rows of parts of a date as one part, named by `words`. Without recordings, the parts are only gone. */
export function replacedParts(
  kernels: Kernels,
  set: DataSet,
  date: string,
  parts: readonly { part: string; rows: PartRows }[],
  words: readonly string[],
  onlyUsed = false,
): Replacement {
  const name = partName(
    date,
    words.map((sha256) => ({ sha256 })),
  );
  const written = new Map<TableName, Batch["files"][number]>();
  let after = 0;
  const rows = parts.map((own) => own.rows);
  const isEmpty = rows.every(({ recordings }) => recordings.count === 0);
  for (const { name: table, rows: own, count } of isEmpty ? [] : mergedTables(kernels, name, rows, onlyUsed)) {
    const file = set.newFile();
    after += writeFile(tableOf(table), own, count, fileOptions(kernels, table), file.write);
    file.close();
    written.set(table, { from: file.path, to: filePath(table, date, name) });
  }
  const old = (table: TableName) =>
    parts
      .map(({ part }) => ({ from: null, to: filePath(table, date, part) }))
      .filter(({ to }) => isListed(set.folder, to));
  const before = ALL_TABLES.flatMap(old).reduce((sum, { to }) => sum + statSync(join(set.folder, to)).size, 0);
  const moved = (...tables: TableName[]) => tables.flatMap((table) => written.get(table) ?? []);
  // Readers of the folder that do not follow its lists never see a row without its stack.
  const gone = ALL_TABLES.toReversed().flatMap(old);
  return { before, after, files: [...ALL_TABLES.flatMap((table) => moved(table)), ...gone] };
}

/** SHA-256 of the recordings that a table of recordings has; none if it is damaged. */
export function recordingsIn(kernels: Kernels, folder: string, path: string): string[] {
  try {
    return textsOf(readTable(kernels, folder, "recordings", path).column("sha256"));
  } catch (error) {
    if (error instanceof DamagedFile) return [];
    throw error;
  }
}
