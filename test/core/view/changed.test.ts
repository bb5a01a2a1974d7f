/**
 * The functions of two selections side by side: each row has the values of the top table, and the largest change is
 * first.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { Core } from "../../../src/core/core.ts";
import { observationsOf } from "../../../src/core/tables/quantities.ts";
import type { Filter, ProfileSummary, TopRow } from "../../../src/core/types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { buildChunk } from "../../kit/jfr/jfr-builder.ts";
import { type CpuSample, cpuChunk, javaStack } from "../../kit/jfr/jfr-types.ts";
import { pprofOf } from "../../kit/otlp/pprof-message.ts";

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const module = await WebAssembly.compile(readFileSync(at("build/core.wasm")));
let core: Core;
let profile = 0;
let root = 0n;

beforeAll(async () => {
  core = await Core.instantiate(module);
  await readInputs(core, [{ name: "a", source: bytesSource(readFileSync(at("fixtures/shop-chunks.jfr"))) }]);
  profile = core.profiles().find(({ type }) => type === "cpu")?.id ?? -1;
  core.select(profile, {});
  root = core.views.rank({ kind: "local-root" }, 0, 1).rows[0]?.id ?? 0n;
});

function top(filter: Filter): { value: bigint; rows: Map<string, TopRow> } {
  const { value } = core.select(profile, filter);
  const { rows } = core.views.top("self", 0, 1e6);
  return { value, rows: new Map(rows.map((row) => [row.name, row])) };
}

it.each([
  [false, true],
  [false, false],
  [true, true],
  [true, false],
])("the rest only: %s, by shares: %s", (rest, normalised) => {
  const all = top({});
  const own = top({ localRoot: root });
  expect(own.rows.size).toBeGreaterThan(3);
  core.select(profile, {});
  core.views.keepBaseline();
  core.select(profile, { localRoot: root });
  const { count, rows } = core.views.changed(rest, normalised, 0, 1e6);
  expect(rows).toHaveLength(count);
  expect(new Set(rows.map(({ name }) => name))).toEqual(new Set(all.rows.keys()));

  const minus = rest ? (a: bigint, b: bigint) => a - b : (a: bigint) => a;
  for (const row of rows) {
    const mine = own.rows.get(row.name) ?? { self: 0n, total: 0n };
    const base = all.rows.get(row.name) ?? { self: 0n, total: 0n };
    expect(row).toEqual({
      name: row.name,
      self: mine.self,
      total: mine.total,
      baseSelf: minus(base.self, mine.self),
      baseTotal: minus(base.total, mine.total),
      squares: { self: 0, total: 0, baseSelf: 0, baseTotal: 0 },
    });
  }
  const whole = normalised ? Number(own.value) : 1;
  const baseWhole = normalised ? Number(minus(all.value, own.value)) : 1;
  const changes = rows.map(({ self, baseSelf }) => Math.abs(Number(self) / whole - Number(baseSelf) / baseWhole));
  for (let i = 1; i < changes.length; i++) expect(changes[i]).toBeLessThanOrEqual((changes[i - 1] ?? 0) + 1e-9);
  expect(changes[0]).toBeGreaterThan(0);
});

it("goes page by page", () => {
  const { rows } = core.views.changed(false, true, 0, 20);
  expect(core.views.changed(false, true, 5, 3).rows).toEqual(rows.slice(5, 8));
});

it("computes its rows again for another selection, baseline or order", () => {
  const values = () => core.views.changed(false, false, 0, 1e6).rows;
  core.select(profile, {});
  core.views.keepBaseline();
  core.select(profile, { localRoot: root });
  const first = values();
  expect(core.views.changed(true, false, 0, 1e6).rows).not.toEqual(first);
  expect(core.views.changed(false, true, 0, 1e6).rows).not.toEqual(first);
  expect(values()).toEqual(first);
  core.select(profile, {});
  expect(values()).not.toEqual(first);
  core.select(profile, { localRoot: root });
  core.views.keepBaseline();
  expect(values().filter(({ self, baseSelf }) => self !== baseSelf)).toEqual([]);
});

const STACKS = [["a", "b"], ["b"], ["a", "b", "a"], ["c", "a"]];

/** Samples of weights 1 to 7, every third one of a local root. */
function samplesOf(seed: number, count: number): (CpuSample & { methods: string[] })[] {
  return Array.from({ length: count }, (_, i) => {
    const methods = STACKS[(i * seed) % STACKS.length]!;
    const weight = BigInt(1 + ((i + seed) % 7));
    return { at: BigInt(i), methods, stack: javaStack(...methods), weight, root: i % 3 === 0 ? 7n : 0n };
  });
}

