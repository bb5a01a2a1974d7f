/** Inputs of `export`: a recording or trace file is a file, a run of a dump several that are exported together. */
import { type BigIntStats, readSync, statSync } from "node:fs";
import type { Resource } from "../core/types.ts";
import { PACKINGS } from "../input/formats.ts";
import { isProfileName } from "../model/recording/folder-files.ts";
import type { RunInput } from "../node/dump-inputs.ts";
import { headOf, inputsOf, type NamedInput } from "../node/inputs.ts";
import { CHUNK_MAGIC, opened, wholeChunks } from "../node/looks.ts";
import { systemWords } from "../node/system-error.ts";

export interface ExportInput extends NamedInput, Partial<Pick<RunInput, "run" | "files">> {
  /** A trace file: its spans are written. */
  isTrace?: boolean;
  /** What its path says of its process. */
  facts?: Resource;
  /** Its last chunk is still being written: a later export takes it. */
  isGrowing?: boolean;
  /** No other input has more of its cut chunks: all are read. */
  isLast?: boolean;
}

/** Files of operands, with the runs of dumps put together. `except`: a folder that is not read. */
export async function exportInputs(operands: readonly string[], except: string): Promise<ExportInput[]> {
  const all = inputsOf(operands, except);
  const found: ExportInput[] = [];
  const left = new Set(all);
  for (const each of left) {
    if (each.dump === undefined) {
      found.push(each);
      continue;
    }
    const { folder } = each.dump;
    const beside = [...left].filter(({ dump }) => dump !== undefined && dump.folder === folder);
    for (const input of beside) left.delete(input);
    const { hasRecordings, NO_RUN, runInputs } = await import("../node/dump-inputs.ts");
    const { runs, rest } = await runInputs(beside);
    // The others are read as recordings, where their names are those of recordings.
    const others = rest.filter(({ path }) => folder === null || isProfileName(path));
    found.push(...runs, ...others.map(({ dump: _, ...input }) => input));
    if (folder === null || runs.length + others.length > 0 || hasRecordings(folder, all)) continue;
    found.push({ path: folder, name: folder, fault: NO_RUN });
  }
  return found;
}

/** Files of an input. */
export function pathsOf({ path, files }: ExportInput): string[] {
  return files?.map(({ file }) => file) ?? [path];
}

/** Bytes of an input; 0 where there is none. */
export function bytesOf(input: ExportInput): number {
  return statsOf(input).reduce((sum, stats) => sum + Number(stats?.size ?? 0), 0);
}

/** Why there is nothing to read of an input, as far as it is known before; else null. */
export function faultOf(input: ExportInput): string | null {
  try {
    for (const path of pathsOf(input)) statSync(path);
    return input.fault ?? null;
  } catch (error) {
    return input.fault ?? systemWords(error);
  }
}

/** Whether a file of an input is missing, or was changed at this time or after it, in nanoseconds since 1970. */
export function isSince(input: ExportInput, since: bigint): boolean {
  return statsOf(input).some((stats) => stats === undefined || stats.mtimeNs >= since);
}

/** When an input was changed last, in nanoseconds since 1970; 0n where there is none. */
export function changedAt(input: ExportInput): bigint {
  return statsOf(input).reduce(
    (last, stats) => (stats !== undefined && stats.mtimeNs > last ? stats.mtimeNs : last),
    0n,
  );
}

/** Sizes and times of the files of an input; "" where one is none. Copies may have the size and `mtime` of others. */
export function stateOf(input: ExportInput): string {
  const all = statsOf(input);
  if (all.some((stats) => stats?.isFile() !== true)) return "";
  return all.map((stats) => `${stats!.size} ${stats!.mtimeNs} ${stats!.ctimeNs} ${stats!.ino}`).join();
}

function statsOf(input: ExportInput): (BigIntStats | undefined)[] {
  return pathsOf(input).map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
}

/** Bytes that tell how a file is packed. */
const PACKED_HEAD = 16;
const BEGIN_AT = 32;
const HEADER = 68;
const NANOS_OF_DAY = 86_400_000_000_000n;

/** Inputs by the UTC date on which they begin, as a header or else the file's time tells; of a date as they were. */
export function byDay(inputs: readonly ExportInput[]): ExportInput[] {
  const days = new Map(inputs.map((input) => [input, dayOf(input)]));
  return [...inputs].sort((a, b) => days.get(a)! - days.get(b)!);
}

function dayOf(input: ExportInput): number {
  const [stats] = statsOf(input);
  if (stats?.isFile() !== true) return 0;
  return opened(pathsOf(input)[0]!, 0, (file) => {
    const head = new DataView(new ArrayBuffer(HEADER));
    const isRecording = readSync(file, head, 0, HEADER, 0) === HEADER && head.getUint32(0) === CHUNK_MAGIC;
    return Number((isRecording ? head.getBigInt64(BEGIN_AT) : stats.mtimeNs) / NANOS_OF_DAY);
  });
}

/** Whether the last chunk of a recording is not complete; of a packed one it may be. */
export function isUnfinished({ path, files }: ExportInput): boolean {
  if (files !== undefined) return false;
  return wholeChunks(path) !== null || PACKINGS.some(({ isIn }) => isIn(headOf(path, PACKED_HEAD)));
}
