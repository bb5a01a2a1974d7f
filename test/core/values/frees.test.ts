/** Native memory that was freed is apart from what was not: profiler.Malloc has the attribute `alloc.freed`. */
import { describe, expect, it } from "vitest";
import type { Core } from "../../../src/core/core.ts";
import { readOnlyNeeded } from "../../../src/core/reading/read-filter.ts";
import type { Filter } from "../../../src/core/types.ts";
import { codes, emptyCore, feed, observations, read } from "../../kit/core/read-store.ts";
import { type MemoryEvent, memoryChunk } from "../../kit/jfr/frees.ts";
import { buildChunk } from "../../kit/jfr/jfr-builder.ts";
import type { Thread } from "../../kit/jfr/jfr-types.ts";
import { Random } from "../../kit/random.ts";

const OTHER: Thread = { javaName: "other", javaId: 2n, osName: "other", osId: 2n };
const malloc = (at: bigint, address: bigint, size: bigint, thread?: Thread): MemoryEvent =>
  thread === undefined ? { at, address, size } : { at, address, size, thread };
const free = (at: bigint, address: bigint, thread?: Thread): MemoryEvent =>
  thread === undefined ? { at, address } : { at, address, thread };

/** Whether the allocation of each size was freed; undefined where that is not known. */
function freedBySize(core: Core): Record<string, unknown> {
  const found = observations(core, "malloc").map(({ value, attributes }) => [value, attributes["alloc.freed"]]);
  return Object.fromEntries(found);
}

const freedIn = async (...chunks: MemoryEvent[][]) =>
  freedBySize(await read(...chunks.map((each) => memoryChunk(each))));

describe("an allocation", () => {
  it("is freed by the first free of its address that follows it in time", async () => {
    const events = [malloc(10n, 1n, 100n), malloc(20n, 2n, 200n), free(30n, 1n)];
    expect(await freedIn(events)).toEqual({ 100: true, 200: false });
  });

  it("is not the one that had the address before, or has it afterwards", async () => {
    const events = [malloc(10n, 1n, 100n), free(20n, 1n), malloc(30n, 1n, 300n)];
    expect(await freedIn(events)).toEqual({ 100: true, 300: false });
    expect(await freedIn([...events, free(40n, 1n)])).toEqual({ 100: true, 300: true });
    expect(await freedIn([free(5n, 1n), malloc(10n, 1n, 100n)])).toEqual({ 100: false });
  });

  it("is freed where its address is allocated again", async () => {
    const events = [malloc(10n, 1n, 100n), malloc(20n, 1n, 200n), free(30n, 9n)];
    expect(await freedIn(events)).toEqual({ 100: true, 200: false });
  });

  it("is freed by another thread, in a later or an earlier chunk, and before it in the file", async () => {
    expect(await freedIn([free(30n, 1n, OTHER), malloc(10n, 1n, 100n)])).toEqual({ 100: true });
    expect(await freedIn([malloc(10n, 1n, 100n)], [free(30n, 1n, OTHER), malloc(40n, 1n, 400n)])).toEqual({
      100: true,
      400: false,
    });
    expect(await freedIn([free(30n, 1n)], [malloc(10n, 1n, 100n)])).toEqual({ 100: true });
  });

  it("and a free of the same time belong together, unless an earlier one is to be freed", async () => {
    expect(await freedIn([free(10n, 1n), malloc(10n, 1n, 100n)])).toEqual({ 100: true });
    const reused = [malloc(5n, 1n, 50n), free(10n, 1n), malloc(10n, 1n, 100n)];
    expect(await freedIn(reused)).toEqual({ 50: true, 100: false });
    expect(await freedIn([...reused, free(10n, 1n)])).toEqual({ 50: true, 100: true });
  });

  it("is not freed in another file", async () => {
    const core = await emptyCore();
    for (const events of [
      [malloc(10n, 1n, 100n), free(15n, 8n)],
      [free(30n, 1n), malloc(40n, 2n, 400n)],
    ]) {
      core.beginFile("one.jfr", 0);
      feed(core, buildChunk(memoryChunk(events)).bytes);
    }
    expect(freedBySize(core)).toEqual({ 100: false, 400: false });
  });

  it("has no attribute where nothing was freed, also in the file after one with frees", async () => {
    expect(await freedIn([malloc(10n, 1n, 100n), malloc(20n, 2n, 200n)])).toEqual({ 100: undefined, 200: undefined });
    const core = await read(memoryChunk([malloc(10n, 1n, 100n), free(20n, 1n)]));
    core.beginFile("next.jfr", 0);
    feed(core, buildChunk(memoryChunk([malloc(10n, 1n, 200n)])).bytes);
    expect(freedBySize(core)).toEqual({ 100: true, 200: undefined });
  });
});

