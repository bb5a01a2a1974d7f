/** Dumps among the files of the page: folders that were dropped, and stream files beside each other. */
import { type ByteSource, bytesSource } from "../bytes/byte-source.ts";
import type { Core } from "../core/core.ts";
import { isDumpPath } from "../core/inputs/bundle-paths.ts";
import { isStreamHead } from "../input/dump/detect.ts";
import { type OpenRun, readDumps } from "../input/dump/read-dumps.ts";
import { type DumpFile, type RunFiles, runsOf } from "../input/dump/runs.ts";
import type { ReadHooks } from "../input/open.ts";
import { Slices } from "../input/turn.ts";
import type { InputFile } from "./api/api.ts";
import { FileSource } from "./file-source.ts";

/** Bytes by which a file of a dump is told from another one of its name. */
const HEAD = 16;

/** The files that are no parts of dumps, and the runs of the others. */
export interface Grouped {
  rest: InputFile[];
  runs: RunFiles[];
  /** Files of runs, by their sources: a browser may refuse to read them. */
  sources: { file: InputFile; source: FileSource }[];
}

/** Groups the files of dumps to runs. A folder without a run stays a file of the page, which cannot be read. */
export async function groupDumps(files: readonly InputFile[]): Promise<Grouped> {
  const grouped: Grouped = { rest: [], runs: [], sources: [] };
  const beside: InputFile[] = [];
  for (const file of files) {
    if (file.parts === undefined) {
      if (await isStreamFile(file.name, file.blob)) beside.push(file);
      else grouped.rest.push(file);
      continue;
    }
    const parts = file.parts.map(({ path, blob }) => ({ file, path, blob }));
    const found = [];
    for (const part of parts) if (await isStreamFile(part.path, part.blob)) found.push(part);
    const { runs } = runsOf(
      found.map((part) => dumpFile(grouped, part)),
      "directory",
    );
    for (const run of runs) run.input = file.name;
    if (runs.length === 0) grouped.rest.push(file);
    grouped.runs.push(...runs);
  }
  const byPath = new Map(beside.map((file) => [file.name, file]));
  const { runs, rest } = runsOf(
    beside.map((file) => dumpFile(grouped, { file, path: file.name, blob: file.blob })),
    "streams",
  );
  grouped.runs.push(...runs);
  grouped.rest.push(...rest.flatMap(({ path }) => byPath.get(path) ?? []));
  return grouped;
}

async function isStreamFile(path: string, blob: Blob): Promise<boolean> {
  if (!isDumpPath(path)) return false;
  try {
    return isStreamHead(path, new Uint8Array(await blob.slice(0, HEAD).arrayBuffer()));
  } catch {
    // Reading it gives the reason.
    return true;
  }
}

interface Part {
  file: InputFile;
  path: string;
  blob: Blob;
}

function dumpFile({ sources }: Grouped, { file, path, blob }: Part): DumpFile {
  // A slice of an empty file would be read from the disk for nothing.
  if (blob.size === 0) return { path, open: () => bytesSource(new Uint8Array(0)) };
  const source = new FileSource(blob);
  sources.push({ file, source });
  return { path, open: () => source };
}

/** Counts the bytes that are read from sources. */
export class ByteCount {
  bytes = 0;

  counted(source: ByteSource): ByteSource {
    return {
      byteLength: source.byteLength,
      slice: async (start, end) => {
        const bytes = await source.slice(start, end);
        this.bytes += bytes.length;
        return bytes;
      },
    };
  }

  /** The run with counted files. */
  countedRun(run: RunFiles): RunFiles {
    return { ...run, files: run.files.map((file) => ({ ...file, open: () => this.counted(file.open()) })) };
  }
}

/** Reads runs into a core that is not reading. */
export async function readGrouped(core: Core, { runs }: Grouped, hooks: ReadHooks): Promise<OpenRun[]> {
  const count = new ByteCount();
  const total = runs.reduce((sum, { files }) => sum + bytesOf(files), 0);
  const slices = new Slices(hooks.now);
  const breathe = async () => {
    hooks.onProgress?.({ bytes: Math.min(total, count.bytes), total, samples: core.samples() });
    await slices.rest();
    return hooks.cancelled?.() !== true;
  };
  core.beginReading();
  try {
    const { opened } = await readDumps(
      core,
      runs.map((run) => count.countedRun(run)),
      breathe,
    );
    // Later passes count their bytes by themselves.
    return opened.map(({ number }, i) => ({ number, run: runs[i]! }));
  } finally {
    core.endReading();
  }
}

function bytesOf(files: readonly DumpFile[]): number {
  return files.reduce((sum, { open }) => sum + open().byteLength, 0);
}
