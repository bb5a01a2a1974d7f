/** The one period of a pprof file, names of types and states of threads after a round trip by pprof. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { openSamples } from "../../../src/core/samples/sample-reader.ts";
import { isOfKind } from "../../../src/core/tables/kinds.ts";
import { readInputs } from "../../../src/input/open.ts";
import { HeldCore } from "../../../src/requests/held-core.ts";
import { emptyCore } from "../../kit/core/read-store.ts";
import { type PprofSpec, pprofOf } from "../../kit/otlp/pprof-message.ts";

async function read(name: string, ...files: Uint8Array[]): Promise<Core> {
  const core = await emptyCore();
  await readInputs(
    core,
    files.map((bytes, i) => ({ name: `${i}${name}`, source: bytesSource(bytes) })),
  );
  return core;
}

function file(types: PprofSpec["types"], [type, unit]: [string, string], step = 10): Uint8Array {
  const samples = [{ stack: ["leaf", "main"], values: types.map((_, i) => 10 * (i + 1)) }];
  return pprofOf({ types, samples, period: [type, unit, step] });
}
const periods = (core: Core) =>
  core.profiles().map(({ type, period, periodType }) => [type, periodType, Number(period)]);

describe("the period of a pprof file", () => {
  it.each<[string, string[], string[]]>([
    ["cpu", ["samples", "cpu", "cpu-time", "cpu-samples", "cpu:jdk.ExecutionSample"], ["wall", "native", "cpuset"]],
    ["wall", ["sample", "wall", "wall-time", "wall:x"], ["cpu", "cpu-time", "alloc-space", "exceptions"]],
    ["wall-time", ["wall", "wall_time"], ["cpu"]],
    ["process_cpu", ["process_cpu", "samples"], ["requests"]],
  ])("of the type %s is that of %s, and not of %s", async (period, own, others) => {
    const types = [...own, ...others].map((type) => [type, "count"] as [string, string]);
    const core = await read(".pprof", file(types, [period, "nanoseconds"]));
    const found = new Map(core.profiles().map((each) => [each.otlpType, [each.periodType, Number(each.period)]]));
    for (const type of own) expect([type, found.get(type)]).toEqual([type, [period, 10]]);
    for (const type of others) expect([type, found.get(type)]).toEqual([type, ["", 0]]);
    // Values of a type that it is not of are no times.
    for (const profile of core.profiles())
      if (others.includes(profile.otlpType)) expect(profile.meaning.nanos).toBeNull();
  });

  it("that is no time is a fact of all types", async () => {
    const types: PprofSpec["types"] = [
      ["alloc_objects", "count"],
      ["inuse_space", "bytes"],
    ];
    expect(periods(await read(".pprof", file(types, ["space", "bytes"])))).toEqual([
      ["alloc_objects", "space", 10],
      ["inuse_space", "space", 10],
    ]);
  });

  it("is written again, also where no type has its name", async () => {
    const own = file([["requests", "count"]], ["cpu", "nanoseconds"]);
    const core = await read(".pprof", own);
    expect(periods(core)).toEqual([["requests", "", 0]]);
    const { bytes } = core.write(null, {}, { format: "pprof" });
    const again = await read(".pprof", bytes);
    expect(again.write(null, {}, { format: "pprof" }).bytes).toEqual(bytes);
    expect(Buffer.from(bytes).includes("nanoseconds")).toBe(true);
    // Files that differ in it are one profile.
    const two = await read(".pprof", own, own, file([["requests", "count"]], ["cpu", "nanoseconds"], 20));
    expect(two.profiles().map(({ type, value }) => [type, value])).toEqual([["requests", 30n]]);
  });
});

describe("a recording by pprof", () => {
  it.each(["fixtures/shop.jfr", "fixtures/recorded/jdk17-profile.jfr", "fixtures/recorded/dd152-jdk17-all.jfr"])(
    "%s has the types and kinds of its profiles",
    async (path) => {
      const core = await read(".jfr", new Uint8Array(readFileSync(path)));
      const again = await read(".pprof", core.write(null, {}, { format: "pprof", timestamps: true }).bytes);
      const facts = ({ type, meaning }: ReturnType<Core["profiles"]>[number]) => [type, meaning.kind];
      expect(again.profiles().map(facts)).toEqual(
        core
          .profiles()
          .filter(({ empty }) => empty !== true)
          .map(facts),
      );
      for (const { type, unit, meaning } of again.profiles()) {
        const before = core.profiles().find((each) => each.type === type);
        if (meaning.nanos !== null) expect([type, unit, meaning.nanos]).toEqual([type, unit, before?.meaning.nanos]);
      }
    },
  );

  it("has the functions of its wall samples, from which their states follow", async () => {
    const core = await read(".jfr", new Uint8Array(readFileSync("fixtures/shop.jfr")));
    const again = await read(".pprof", core.write(null, {}, { format: "pprof", timestamps: true }).bytes);
    const states = async (of: Core) => {
      const reader = await openSamples(new HeldCore(of));
      const counts = new Map<number, number>();
      for (const { id } of of.profiles().filter(isOfKind("wall"))) {
        reader.each(id, {}, ({ stack }) => {
          const state = reader.bitsOf(stack, (name) => 1 << (name.length % 31));
          counts.set(state, (counts.get(state) ?? 0) + 1);
        });
      }
      return counts;
    };
    const before = await states(core);
    expect(before.size).toBeGreaterThan(2);
    expect(await states(again)).toEqual(before);
  });
});
