/** CDT dumps among the inputs of a command: the files of a folder, or stream files named one by one. */
import { openAsBlob } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { type ByteSource, blobSource, bytesSource } from "../bytes/byte-source.ts";
import type { Core } from "../core/core.ts";
import type { RunInfo } from "../core/dumps/dump.ts";
import { isStreamHead } from "../input/dump/detect.ts";
import { type OpenRun, readDumps } from "../input/dump/read-dumps.ts";
import { type DumpFile, type RunFiles, runsOf, type StreamFile } from "../input/dump/runs.ts";
import { streamPath } from "../input/dump/stream-names.ts";
import type { NamedInput } from "./inputs.ts";

export const NO_RUN = "the folder has files of a dump, but neither calls nor a trace";

/** A run of a dump without its open files: another thread may be sent it. */
export interface RunInput extends NamedInput {
  run: RunInfo;
  files: RunFile[];
}

interface RunFile extends Omit<StreamFile, "open"> {
  /** In the file system. */
  file: string;
}

interface Grouped {
  runs: RunFiles[];
  /** Inputs that are of no run. */
  rest: NamedInput[];
  /** By the path in its dump. */
  byPath: ReadonlyMap<string, NamedInput>;
}

/** Reads the runs among inputs of one folder, or among those without. `rest` has the inputs that are of no run. */
export async function readDumpInputs(
  core: Core,
  inputs: readonly NamedInput[],
): Promise<{ runs: OpenRun[]; rest: NamedInput[]; isRead: boolean }> {
  const { runs, rest } = await grouped(inputs);
  const { opened, isRead } = await readDumps(core, runs, async () => true);
  return { runs: opened, rest, isRead };
}

/** The runs among inputs of one folder, without reading them. `rest` has the inputs that are of no run. */
export async function runInputs(inputs: readonly NamedInput[]): Promise<{ runs: RunInput[]; rest: NamedInput[] }> {
  const { runs, rest, byPath } = await grouped(inputs);
  const found = runs.map(({ files: all, ...run }): RunInput => {
    const files = all.map(({ open: _, ...file }) => ({ ...file, file: byPath.get(file.path)!.path }));
    const { folder = "", prefix = null } = streamPath(files[0]!.path) ?? {};
    const [first] = files as [RunFile];
    const path = prefix === null ? dirname(dirname(first.file)) : join(dirname(first.file), prefix);
    return { path, name: [folder, prefix ?? ""].filter((part) => part !== "").join("/"), run, files };
  });
  return { runs: found, rest };
}

/** Reads such a run. Throws errors of the operating system. */
export async function readRunInput(core: Core, { run, files }: RunInput): Promise<OpenRun[]> {
  const opened = files.map(async ({ file, ...each }) => ({ ...each, open: await openerOf(file) }));
  const { opened: runs } = await readDumps(core, [{ ...run, files: await Promise.all(opened) }], async () => true);
  return runs;
}

async function grouped(inputs: readonly NamedInput[]): Promise<Grouped> {
  const byPath = new Map<string, NamedInput>();
  const files: DumpFile[] = [];
  const rest: NamedInput[] = [];
  for (const input of inputs) {
    const file = await dumpFile(input);
    if (file === null) rest.push(input);
    else {
      byPath.set(file.path, input);
      files.push(file);
    }
  }
  const { runs, rest: others } = runsOf(files, "directory");
  rest.push(...others.flatMap(({ path }) => byPath.get(path) ?? []));
  return { runs, rest, byPath };
}

/** The input as a file of a dump; null if its bytes are those of another format. */
async function dumpFile({ path, dump }: NamedInput): Promise<DumpFile | null> {
  if (dump === undefined) return null;
  try {
    const open = await openerOf(path);
    const head = await open().slice(0, 16);
    return isStreamHead(dump.path, head) ? { path: dump.path, open } : null;
  } catch {
    // Reading it as a recording gives the reason.
    return null;
  }
}

async function openerOf(path: string): Promise<() => ByteSource> {
  const blob = await openAsBlob(path);
  return () => (blob.size === 0 ? bytesSource(new Uint8Array(0)) : blobSource(blob));
}

/** Whether a folder has recordings beside the files of a dump. */
export function hasRecordings(folder: string, sources: readonly NamedInput[]): boolean {
  const within = `${resolve(folder)}${sep}`;
  return sources.some(({ path, dump }) => dump === undefined && resolve(path).startsWith(within));
}
