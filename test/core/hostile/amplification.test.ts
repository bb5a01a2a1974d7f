/**
 * Small inputs whose bytes become many times as much: what is kept is counted, what was read before stays, and a
 * diagnostic says what is missing.
 */

import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import * as Limits from "../../../assembly/abi/limits.ts";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { Excess, Expansion } from "../../../src/bytes/expansion.ts";
import { StreamSource } from "../../../src/bytes/stream-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { readInputs } from "../../../src/input/open.ts";
import { readFolder } from "../../kit/cdt/cdt-reading.ts";
import { asFolder, type WrittenCall, writeStreams } from "../../kit/cdt/cdt-writer.ts";
import { codes, emptyCore } from "../../kit/core/read-store.ts";
import { buildChunk } from "../../kit/jfr/jfr-builder.ts";
import { cpuChunk, javaStack } from "../../kit/jfr/jfr-types.ts";
import { later } from "../../kit/jfr/later.ts";
import { logsJson } from "../../kit/otlp/logs-writer.ts";
import { type PprofSpec, pprofOf } from "../../kit/otlp/pprof-message.ts";

const MiB = 2 ** 20;
const GAP = "[frames left out]";

async function read(bytes: Uint8Array, name = "input"): Promise<Core> {
  const core = await emptyCore();
  await readInputs(core, [{ name, source: bytesSource(bytes) }]);
  return core;
}

const named = (prefix: string, n: number) => Array.from({ length: n }, (_, i) => `${prefix}${i % 50}`);
const inlined = named("i", Limits.MAX_LINES);
const cpuOf = (...stacks: PprofSpec["samples"][0]["stack"][]) =>
  pprofOf({ types: [["cpu", "samples"]], samples: stacks.map((stack, i) => ({ stack, values: [i + 1] })) });

/** The stacks, leaf first, as collapsed stacks have them; and the sum of their values. */
function stacksOf(core: Core): { stacks: string[][]; sum: number } {
  const text = new TextDecoder().decode(core.write(core.profiles()[0]!.id, {}, { format: "collapsed" }).bytes);
  const lines = text.trim().split("\n");
  const stacks = lines.map((line) => line.slice(0, line.lastIndexOf(" ")).split(";").reverse());
  return { stacks, sum: lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0) };
}
const namesOf = (core: Core) => stacksOf(core).stacks;

describe("a stack", () => {
  it.each([2048, 10_000, Limits.MOST_STACK_FRAMES])("of %i frames is kept as a whole", async (depth) => {
    const core = await read(cpuOf(["leaf", ...named("f", depth - 2), "root"]));
    expect(codes(core)).toEqual([]);
    expect(namesOf(core)[0]).toHaveLength(depth);
  });

  const long = ["leaf", ...named("f", Limits.MOST_STACK_FRAMES), "root"];
  const collapsed = new TextEncoder().encode(`${[...long].reverse().join(";")} 3\n`);
  const recording = buildChunk(cpuChunk([{ weight: 3n, stack: javaStack(...long) }])).bytes;
  it.each([
    ["pprof", cpuOf(long)],
    ["collapsed", collapsed],
    ["jfr", recording],
  ])("of %s that is longer keeps both ends, and the gap is named", async (format, bytes) => {
    const core = await read(bytes);
    const [names = []] = namesOf(core);
    expect(names).toHaveLength(Limits.MOST_STACK_FRAMES + 1);
    expect([names[0], names.at(-1)].map((name) => name?.replace(/^.*\.|_\[.\]$/g, ""))).toEqual(["leaf", "root"]);
    expect(names[Limits.MOST_STACK_FRAMES / 2]).toBe(GAP);
    const [diagnostic] = core.diagnostics();
    expect(diagnostic).toMatchObject({ code: `${format}.stack.deep`, severity: "warning", file: "input" });
    expect(diagnostic?.message).toContain("2 frames in the middle");
  });

  it("of OTLP that is longer keeps both ends", async () => {
    const { bytes } = (await read(cpuOf(["leaf", ...named("f", 40_000)]))).write(null, {}, { format: "otlp" });
    const once = await read(bytes);
    expect(codes(once)).toEqual([]);
    expect(namesOf(once)[0]).toHaveLength(40_001);
    // The same locations, each with two lines.
    const twice = await read(cpuOf(["leaf", ...Array.from({ length: 40_000 }, () => ["a", "b"])]));
    expect(namesOf(twice)[0]).toHaveLength(Limits.MOST_STACK_FRAMES);
  });

  it("counts the frames that each of its locations has", async () => {
    const core = await read(cpuOf(["leaf", ...Array.from({ length: 3000 }, () => inlined), "root"]));
    const [names = []] = namesOf(core);
    expect(names.length).toBeLessThanOrEqual(Limits.MOST_STACK_FRAMES + 1);
    expect(names.length).toBeGreaterThan(Limits.MOST_STACK_FRAMES - 2 * Limits.MAX_LINES);
    expect([names[0], names.at(-1)]).toEqual(["leaf", "root"]);
  });
});

