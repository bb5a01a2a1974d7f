/**
 * Native frames known by their address: build id and offset (remote symbolication), or library and offset. Which
 * address a location gets, which library it names, and what is no such frame.
 */
import { describe, expect, it } from "vitest";
import { StackTable } from "../../../src/fleet/tables/stack-rows.ts";
import { codes, emptyCore, feed, observations, profilesOf, read } from "../../kit/core/read-store.ts";
import { buildChunk, type ChunkSpec, type Item } from "../../kit/jfr/jfr-builder.ts";
import {
  ALLOC,
  Constants,
  CPU,
  cpuItem,
  cpuType,
  event,
  type Frame,
  field,
  JVM_TYPES,
  WALL,
} from "../../kit/jfr/jfr-types.ts";
import { newKernels } from "../../kit/parquet-parts.ts";

const ID = "2de3e4d41234567890abcdef2de3e4d41234567890";
const LIBRARY = "jdk.NativeLibrary";
const remote = (descriptor: string, more: Partial<Frame> = {}): Frame => {
  return { className: ID, method: "<remote>", descriptor, type: "Native (remote)", ...more };
};

interface Library {
  name: string | null;
  buildId: string;
}

/** A chunk of one sample of each event; libraries are stated after the samples. */
function chunkWith(frames: Frame[], libraries: Library[], events: string[] = [CPU]): ChunkSpec {
  const c = new Constants();
  const items: Item[] = events.map((name, i) => ({ ...cpuItem(c, { at: BigInt(i), stack: { frames } }), event: name }));
  items.push(...libraries.map((values): Item => ({ event: LIBRARY, values: { startTime: 0n, ...values } })));
  const texts = [field("name", "java.lang.String"), field("buildId", "java.lang.String")];
  const library = event(LIBRARY, [field("startTime", "long"), ...texts]);
  const types = [...JVM_TYPES, ...events.map((name) => cpuType([], name)), library];
  return { types, items: [...items, { checkpoint: c.all() }] };
}

async function readFrames(frames: Frame[], libraries: Library[] = [], events: string[] = [CPU]) {
  const core = await read(chunkWith(frames, libraries, events));
  expect(codes(core)).toEqual([]);
  return core;
}

const placesOf = async (...args: Parameters<typeof readFrames>) => {
  const [sample] = observations(await readFrames(...args));
  return sample?.stack.map(({ address, mapping, name }) => [address, mapping, name]);
};

const namesOf = async (...args: Parameters<typeof readFrames>) => {
  const core = await readFrames(...args);
  core.select(null, {});
  return core.views.top("self", 0, 10).rows.map(({ name }) => name);
};

describe("a frame of remote symbolication", () => {
  it("has its offset as address if it was interrupted, else the address of the call before it", async () => {
    const places = await placesOf([remote("0x15e3"), remote("0x15e3"), remote("0x1"), remote("0x0")]);
    expect(places?.map(([address]) => address)).toEqual([0x15e3n, 0x15e2n, 0n, 0n]);
  });

  it("is interrupted only as frame 0 of the two samples of Datadog's profiler", async () => {
    const core = await readFrames([remote("0x15e3")], [], [CPU, WALL, ALLOC, "jdk.ExecutionSample"]);
    const leaves = profilesOf(core).flatMap(({ type, samples }) =>
      samples.map(({ stack }) => [type, stack[0]?.address]),
    );
    expect(leaves).toHaveLength(4);
    expect(leaves.filter(([, address]) => address === 0x15e3n).map(([type]) => type)).toEqual(["cpu", "wall"]);
    expect(leaves.filter(([, address]) => address === 0x15e2n)).toHaveLength(2);
  });

  it("has no line, a mapping with the build id and the base name of the library, and the type native", async () => {
    const [sample] = observations(
      await readFrames([remote("0x15e3")], [{ name: "/usr/lib/jvm/lib/server/libjvm.so", buildId: ID }]),
    );
    expect(sample?.stack).toMatchObject([
      { name: "", mapping: "libjvm.so", attributes: { "profile.frame.type": "native" } },
    ]);
  });

  it("is called by library and recorded offset, or by the first digits of the build id", async () => {
    const frames = [remote("0x15e3"), remote("0xc21cb8")];
    expect(await namesOf(frames, [{ name: "/a/libdemo-tmp1234567890123.so", buildId: ID }])).toEqual([
      "libdemo-tmp1234567890123.so+0x15e3",
      "libdemo-tmp1234567890123.so+0xc21cb8",
    ]);
    expect(await namesOf(frames, [{ name: null, buildId: ID }])).toEqual(["[2de3e4d4]+0x15e3", "[2de3e4d4]+0xc21cb8"]);
    expect(await namesOf([remote("0x0", { className: "ab12" })])).toEqual(["[ab12]+0x0"]);
  });

  it.each([
    ["any frame type", remote("0x15e3", { type: "Anything at all" })],
    ["parentheses", remote("(0x15e3)")],
    ["a suffix of the class", remote("0x15e3", { className: `${ID}.<remote>` })],
  ])("may have %s", async (_, frame) => {
    expect(await placesOf([frame], [{ name: "libx.so", buildId: ID }])).toEqual([[0x15e3n, "libx.so", ""]]);
  });

  it.each([
    ["an odd number of digits", remote("0x15e3", { className: "abc" })],
    ["a class that is no build id", remote("0x15e3", { className: "demo/Work" })],
    ["capital digits", remote("0x15e3", { className: "AB12" })],
    ["more digits than any build id has", remote("0x15e3", { className: "ab".repeat(65) })],
    ["a descriptor that is no offset", remote("()V")],
    ["an offset of more than 48 bits", remote("0x1234567890abc")],
    ["another method", remote("0x15e3", { method: "remote" })],
  ])("is not one with %s", async (_, frame) => {
    const places = await placesOf([frame]);
    expect(places?.[0]?.[0]).toBe(0n);
    expect(places?.[0]?.[2]).not.toBe("");
  });
});

