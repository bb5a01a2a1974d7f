/** The number of observations in the values of a profile, and totals beyond 64 bits. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { Core } from "../../../src/core/core.ts";
import { observationsOf } from "../../../src/core/tables/quantities.ts";
import type { ProfileSummary } from "../../../src/core/types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { type PprofSpec, pprofOf } from "../../kit/otlp/pprof-message.ts";

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const module = await WebAssembly.compile(readFileSync(at("build/core.wasm")));
const TIME = 1_700_000_000_000_000_000n;

async function coreOf(...inputs: (Uint8Array | string)[]): Promise<Core> {
  const core = await Core.instantiate(module);
  const sources = inputs.map((input, i) => ({
    name: typeof input === "string" ? `${i}.folded` : `${i}.pprof`,
    source: bytesSource(typeof input === "string" ? new TextEncoder().encode(input) : input),
  }));
  await readInputs(core, sources);
  return core;
}

const observed = (core: Core) => core.profiles().map((profile) => observationsOf(profile, profile));

/** Stacks with these weights, each of another function. */
const folded = (weights: readonly (number | bigint)[]) => weights.map((n, i) => `main;f${i} ${n}\n`).join("");

/** A pprof whose samples have these values; `isTimed`: each at a time. */
function pprof(types: PprofSpec["types"], rows: readonly (number | bigint)[][], period?: number, isTimed = false) {
  const samples = rows.map((values, i) => ({
    stack: [`f${i}`, "main"],
    values,
    ...(isTimed && { labels: { end_timestamp_ns: TIME + BigInt(i) } }),
  }));
  const [[type = "", unit = ""] = []] = types;
  const times = unit === "count" ? "nanoseconds" : unit;
  return pprofOf({
    types,
    samples,
    ...(period !== undefined && { period: [type, times, period] as const }),
  } as PprofSpec);
}

describe("observations of a message", () => {
  it.each<[string, Uint8Array, (number | null)[]]>([
    ["counts without a time", pprof([["samples", "count"]], [[100], [31], [1]]), [132]],
    ["counts with a period", pprof([["ctimer", "count"]], [[100], [31], [1]], 5e6), [132]],
    ["nanoseconds, the period's multiples", pprof([["cpu", "nanoseconds"]], [[2e7], [3e7]], 1e7), [5]],
    ["milliseconds", pprof([["cpu", "milliseconds"]], [[20], [30]], 10), [5]],
    ["no multiples, with times", pprof([["wall", "nanoseconds"]], [[123], [457]], 1e7, true), [2]],
    ["no multiples, sums", pprof([["wall", "nanoseconds"]], [[123], [457]], 1e7), [null]],
    ["times without a period", pprof([["cpu", "nanoseconds"]], [[2e7], [3e7]], undefined, true), [2]],
    ["sums without a period", pprof([["delay", "nanoseconds"]], [[2e7], [3e7]]), [null]],
    [
      "sums beside a number of samples",
      pprof(
        [
          ["sample", "count"],
          ["wall", "nanoseconds"],
        ],
        [
          [20, 123],
          [6, 457],
        ],
      ),
      [26, 26],
    ],
    [
      "sums beside samples of another kind",
      pprof(
        [
          ["cpu-samples", "count"],
          ["wall-time", "nanoseconds"],
        ],
        [[20, 123]],
      ),
      [20, null],
    ],
  ])("%s", async (_, message, expected) => {
    expect(observed(await coreOf(message))).toEqual(expected);
  });

  it("of a part are as many as of the whole", async () => {
    const core = await coreOf(pprof([["cpu", "nanoseconds"]], [[2e7], [3e7]], 1e7));
    const [profile] = core.profiles() as [ProfileSummary];
    const totals = core.select(profile.id, { frames: [{ pattern: "f1" }] });
    expect(observationsOf(profile, totals)).toBe(3);
    expect(observationsOf({ ...profile, measure: 1 }, totals)).toBeNull();
  });
});

describe("weights of collapsed stacks", () => {
  const few = [3, 8, 1, 4, 12, 7, 5, 2, 9, 6];
  it.each<[string, number[], boolean]>([
    ["counts", few, true],
    ["thousands of counts", few.map((n) => 2000 + 37 * n), true],
    ["two stacks that share a divisor by chance", [4400, 1200], true],
    ["one loop that ran for hours", [1_000_003], true],
    ["counts times a period", few.map((n) => n * 5_025_125), false],
    ["counts times 10", few.map((n) => n * 10), false],
    ["microseconds of waits", few.map((n) => 40_000 + 4_321 * n), false],
    ["nanoseconds of one wait", [1_234_567_891], false],
    ["a day of many threads", [...few, 86_400_000_001], false],
  ])("%s", async (_, weights, isKnown) => {
    const sum = weights.reduce((all, n) => all + n, 0);
    expect(observed(await coreOf(folded(weights)))).toEqual([isKnown ? sum : null]);
  });

  it.each<[string, (i: number) => number, boolean]>([
    ["equal", () => 1, true],
    ["some three times", (i) => (i % 3 === 0 ? 3 : 1), true],
    ["multiples", () => 5_025_125, false],
    ["multiples of ten", () => 10, false],
  ])("are as in one file where several have the same stacks: %s", async (_, factorOf, isKnown) => {
    const weights = [...few, 23, 31, 44, 17, 58, 61, 76, 29, 83, 95];
    const base = weights.map((n) => (isKnown ? n : n * factorOf(0)));
    const files = [base, weights.map((n, i) => n * factorOf(i)), base].map((each, i) => folded(each) + "\n".repeat(i));
    for (const some of [files.slice(0, 2), files]) {
      const core = await coreOf(...some);
      expect(observed(core)).toEqual([isKnown ? Number(core.profiles()[0]?.value) : null]);
    }
  });
});

describe("totals beyond 64 bits", () => {
  const MOST = 2n ** 63n - 1n;

  it("stay at the limit, with an error", async () => {
    const core = await coreOf(folded([MOST, MOST, 5]));
    const [{ id, value }] = core.profiles() as [ProfileSummary];
    expect([value, core.select(id, {}).value]).toEqual([MOST, MOST]);
    const { rows } = core.views.top("self", 0, 10);
    expect(rows.map(({ self }) => self)).toEqual([MOST, MOST, 5n, 0n]);
    expect(rows.find(({ name }) => name === "main")?.total).toBe(MOST);
    expect(core.diagnostics().map(({ code, severity }) => [code, severity])).toEqual([["core.sums", "error"]]);
  });

  it("of one stack do, too, and below zero", async () => {
    const one = (sign: bigint) =>
      pprofOf({
        types: [["cpu", "nanoseconds"]],
        samples: [MOST, MOST, 61n].map((value) => ({ stack: ["main"], values: [sign * value] })),
      });
    expect((await coreOf(one(1n))).profiles()[0]?.value).toBe(MOST);
    const below = await coreOf(one(-1n));
    expect(below.profiles()[0]?.value).toBe(-MOST - 1n);
    expect(below.diagnostics()).toHaveLength(1);
  });

  it("have no error where they fit", async () => {
    const core = await coreOf(folded([MOST - 5n, 5]));
    expect(core.profiles()[0]?.value).toBe(MOST);
    expect((await coreOf(folded([2n ** 62n, 5]))).diagnostics()).toEqual([]);
  });
});
