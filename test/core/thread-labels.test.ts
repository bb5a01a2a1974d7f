/** A thread is its id, and its name a label: rows by thread, filters and counts. */
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import type { Core } from "../../src/core/core.ts";
import { readOnlyNeeded } from "../../src/core/reading/read-filter.ts";
import { readInputs } from "../../src/input/open.ts";
import { openFiles } from "../../src/requests/open-files.ts";
import { emptyCore } from "../kit/core/read-store.ts";
import { MESSAGES } from "../kit/formats.ts";
import { buildChunk } from "../kit/jfr/jfr-builder.ts";
import { cpuChunk } from "../kit/jfr/jfr-types.ts";
import { encode } from "../kit/otlp/resolve.ts";

type Thread = NonNullable<Parameters<typeof cpuChunk>[0][number]["thread"]>;

async function open(...files: Uint8Array[]): Promise<Core> {
  const core = await emptyCore();
  const sources = files.map((bytes, i) => ({ name: `file ${i}`, source: bytesSource(bytes) }));
  await openFiles(core, { recordings: () => readInputs(core, sources) });
  return core;
}

/** A chunk that begins in a second of the recording, with a sample for each thread given. */
function chunk(second: number, threads: Thread[]): Uint8Array {
  const startNanos = 1_700_000_000_000_000_000n + BigInt(second) * 1_000_000_000n;
  const samples = threads.map((thread) => ({ thread, weight: 1n }));
  return new Uint8Array(buildChunk(cpuChunk(samples, { startNanos })).bytes);
}

const joined = (...chunks: Uint8Array[]) => new Uint8Array(Buffer.concat(chunks));

/** Labels of threads, and their values, which are 1 for each sample; every sample has a thread here. */
function rowsOf(core: Core): [label: string, samples: number][] {
  const [{ id, samples, threads }] = core.profiles() as [ReturnType<Core["profiles"]>[number]];
  core.select(id, {});
  const { rows } = core.views.rank({ kind: "attribute", key: "thread.name" }, 0, 1000);
  const lanes = core.views.threads(id);
  const ofRows = rows.map(({ label, samples }): [string, number] => [label, samples]).sort();
  expect(ofRows.reduce((sum, [, samples]) => sum + samples, 0)).toBe(samples);
  for (const [label, count] of ofRows) {
    const own = lanes.rows.filter(({ name }) => name === label);
    expect(own.reduce((sum, lane) => sum + Number(lane.samples), 0)).toBe(count);
  }
  expect(rows.length).toBeLessThanOrEqual(threads);
  for (const [label, count] of ofRows) expect(by(core, label)).toBeGreaterThanOrEqual(count);
  return rows.map(({ label, value }): [string, number] => [label, Number(value)]).sort();
}

function by(core: Core, value: string): number {
  return core.select(core.profiles()[0]!.id, { attributes: [{ key: "thread.name", value }] }).samples;
}

function java(javaId: bigint, javaName: string): Thread {
  return { javaId, javaName, osId: 900n + javaId, osName: javaName };
}

const before = chunk(0, [java(27n, "worker-0"), java(28n, "worker-1")]);
const after = chunk(1, [java(27n, "job-1"), java(28n, "job-1"), java(28n, "job-1")]);
const JOBS = [
  ["job-1 #27", 2],
  ["job-1 #28", 3],
];

