/** A range of time has the samples without a time of the profiles that it contains. */
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { openSamples } from "../../../src/core/samples/sample-reader.ts";
import { readInputs } from "../../../src/input/open.ts";
import { HeldCore } from "../../../src/requests/held-core.ts";
import { emptyCore } from "../../kit/core/read-store.ts";
import { pprofOf } from "../../kit/otlp/pprof-message.ts";
import { readPprof } from "../../kit/otlp/pprof-schema.ts";

const SECOND = 1_000_000_000n;
const START = 1_700_000_000n * SECOND;

/** Minute `minute` of the profiler, with as many samples; `timed`: with a sample that has a time. */
function minuteOf(minute: number, samples: number, timed = false): Uint8Array {
  const time = START + 60n * SECOND * BigInt(minute);
  const labels = timed ? { end_timestamp_ns: time + SECOND } : {};
  return pprofOf({
    types: [["cpu", "count"]],
    samples: Array.from({ length: samples }, (_, i) => ({ stack: [`f${i}`], values: [1], labels })),
    timeNanos: String(time),
    durationNanos: String(60n * SECOND),
  });
}

async function read(...files: Uint8Array[]): Promise<Core> {
  const core = await emptyCore();
  await readInputs(
    core,
    files.map((bytes, i) => ({ name: `${i}.pprof`, source: bytesSource(bytes) })),
  );
  return core;
}

const minutes = (from: number, to: number) => ({
  from: START + 60n * SECOND * BigInt(from),
  to: START + 60n * SECOND * BigInt(to),
});

/** Samples of the range by the selection, by single samples and in an output. */
async function within(core: Core, from: number, to: number, file?: string): Promise<number[]> {
  const filter = { time: minutes(from, to), ...(file !== undefined && { file }) };
  const id = core.profiles()[0]!.id;
  const selected = core.select(id, filter).samples;
  let read = 0;
  (await openSamples(new HeldCore(core))).each(id, filter, () => read++);
  const { samples } = readPprof(core.write(id, filter, { format: "pprof" }).bytes);
  return [selected, read, samples.reduce((sum, { values }) => sum + Number(values[0]), 0)];
}

describe("samples without a time", () => {
  it("are in ranges that contain all of their profile", async () => {
    const core = await read(minuteOf(0, 3), minuteOf(1, 4), minuteOf(5, 5));
    expect(await within(core, 0, 2)).toEqual([7, 7, 7]);
    expect(await within(core, 1, 6)).toEqual([9, 9, 9]);
    expect(await within(core, 1, 2)).toEqual([4, 4, 4]);
    expect(await within(core, -1, 9)).toEqual([12, 12, 12]);
    expect(await within(core, 2, 5)).toEqual([0, 0, 0]);
  });

  it("are in no range that cuts their profile", async () => {
    const core = await read(minuteOf(0, 3));
    const half = { from: START, to: START + 30n * SECOND };
    expect(core.select(null, { time: half }).samples).toBe(0);
    expect(core.select(null, { time: minutes(0, 1) }).samples).toBe(3);
  });

  it("of one file are those of its range", async () => {
    const core = await read(minuteOf(0, 3), minuteOf(1, 4));
    expect(await within(core, 0, 2, "1.pprof")).toEqual([4, 4, 4]);
    expect(await within(core, 0, 1, "1.pprof")).toEqual([0, 0, 0]);
  });

  it("beside samples with a time are in no range", async () => {
    const core = await read(minuteOf(0, 3), minuteOf(1, 4, true));
    expect(await within(core, 0, 2)).toEqual([4, 4, 4]);
  });
});
