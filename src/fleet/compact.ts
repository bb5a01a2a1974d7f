/** `spanflame compact` merges the parts of each date of a data set, `spanflame verify` reads them all. */

import type { TableName } from "../core/tables/data-sets.ts";
import { formatBytes, formatCounted, formatNanos } from "../model/words/format.ts";
import { ExitCode, UsageError } from "../node/exit.ts";
import { note, printJson, say } from "../node/terminal.ts";
import type { CallOf } from "../node/usage/commands.ts";
import { DataSet, damagedRecords } from "./data-set.ts";
import { newKernels } from "./data-set-codec.ts";
import {
  damagedLists,
  isListed,
  linksAbove,
  listedParts,
  partsInFolder,
  partsOf,
  registeredIn,
} from "./data-set-files.ts";
import { oldIndex, writeIndex } from "./id-index.ts";
import { noteUnchecked } from "./open-data-set.ts";
import { textsOf } from "./parquet/column-data.ts";
import { DamagedFile } from "./parquet/damage.ts";
import type { Kernels } from "./parquet/kernels.ts";
import { filePath } from "./parquet/parts.ts";
import { checkIndexes } from "./parquet/read-file.ts";
import { IDS } from "./parquet/schema.ts";
import {
  ALL_TABLES,
  bytesIn,
  footerIn,
  inFile,
  partsByDate,
  type Replacement,
  readAll,
  readPart,
  readTable,
  replacedParts,
} from "./part-files.ts";
import { checkDataSet } from "./query.ts";
import { DATED } from "./tables/merge.ts";

/** Rows of a merged part: more take more memory than a core. A part with half of them stays as it is. */
const MOST_ROWS = 1 << 21;
/** A part of MANY_ROWS also stays until the others of its group have LEAST_SHARE of its rows. */
const MANY_ROWS = 1 << 16;
const LEAST_SHARE = 1 / 4;

/** New parts of a date after which a watcher merges them, and rows of a part that it makes: it needs little memory. */
const MANY_PARTS = 32;
const WATCHED_ROWS = 1 << 18;

interface Compacted {
  date: string;
  parts: number;
  merged: number;
  /** Parts that are damaged, which stay as they are. */
  damaged: string[];
  /** Parts without checksums. */
  unchecked: number;
  before: number;
  after: number;
}

function isDate(text: string): boolean {
  const millis = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(text);
}

export async function compact({ inputs, values }: CallOf<"compact">): Promise<ExitCode> {
  const [folder = ""] = inputs;
  checkDataSet(folder);
  if (values.date !== undefined && !isDate(values.date))
    throw new UsageError(`--date: ${JSON.stringify(values.date)} is not a date such as 2026-11-23`);
  const start = performance.now();
  const set = DataSet.open(folder);
  try {
    set.checkUnregistered();
  } catch (error) {
    set.close();
    throw error;
  }
  const kernels = await newKernels();
  const alive = setInterval(() => set.touch(), 60_000);
  const all: Compacted[] = [];
  try {
    for (const date of partsByDate(folder).keys()) {
      if (values.date !== undefined && date !== values.date) continue;
      const isIndexed = values.index === true || oldIndex(folder, date).length > 0;
      const done = compactDate(kernels, set, date, { mostRows: MOST_ROWS, isIndexed });
      if (done === null) say(`spanflame: ${date}: another process is merging it`);
      else all.push(done);
      set.touch();
    }
  } finally {
    clearInterval(alive);
    set.close();
  }
  if (values.json === true) printJson({ dates: all.map(({ unchecked: _, ...each }) => each) });
  const sum = (of: (each: Compacted) => number) => all.reduce((total, each) => total + of(each), 0);
  noteUnchecked(sum(({ unchecked }) => unchecked));
  const parts = `${formatCounted(
    sum(({ parts: count }) => count),
    "part",
  )} merged into ${sum(({ merged }) => merged)}`;
  const sizes = `${formatBytes(sum(({ before }) => before))} → ${formatBytes(sum(({ after }) => after))}`;
  note(`spanflame: ${parts}; ${sizes} in ${formatNanos((performance.now() - start) * 1e6)}`);
  return all.some(({ damaged }) => damaged.length > 0) ? ExitCode.Partly : ExitCode.Done;
}

