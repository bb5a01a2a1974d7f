/** The time of each file, and strips and threads of one file beside others. */
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { recordedNanos, recordedParts, recordedSpan, recordedTime } from "../../../src/core/tables/recorded-time.ts";
import { readInputs } from "../../../src/input/open.ts";
import { emptyCore } from "../../kit/core/read-store.ts";
import { buildChunk, type ChunkSpec } from "../../kit/jfr/jfr-builder.ts";
import { type CpuSample, cpuChunk, type Thread } from "../../kit/jfr/jfr-types.ts";
import { pprofOf } from "../../kit/otlp/pprof-message.ts";

const SECOND = 1_000_000_000n;
const START = 1_700_000_000n * SECOND;
/** Where the tick clock of every chunk begins: events may have begun before. */
const TICKS = 1000n * SECOND;

const thread = (name: string): Thread => ({ javaName: name, javaId: 1n, osName: name, osId: 2n });

/** A chunk of so many seconds, with samples at seconds after its start. */
function chunk(startSecond: number, seconds: number, at: number[], name = "main", rest: Partial<ChunkSpec> = {}) {
  const samples = at.map(
    (second): CpuSample => ({
      at: TICKS + BigInt(Math.round(second * 1e9)),
      thread: thread(name),
    }),
  );
  const times = { startNanos: START + BigInt(startSecond) * SECOND, durationNanos: BigInt(seconds) * SECOND };
  return buildChunk(cpuChunk(samples, { ...times, startTicks: TICKS, ticksPerSecond: SECOND, ...rest })).bytes;
}

async function open(files: Record<string, Uint8Array[]>) {
  const core = await emptyCore();
  const inputs = Object.entries(files).map(([name, chunks]) => ({
    name,
    source: bytesSource(Uint8Array.from(chunks.flatMap((bytes) => [...bytes]))),
  }));
  await readInputs(core, inputs);
  const rows = core.views.timeRows();
  const cpu = core.profiles().find(({ type }) => type === "cpu")!.id;
  core.select(cpu, {});
  const seconds = rows.map(({ file, from, to }) => [file, Number(from - START) / 1e9, Number(to - START) / 1e9]);
  return { core, rows, cpu, seconds };
}

describe("rows of time", () => {
  it("M7: are what the chunks cover, whenever events began", async () => {
    const { core, rows, cpu, seconds } = await open({ a: [chunk(0, 10, [-36 * 25, 1, 2]), chunk(10, 10, [3])] });
    expect(seconds).toEqual([["a", 0, 20]]);
    const { before, after, strips } = core.views.timeline(cpu, 20, [], rows[0]!);
    expect([before, after]).toEqual([1, 0]);
    expect([...strips[0]!.samples].flatMap((n, i) => (n > 0 ? [i] : []))).toEqual([1, 2, 13]);
  });

  it("end with the last sample where a chunk is longer than it says, and not with a stray one", async () => {
    expect((await open({ a: [chunk(0, 10, [1, 12.5])] })).seconds).toEqual([["a", 0, 12.500000001]]);
    const { core, rows, cpu, seconds } = await open({ a: [chunk(0, 10, [1, 99])] });
    expect(seconds).toEqual([["a", 0, 10]]);
    expect(core.views.timeline(cpu, 10, [], rows[0]!).after).toBe(1);
  });

  it("are one for each part of a file whose chunks are far apart, and for each file, in the order of time", async () => {
    const { seconds } = await open({
      late: [chunk(5000, 10, [1])],
      early: [chunk(0, 10, [1]), chunk(3600, 10, [1])],
    });
    expect(seconds).toEqual([
      ["early", 0, 10],
      ["early", 3600, 3610],
      ["late", 5000, 5010],
    ]);
  });

  it("are the time of the samples where no chunk says how long it is, or where none has a sample", async () => {
    expect((await open({ a: [chunk(0, 0, [1, 3])] })).seconds).toEqual([["a", 1, 3.000000001]]);
    const { seconds } = await open({ a: [chunk(0, 10, [1])], b: [chunk(0, 10, [500, 501])] });
    expect(seconds).toEqual([
      ["a", 0, 10],
      ["b", 500, 501.000000001],
    ]);
  });

  it("are one moment where the only sample is of the first nanosecond of 1970", async () => {
    expect((await open({ a: [chunk(0, 10, [Number(-START / SECOND)])] })).rows).toMatchObject([{ from: 0n, to: 1n }]);
  });

  it("are none without a sample", async () => {
    const core = await emptyCore();
    await readInputs(core, [{ name: "a", source: bytesSource(chunk(0, 10, [])) }]);
    expect(core.views.timeRows()).toEqual([]);
  });
});

