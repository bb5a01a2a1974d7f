/** Reading of written dumps into a core: their calls with frames as plain records, and their diagnostics. */
import { type ByteSource, bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { type OpenRun, readDumps, sampleFrames } from "../../../src/input/dump/read-dumps.ts";
import { readFrames } from "../../../src/input/dump/read-run.ts";
import { runsOf } from "../../../src/input/dump/runs.ts";
import { readInputs } from "../../../src/input/open.ts";
import { type Call, callOf } from "../../../src/model/calls/call.ts";
import type { ModelFrame } from "./cdt-model.ts";

export interface ReadCall extends Call {
  frames: (ModelFrame & { params: Record<string, string[]> })[];
}

/** Reads the files of a folder, by their paths. */
export async function readFolder(core: Core, files: Readonly<Record<string, Uint8Array>>): Promise<OpenRun[]> {
  const list = Object.entries(files).map(([path, bytes]) => ({ path, open: (): ByteSource => bytesSource(bytes) }));
  const { opened } = await readDumps(core, runsOf(list, "directory").runs, async () => true);
  return opened;
}

/** Reads an archive or a capture. */
export async function readFile(core: Core, name: string, bytes: Uint8Array): Promise<readonly OpenRun[]> {
  return (await readInputs(core, [{ name, source: bytesSource(bytes) }])).runs;
}

/** All calls with their frames, by id; their frames become samples, too. */
export async function callsOf(core: Core, runs: readonly OpenRun[]): Promise<Map<string, ReadCall>> {
  const dumps = await core.dumps();
  const calls = new Map<number, ReadCall>();
  for (let i = 1; i <= dumps.callCount; i++) {
    const row = dumps.call(i);
    calls.set(i, { ...callOf(i, row, dumps.runs, dumps.word(row.run, row.method)), frames: [] });
  }
  for (const open of runs) {
    const reading = { dumps, note: () => {}, breathe: async () => true };
    await readFrames(reading, open, () => true, "list");
    for (const { call, method, start, total, self, suspended, depth, params } of dumps.listed(open.number)) {
      calls.get(call)?.frames.push({
        depth,
        method: method === null ? null : dumps.word(open.number, method),
        start: Number(start),
        total: Number(total),
        self: Number(self),
        suspended: Number(suspended),
        params: { ...params },
      });
    }
  }
  await sampleFrames(core, runs, () => true);
  return new Map([...calls.values()].map((call) => [call.id, call]));
}

/** Value of a profile of dumps, 0 without samples. */
export function sumOf(core: Core, type: string): number {
  return Number(core.profiles().find((profile) => profile.type === type)?.value ?? 0n);
}

export function codesOf(core: Core): string[] {
  return core
    .diagnostics()
    .map(({ code }) => code)
    .toSorted();
}
