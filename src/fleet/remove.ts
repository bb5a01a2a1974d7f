/**
 * `spanflame remove` takes recordings out of a data set: one, those of a service, what is older than a time, and what a
 * catalogue has.
 */

import { statSync } from "node:fs";
import { join } from "node:path";
import { momentOf } from "../model/query/filters.ts";
import { formatBytes, formatCounted } from "../model/words/format.ts";
import { ExitCode, UsageError } from "../node/exit.ts";
import { note, printJson, say } from "../node/terminal.ts";
import type { CallOf } from "../node/usage/commands.ts";
import { DataSet } from "./data-set.ts";
import { newKernels } from "./data-set-codec.ts";
import { isListed, partsOf, registeredIn } from "./data-set-files.ts";
import type { Batch, TakenRecording } from "./data-set-names.ts";
import { inAllDates, inDates, type Place } from "./exchange.ts";
import { writeIndex } from "./id-index.ts";
import { type ColumnData, ints, intsOf, longs, longsOf, textsOf } from "./parquet/column-data.ts";
import { reordered } from "./parquet/columns.ts";
import { DamagedFile } from "./parquet/damage.ts";
import type { Kernels } from "./parquet/kernels.ts";
import { filePath } from "./parquet/parts.ts";
import { ALL_TABLES, readPart, readTable, recordingsIn, replacedParts } from "./part-files.ts";
import { checkDataSet } from "./query.ts";
import { DATED, type PartRows } from "./tables/merge.ts";

const DAY_MS = 86_400_000;
const NANOS_OF_MS = 1_000_000n;
const NANOS_OF_MICRO = 1000n;
/** While another process exchanges parts, the list of parts is read up to MOST_TRIES times, with pauses between. */
const MOST_TRIES = 100;
const PAUSE_MS = 100;
/** A shorter beginning of a hash may be a name. */
const LEAST_DIGITS = 8;

/** A row goes if all of these hold. */
interface Gone {
  /** SHA-256 of recordings. */
  recordings?: ReadonlySet<string>;
  /** Cut chunks of `recording`, which are listed as separate recordings. */
  apart?: ReadonlySet<string>;
  /** Name of a file, or the beginning of its SHA-256. */
  recording?: string;
  service?: string;
  /** Nanoseconds since 1970. */
  before?: bigint;
  /** Parts that a catalogue has taken. Their recordings stay known. */
  parts?: ReadonlySet<string>;
}

interface Removed {
  samples: number;
  recordings: number;
  /** Parts that are gone, and those that others took the place of. */
  parts: number;
  bytes: number;
  /** Parts that are damaged, and dates that another process is merging: they stay. */
  left: string[];
}

type Rows = PartRows["samples"];

function nothingRemoved(): Removed {
  return { samples: 0, recordings: 0, parts: 0, bytes: 0, left: [] };
}

export async function remove({ inputs, values }: CallOf<"remove">): Promise<ExitCode> {
  const [folder = ""] = inputs;
  checkDataSet(folder);
  const { recording, service, before, "older-than": age } = values;
  if (before !== undefined && age !== undefined) throw new UsageError("--before and --older-than exclude each other");
  const time = before ?? age;
  const isTaken = values.registered === true;
  const isChosen = [recording, service, time].some((each) => each !== undefined);
  if (isTaken && isChosen)
    throw new UsageError("--registered removes whole parts, so it excludes the other selections");
  if (!isTaken && !isChosen)
    throw new UsageError("remove needs --recording R, --service S, --before T, --older-than D or --registered");
  const gone: Gone = {
    ...(isTaken ? { parts: takenFrom(folder) } : {}),
    ...(recording === undefined ? {} : { recording }),
    ...(service === undefined ? {} : { service }),
    ...(time === undefined ? {} : { before: momentOf(time, before === undefined ? "--older-than" : "--before") }),
  };
  const set = DataSet.open(folder);
  try {
    const removed = await removeFrom(set, gone);
    if (values.json === true) printJson(removed);
    const counted = `${formatCounted(removed.samples, "sample")} of ${formatCounted(removed.recordings, "recording")}`;
    note(
      `spanflame: removed ${counted}; ${formatBytes(removed.bytes)} in ${formatCounted(removed.parts, "part")} less`,
    );
    if (removed.left.length > 0) return ExitCode.Partly;
    const isNothing = removed.parts + removed.recordings === 0 && time === undefined;
    return isNothing ? nothing(folder) : ExitCode.Done;
  } finally {
    set.close();
  }
}

