import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { emptyCore, observations } from "../../test/kit/core/read-store.ts";
import { TRACE_WRITERS, type WrittenSpan } from "../../test/kit/trace-writer.ts";
import { Contexts } from "./contexts.ts";
import { FileSource } from "./file-source.ts";
import { HeldCore } from "./held-core.ts";
import { openFiles } from "./open-files.ts";
import { tracesInto } from "./trace-reading.ts";
import { Traces } from "./traces/traces.ts";

const START = 1_795_310_393_000_000_000n;
const MS = 1_000_000n;
const FIXTURE = new URL("../../fixtures/traces/apctx-jdk17.whole.otlp.json.gz", import.meta.url);

/** Reads trace files without a recording. */
async function alone(...files: Uint8Array<ArrayBuffer>[]) {
  const core = await emptyCore();
  const traces = files.map((bytes, i) => ({
    name: `${i}.json`,
    source: new FileSource(new Blob([bytes])),
    opened: undefined,
  }));
  const contexts = new Contexts({ traces, readTrace: tracesInto(core), inferred: true });
  await openFiles(core, { contexts, spanSamples: true, recordings: async () => {} });
  return { core, read: contexts.traces! };
}

const span = (id: bigint, parent: bigint, start: bigint, duration: bigint): WrittenSpan => ({
  ...{ trace: 99n, id, parent, name: `op${id}`, thread: `t${id}`, kind: "internal" },
  ...{ start: START + start * MS, duration: duration * MS },
});
const written = (spans: readonly WrittenSpan[]) => TRACE_WRITERS["otlp-json"]!(spans) as Uint8Array<ArrayBuffer>;

test("a span is a frame below its parent's, and weighs the time in which no child ran", async () => {
  const spans = [span(1n, 0n, 0n, 100n), span(2n, 1n, 10n, 30n), span(3n, 1n, 20n, 40n), span(4n, 3n, 20n, 40n)];
  const { core } = await alone(written(spans));
  const rows = observations(core, "span-time").map(({ stack, value, time }) => ({
    stack: stack.map(({ name }) => name).reverse(),
    ...{ value: value / MS, time: (time - START) / MS },
  }));
  // Children beside each other count each; one that its own child covers has no time left.
  expect(rows).toMatchObject([
    { stack: ["shop: op1"], value: 10n, time: 0n },
    { stack: ["shop: op1", "shop: op2"], value: 30n, time: 10n },
    { stack: ["shop: op1", "shop: op3", "shop: op4"], value: 40n, time: 20n },
    { stack: ["shop: op1"], value: 40n, time: 60n },
  ]);
  const held = new HeldCore(core);
  const samplesOf = (id: bigint) => held.totals(null, { span: id }).samples;
  expect([1n, 2n, 3n, 4n].map(samplesOf)).toEqual([2, 1, 0, 1]);
  expect(held.totals(null, { localRoot: 1n }).value).toBe(120n * MS);
});

test("the profile adds up to the self times of all spans, and its samples tell no clock and no reason", async () => {
  const { core, read } = await alone(new Uint8Array(readFileSync(FIXTURE)));
  const [profile, ...others] = core.profiles();
  expect(others).toEqual([]);
  expect(profile).toMatchObject({ type: "span-time", unit: "nanoseconds", meaning: { nanos: 1 } });
  expect(profile?.value).toBe(read.tree.self.reduce((sum, self) => sum + self, 0n));
  expect(core.files()).toMatchObject([{ name: "0.json", format: "trace" }]);
  expect(core.diagnostics()).toEqual([]);
  const traces = await Traces.of(new HeldCore(core), read.files);
  const [first] = traces!.list("duration", false, 0, 1).rows;
  const shown = traces!.spans(first!.trace, [])!;
  expect(shown).toMatchObject({ isAlone: true, isOthers: false, offset: 0 });
  expect(new Set(shown.reason)).toEqual(new Set([0]));
  expect(await traces!.time(first!.trace, 0, "root")).toBeNull();
});

test("each trace file is a file, also where a span is in two of them", async () => {
  const [web, cart] = [span(1n, 0n, 0n, 100n), span(2n, 1n, 10n, 30n)];
  const { core } = await alone(written([web]), written([web, cart]));
  expect(core.files().map(({ name, samples }) => [name, samples])).toEqual([
    ["0.json", 2],
    ["1.json", 1],
  ]);
});

test("a trace of any depth has stacks of at most 1,024 frames, and loses no time", async () => {
  const depth = 1500n;
  const spans = Array.from({ length: Number(depth) }, (_, i) => span(BigInt(i + 1), BigInt(i), BigInt(i), 10_000n));
  const { core, read } = await alone(written(spans));
  const stacks = observations(core, "span-time").map(({ stack }) => stack.length);
  expect(Math.max(...stacks)).toBe(1024);
  expect(core.profiles()[0]?.value).toBe(read.tree.self.reduce((sum, self) => sum + self, 0n));
});

test("a recording with samples has no samples of spans beside it", async () => {
  const core = await emptyCore();
  const traces = [
    { name: "t", source: new FileSource(new Blob([written([span(1n, 0n, 0n, 1n)])])), opened: undefined },
  ];
  const contexts = new Contexts({ traces, readTrace: tracesInto(core) });
  const bytes = new Uint8Array(readFileSync(new URL("../../fixtures/shop.jfr", import.meta.url)));
  const { readInputs } = await import("../input/open.ts");
  const recordings = () => readInputs(core, [{ name: "shop.jfr", source: new FileSource(new Blob([bytes])) }]);
  await openFiles(core, { contexts, spanSamples: true, recordings });
  expect(core.profiles().map(({ type }) => type)).not.toContain("span-time");
});
