import { expect, it } from "vitest";
import { readFolder } from "../../../test/kit/cdt/cdt-reading.ts";
import { asFolder, type WrittenCall, writeStreams } from "../../../test/kit/cdt/cdt-writer.ts";
import { emptyCore } from "../../../test/kit/core/read-store.ts";
import { bytesSource } from "../../bytes/byte-source.ts";
import type { Core } from "../../core/core.ts";
import type { OpenRun } from "./read-dumps.ts";
import { readFrames } from "./read-run.ts";

const START = Date.UTC(2024, 1, 3);
/** The head of a trace file: its time. */
const HEAD = 8;

const calls = Array.from({ length: 60 }, (_, i): WrittenCall => {
  const child = { method: `void shop.Tax${i % 4}.rate()`, before: 1, after: 2, children: [] };
  return {
    threadId: 1,
    thread: "http-1",
    at: START + 1000 * i,
    root: { method: "void shop.Cart.run()", before: 0, after: 10 + i, children: [child] },
    isRecorded: true,
    reactive: 0,
    params: {},
  };
});

/** The frames of call `wanted`, as [depth, method, start, total]. */
async function framesOf(core: Core, open: OpenRun, wanted: number): Promise<[number, string, number, number][]> {
  const dumps = await core.dumps();
  const reading = { dumps, note: () => {}, breathe: async () => true };
  expect(await readFrames(reading, open, (call) => call === wanted, "list")).toBe(true);
  return dumps
    .listed(open.number)
    .map(({ depth, method, start, total }) => [depth, dumps.word(open.number, method!), Number(start), Number(total)]);
}

it("the frames of a call are read from its block on: earlier blocks are not read again", async () => {
  const { streams } = writeStreams({ calls, start: START, eventsPerBlock: 10 });
  const core = await emptyCore();
  const [open] = await readFolder(core, asFolder(streams, "dump/web/2024/02/03/1", false));
  const dumps = await core.dumps();
  const wanted = 50;
  const { offset, start } = dumps.call(wanted);
  expect(offset).toBeGreaterThan(100);
  // Whatever is between the head of the file and the block of the call.
  const files = open!.run.files.map((file) => {
    const bytes = streams.trace![file.index - 1]!.slice().fill(0xff, HEAD, offset);
    return file.path.includes("/trace/") ? { ...file, open: () => bytesSource(bytes) } : file;
  });
  const damaged = { ...open!, run: { ...open!.run, files } };
  const frames = await framesOf(core, damaged, wanted);
  expect(frames).toEqual(await framesOf(core, open!, wanted));
  const at = Number(start);
  expect(frames.map(([depth, , from]) => [depth, from])).toEqual([
    [0, at],
    [1, at + 1],
  ]);
  expect(frames[1]![1]).toMatch(/shop\.Tax\d\.rate/);
});