function takenFrom(folder: string): ReadonlySet<string> {
  const by = registeredIn(folder);
  if (by === null) throw new Error(`${folder} is registered in no catalogue (examples/iceberg)`);
  return by.parts;
}

function nothing(folder: string): ExitCode {
  say(`spanflame: ${folder} has nothing of this selection`);
  return ExitCode.Failed;
}

/**
 * Removes rows, whole or not at all. `forgets`: recordings of which nothing is left may be exported again. Those that
 * are too old stay known, because their files may still be in an inbox.
 */
export async function removeFrom(
  set: DataSet,
  gone: Gone,
  forgets = gone.before === undefined && gone.parts === undefined,
): Promise<Removed> {
  if (gone.parts === undefined) set.checkUnregistered();
  const kernels = await newKernels();
  const removed = nothingRemoved();
  const lost = new Set<string>();
  const claims: string[] = [];
  const alive = setInterval(() => set.touch(), 60_000);
  try {
    const { recording: wanted, ...others } = gone;
    const known = (isOwn: (recording: TakenRecording) => boolean) => (wanted === undefined ? [] : set.known(isOwn));
    const apart = known(({ isApart, of = "" }) => isApart === true && isOf(wanted!, "", of));
    const own = apart.length === 0 ? gone : { ...gone, apart: new Set(apart) };
    const { files, indexed, busy } = inDates(
      set,
      claims,
      (date) => gone.before === undefined || BigInt(Date.parse(date)) * NANOS_OF_MS < gone.before,
      (place) => {
        // A catalogue may have taken the parts since. Its script waits for dates that are claimed.
        if (gone.parts === undefined) set.checkUnregistered();
        return inPart(kernels, set, place, own, removed, lost);
      },
    );
    for (const date of busy) say(`spanflame: ${date}: another process is merging it`);
    removed.left.push(...busy);
    // Of such a recording all rows may have been too old.
    if (Object.keys(others).length === 0)
      for (const sha256 of known((each) => each.isContent !== true && isOf(wanted!, each.file, each.sha256)))
        lost.add(sha256);
    if (files.length + lost.size === 0) return removed;
    const left = await remaining(kernels, set, files);
    if (left === null) {
      say(`spanflame: another process is moving files in ${set.folder}; the recordings are not forgotten`);
      lost.clear();
    }
    for (const sha256 of left ?? []) lost.delete(sha256);
    removed.recordings = lost.size;
    set.commit({ recordings: [], files, forgotten: forgets ? set.forgotten(lost) : [] });
    for (const date of indexed) writeIndex(kernels, set, date);
  } finally {
    clearInterval(alive);
    for (const key of claims) set.unclaim(key);
  }
  return removed;
}

/** What takes the place of parts with these recordings; `claims` are to be given back after the commit. */
export function without(kernels: Kernels, set: DataSet, recordings: ReadonlySet<string>, claims: string[]) {
  const has = (date: string) => (part: string) =>
    recordingsIn(kernels, set.folder, filePath("recordings", date, part)).some((each) => recordings.has(each));
  return inAllDates(
    set,
    claims,
    (date, parts) => parts.some(has(date)),
    (place) => {
      set.checkUnregistered();
      return inPart(kernels, set, place, { recordings }, nothingRemoved(), new Set());
    },
  );
}

/**
 * Recordings of the parts that stay and of those that are written; null if other processes exchange parts all the time,
 * while these are read.
 */
