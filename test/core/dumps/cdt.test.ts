/** Dumps of Cloud Profiler from the independent writer: calls and frames against a plain walk over their trees. */
import fc from "fast-check";
import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { framesOf, pausedWithin } from "../../kit/cdt/cdt-model.ts";
import { callsOf, codesOf, readFile, readFolder, sumOf } from "../../kit/cdt/cdt-reading.ts";
import {
  asCapture,
  asFolder,
  asStreamFiles,
  asZip,
  Bytes,
  countOf,
  FIGURES,
  type Key,
  LOGS,
  spanOf,
  type Writing,
  type WrittenCall,
  type WrittenFrame,
  writeStreams,
} from "../../kit/cdt/cdt-writer.ts";
import { emptyCore } from "../../kit/core/read-store.ts";

const START = Date.UTC(2024, 1, 3);
const DAY = 86_400_000;
const FOLDER = `dump/web/2024/02/03/${START}`;
const METHODS = ["a", "b", "c", "d"].map(
  (name, i) => `void shop.Cart.${name}(int,java.lang.String) (Cart.java:${i}) [shop.jar]`,
);

const leaf = (method: string, after: number, before = 0): WrittenFrame => ({ method, before, after, children: [] });
const call = (root: WrittenFrame, more: Partial<WrittenCall> = {}): WrittenCall => ({
  threadId: 1,
  thread: "main",
  at: START + 1000,
  root,
  isRecorded: true,
  reactive: 0,
  params: {},
  ...more,
});

const idOf = ({ file, offset, ordinal }: Key, run: string) => `${run}:${file}:${offset}:${ordinal}`;

/** Checks all calls of a read core against those that were written. */
async function expectCalls(
  core: Awaited<ReturnType<typeof emptyCore>>,
  of: Writing,
  keys: Map<WrittenCall, Key>,
  runs: Parameters<typeof callsOf>[1],
  label: string,
): Promise<void> {
  const read = await callsOf(core, runs);
  const format = of.format ?? 4;
  expect(read.size).toBe(of.calls.length);
  const sums = { wall: 0, net: 0, suspension: 0, invocations: 0 };
  for (const written of of.calls) {
    const got = read.get(idOf(keys.get(written)!, label))!;
    const wall = Math.max(0, spanOf(written.root));
    const start = written.at + written.root.before;
    const duration = wall + (written.isRecorded ? written.reactive : 0);
    const since = (least: number, value: number) => (written.isRecorded && format >= least ? BigInt(value) : null);
    expect(got).toMatchObject({
      method: written.root.method,
      recorded: written.isRecorded,
      tree: "whole",
      thread: written.thread,
      threadId: BigInt(written.threadId),
      start: BigInt(start),
      duration: BigInt(duration),
      suspension: BigInt(pausedWithin(of, start, start + duration)),
      treeWall: BigInt(wall),
      enters: countOf(written.root),
      cpu: since(2, FIGURES.cpu),
      wait: since(2, FIGURES.wait),
      memory: since(2, FIGURES.memory),
      fileRead: since(3, FIGURES.io[0]!),
      netWritten: since(3, FIGURES.io[3]!),
      logsGenerated: since(1, LOGS.generated),
      logsWritten: since(1, LOGS.written),
      queue: since(4, FIGURES.queue),
    });
    const params = written.isRecorded ? written.params : {};
    expect({ ...got.params }).toEqual(params);
    const { from, to } = (await core.dumps()).pausesWithin(got.runNumber, start, start + duration);
    const lengths = Array.from(from, (at, i) => Math.min(to[i]!, start + duration) - Math.max(at, start));
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(pausedWithin(of, start, start + duration));
    expect(lengths.every((length, i) => length > 0 && (i === 0 || from[i]! > to[i - 1]!))).toBe(true);
    const model = framesOf(of, written);
    expect(got.frames.map(({ params: _, ...frame }) => frame)).toEqual(model);
    for (const { method, self, suspended } of model) {
      sums.wall += self * 1e6;
      sums.suspension += suspended * 1e6;
      sums.net += (self - suspended) * 1e6;
      sums.invocations += method === null ? 0 : 1;
    }
  }
  for (const [type, sum] of Object.entries(sums)) expect([type, sumOf(core, type)]).toEqual([type, sum]);
}

/** Trees of at most this many levels. */
function trees(levels: number): fc.Arbitrary<WrittenFrame> {
  return fc.record({
    method: fc.constantFrom(...METHODS),
    // The clock may be set back.
    before: fc.oneof({ weight: 8, arbitrary: fc.nat(40) }, fc.integer({ min: -20, max: 3000 })),
    after: fc.oneof({ weight: 8, arbitrary: fc.nat(40) }, fc.integer({ min: -20, max: 500 })),
    children: levels === 1 ? fc.constant([]) : fc.array(trees(levels - 1), { maxLength: 3 }),
  });
}

const CALL = fc.record({
  threadId: fc.integer({ min: 1, max: 3 }),
  at: fc.nat(5000),
  root: trees(5),
  isRecorded: fc.boolean(),
  reactive: fc.constantFrom(0, 0, 7),
  params: fc.dictionary(
    fc.constantFrom("url", "profiler.title"),
    fc.array(fc.constantFrom("/a", "\u{1f600}"), { minLength: 1, maxLength: 2 }),
  ),
});

const WRITING = fc.record({
  calls: fc.array(CALL, { minLength: 1, maxLength: 8 }),
  pauses: fc.array(fc.tuple(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 300 })), { maxLength: 8 }),
  format: fc.nat(4),
  eventsPerBlock: fc.constantFrom(1, 2, 5, 100),
  blocksPerFile: fc.constantFrom(1, 3, 1000),
  callsPerFile: fc.constantFrom(1, 2, 1000),
  textsPerFile: fc.constant(2),
  dictionary: fc.constantFrom("dictionary" as const, "posDictionary" as const),
  isPhrased: fc.boolean(),
  age: fc.constantFrom(0, 30 * DAY, 60 * DAY),
});