/**
 * Merges the parts of dates that have many new ones: a question opens every part of its dates. An index of a date stays
 * as it is, and readers ask the new parts. `left`: parts of dates after the last time.
 */
export async function mergeMany(set: DataSet, left: Map<string, number>): Promise<void> {
  for (const [date, { length }] of partsByDate(set.folder)) {
    if (length < (left.get(date) ?? 0) + MANY_PARTS || registeredIn(set.folder) !== null) continue;
    const kernels = await newKernels();
    try {
      compactDate(kernels, set, date, { mostRows: WATCHED_ROWS, isIndexed: false });
    } catch (error) {
      // A catalogue has taken the parts since.
      if (registeredIn(set.folder) === null) throw error;
    }
    left.set(date, partsByDate(set.folder).get(date)?.length ?? 0);
  }
}

/** Reads every byte of all parts, of their list and of the manifests, and the numbers by which tables refer to rows. */
export async function verify({ inputs, values }: CallOf<"verify">): Promise<ExitCode> {
  const [folder = ""] = inputs;
  checkDataSet(folder);
  const kernels = await newKernels();
  const lists = damagedLists(folder);
  const all = lists.length === 0 ? listedParts(folder) : partsInFolder(folder);
  const index = all.filter(({ table }) => table === "ids");
  const rest = all.filter(({ table }) => table !== "ids");
  const parts = new Map(rest.map(({ date, part }) => [`${date}/${part}`, { date, part }]));
  const damaged: string[] = [];
  const noteDamage = (message: string) => {
    damaged.push(message);
    say(`spanflame: ${message}`);
  };
  const check = (read: () => void) => {
    try {
      read();
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error;
      noteDamage(error.message);
    }
  };
  let [rows, unchecked] = [0, 0];
  for (const { date, part } of parts.values()) {
    check(() => {
      const { samples } = readAll(readPart(kernels, folder, date, part));
      if (!isChecked(folder, date, part, ALL_TABLES)) unchecked++;
      rows += samples.count;
    });
  }
  for (const { date, part } of index) {
    check(() => {
      const rows = readTable(kernels, folder, "ids", filePath("ids", date, part));
      for (const { name } of IDS.columns) rows.column(name);
      isChecked(folder, date, part, ["ids"]);
    });
  }
  for (const message of [...linksAbove(folder, all), ...damagedRecords(folder), ...lists]) noteDamage(message);
  if (values.json === true) printJson({ parts: parts.size, samples: rows, damaged, unchecked });
  noteUnchecked(unchecked);
  const counted = `${formatCounted(parts.size, "part")}, ${formatCounted(rows, "sample")}`;
  note(`spanflame: ${counted}; ${damaged.length === 0 ? "no damage" : `${damaged.length} damaged`}`);
  return damaged.length > 0 ? ExitCode.Failed : ExitCode.Done;
}

/** Whether the files of a part have checksums. Throws DamagedFile where those of their indexes are wrong. */
function isChecked(folder: string, date: string, part: string, tables: readonly TableName[]): boolean {
  const paths = tables.map((table) => filePath(table, date, part)).filter((path) => isListed(folder, path));
  return paths.map((path) => inFile(path, () => checkIndexes(bytesIn(folder, path)))).every(Boolean);
}