it("parts are apart by more than the file recorded in all", () => {
  const at = (start: number, seconds: number) => ({
    version: "2.1",
    bytes: 0,
    startUnixNano: BigInt(start) * SECOND,
    durationNano: BigInt(seconds) * SECOND,
    events: {},
  });
  const parts = (...chunks: ReturnType<typeof at>[]) =>
    recordedParts({ chunks, messages: [] })?.map(({ from, to }) => [Number(from / SECOND), Number(to / SECOND)]);
  expect(parts(at(30, 10), at(0, 10))).toEqual([[0, 40]]);
  expect(parts(at(31, 10), at(0, 10))).toEqual([
    [0, 10],
    [31, 41],
  ]);
  // One chunk within another.
  expect(parts(at(0, 60), at(10, 10))).toEqual([[0, 60]]);
  expect(parts(at(0, 10), at(20, 0))).toBeUndefined();
});

describe("of two files at the same time", () => {
  const files = () => open({ a: [chunk(0, 10, [1, 2, 2], "worker")], b: [chunk(0, 10, [2, 7], "other")] });

  it("each has its own strip", async () => {
    const { core, rows, cpu } = await files();
    const strips = rows.map((row) => [...core.views.timeline(cpu, 10, [], row).strips[0]!.samples]);
    expect(strips).toEqual([
      [0, 1, 2, 0, 0, 0, 0, 0, 0, 0],
      [0, 0, 1, 0, 0, 0, 0, 1, 0, 0],
    ]);
    // Without a row they are together.
    const { from, to } = rows[0]!;
    expect([...core.views.timeline(cpu, 10, [], { from, to }).strips[0]!.samples]).toEqual([
      0, 1, 3, 0, 0, 0, 0, 1, 0, 0,
    ]);
  });

  it("each has its own threads, with what the selection has of them", async () => {
    const { core, rows, cpu } = await files();
    const threadsOf = (row: (typeof rows)[number]) =>
      core.views.threads(cpu, row).rows.map(({ name, samples, all, selected }) => [name, samples, all, selected]);
    expect(rows.map(threadsOf)).toEqual([[["worker", 3, 3n, 3n]], [["other", 2, 2n, 2n]]]);
    core.select(cpu, { file: "b" });
    expect(rows.map(threadsOf)).toEqual([[["worker", 3, 3n, 0n]], [["other", 2, 2n, 2n]]]);
  });

  it("each has its own gaps", async () => {
    const { core, rows } = await open({
      a: [
        chunk(
          0,
          60,
          Array.from({ length: 60 }, (_, i) => i),
        ),
      ],
      b: [chunk(0, 60, [0, 1, 2, 3, 50, 51, 52])],
    });
    expect(rows).toHaveLength(2);
    const gaps = core.views.marks().gaps.map(({ file, at, nanos }) => [file, at / 1e9, nanos / 1e9]);
    expect(gaps).toEqual([["b", 3, 47]]);
  });
});

describe("the time that a file of messages states", () => {
  const pprof = (seconds: number, duration: number) =>
    pprofOf({
      types: [["cpu", "nanoseconds"]],
      samples: [{ stack: ["f", "main"], values: [7] }],
      timeNanos: String(START + BigInt(seconds) * SECOND),
      durationNanos: String(BigInt(duration) * SECOND),
    });
  const stated = async (...files: Uint8Array[]) => {
    const core = await emptyCore();
    await readInputs(
      core,
      files.map((bytes, i) => ({ name: `${i}`, source: bytesSource(bytes) })),
    );
    return core;
  };

  it("is that of each pprof profile", async () => {
    const core = await stated(pprof(10, 30), pprof(100, 5), pprof(7, 0));
    const [first, second, third] = core.files();
    expect(first?.messages).toMatchObject([{ startUnixNano: START + 10n * SECOND, durationNano: 30n * SECOND }]);
    expect(recordedNanos(second!)).toBe(5n * SECOND);
    expect(recordedNanos(first!, { from: START, to: START + 15n * SECOND })).toBe(5n * SECOND);
    expect([recordedNanos(third!), recordedSpan(third!)]).toEqual([
      null,
      { startUnixNano: START + 7n * SECOND, durationNano: 0n },
    ]);
    expect(recordedTime(core.files())).toEqual({ from: START + 7n * SECOND, to: START + 105n * SECOND });
  });

  it("is that of OTLP without timestamps, as it is written of a recording", async () => {
    const recording = (await open({ "a.jfr": [chunk(3, 20, [4, 9])] })).core;
    const core = await stated(recording.write(null, {}, { format: "otlp", preset: "aggregated" }).bytes);
    expect(core.views.timeBounds()).toBeNull();
    expect(recordedSpan(core.files()[0]!)).toEqual(recordedSpan(recording.files()[0]!));
  });

  it("is unknown of collapsed stacks", async () => {
    const core = await stated(new TextEncoder().encode("main;work 2\n"));
    expect([recordedNanos(core.files()[0]!), recordedTime(core.files())]).toEqual([null, null]);
  });
});
