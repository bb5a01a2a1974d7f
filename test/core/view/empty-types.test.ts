/** Sample types whose values are all 0: they are types of the file, not types that it lacks. */
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import type { OutputFormat } from "../../../src/core/types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { emptyCore } from "../../kit/core/read-store.ts";
import { readOtlp } from "../../kit/otlp/otlp-schema.ts";
import { pprofOf, type SampleSpec } from "../../kit/otlp/pprof-message.ts";
import { readPprof } from "../../kit/otlp/pprof-schema.ts";
import { findingsOf } from "../../kit/otlp/valid.ts";

const HEAP: [string, string][] = [
  ["alloc_objects", "count"],
  ["alloc_space", "bytes"],
  ["inuse_objects", "count"],
  ["inuse_space", "bytes"],
];
const NAMES = HEAP.map(([type]) => type);
const sample = (endpoint: string, values: SampleSpec["values"]): SampleSpec => {
  return { stack: ["leaf", "root"], values, labels: { endpoint } };
};
const heap = (samples: SampleSpec[], more: object = {}) =>
  pprofOf({ types: HEAP, samples, defaultType: "inuse_space", ...more });
const ONE = heap([sample("a", [3, 4096, 0, 0])]);

async function readAll(...files: Uint8Array[]): Promise<Core> {
  const core = await emptyCore();
  await readInputs(
    core,
    files.map((bytes, i) => ({ name: `${i}.bin`, source: bytesSource(bytes) })),
  );
  return core;
}

const written = (core: Core, format: OutputFormat, filter = {}) => core.write(null, filter, { format }).bytes;
const typesOf = (bytes: Uint8Array) => readPprof(bytes).types.map((type) => type.split(/\W/)[0]);

describe("a type without a value", () => {
  it.each([
    ["the last types", [3, 4096, 0, 0]],
    ["the first types", [0, 0, 5, 640]],
    ["one between others", [1, 0, 2, 3]],
    ["all types", [0, 0, 0, 0]],
  ])("is a profile of the file: %s", async (_, values) => {
    const core = await readAll(heap([sample("a", values)]));
    const profiles = core.profiles();
    expect(profiles.map(({ otlpType }) => otlpType)).toEqual(NAMES);
    expect(profiles.map(({ value }) => Number(value))).toEqual(values);
    // A sample of zeros is one sample of its first type.
    const isEmpty = values.map((value, i) => value === 0 && (i > 0 || values.some((other) => other !== 0)));
    expect(profiles.map(({ empty = false }) => empty)).toEqual(isEmpty);
    expect(profiles.map(({ samples }) => samples === 0)).toEqual(isEmpty);
  });

  it("is one in a file without samples", async () => {
    const core = await readAll(heap([]));
    expect(core.profiles().map(({ otlpType, empty }) => [otlpType, empty])).toEqual(NAMES.map((name) => [name, true]));
    expect(typesOf(written(core, "pprof"))).toEqual(NAMES);
  });

  it("comes through pprof with the order of the types, the values and the default type", async () => {
    const back = readPprof(written(await readAll(ONE), "pprof"));
    expect(back.types).toHaveLength(4);
    expect(back.defaultType).toBe("inuse_space");
    expect(back.samples.map(({ values }) => values.map(Number))).toEqual([[3, 4096, 0, 0]]);
  });

  it.each<OutputFormat>(["otlp", "otlp-json"])("comes through %s, which is valid", async (format) => {
    const bytes = written(await readAll(ONE), format);
    expect(findingsOf(bytes, format === "otlp" ? "protobuf" : "json")).toEqual([]);
    const core = await readAll(bytes);
    expect(core.profiles().map(({ otlpType }) => otlpType)).toEqual(NAMES);
    expect(written(core, format)).toEqual(bytes);
    expect(typesOf(written(core, "pprof"))).toEqual(NAMES);
  });

  it("is no profile of formats that show stacks", async () => {
    const core = await readAll(heap([sample("a", [3, 0, 0, 0])]));
    expect(core.write(null, {}, { format: "collapsed" }).profiles).toBe(1);
    expect(core.write(null, {}, { format: "speedscope" }).profiles).toBe(1);
  });

  it("gets samples from another file of the same types", async () => {
    const core = await readAll(ONE, heap([sample("a", [0, 0, 7, 700])]));
    expect(core.profiles().map(({ samples, empty }) => [samples, empty])).toEqual(NAMES.map(() => [1, undefined]));
  });

  it("is in one message beside the same types with another period, each file with its own id", async () => {
    const files = [512, 1024].map((period) =>
      heap([sample("b", [1, 64, 0, 0])], { period: ["space", "bytes", period] }),
    );
    const core = await readAll(...files);
    const bytes = written(core, "otlp");
    expect(findingsOf(bytes, "protobuf")).toEqual([]);
    const { resourceProfiles } = readOtlp(bytes);
    const ids = resourceProfiles.flatMap(({ scopeProfiles }) => scopeProfiles.flatMap(({ profiles }) => profiles));
    expect(new Set(ids.map(({ profileId }) => String(profileId))).size).toBe(8);
    expect(typesOf(written(core, "pprof"))).toEqual(NAMES);
    expect(core.profiles().map(({ empty = false }) => empty)).toEqual([false, false, true, true]);
  });
});

describe("a filter that leaves no sample of a type", () => {
  const endpoint = (value: string) => ({ attributes: [{ key: "endpoint", value }] });
  const two = heap([sample("a", [3, 4096, 0, 0]), sample("b", [0, 0, 5, 640])]);

  it("keeps the types of a file of which one type has samples", async () => {
    const core = await readAll(two);
    expect(typesOf(written(core, "pprof", endpoint("a")))).toEqual(NAMES);
    expect((await readAll(written(core, "otlp", endpoint("b")))).profiles()).toHaveLength(4);
  });

  it("leaves out the types of files of which it leaves nothing", async () => {
    const cpu = pprofOf({ types: [["cpu", "nanoseconds"]], samples: [sample("c", [9])], defaultType: "" });
    const core = await readAll(two, cpu);
    expect(typesOf(written(core, "pprof", endpoint("c")))).toEqual(["cpu"]);
    const bytes = written(core, "otlp", endpoint("c"));
    expect((await readAll(bytes)).profiles().map(({ otlpType }) => otlpType)).toEqual(["cpu"]);
  });

  it("leaves a message with one profile where it leaves nothing at all", async () => {
    expect(typesOf(written(await readAll(two), "pprof", endpoint("z")))).toHaveLength(1);
  });
});