describe("threads of a recording", () => {
  it.each([
    ["chunks", [joined(before, after)]],
    ["chunks in another order", [joined(after, before)]],
    ["files", [after, before]],
  ])("that were renamed are one row each, with the last name: %s", async (_, files) => {
    const core = await open(...files);
    expect(rowsOf(core)).toEqual(JOBS);
    expect(JOBS.map(([label]) => by(core, String(label)))).toEqual([2, 3]);
    // By the name both; a former name is of no thread.
    expect([by(core, "job-1"), by(core, "worker-0"), core.profiles()[0]!.threads]).toEqual([5, 0, 2]);
  });

  it.each(MESSAGES)("have the same rows in %s", async (format) => {
    const core = await open(joined(before, after), chunk(2, [java(3n, ""), java(4n, "")]));
    const rows = rowsOf(core);
    expect(rows).toEqual([...JOBS, ["unnamed threads", 2]]);
    expect(rowsOf(await open(core.write(null, {}, { format }).bytes))).toEqual(rows);
  });

  it("have the same rows where observations are only counted", async () => {
    const core = await emptyCore();
    const source = bytesSource(joined(before, after));
    await openFiles(core, {
      need: () => readOnlyNeeded(core, { filter: {}, stacks: true, all: true, single: false }),
      recordings: () => readInputs(core, [{ name: "a.jfr", source }]),
    });
    expect(core.instance.wasm.observationCount.value).toBe(0);
    core.select(core.profiles()[0]!.id, {});
    const { rows } = core.views.rank({ kind: "attribute", key: "thread.name" }, 0, 10);
    expect(rows.map(({ label, samples }) => [label, samples]).sort()).toEqual(JOBS);
  });

  it("without a name share a row", async () => {
    const core = await open(chunk(0, [java(1n, "main"), java(2n, ""), java(3n, ""), java(3n, "")]));
    const rows = rowsOf(core);
    expect(rows).toEqual([
      ["main", 1],
      ["unnamed threads", 3],
    ]);
    expect([by(core, "unnamed threads"), core.profiles()[0]!.threads]).toEqual([3, 3]);
  });

  it("of the JVM and of the system with one id are two", async () => {
    const system = { javaId: 0n, javaName: null, osId: 9n, osName: "GC Thread#0" };
    expect(rowsOf(await open(chunk(0, [java(9n, "Reference Handler"), system])))).toEqual([
      ["GC Thread#0", 1],
      ["Reference Handler", 1],
    ]);
  });

  it.each([
    [100, 100],
    [101, 1],
  ])("of one name, %i of them, have %i rows", async (threads, rows) => {
    const pool = Array.from({ length: threads }, (_, i) => java(BigInt(i + 1), "pool"));
    expect(rowsOf(await open(chunk(0, pool)))).toHaveLength(rows);
  });
});

/** A message with a sample of each thread, a second apart. */
function message(threads: [name: string, id: string][], scope = "other", processes = 1): Uint8Array {
  const samples = threads.map((_, i) => ({
    stackIndex: 1,
    attributeIndices: [2 * i + 1, 2 * i + 2],
    values: ["1"],
    timestampsUnixNano: [`${1_700_000_000 + i}000000000`],
  }));
  const profile = { sampleType: { typeStrindex: 1, unitStrindex: 2 }, samples };
  const resource = (pid: number) => ({ attributes: [{ key: "process.pid", value: { intValue: `${pid}` } }] });
  return encode({
    resourceProfiles: Array.from({ length: processes }, (_, i) => ({
      resource: resource(i + 1),
      scopeProfiles: [{ scope: { name: scope }, profiles: [profile] }],
    })),
    dictionary: {
      mappingTable: [{}],
      locationTable: [{}, { lines: [{ functionIndex: 1 }] }],
      functionTable: [{}, { nameStrindex: 5 }],
      linkTable: [{}],
      stringTable: ["", "cpu", "nanoseconds", "thread.name", "thread.id", "f"],
      attributeTable: [
        {},
        ...threads.flatMap(([name, id]) => [
          { keyStrindex: 3, value: { stringValue: name } },
          { keyStrindex: 4, value: { intValue: id } },
        ]),
      ],
      stackTable: [{}, { locationIndices: [1] }],
    },
  });
}

describe("threads of messages", () => {
  const RENAMED: [string, string][] = [
    ["a long first name", "7"],
    ["last", "7"],
    ["last", "8"],
  ];

  it("that were renamed are one row each, with the last name", async () => {
    expect(rowsOf(await open(message(RENAMED)))).toEqual([
      ["last #7", 2],
      ["last #8", 1],
    ]);
  });

  it("of several processes or of our writer, whose ids are of two kinds, are what they are called", async () => {
    const apart = ["a long first name", "last #7", "last #8"];
    for (const files of [
      [message(RENAMED, "other", 2)],
      [message(RENAMED, "spanflame")],
      [message(RENAMED.slice(0, 1)), message(RENAMED.slice(1))],
    ]) {
      expect(rowsOf(await open(...files)).map(([label]) => label)).toEqual(apart);
    }
  });
});