describe("calls and frames of a dump", () => {
  it("are those of its trees, however it is written", async () => {
    await fc.assert(
      fc.asyncProperty(WRITING, async ({ calls, ...form }) => {
        const of: Writing = {
          ...form,
          start: START,
          calls: calls.map((each) => ({ ...each, at: START + each.at, thread: `worker-${each.threadId}` })),
        };
        const { streams, keys } = writeStreams(of);
        const core = await emptyCore();
        const runs = await readFolder(core, asFolder(streams, FOLDER, form.isPhrased));
        await expectCalls(core, of, keys, runs, `web/${START}`);
        expect(codesOf(core).filter((code) => code !== "cdt.clock.backwards" && code !== "cdt.stream.missing")).toEqual(
          [],
        );
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});

/** Two threads, a pause, tags and rotated files. */
const SHOP: Writing = {
  start: START,
  pauses: [
    [1005, 10],
    [100, 20],
  ],
  eventsPerBlock: 3,
  blocksPerFile: 2,
  textsPerFile: 1,
  isPhrased: true,
  calls: [
    call(
      {
        ...leaf(METHODS[0]!, 40),
        children: [
          {
            ...leaf(METHODS[1]!, 9, 2),
            tags: [
              { name: "sql", value: "select 1", in: "sql" },
              { name: "sql", value: "select 2", in: "sql" },
              { name: "xml", value: "<a/>", in: "xml" },
              { name: "note", value: "\ud800x", in: "trace" },
            ],
          },
          { ...leaf(METHODS[1]!, 5, 30), tags: [{ name: "sql", value: "select 1", in: "sql" }] },
        ],
      },
      { params: { url: ["/cart"], "call.red": ["1"] }, reactive: 12 },
    ),
    call(leaf(METHODS[2]!, 25), { threadId: 2, thread: "other", at: START + 1010, isRecorded: false }),
  ],
};

describe("a dump in each container", () => {
  const { streams, keys } = writeStreams(SHOP);
  it("a folder of decompressed files", async () => {
    const core = await emptyCore();
    await expectCalls(core, SHOP, keys, await readFolder(core, asFolder(streams, FOLDER, false)), `web/${START}`);
  });
  it("files of a collector", async () => {
    const core = await emptyCore();
    await expectCalls(core, SHOP, keys, await readFolder(core, asStreamFiles(streams, "shop-1")), "shop-1");
  });
  it.each(["/", "\\"] as const)("an archive with the separator %s", async (separator) => {
    const core = await emptyCore();
    const runs = await readFile(core, "export.zip", asZip(streams, `web/2024/02/03/${START}`, separator));
    await expectCalls(core, SHOP, keys, runs, `web/${START}`);
  });
  it("an archive of a collector's files", async () => {
    const core = await emptyCore();
    const runs = await readFile(core, "export.zip", zipSync(asStreamFiles(streams, "shop-1")));
    await expectCalls(core, SHOP, keys, runs, "shop-1");
  });
  it("a capture", async () => {
    const core = await emptyCore();
    await expectCalls(core, SHOP, keys, await readFile(core, "c", asCapture(streams, "shop-1_1")), "shop-1_1");
    expect(core.files().map(({ name, format, resource }) => [name, format, resource])).toEqual([
      [
        "shop-1_1",
        "cdt",
        {
          "service.name": "shop",
          "service.instance.id": "shop-1_1",
          "k8s.namespace.name": "prod",
          "k8s.pod.name": "shop-1",
        },
      ],
    ]);
  });
  it("resolves large texts, and a lone surrogate becomes U+FFFD", async () => {
    const core = await emptyCore();
    const read = [...(await callsOf(core, await readFolder(core, asStreamFiles(streams, "shop-1")))).values()];
    expect(read[0]?.frames.map(({ params }) => params)).toEqual([
      { "java.thread": ["main"] },
      { sql: ["select 1", "select 2"], xml: ["<a/>"], note: ["\ufffdx"] },
      { sql: ["select 1"] },
      {},
    ]);
    expect(read.map(({ name }) => name)).toEqual(["shop.Cart.a", "shop.Cart.c"]);
  });
});

it("a stack has at most 2,048 frames; deeper ones count for the last of them", async () => {
  const depth = 100_000;
  const { streams } = writeStreams({ start: START, calls: [call(leaf(METHODS[0]!, 1))] });
  const trace = new Bytes().long(START).long(1).long(START);
  for (let i = 0; i < depth; i++) trace.byte(1 << 2).varint(1);
  for (let i = 0; i < depth; i++) trace.byte(1 | (1 << 2));
  trace.byte(3);
  const core = await emptyCore();
  const runs = await readFolder(core, asFolder({ ...streams, calls: [], trace: [trace.done()] }, FOLDER));
  const [read] = (await callsOf(core, runs)).values();
  expect(read?.frames.length).toBe(depth);
  expect(codesOf(core)).toContain("cdt.trace.deep");
  expect(sumOf(core, "wall")).toBe((2 * depth - 1) * 1e6);
  expect(sumOf(core, "invocations")).toBe(depth);
  const { bytes } = core.write(core.profiles()[0]!.id, {}, { format: "collapsed" });
  const lines = new TextDecoder().decode(bytes).trimEnd().split("\n");
  expect(Math.max(...lines.map((line) => line.split(";").length))).toBeLessThanOrEqual(2049);
  expect(lines.length).toBe(2048);
});