it("many stacks of inlined frames are short ones after a number of frames, and all values count", async () => {
  const n = 200;
  const stacks = Array.from({ length: n }, (_, i) => [`leaf${i}`, ...Array.from({ length: 1000 }, () => inlined), "r"]);
  const core = await read(cpuOf(...stacks));
  const lengths = namesOf(core).map(({ length }) => length);
  const frames = lengths.reduce((sum, length) => sum + length, 0);
  expect(frames).toBeLessThan(8 * MiB);
  expect(Math.min(...lengths)).toBeLessThanOrEqual(Limits.LEAST_STACK_FRAMES + 1);
  expect(lengths[0]).toBeGreaterThan(60_000);
  expect(stacksOf(core).sum).toBe((n * (n + 1)) / 2);
  expect(codes(core)).toEqual(["pprof.stack.deep"]);
});

describe("an input whose bytes take far more memory", () => {
  /** Fields of protobuf: a number, and bytes of any length. */
  const varint = (n: number): number[] => (n < 128 ? [n] : [(n % 128) + 128, ...varint(Math.floor(n / 128))]);
  const number = (field: number, n: number) => Uint8Array.from([...varint(field * 8), ...varint(n)]);
  const field = (key: number, ...content: Uint8Array[]) => {
    const all = Buffer.concat(content);
    return Buffer.concat([Uint8Array.from([...varint(key * 8 + 2), ...varint(all.length)]), all]);
  };
  const text = (key: number, value: string) => field(key, Buffer.from(value));
  /** OTLP of samples with 1,024 values of one byte. */
  const valuesOf = (n: number) => {
    const sample = field(2, number(1, 0), field(4, new Uint8Array(1024).fill(7)));
    const samples = Array.from({ length: n / 1024 }, () => sample);
    const profile = field(2, field(1, number(1, 1), number(2, 2)), ...samples);
    const texts = ["", "cpu", "samples"].map((each) => text(5, each));
    const tables = [1, 2, 3, 4, 6, 7].map((key) => field(key));
    return Buffer.concat([field(1, field(2, profile)), field(2, ...tables, ...texts)]);
  };

  it("is read as far as its bytes allow, and the next input as a whole", async () => {
    const values = 12 * MiB;
    const packed = gzipSync(valuesOf(values));
    const core = await emptyCore();
    const inputs = [
      { name: "packed", source: bytesSource(packed) },
      { name: "next", source: bytesSource(cpuOf(["leaf"])) },
    ];
    const { inputs: found } = await readInputs(core, inputs);
    expect(found.map(({ read }) => read)).toEqual(["partly", "wholly"]);
    expect(core.samples()).toBeGreaterThan(MiB / 2);
    expect(core.samples()).toBeLessThan(values);
    expect(core.bytesHeld()).toBeLessThan(96 * MiB);
    const errors = core.diagnostics().filter(({ severity }) => severity === "error");
    expect(errors).toMatchObject([{ code: "source.excess", file: "packed", offset: expect.any(Number) }]);
    expect(errors[0]?.message).toContain(`the ${core.samples() - 1} samples read until then are kept`);
  });

  it.each([
    ["of one frame", "a 1\n"],
    ["of a hundred frames", `${"a;".repeat(99)}a 1\n`],
  ])("of lines %s, packed twice, is read as far as a few KB may reach", async (_, line) => {
    const lines = Buffer.alloc(128 * MiB, line);
    const core = await read(gzipSync(gzipSync(lines)));
    expect(codes(core)).toContain("source.excess");
    expect(core.samples()).toBeGreaterThan(100_000);
    expect(core.samples()).toBeLessThan(2 * MiB);
  });

  it("is read as a whole where it is a pipe that has the bytes", async () => {
    const core = await emptyCore();
    const bytes = valuesOf(12 * MiB);
    async function* piped(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += MiB) yield bytes.subarray(at, at + MiB);
    }
    await readInputs(core, [{ name: "piped", source: new StreamSource(piped()) }]);
    expect([codes(core), core.samples()]).toEqual([["otlp.sample.values"], 12 * MiB]);
  });

  it("is read as a whole where it has the bytes", async () => {
    const core = await read(valuesOf(MiB));
    expect([codes(core), core.samples()]).toEqual([["otlp.sample.values"], MiB]);
  });
});

describe("profiles in logs", () => {
  const sound = pprofOf({ types: [], samples: [{ stack: ["work"], values: [], labels: {} }] });
  const packed = (bytes: Uint8Array) => ({ body: gzipSync(bytes).toString("base64") });

  it("count against what their input may unpack to, all together", async () => {
    // A field that the profile does not have; each record is allowed alone.
    const field = [0xa2, 1, ...[0, 7, 14, 21].map((at) => (((48 * MiB) >> at) & 0x7f) | (at < 21 ? 0x80 : 0))];
    const large = packed(Buffer.concat([Uint8Array.from(field), new Uint8Array(48 * MiB)]));
    const records = [{ pprof: sound }, ...Array.from({ length: 8 }, () => large)];
    const core = await read(logsJson({ records }));
    expect(codes(core)).toContain("source.excess");
    expect(core.profiles().map(({ value }) => value)).toEqual([1n]);
  });

  it("that are none are seen by their first byte", async () => {
    const core = await read(logsJson({ records: [packed(new Uint8Array(32 * MiB)), { pprof: sound }] }));
    expect(codes(core)).toEqual(["logs.record"]);
    expect(core.profiles().map(({ value }) => value)).toEqual([1n]);
  });
});