it("random events are matched as a plain model matches them, whatever their order in the file", async () => {
  for (let seed = 0; seed < 20; seed++) {
    const random = new Random(51, seed);
    const events = Array.from({ length: 200 }, (_, i) => {
      const [at, address] = [BigInt(i + 1), BigInt(1 + random.below(12))];
      return random.one(2)
        ? malloc(at, address, BigInt(1000 + i), random.one(2) ? OTHER : undefined)
        : free(at, address);
    });
    const there = new Map<bigint, bigint>();
    const expected: Record<string, boolean> = {};
    for (const { address, size } of events) {
      const before = there.get(address);
      if (before !== undefined) expected[String(before)] = true;
      there.delete(address);
      if (size === undefined) continue;
      there.set(address, size);
      expected[String(size)] = false;
    }
    const order = events.toSorted((a, b) => Number((a.at * 7919n) % 211n) - Number((b.at * 7919n) % 211n));
    expect(await freedIn(order.slice(0, 90), order.slice(90))).toEqual(expected);
  }
});

it("a thousand frees without an allocation change nothing", async () => {
  const frees = Array.from({ length: 1000 }, (_, i) => free(BigInt(i), BigInt(i % 3) << 60n));
  const core = await read(memoryChunk([...frees, malloc(10n, 5n, 100n)]), memoryChunk(frees));
  expect(codes(core)).toEqual([]);
  expect(freedBySize(core)).toEqual({ 100: false });
  expect(core.profiles().map(({ type, samples, value }) => [type, samples, value])).toEqual([["malloc", 1, 100n]]);
  expect(codes(await read(memoryChunk(frees)))).toEqual([]);
});

const EVENTS = [malloc(10n, 1n, 100n), malloc(20n, 2n, 200n), free(30n, 1n), malloc(40n, 3n, 300n), free(50n, 3n)];
const FREED = { key: "alloc.freed", value: "true" };
const FILTERS: Filter[] = [
  { attributes: [FREED] },
  { attributes: [{ ...FREED, exclude: true }] },
  { attributes: [{ ...FREED, value: "false" }] },
  { attributes: [FREED], time: { from: 1_700_000_000_000_000_015n, to: 1_700_000_000_000_000_045n } },
];

it.each([...FILTERS.entries()])(
  "a filter while reading has the samples of the same filter after it (%i)",
  async (_, filter) => {
    const answers: unknown[] = [];
    for (const isFirst of [true, false]) {
      const core = await emptyCore();
      if (isFirst) readOnlyNeeded(core, { types: ["malloc"], filter, stacks: true, all: false });
      core.beginFile("one.jfr", 0);
      feed(core, buildChunk(memoryChunk(EVENTS)).bytes);
      const [profile] = core.profiles();
      const { samples, value } = core.select(profile!.id, filter);
      expect(samples).toBeGreaterThan(0);
      answers.push([samples, value]);
    }
    expect(answers[0]).toEqual(answers[1]);
  },
);

it("keeps sums, and the attribute in messages that are read again", async () => {
  const core = await read(memoryChunk(EVENTS));
  const own = freedBySize(core);
  expect(own).toEqual({ 100: true, 200: false, 300: true });
  const totals = (of: Core) => {
    const { id } = of.profiles().find(({ type }) => type === "malloc")!;
    const all = of.select(id, {}).value;
    return [all, ...FILTERS.slice(0, 3).map((filter) => of.select(id, filter).value)];
  };
  const before = totals(core);
  expect(before).toEqual([600n, 400n, 200n, 200n]);
  const { bytes } = core.write(null, {}, { format: "otlp", timestamps: true });
  const again = await emptyCore();
  again.beginFile("again.otlp", 0, "otlp");
  again.reserve(bytes.length);
  again.input(bytes.length).set(bytes);
  again.openMessage(bytes.length, 0);
  while (again.step(1 << 20) === "more");
  again.close();
  expect(totals(again)).toEqual(before);
});
