/**
 * Writes the index of a date (schema.ts, IDS): runs of rows with the same id, by keys. Of a day with many parts they
 * are more than fits into memory, so they are divided by the first byte of their keys, and the full pages of each share
 * are written to a file of the writer.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DataSet } from "./data-set.ts";
import { fileOptions } from "./data-set-codec.ts";
import { isListed, partsOf } from "./data-set-files.ts";
import { type Batch, isPart } from "./data-set-names.ts";
import {
  type ColumnData,
  coded,
  codedOf,
  entriesOf,
  ints,
  longs,
  pickedLongs,
  textTable,
  wordsOf,
} from "./parquet/column-data.ts";
import { DamagedFile } from "./parquet/damage.ts";
import { writeFile } from "./parquet/file.ts";
import type { Kernels } from "./parquet/kernels.ts";
import { filePath, KEYS, shareWith, UNSORTED_BITS } from "./parquet/parts.ts";
import { IDS } from "./parquet/schema.ts";
import { partName, partsByDate, readTable } from "./part-files.ts";
import { noteOf } from "./tables/ids.ts";

/** Of a run: halves of its key, its part and table, its first row, its rows. */
const WORDS = 5;
const PAGE_WORDS = WORDS << 12;
const SHARES = 256;
/** Runs of a file, but for its last share. */
const MOST_RUNS = 1 << 19;
/** Runs that can be sorted: their numbers take the low bits of their keys. */
const NUMBER_BITS = Number(UNSORTED_BITS);
const SPREAD_LOW = 0x7f4a7c15;
const SPREAD_HIGH = 0x9e3779b9;
const TABLES = ["samples", "spans"] as const;

class Share {
  count = 0;
  private page = new Uint32Array(PAGE_WORDS);
  private used = 0;
  private file: ReturnType<DataSet["newFile"]> | null = null;
  private readonly set: DataSet;

  constructor(set: DataSet) {
    this.set = set;
  }

  add(low: number, high: number, place: number, first: number, rows: number): void {
    this.page.set([low, high, place, first, rows], this.used);
    this.used += WORDS;
    this.count++;
    if (this.used < PAGE_WORDS) return;
    this.file ??= this.set.newFile();
    this.file.write(new Uint8Array(this.page.buffer));
    this.used = 0;
  }

  /** All runs, which the share has no longer. */
  taken(): Uint32Array {
    const all = new Uint32Array(WORDS * this.count);
    if (this.file !== null) {
      this.file.close();
      all.set(new Uint32Array(Uint8Array.from(readFileSync(join(this.set.folder, this.file.path))).buffer));
      this.set.discard(this.file.path);
    }
    all.set(this.page.subarray(0, this.used), all.length - this.used);
    this.page = new Uint32Array();
    return all;
  }
}

/** Writes the index of a date in place of the one that is there, unless that is of these parts. */
export function writeIndex(kernels: Kernels, set: DataSet, date: string): void {
  const parts = partsByDate(set.folder).get(date) ?? [];
  const nameOf = (file: number) =>
    partName(
      date,
      [...parts, `index ${file}`].map((sha256) => ({ sha256 })),
    );
  const old = oldIndex(set.folder, date);
  if (parts.length === 0 || old.some(({ to }) => to === filePath("ids", date, nameOf(0)))) return;
  const shares = Array.from({ length: SHARES }, () => new Share(set));
  const covered: string[] = [];
  for (const [number, part] of parts.entries()) {
    try {
      addRuns(kernels, set.folder, { date, part, number }, shares);
    } catch (error) {
      // Readers ask the part itself.
      if (error instanceof DamagedFile) continue;
      throw error;
    }
    covered.push(part);
  }
  const files: Share[][] = [];
  for (const share of shares) {
    const last = files.at(-1);
    const held = last?.reduce((sum, { count }) => sum + count, 0) ?? MOST_RUNS;
    if (last === undefined || held + share.count > MOST_RUNS) files.push([share]);
    else last.push(share);
  }
  const notes = noteOf({ parts: covered, files: files.length });
  const written = files.map((own, i) => {
    const file = set.newFile();
    const all = own.map((share) => share.taken());
    const runs = new Uint32Array(all.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const words of all) {
      runs.set(words, at);
      at += words.length;
    }
    const rows = columnsOf(runs, parts);
    const options = fileOptions(kernels, "ids");
    const starts = equalShares(new BigInt64Array(rows.key.words.buffer), options.groupRows);
    writeFile(IDS, rows, runs.length / WORDS, { ...options, ...starts, notes }, file.write);
    file.close();
    return { from: file.path, to: filePath("ids", date, nameOf(i)) };
  });
  set.commit({ recordings: [], files: [...old, ...written] });
}

/** What removes the index of a date. */
export function oldIndex(folder: string, date: string): Batch["files"] {
  const paths = partsOf(folder, "ids", date).map(({ part }) => filePath("ids", date, part));
  return paths.filter(isPart).map((to) => ({ from: null, to }));
}