describe("an archive of many entries", () => {
  const recording = buildChunk(cpuChunk([{ weight: 3n }])).bytes;
  const head = (name: string) => Buffer.from(`--b\r\ncontent-disposition: form-data; filename="${name}"\r\n\r\n`);
  const part = (name: string, content: Uint8Array) => Buffer.concat([head(name), content, Buffer.from("\r\n")]);
  const body = (n: number) =>
    Buffer.concat([
      part("a.jfr", recording),
      ...Array.from({ length: n }, () => part("x".repeat(40), Buffer.from("x"))),
      Buffer.from("--b--"),
    ]);

  it("is read as far as its bytes allow", async () => {
    const core = await read(gzipSync(body(2 ** 15)));
    const found = core.diagnostics().filter(({ code }) => code === "source.excess");
    expect(found.map(({ message }) => message)).toEqual([
      "multipart: it has too many entries for its bytes; the entries before that were read",
    ]);
    expect(core.profiles().map(({ value }) => value)).toEqual([3n]);
  });

  it("is read as a whole where it has the bytes", async () => {
    expect(codes(await read(body(2 ** 15)))).not.toContain("source.excess");
  });
});

it("chunks in gzip take the memory of one, and as many steps each", async () => {
  const chunk = buildChunk(cpuChunk([{ weight: 3n }])).bytes;
  const reading = async (n: number) => {
    const core = await emptyCore();
    const chunks = Buffer.concat(Array.from({ length: n }, (_, i) => later(chunk, i)));
    let steps = 0;
    const step = core.step.bind(core);
    core.step = (...given) => {
      steps++;
      return step(...given);
    };
    try {
      await readInputs(core, [{ name: "a", source: bytesSource(gzipSync(chunks)) }]);
    } finally {
      Reflect.deleteProperty(core, "step");
    }
    return { steps, held: core.bytesHeld(), value: core.profiles()[0]!.value };
  };
  const [few, many] = [await reading(200), await reading(2000)];
  expect(many.value).toBe(10n * few.value);
  expect(many.steps).toBeLessThanOrEqual(10 * few.steps);
  expect(many.held).toBeLessThan(few.held + MiB);
});

describe("an expansion", () => {
  async function* pieces(n: number): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < n; i++) yield new Uint8Array(1000);
  }
  const all = async (limited: AsyncIterable<Uint8Array>) => {
    let given = 0;
    for await (const { length } of limited) given += length;
    return given;
  };

  it("counts what is inside of a part against the part and the whole", async () => {
    const whole = new Expansion({ byteLength: 1 }, 10_000);
    expect(await all(whole.within(5000).limit(pieces(5)))).toBe(5000);
    await expect(all(whole.within(5000).limit(pieces(6)))).rejects.toThrow(Excess);
    await expect(all(whole.limit(pieces(1)))).rejects.toThrow(Excess);
  });
});

describe("a stream of a dump that goes on with zeros", () => {
  const START = Date.UTC(2024, 1, 3);
  const calls = Array.from({ length: 5 }, (_, i): WrittenCall => {
    const root = { method: "void shop.Cart.run()", before: 0, after: 10 + i, children: [] };
    const at = START + 1000 * i;
    return { threadId: 1, thread: "http-1", at, root, isRecorded: true, reactive: 0, params: {} };
  });
  const files = asFolder(writeStreams({ calls, start: START }).streams, "dump/web/2024/02/03/1");
  const zeros = gzipSync(new Uint8Array(64 * MiB));

  it.each(["calls", "suspend", "dictionary", "params"])("%s: memory is limited, the calls stay", async (stream) => {
    const core = await emptyCore();
    const path = Object.keys(files).find((each) => each.includes(`/${stream}/`));
    const tail = stream === "params" ? [zeros, zeros] : [zeros, zeros, zeros];
    const hostile = Buffer.concat([...(path === undefined ? [] : [files[path]!]), ...tail]);
    const before = core.bytesHeld();
    await readFolder(core, { ...files, [path ?? `dump/web/2024/02/03/1/${stream}/000001.gz`]: hostile });
    expect(core.bytesHeld() - before).toBeLessThan(400 * MiB);
    const excess = codes(core).filter((code) => code.endsWith(".excess") || code.endsWith(".implausible"));
    expect(excess).toHaveLength(1);
    expect((await core.dumps()).callCount).toBeGreaterThanOrEqual(calls.length);
    const methods = (await core.dumps()).call(1);
    expect(methods.start).toBe(BigInt(START));
  });
});
