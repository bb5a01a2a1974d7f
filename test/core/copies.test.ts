/** Contents that several inputs have: each counts once, in any order and packing. */
import { readFileSync } from "node:fs";
import { gzipSync, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import { StreamSource } from "../../src/bytes/stream-source.ts";
import type { Core } from "../../src/core/core.ts";
import { readOnlyNeeded } from "../../src/core/reading/read-filter.ts";
import { readInputs } from "../../src/input/open.ts";
import { countedChunks } from "../../src/model/recording/about.ts";
import { fixture } from "../kit/core/read-filters.ts";
import { emptyCore, profilesOf } from "../kit/core/read-store.ts";
import { modeChunk } from "../kit/jfr/async-profiler.ts";
import { buildChunk } from "../kit/jfr/jfr-builder.ts";
import { cpuChunk } from "../kit/jfr/jfr-types.ts";
import { later } from "../kit/jfr/later.ts";
import { pprofOf } from "../kit/otlp/pprof-message.ts";

const CHUNKS = readFileSync(new URL("../../fixtures/shop-chunks.jfr", import.meta.url));
const ends: number[] = [];
for (let at = 0; at < CHUNKS.length; ) {
  at += Number(CHUNKS.readBigInt64BE(at + 8));
  ends.push(at);
}
const part = (from: number, to: number) =>
  Uint8Array.from(CHUNKS.subarray(from === 0 ? 0 : ends[from - 1], ends[to - 1]));
const whole = part(0, ends.length);
const concat = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

async function read(...files: (Uint8Array | StreamSource)[]) {
  return readInto(await emptyCore(), ...files);
}

async function readInto(core: Core, ...files: (Uint8Array | StreamSource)[]) {
  const inputs = files.map((file, i) => ({
    name: `${i}.jfr`,
    source: file instanceof Uint8Array ? bytesSource(file as Uint8Array<ArrayBuffer>) : file,
  }));
  const { readable } = await readInputs(core, inputs);
  return {
    readable,
    counts: core.profiles().map(({ type, samples, value, period }) => [type, samples, value, period]),
    codes: core.diagnostics().map(({ code }) => code),
    core,
  };
}

const stream = (bytes: Uint8Array) =>
  new StreamSource(
    (async function* () {
      yield Uint8Array.from(bytes);
    })(),
  );

describe("a chunk that several files have", () => {
  it("is of a recording of several chunks", () => expect(ends.length).toBeGreaterThan(2));

  it.each<[string, () => (Uint8Array | StreamSource)[]]>([
    ["a file twice", () => [whole, whole]],
    ["a dump and a later one", () => [part(0, 2), whole]],
    ["the later one first", () => [whole, part(0, 2)]],
    ["two windows", () => [part(0, 2), part(1, ends.length)]],
    ["one file after itself", () => [concat(whole, whole)]],
    ["chunks in another order", () => [concat(part(1, ends.length), part(0, 1)), whole]],
    ["gzip beside it", () => [gzipSync(whole), whole]],
    ["a zip of copies", () => [zipSync({ "a.jfr": whole, "b/a.jfr": whole })]],
    ["a stream beside it", () => [stream(whole), whole]],
  ])("counts once: %s", async (_, files) => {
    const { counts, codes } = await read(...files());
    expect(counts).toEqual((await read(whole)).counts);
    expect(new Set(codes)).toEqual(new Set(["source.copy"]));
  });

  it("is listed in each, with its events", async () => {
    const eventsOf = (chunks: { events: Record<string, number> }[]) => chunks.map(({ events }) => events);
    const [once] = (await read(whole)).core.files();
    const [twice, again] = (await read(concat(whole, whole), whole)).core.files();
    const events = eventsOf(once!.chunks);
    expect(eventsOf(twice!.chunks)).toEqual([...events, ...events]);
    expect(eventsOf(countedChunks(twice!))).toEqual(events);
    expect([eventsOf(again!.chunks), countedChunks(again!)]).toEqual([events, []]);
  });

  it("counts as often as there are processes with equal work", async () => {
    const { counts, codes } = await read(whole, later(whole));
    const once = (await read(whole)).counts;
    expect(counts.map(([, samples]) => samples)).toEqual(once.map(([, samples]) => 2 * Number(samples)));
    expect(codes).toEqual([]);
  });

  it("counts twice if more than its beginning differs, and its file is readable if all of it is known", async () => {
    const padded = (weight: bigint) => buildChunk(cpuChunk([{ weight }], { padding: 5 })).bytes;
    const { counts, readable } = await read(padded(5n), padded(7n), padded(5n));
    expect([counts[0]?.[2], readable]).toEqual([12n, 3]);
  });

  it("names the file in which it counts", async () => {
    const { core } = await read(whole, part(0, 1));
    expect(core.diagnostics()).toMatchObject([
      {
        severity: "info",
        file: "1.jfr",
        chunk: 0,
        message: "this chunk is in 0.jfr too: it counts once (offset 0)",
      },
    ]);
    expect(core.files().map(({ chunks, samples }) => [chunks.length, samples > 0])).toEqual([
      [ends.length, true],
      [1, false],
    ]);
  });
});

describe("a list of live objects", () => {
  const observed = (core: Core) =>
    profilesOf(core)
      .flatMap(({ type, samples }) =>
        samples.flatMap(({ values, timestamps }) => values.map((value, i) => `${type} ${timestamps[i]} ${value}`)),
      )
      .sort();
  const permutations = <T>(all: readonly T[]): T[][] =>
    all.length < 2
      ? [[...all]]
      : all.flatMap((first, i) => permutations(all.toSpliced(i, 1)).map((rest) => [first, ...rest]));
  /** The chunks of this file end with lists, as if one process had written them. */
  const [first, second, third] = ["dd152-jdk17-all", "dd122-jdk17-all", "ddagent-jdk17"].map((name) =>
    fixture(`recorded/${name}.jfr`),
  );
  const all = concat(first!, second!, third!);
  const early = concat(first!, second!);
  const late = concat(second!, third!);
  const cut = (bytes: Uint8Array) => bytes.slice(0, -5000);
  const sets: [string, Uint8Array[]][] = [
    ["a dump and a later one", [early, all]],
    ["two windows", [early, late]],
    ["two that share no chunk, and one that joins them", [first!, late, early]],
    ["one whose last chunk is cut off", [cut(early), late, early]],
    ["a cut one that another joins", [cut(early), late]],
    ["a dump, a part in gzip, and the chunks in another order", [first!, gzipSync(all), concat(third!, first!)]],
  ];
  const orders = sets.flatMap(([name, files]) =>
    permutations([...files.keys()]).map((order) => [`${name}: ${order}`, order.map((i) => files[i]!)] as const),
  );

  it.each(orders)("counts as in one file: %s", async (_, files) => {
    const one = await read(all);
    const { counts, core } = await read(...files);
    expect(one.counts.find(([type]) => type === "live-heap")?.[1]).toBeGreaterThan(0);
    expect(counts).toEqual(one.counts);
    expect(observed(core)).toEqual(observed(one.core));
    expect(core.files().reduce((sum, { samples }) => sum + samples, 0)).toBe(core.samples());
    const counted = await emptyCore();
    readOnlyNeeded(counted, { filter: {}, stacks: true, all: true, single: false });
    expect((await readInto(counted, ...files)).counts).toEqual(one.counts);
  });

  it("counts once for each process", async () => {
    const { counts } = await read(early, later(all), all);
    expect(counts).toEqual((await read(all, later(all))).counts);
  });
});

describe("a chunk that is cut off in one file", () => {
  const first = ends[0] ?? 0;
  const cut = whole.slice(0, first - 5000);
  it.each<[string, () => (Uint8Array | StreamSource)[]]>([
    ["after the whole", () => [whole, whole.subarray(0, first - 5000)]],
    ["before the whole", () => [whole.subarray(0, first - 5000), whole]],
    ["before the whole in gzip", () => [whole.subarray(0, first - 5000), gzipSync(whole)]],
    ["twice, before the whole", () => [whole.subarray(0, first - 9000), whole.subarray(0, first - 5000), whole]],
    ["in gzip, before the whole", () => [gzipSync(whole.subarray(0, first - 5000)), whole]],
    ["before the whole in an archive", () => [cut, zipSync({ "a.txt": whole.subarray(70, 90), "b.jfr": whole })]],
    ["in one archive with the whole", () => [zipSync({ "a.jfr": cut, "b.jfr": gzipSync(whole) })]],
    ["before the whole in a file of another format", () => [cut, concat(Uint8Array.of(1, 2, 3, 4, 5), whole)]],
    ["before the whole in a stream", () => [cut, stream(whole)]],
    ["in a stream, before the whole in one", () => [stream(cut), stream(gzipSync(whole))]],
    ["before a part in gzip and the whole in a stream", () => [cut, gzipSync(cut.slice(0, -9)), stream(whole)]],
  ])("counts where it is whole: %s", async (_, files) => {
    const { counts, codes } = await read(...files());
    expect(counts).toEqual((await read(whole)).counts);
    expect(codes).toContain("source.copy");
    expect(codes).not.toContain("source.copy.cut");
  });

  it("counts in a file where another chunk follows it, if no file has more of it", async () => {
    const small = buildChunk(cpuChunk([{ weight: 3n }])).bytes;
    const joined = concat(part(0, 1).slice(0, -5000), small);
    expect((await read(joined)).core.files()[0]?.chunks).toHaveLength(2);
    const { counts, codes } = await read(joined, part(1, 2));
    expect(counts).toEqual((await read(part(0, 1).slice(0, -5000), small, part(1, 2))).counts);
    expect(codes).not.toContain("source.copy");
    // Another file has all of it.
    expect((await read(joined, part(0, 1))).counts).toEqual((await read(part(0, 1), small)).counts);
  });

  it("has the bytes up to the next chunk in a compressed file, too", async () => {
    const small = buildChunk(cpuChunk([{ weight: 3n }])).bytes;
    const joined = gzipSync(concat(part(0, 1).slice(0, -6000), small, small));
    expect((await read(part(0, 1).slice(0, -5000), joined)).counts).toEqual((await read(cut, small)).counts);
  });

  it("counts once with a warning if the whole one comes later in the same stream", async () => {
    const { counts, codes } = await read(stream(zipSync({ "a.jfr": cut, "b.jfr": part(0, 1) })));
    expect(counts).toEqual((await read(cut)).counts);
    expect(codes).toContain("source.copy.cut");
  });
});

describe("settings of a chunk that is not read again", () => {
  it("hold for the later chunks of its file", async () => {
    const stated = buildChunk(modeChunk("cpu", [1n])).bytes;
    const silent = buildChunk({ ...modeChunk("", [1n, 1n]), startNanos: 1_700_000_001_000_000_000n }).bytes;
    const both = concat(stated, silent);
    expect((await read(stated, both)).counts).toEqual((await read(both)).counts);
    expect((await read(both)).counts[0]?.[3]).not.toBe(0n);
  });
});

describe("a message that several files have", () => {
  const spec = { samples: [{ stack: ["a"], values: [3] }], types: [["samples", "count"]] as [string, string][] };

  it.each<[string, string, bigint]>([
    ["counts once", "1700000000000000000", 3n],
    ["counts each time if it states no time", "0", 6n],
  ])("%s", async (_, timeNanos, value) => {
    const bytes = pprofOf({ ...spec, timeNanos });
    const { counts, readable } = await read(bytes, gzipSync(bytes));
    expect([counts[0]?.[2], readable]).toEqual([value, 2]);
  });
});