/** Sums of squared weights by function: of the leaf, and of every function of a stack once. */
function squaresOf(samples: ReturnType<typeof samplesOf>): Map<string, { self: number; total: number }> {
  const sums = new Map<string, { self: number; total: number }>();
  for (const { methods, weight = 0n } of samples) {
    for (const name of new Set(methods)) {
      const of = sums.get(name) ?? { self: 0, total: 0 };
      of.total += Number(weight * weight);
      if (name === methods[0]) of.self += Number(weight * weight);
      sums.set(name, of);
    }
  }
  return sums;
}

it("has the sums of squared weights of both sides, of files and of a range of time", async () => {
  const [a, b] = [samplesOf(1, 40), samplesOf(3, 25)];
  const both = await Core.instantiate(module);
  const inputs = [a, b].map((samples, i) => {
    return { name: `${i}.jfr`, source: bytesSource(buildChunk(cpuChunk(samples)).bytes) };
  });
  await readInputs(both, inputs);
  const [{ id } = { id: -1 }] = both.profiles();

  both.select(id, { file: "0.jfr" });
  both.views.keepBaseline(true);
  both.select(id, { file: "1.jfr" });
  const [baseSums, sums] = [squaresOf(a), squaresOf(b)];
  const { rows, squares: wholeSquares, baseSquares } = both.views.changed(false, false, 0, 10);
  const whole = (samples: typeof a) => samples.reduce((sum, { weight = 0n }) => sum + Number(weight * weight), 0);
  expect([wholeSquares, baseSquares]).toEqual([whole(b), whole(a)]);
  expect(rows.map(({ name }) => name).sort()).toEqual(["demo.Work.a", "demo.Work.b", "demo.Work.c"]);
  for (const { name, squares } of rows) {
    const method = name.slice(-1);
    const { self, total } = sums.get(method) ?? { self: 0, total: 0 };
    const base = baseSums.get(method) ?? { self: 0, total: 0 };
    expect(squares).toEqual({ self, total, baseSelf: base.self, baseTotal: base.total });
  }
  expect(both.views.squares()).toBe(whole(b));
  both.select(id, {});
  expect(both.views.squares()).toBe(whole([...a, ...b]));

  // The rest: all samples less those of the local root.
  both.views.keepBaseline(true);
  both.select(id, { localRoot: 7n });
  const isOfRoot = ({ root }: CpuSample) => root === 7n;
  const others = squaresOf([...a, ...b].filter((sample) => !isOfRoot(sample)));
  const mine = squaresOf([...a, ...b].filter(isOfRoot));
  const rest = both.views.changed(true, true, 0, 10);
  expect(rest.squares + rest.baseSquares).toBe(whole([...a, ...b]));
  for (const { name, squares } of rest.rows) {
    const method = name.slice(-1);
    expect([squares.self, squares.total]).toEqual([mine.get(method)?.self ?? 0, mine.get(method)?.total ?? 0]);
    expect([squares.baseSelf, squares.baseTotal]).toEqual([others.get(method)?.self, others.get(method)?.total]);
  }
  // Without the squares of the baseline there are none.
  both.views.keepBaseline();
  expect(both.views.changed(true, true, 0, 1).rows[0]?.squares).toEqual({
    self: 0,
    total: 0,
    baseSelf: 0,
    baseTotal: 0,
  });
});

it.each([
  ["samples", "count", undefined, 1n],
  ["cpu-samples", "count", undefined, 1n],
  ["cpu", "nanoseconds", ["cpu", "nanoseconds", 1000], 1000n],
  ["alloc_objects", "count", ["space", "bytes", 524_288], null],
  ["alloc_space", "bytes", undefined, null],
] as const)("of sums of %s in %s has the squares of their samples", async (type, unit, period, sample) => {
  const core = await Core.instantiate(module);
  const of = (...values: number[]) =>
    pprofOf({
      types: [[type, unit]],
      samples: values.map((value, i) => ({ stack: [`f${i}`, "main"], values: [value] })),
      ...(period === undefined ? {} : { period: [...period] as [string, string, number] }),
    });
  // Weights that are all multiples of 1000 are no counts.
  const low = sample === 1n ? 2001 : 2000;
  const inputs = [of(3000, low), of(9000, low)].map((bytes, i) => ({ name: `${i}`, source: bytesSource(bytes) }));
  await readInputs(core, inputs);
  const [profile] = core.profiles() as [ProfileSummary];
  const { id } = profile;
  core.select(id, { file: "0" });
  core.views.keepBaseline(true);
  const totals = core.select(id, { file: "1" });
  const squareOf = (value: number) => (sample === null ? value ** 2 : value * Number(sample));
  expect(core.views.squares()).toBe(squareOf(9000) + squareOf(low));
  const { rows } = core.views.changed(false, true, 0, 10);
  const [first] = rows.filter(({ name }) => name === "f0");
  expect([first?.squares.baseSelf, first?.squares.self]).toEqual([squareOf(3000), squareOf(9000)]);
  expect(observationsOf(profile, totals)).toBe(sample === null ? null : (9000 + low) / Number(sample));
});