describe("a library that a run unpacks under a random name", () => {
  const FIRST = "libprofiler-tmp1347928371093847561.so";
  const SECOND = "libprofiler-tmp10662290912039481.so";
  const chunkOf = (name: string): ChunkSpec => chunkWith([remote("0xc1010")], [{ name: `/tmp/${name}`, buildId: ID }]);

  async function namesIn(files: readonly ChunkSpec[], rawNames = false) {
    const core = await emptyCore();
    files.forEach((chunk, i) => {
      core.beginFile(`${i}.jfr`, 0);
      feed(core, buildChunk(chunk).bytes);
    });
    core.endFile();
    return files.map((_, i) => {
      core.select(null, { file: `${i}.jfr`, rawNames });
      return core.views.top("self", 0, 10).rows.map(({ name }) => name);
    });
  }

  const files = [FIRST, SECOND].map(chunkOf);

  it("has its own name as recorded, whatever is read before it", async () => {
    const raw = [[`${FIRST}+0xc1010`], [`${SECOND}+0xc1010`]];
    expect(await namesIn(files)).toEqual(raw);
    expect(await namesIn(files.toReversed())).toEqual(raw.toReversed());
    expect(await namesIn(files, true)).toEqual(raw);
  });

  it("has one display name in a data set, alone and beside another recording; stacks are hashed by it", async () => {
    const kernels = await newKernels();
    const displayOf = async (chunks: readonly ChunkSpec[]) => {
      const core = await emptyCore();
      chunks.forEach((chunk, i) => {
        core.beginFile(`${i}.jfr`, 0);
        feed(core, buildChunk(chunk).bytes);
      });
      core.endFile();
      const { display } = StackTable.of(kernels, core.instance).functions;
      return new Set(display.filter((name) => name !== ""));
    };
    const together = await displayOf(files);
    // One after the other: all tests share one core.
    const alone = [];
    for (const file of files) alone.push(await displayOf([file]));
    expect(alone.map(({ size }) => size)).toEqual([1, 1]);
    expect(together).toEqual(new Set(alone.flatMap((names) => [...names])));
  });

  it("keeps its name in the later chunks of its file, which may not state it again", async () => {
    const core = await read(chunkOf(FIRST), chunkWith([remote("0xc1020")], []));
    core.select(null, { rawNames: true });
    const names = core.views.top("self", 0, 10).rows.map(({ name }) => name);
    expect(names.toSorted()).toEqual([`${FIRST}+0xc1010`, `${FIRST}+0xc1020`]);
  });
});

describe("a frame of a library without a build id", () => {
  const plain: Frame = { className: "", method: "[libnobid.so+0x14ee]", descriptor: "()L;", type: "C++" };

  it("has address and library, and keeps its label as its line", async () => {
    expect(await placesOf([plain, plain])).toEqual([
      [0x14een, "libnobid.so", "libnobid.so+0x14ee"],
      [0x14edn, "libnobid.so", "libnobid.so+0x14ee"],
    ]);
  });

  it.each(["[libnobid.so+0x]", "[libnobid.so+0x12g4]", "libnobid.so+0x14ee"])("is not %s", async (method) => {
    expect((await placesOf([{ ...plain, method }]))?.[0]?.[0]).toBe(0n);
  });
});
