/** Files with every invocation of named calls, for the page's downloads. */
import type { Core } from "../../core/core.ts";
import type { Dumps, ListedFrame } from "../../core/dumps/dump.ts";
import { formatRow } from "../../core/tables/formats.ts";
import type { Filter } from "../../core/types.ts";
import { VERSION } from "../../core/version.ts";
import type { OpenRun } from "../../input/dump/read-dumps.ts";
import { readFrames } from "../../input/dump/read-run.ts";
import { callOf } from "../../model/calls/call.ts";
import { byFigure } from "../../model/calls/call-orders.ts";
import { invocationFormat, namesCalls } from "../../model/calls/export/invocations.ts";
import type { ListedCall } from "../../model/calls/export/listed-call.ts";
import { invocationParts } from "../../model/calls/export/writers.ts";
import type { Download, DownloadRequest } from "../api/api.ts";
import { Refusal } from "../refusal.ts";
import { packed } from "../writing.ts";
import type { CallSamples } from "./call-samples.ts";

/** Frames of a file: each takes about a hundred bytes of it, and more of memory. */
const MOST_FRAMES = 2_000_000;

interface Store {
  core: Core;
  dumps: Dumps;
  runs: readonly OpenRun[];
  samples: CallSamples;
}

/** The file of a request; null if it has samples. */
export async function invocationFile(
  store: Store,
  { filter, options, profile, gzip }: DownloadRequest,
): Promise<Download | null> {
  const { core, dumps } = store;
  const type = profile === null ? null : (core.profiles().find(({ id }) => id === profile)?.type ?? "");
  const { shape } = options;
  const format = invocationFormat({ format: options.format, isNamed: namesCalls(filter), type, filter, shape });
  if (format === null) return null;
  const calls = await store.samples.exclusive(() => listedCalls(store, filter));
  if (calls.length === 0) return null;
  const parts = [...invocationParts(format, calls, (run, id) => dumps.word(run, id), `spanflame ${VERSION}`)];
  const file = new Blob(parts, { type: formatRow(format).mediaType });
  const invocations = calls.reduce((sum, { frames }) => sum + frames.length, 0);
  return {
    profiles: calls.length,
    samples: invocations,
    observations: invocations,
    size: file.size,
    blob: gzip ? await packed(file) : file,
    invocations,
  };
}

async function listedCalls({ dumps, runs, samples }: Store, filter: Filter): Promise<ListedCall[]> {
  const calls = Array.from(samples.callsOf(filter), (number) => {
    const row = dumps.call(number);
    return callOf(number, row, dumps.runs, dumps.word(row.run, row.method));
  }).sort(byFigure("start"));
  const frames = calls.reduce((sum, { enters }) => sum + enters, 0);
  if (frames > MOST_FRAMES) {
    const words = `These calls have ${frames} frames, and a file of the page at most ${MOST_FRAMES}.`;
    throw new Refusal("calls.large", `${words} Select fewer calls, or run \`spanflame convert --call\`.`);
  }
  const lists = new Map<number, ListedFrame[]>(calls.map(({ number }) => [number, []]));
  for (const open of runs) {
    if (!calls.some(({ runNumber }) => runNumber === open.number)) continue;
    const reading = { dumps, note: () => {}, breathe: async () => true };
    await readFrames(reading, open, (call) => lists.has(call), "list");
    for (const frame of dumps.listed(open.number)) lists.get(frame.call)?.push(frame);
  }
  return calls.map((call) => ({ call, frames: lists.get(call.number) ?? [] }));
}