async function remaining(kernels: Kernels, set: DataSet, files: Batch["files"]): Promise<string[] | null> {
  const gone = new Set(files.flatMap(({ from, to }) => (from === null ? [to] : [])));
  const written = files.flatMap(({ from, to }) => (from !== null && to.startsWith("recordings/") ? [from] : []));
  const listed = () => partsOf(set.folder, "recordings").map(({ date, part }) => filePath("recordings", date, part));
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    if (tries > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const before = listed();
    const kept = before.filter((path) => !gone.has(path));
    const found = [...kept, ...written].flatMap((path) => recordingsIn(kernels, set.folder, path));
    if (String(listed()) === String(before)) return found;
  }
  return null;
}

/** Files that take the place of those of a part; none if all of it stays. */
function inPart(
  kernels: Kernels,
  set: DataSet,
  { date, part }: Place,
  gone: Gone,
  removed: Removed,
  lost: Set<string>,
): Batch["files"] {
  if (gone.parts?.has(part) === false) return [];
  const end = BigInt(Date.parse(date) + DAY_MS) * NANOS_OF_MS;
  const isWhole =
    gone.parts !== undefined || (gone.before !== undefined && end <= gone.before && Object.keys(gone).length === 1);
  try {
    if (isWhole) return wholePart(kernels, set.folder, { date, part }, removed, lost);
    const rows = readPart(kernels, set.folder, date, part);
    const kept = keptOf(kernels, rows, gone, end);
    if (kept === null) return [];
    for (const sha256 of textsOf(rows.recordings.column("sha256"))) lost.add(sha256);
    const { before, after, files } = replacedParts(kernels, set, date, [{ part, rows: kept }], [part, "removed"], true);
    removed.samples += rows.samples.count - kept.samples.count;
    removed.bytes += before - after;
    removed.parts++;
    return files;
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    say(`spanflame: ${error.message}; the part stays as it is`);
    removed.left.push(part);
    return [];
  }
}

/** A part of which nothing stays: its samples need not be read, and may be damaged. */
function wholePart(kernels: Kernels, folder: string, { date, part }: Place, removed: Removed, lost: Set<string>) {
  const paths = ALL_TABLES.map((table) => filePath(table, date, part)).filter((path) => isListed(folder, path));
  try {
    const recordings = readTable(kernels, folder, "recordings", filePath("recordings", date, part));
    for (const sha256 of textsOf(recordings.column("sha256"))) lost.add(sha256);
    for (const samples of longsOf(recordings.column("samples"))) removed.samples += Number(samples);
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    say(`spanflame: ${error.message}; its recordings are not forgotten`);
  }
  removed.parts++;
  removed.bytes += paths.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);
  // Samples go first: a reader never finds samples without their stacks.
  return paths.reverse().map((to) => ({ from: null, to }));
}