/** Adds the runs of a part. Throws DamagedFile before the first one. */
function addRuns(
  kernels: Kernels,
  folder: string,
  { date, part, number }: { date: string; part: string; number: number },
  shares: readonly Share[],
): void {
  const samples = readTable(kernels, folder, "samples", filePath("samples", date, part));
  const roots = wordsOf(samples.column("local_root_span_id")).slice();
  const spans = wordsOf(samples.column("span_id"));
  const traces = lowerHalvesOf(samples.column("trace_id"));
  const path = filePath("spans", date, part);
  const rows = isListed(folder, path) ? readTable(kernels, folder, "spans", path) : null;
  const ofSpans = rows === null ? [] : [wordsOf(rows.column("span_id")), lowerHalvesOf(rows.column("trace_id"))];
  // Without a local root and a trace there is only the span.
  for (let i = 0; i < roots.length; i += 2) {
    if ((roots[i]! | roots[i + 1]! | traces[i]! | traces[i + 1]!) !== 0) continue;
    roots[i] = spans[i]!;
    roots[i + 1] = spans[i + 1]!;
  }
  for (const ids of [roots, traces]) addIds(ids, number * TABLES.length, shares);
  for (const ids of ofSpans) addIds(ids, number * TABLES.length + 1, shares);
}

/** Adds runs of rows with the same id that is not 0. */
function addIds(ids: Uint32Array, place: number, shares: readonly Share[]): void {
  const rows = ids.length / 2;
  for (let row = 0; row < rows; ) {
    const [low, high] = [ids[2 * row]!, ids[2 * row + 1]!];
    const first = row++;
    while (row < rows && ids[2 * row] === low && ids[2 * row + 1] === high) row++;
    if ((low | high) === 0) continue;
    const key = Math.imul(low, SPREAD_HIGH) + Math.imul(high, SPREAD_LOW) + upperProduct(low, SPREAD_LOW);
    // Numbers with a sign are in order after the first bit is turned.
    shares[(key >>> 24) ^ (SHARES / 2)]!.add(Math.imul(low, SPREAD_LOW), key, place, first, row - first);
  }
}

/** The upper half of the product of two halves. */
function upperProduct(a: number, b: number): number {
  const [a0, a1, b0, b1] = [a & 0xffff, a >>> 16, b & 0xffff, b >>> 16];
  const middle = a1 * b0 + ((a0 * b0) >>> 16);
  const other = a0 * b1 + (middle % 2 ** 16);
  return a1 * b1 + Math.floor(middle / 2 ** 16) + Math.floor(other / 2 ** 16);
}

/** Of ids of 16 bytes, big-endian; 0 where there is none. */
function lowerHalvesOf(data: ColumnData): Uint32Array {
  const ids = codedOf(data);
  const halves = entriesOf(ids).flatMap((id) => {
    const view = new DataView(id.buffer, id.byteOffset);
    return [view.getUint32(12), view.getUint32(8)];
  });
  return pickedLongs(Uint32Array.from(halves), ids.codes);
}

/**
 * First rows of the row groups. Each has an equal share of the range of keys, so the reader computes which row group
 * has a key. Nothing is returned if the keys are not spread evenly, as in a trace with very many runs.
 */
export function equalShares(keys: BigInt64Array, groupRows: number): { starts?: number[] } {
  const shares = Math.ceil(keys.length / groupRows);
  let [least, most] = [keys[0]!, keys[0]!];
  for (const key of keys) {
    if (key < least) least = key;
    if (key > most) most = key;
  }
  const ends = { from: Number(least / KEYS), to: Number(most / KEYS) + 1 };
  const starts = Array.from({ length: shares }, (_, share) => {
    let [from, to] = [0, keys.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (shareWith(ends, shares, keys[middle]!) < share) from = middle + 1;
      else to = middle;
    }
    return from;
  });
  const isEven = starts.every((start, i) => {
    const rows = (starts[i + 1] ?? keys.length) - start;
    return rows > 0 && rows <= 2 * groupRows;
  });
  return shares > 1 && isEven ? { starts } : {};
}

/** Rows in the order of their keys, but for the lowest bits. */
function columnsOf(runs: Uint32Array, parts: readonly string[]) {
  const count = runs.length / WORDS;
  if (count > 2 ** NUMBER_BITS) throw new RangeError(`${count} ids in a share`);
  const sorted = new BigUint64Array(count);
  const halves = new Uint32Array(sorted.buffer);
  const above = -(2 ** NUMBER_BITS);
  for (let i = 0; i < count; i++) {
    halves[2 * i] = (runs[WORDS * i]! & above) | i;
    halves[2 * i + 1] = runs[WORDS * i + 1]! ^ 0x80000000;
  }
  sorted.sort();
  const keys = new Uint32Array(2 * count);
  const [part, table] = [new Uint32Array(count), new Uint32Array(count)];
  const [first, rows] = [new Int32Array(count), new Int32Array(count)];
  for (let row = 0; row < count; row++) {
    const at = WORDS * (halves[2 * row]! & ~above);
    keys[2 * row] = runs[at]!;
    keys[2 * row + 1] = runs[at + 1]!;
    part[row] = Math.floor(runs[at + 2]! / TABLES.length);
    table[row] = runs[at + 2]! % TABLES.length;
    first[row] = runs[at + 3]!;
    rows[row] = runs[at + 4]!;
  }
  return {
    key: longs(keys),
    part: coded(textTable(parts), part),
    in_table: coded(textTable(TABLES), table),
    first_row: ints(first),
    rows: ints(rows),
  };
}