/** Null where another process does it. */
function compactDate(
  kernels: Kernels,
  set: DataSet,
  date: string,
  { mostRows, isIndexed }: { mostRows: number; isIndexed: boolean },
): Compacted | null {
  const key = `compact-${date}`;
  if (set.claim(key) !== "mine") return null;
  try {
    // Before the claim another process may have exchanged them, and a catalogue taken them.
    set.checkUnregistered();
    const parts = partsByDate(set.folder).get(date) ?? [];
    const done: Compacted = { date, parts: 0, merged: 0, damaged: [], unchecked: 0, before: 0, after: 0 };
    for (const group of groupsOf(set.folder, date, parts, mostRows, done)) mergeParts(kernels, set, date, group, done);
    if (isIndexed) writeIndex(kernels, set, date);
    return done;
  } finally {
    set.unclaim(key);
  }
}

interface Sized {
  part: string;
  count: number;
}

/** Parts that are merged with each other. */
function groupsOf(
  folder: string,
  date: string,
  parts: readonly string[],
  mostRows: number,
  done: Compacted,
): string[][] {
  const groups: Sized[][] = [];
  // A part may have no rows but its recordings.
  let rows = mostRows + 1;
  // In the order of their times, so that a merged part has few hours of a long day.
  const begin = new Map(partsOf(folder, "samples", date).map((each) => [each.part, each.from ?? 0]));
  for (const part of parts.toSorted((a, b) => begin.get(a)! - begin.get(b)!)) {
    const count = unlessDamaged(done, part, () => rowsOfPart(folder, date, part, done));
    if (count === null || count >= mostRows / 2) continue;
    if (rows + count > mostRows) {
      groups.push([]);
      rows = 0;
    }
    groups.at(-1)!.push({ part, count });
    rows += count;
  }
  return groups.map((group) => withoutMany(group).map((each) => each.part)).filter(({ length }) => length > 1);
}

/** The group without parts that a merge would rewrite for few new rows: `compact` may run every hour. */
export function withoutMany(group: readonly Sized[]): readonly Sized[] {
  const [first, ...others] = group.toSorted((a, b) => b.count - a.count);
  const rows = others.reduce((sum, { count }) => sum + count, 0);
  if (first === undefined || first.count < MANY_ROWS || rows >= LEAST_SHARE * first.count) return group;
  return withoutMany(group.filter((each) => each !== first));
}

/** Samples, and rows of the tables that a part may lack. */
function rowsOfPart(folder: string, date: string, part: string, done: Compacted): number {
  const paths = (["samples", ...DATED] as const).map((table) => filePath(table, date, part));
  const footers = paths
    .filter((path) => isListed(folder, path))
    .map((path) => inFile(path, () => footerIn(folder, path)));
  if (footers.some(({ isChecked }) => !isChecked)) done.unchecked++;
  return footers.reduce((sum, { rows }) => sum + rows, 0);
}

/** The answer of `read`; null if the part is damaged, which is said. The part stays as it is. */
function unlessDamaged<T>(done: Compacted, part: string, read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    done.damaged.push(part);
    say(`spanflame: ${error.message}; the part is not merged`);
    return null;
  }
}

function mergeParts(kernels: Kernels, set: DataSet, date: string, group: readonly string[], done: Compacted): void {
  const sound = group.flatMap((part) => {
    const rows = unlessDamaged(done, part, () => readPart(kernels, set.folder, date, part));
    return rows === null ? [] : [{ part, rows }];
  });
  if (sound.length < 2) return;
  const parts = sound.map(({ part }) => part);
  let merged: Replacement;
  try {
    const words = sound.flatMap(({ rows }) => textsOf(rows.recordings.column("sha256")));
    merged = replacedParts(kernels, set, date, sound, words);
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    // Columns are read one after the other, so damage is found late: once more, without the parts that have any.
    const left = parts.filter((part) =>
      unlessDamaged(done, part, () => readAll(readPart(kernels, set.folder, date, part))),
    );
    if (left.length < parts.length) mergeParts(kernels, set, date, left, done);
    return;
  }
  done.before += merged.before;
  done.after += merged.after;
  done.parts += parts.length;
  done.merged++;
  set.commit({ recordings: [], files: merged.files });
}