/** What stays of a part whose date ends at `end`; null if all does. */
function keptOf(kernels: Kernels, rows: PartRows, gone: Gone, end: bigint): PartRows | null {
  const { recordings } = rows;
  const [names, hashes] = [textsOf(recordings.column("file")), textsOf(recordings.column("sha256"))];
  const services = textsOf(recordings.column("service"));
  const isNamed = names.map(
    (name, i) =>
      (gone.recording === undefined || isOf(gone.recording, name, hashes[i]!) || gone.apart?.has(hashes[i]!)) &&
      gone.recordings?.has(hashes[i]!) !== false,
  );
  if (!isNamed.includes(true)) return null;
  /** `last`: of what has no time the end of its window, exclusive. */
  const isOld = (time: bigint, last: bigint) => {
    if (gone.before === undefined) return true;
    return time === 0n ? (last || end) <= gone.before : time < gone.before;
  };
  /** Rows that each recording keeps. */
  const left = new Uint32Array(recordings.count);
  const had = new Uint32Array(recordings.count);
  const keptIn = (table: Rows, timeColumn: string, lastColumn?: string): Uint32Array => {
    const ids = intsOf(table.column("recording_id"));
    const longsIn = (name: string | undefined) =>
      gone.before === undefined || name === undefined ? null : longsOf(table.column(name));
    const [times, lasts] = [longsIn(timeColumn), longsIn(lastColumn)];
    const own = gone.service === undefined ? null : textsOf(table.column("service"));
    const kept: number[] = [];
    for (let row = 0; row < table.count; row++) {
      const id = ids[row]!;
      had[id]!++;
      const isGone =
        isNamed[id] &&
        (own === null || own[row] === gone.service) &&
        isOld(times?.[row] ?? 0n, (lasts?.[row] ?? 0n) * NANOS_OF_MICRO);
      if (isGone) continue;
      left[id]!++;
      kept.push(row);
    }
    return Uint32Array.from(kept);
  };
  const samples = keptIn(rows.samples, "time_unix_nano", "time_end");
  const dated = DATED.map((name) => [name, rows[name] && keptIn(rows[name], "start_unix_nano")] as const);
  const starts = longsOf(recordings.column("start")).map((micros) => micros * NANOS_OF_MICRO);
  const isEmptyGone = (i: number) =>
    isNamed[i] && (gone.service === undefined || services[i] === gone.service) && isOld(starts[i]!, 0n);
  const stays = Array.from({ length: recordings.count }, (_, i) => (had[i] === 0 ? !isEmptyGone(i) : left[i]! > 0));
  if (stays.every(Boolean) && left.every((count, i) => count === had[i])) return null;
  const numbers = new Int32Array(recordings.count);
  const keptRecordings = stays.flatMap((isLeft, i) => (isLeft ? [i] : []));
  for (const [id, i] of keptRecordings.entries()) numbers[i] = id;
  const table = (own: Rows, order: Uint32Array): Rows => ({
    count: order.length,
    column: (name) => {
      const data = reordered(kernels, own.column(name), order);
      if (name !== "recording_id") return data;
      return ints(intsOf(data).map((id) => numbers[id]!));
    },
  });
  const kept = table(rows.samples, samples);
  return {
    ...rows,
    ...Object.fromEntries(dated.map(([name, order]) => [name, order?.length ? table(rows[name]!, order) : null])),
    samples: kept,
    recordings: counted(table(recordings, Uint32Array.from(keptRecordings)), kept),
  } as PartRows;
}

function isOf(wanted: string, name: string, sha256: string): boolean {
  return name === wanted || (wanted.length >= LEAST_DIGITS && sha256.startsWith(wanted.toLowerCase()));
}

/** Recordings with the numbers and times of the samples that they have left. */
function counted(recordings: Rows, samples: Rows): Rows {
  const ids = intsOf(samples.column("recording_id"));
  const [times, lastTimes] = [longsOf(samples.column("time")), longsOf(samples.column("time_end"))];
  const counts = new BigInt64Array(recordings.count);
  const ends = [longsOf(recordings.column("start")), longsOf(recordings.column("end"))] as const;
  const [starts, lasts] = ends.map((own) => own.slice()) as [BigInt64Array, BigInt64Array];
  const isTimed = new Uint8Array(recordings.count);
  for (let row = 0; row < samples.count; row++) {
    const [id, time, last] = [ids[row]!, times[row]!, lastTimes[row]! || times[row]!];
    counts[id]!++;
    if (time === 0n) continue;
    starts[id] = isTimed[id] === 1 && starts[id]! < time ? starts[id]! : time;
    lasts[id] = isTimed[id] === 1 && lasts[id]! > last ? lasts[id]! : last;
    isTimed[id] = 1;
  }
  const own = new Map<string, ColumnData>(
    Object.entries({
      recording_id: ints(Int32Array.from(counts.keys())),
      samples: longs(new Uint32Array(counts.buffer)),
      start: longs(new Uint32Array(starts.buffer), 0),
      end: longs(new Uint32Array(lasts.buffer), 0),
    }),
  );
  return { count: recordings.count, column: (name) => own.get(name) ?? recordings.column(name) };
}
