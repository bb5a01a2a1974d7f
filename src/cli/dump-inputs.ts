/** CDT dumps among the inputs of a command: the files of a folder, or stream files named one by one. */
import { openAsBlob } from "node:fs";
import { blobSource, bytesSource } from "../bytes/byte-source.ts";
import type { Core } from "../core/core.ts";
import { isStreamHead } from "../input/dump/detect.ts";
import { type OpenRun, readDumps } from "../input/dump/read-dumps.ts";
import { type DumpFile, runsOf } from "../input/dump/runs.ts";
import type { NamedInput } from "./inputs.ts";

/** Reads the runs among inputs of one folder, or among those without. `rest` has the inputs that are of no run. */
export async function readDumpInputs(
  core: Core,
  inputs: readonly NamedInput[],
): Promise<{ runs: OpenRun[]; rest: NamedInput[] }> {
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
  const grouped = runsOf(files, "directory");
  rest.push(...grouped.rest.flatMap(({ path }) => byPath.get(path) ?? []));
  const { opened } = await readDumps(core, grouped.runs, async () => true);
  return { runs: opened, rest };
}

/** The input as a file of a dump; null if its bytes are those of another format. */
async function dumpFile({ path, dump }: NamedInput): Promise<DumpFile | null> {
  if (dump === undefined) return null;
  try {
    const blob = await openAsBlob(path);
    const head = new Uint8Array(await blob.slice(0, 16).arrayBuffer());
    if (!isStreamHead(dump.path, head)) return null;
    return { path: dump.path, open: () => (blob.size === 0 ? bytesSource(new Uint8Array(0)) : blobSource(blob)) };
  } catch {
    // Reading it as a recording gives the reason.
    return null;
  }
}
