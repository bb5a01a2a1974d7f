/** Opening of inputs: sources, compressed files, foreign files, progress and cancelling. */

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type ByteSource, blobSource, bytesSource, fill } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { hasMagic, readChunkHeader } from "../../../src/input/chunk-header.ts";
import { type ReadHooks, type ReadProgress, readInputs } from "../../../src/input/open.ts";
import { codes, emptyCore, message, observations, stable } from "../../kit/core/read-store.ts";
import { buildChunk } from "../../kit/jfr/jfr-builder.ts";
import { concat } from "../../kit/jfr/jfr-bytes.ts";
import { cpuChunk } from "../../kit/jfr/jfr-types.ts";
import { later } from "../../kit/jfr/later.ts";

const SHOP = new Uint8Array(readFileSync(new URL("../../../fixtures/shop-chunks.jfr", import.meta.url)));
const small = buildChunk(cpuChunk([{ weight: 5n }])).bytes;

async function open(sources: ByteSource[], hooks: ReadHooks = {}): Promise<{ core: Core; readable: number }> {
  const core = await emptyCore();
  const inputs = sources.map((source, i) => ({ name: `${i}.jfr`, source }));
  return { core, ...(await readInputs(core, inputs, hooks)) };
}

describe("sources", () => {
  it("give the same recording from bytes, from a Blob, and read into place", async () => {
    const into: ByteSource = {
      ...bytesSource(SHOP),
      readInto: async (start, target) => {
        const part = SHOP.subarray(start, start + target.length);
        target.set(part);
        return part.length;
      },
    };
    const said: string[] = [];
    for (const source of [bytesSource(SHOP), blobSource(new Blob([SHOP])), into]) {
      const { core, readable } = await open([source]);
      expect([readable, codes(core)]).toEqual([1, []]);
      said.push(stable([core.files(), message(core)]));
    }
    expect(new Set(said).size).toBe(1);
    expect(said[0]?.length).toBeGreaterThan(10_000);
  });

  it("fill as much as there is", async () => {
    const source = bytesSource(Uint8Array.of(1, 2, 3, 4));
    const target = new Uint8Array(3);
    expect([await fill(source, 2, target), [...target]]).toEqual([2, [3, 4, 0]]);
    expect(await fill(blobSource(new Blob([Uint8Array.of(9)])), 0, target)).toBe(1);
  });

  it("that give less than they promised cost the rest, no more", async () => {
    const short: ByteSource = {
      ...bytesSource(SHOP),
      readInto: async (start, target) => {
        const part = SHOP.subarray(start, start + Math.floor(target.length / 2));
        target.set(part);
        return part.length;
      },
    };
    const { core } = await open([short]);
    expect(codes(core)).toContain("jfr.chunk.truncated");
  });
});

describe("a chunk header", () => {
  it("is read as it stands", () => {
    const header = readChunkHeader(small);
    expect(header).toEqual({
      version: "2.1",
      major: 2,
      size: BigInt(small.length),
      bytes: small.length,
      startUnixNano: 1_700_000_000_000_000_000n,
      durationNano: 60_000_000_000n,
    });
    expect(hasMagic(concat([0], small), 1)).toBe(true);
    expect(readChunkHeader(concat([1, 2, 3], small).subarray(3)).size).toBe(BigInt(small.length));
    for (let n = 0; n < 4; n++) expect(hasMagic(small.subarray(0, n))).toBe(false);
  });
});

describe("compressed recordings", () => {
  it("are decompressed, all members of them, whatever their name", async () => {
    for (const packed of [gzipSync(SHOP), concat(gzipSync(SHOP.subarray(0, 5000)), gzipSync(SHOP.subarray(5000)))]) {
      const { core } = await open([bytesSource(new Uint8Array(packed))]);
      expect(codes(core)).toEqual([]);
      expect(core.files()[0]).toMatchObject({ bytes: SHOP.length, chunks: [{}, {}, {}] });
    }
  });

  it("that break off are read as far as they go, and said to be damaged", async () => {
    const packed = new Uint8Array(gzipSync(concat(small, SHOP)));
    const { core, readable } = await open([bytesSource(packed.subarray(0, packed.length - 3000))]);
    expect(readable).toBe(1);
    expect(codes(core)).toContain("gzip.damaged");
    expect(observations(core).map(({ value }) => value)).toContain(5n);
  });

  it("of something else are called what they are", async () => {
    let inside: Uint8Array = new TextEncoder().encode("hello");
    for (let layer = 0; layer < 5; layer++) {
      inside = new Uint8Array(gzipSync(inside));
      const { core, readable } = await open([bytesSource(inside)]);
      expect([readable, codes(core)]).toEqual([0, ["source.foreign"]]);
    }
  });
});

describe("foreign files", () => {
  const ascii = (text: string) => new TextEncoder().encode(text);
  it.each([
    ["empty", new Uint8Array()],
    ["a PNG image", Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0)],
    ["a Java class file", Uint8Array.of(0xca, 0xfe, 0xba, 0xbe)],
    ["an ELF binary", ascii("\u007fELF\u0002")],
    ["a Java heap dump (hprof)", ascii("JAVA PROFILE 1.0.2\0")],
    ["a PDF document", ascii("%PDF-1.7")],
    ["JSON", ascii('  \n{"a": 1}')],
    ["JSON", ascii("[1]")],
    ["HTML or XML", ascii("<!doctype html>")],
    ["plain text", ascii("one\r\n\ttwo")],
    ["of an unknown format", Uint8Array.of(1, 2, 3)],
  ])("are named: %s", async (what, bytes) => {
    const { core, readable } = await open([bytesSource(bytes)]);
    expect(readable).toBe(0);
    expect(core.diagnostics()).toMatchObject([{ code: "source.foreign", severity: "error", file: "0.jfr", offset: 0 }]);
    expect(core.diagnostics()[0]?.message).toContain(what);
    expect(core.files()).toEqual([
      { name: "0.jfr", bytes: bytes.length, format: "jfr", chunks: [], messages: [], samples: 0, resource: {} },
    ]);
  });

  it("beside a recording do not keep it from being read", async () => {
    const { core, readable } = await open([bytesSource(ascii("text")), bytesSource(small), bytesSource(ascii("{}"))]);
    expect([readable, observations(core).length, codes(core)]).toEqual([1, 1, ["source.foreign", "source.foreign"]]);
    expect(core.files().map(({ name }) => name)).toEqual(["0.jfr", "1.jfr", "2.jfr"]);
  });
});

describe("reading", () => {
  it("reports progress that only grows, to the end of all inputs", async () => {
    const seen: ReadProgress[] = [];
    const { core } = await open([bytesSource(SHOP), bytesSource(small)], {
      onProgress: (progress) => seen.push(progress),
    });
    const total = SHOP.length + small.length;
    expect(seen.at(-1)).toEqual({ bytes: total, total, samples: core.samples() });
    for (const key of ["bytes", "samples"] as const) {
      const values = seen.map((progress) => progress[key]);
      expect(values).toEqual(values.toSorted((a, b) => a - b));
    }
    expect(seen.length).toBeGreaterThan(3);
  });

  it("ends when it is cancelled, and what was read stands", async () => {
    const many = Array.from({ length: 20 }, (_, i) => bytesSource(later(small, i)));
    let asked = 0;
    const { core } = await open(many, { cancelled: () => ++asked > 6 });
    const read = observations(core).length;
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(20);
    // The core is usable afterwards.
    await readInputs(core, [{ name: "next", source: bytesSource(later(small, 20)) }]);
    expect(observations(core)).toHaveLength(read + 1);
  });

  it("leaves out a chunk that does not fit, and goes on", async () => {
    const core = await emptyCore();
    const reserve = core.reserve.bind(core);
    core.reserve = (bytes) => {
      if (bytes === SHOP.length) throw new Error("no room");
      reserve(bytes);
    };
    try {
      const huge: Uint8Array = SHOP.slice();
      new DataView(huge.buffer).setBigInt64(8, BigInt(SHOP.length));
      const { readable } = await readInputs(core, [{ name: "a", source: bytesSource(concat(huge, small)) }]);
      expect([readable, observations(core).length]).toEqual([1, 1]);
      expect(codes(core)).toEqual(["core.memory"]);
    } finally {
      core.reserve = reserve;
    }
  });
});

describe("the result of a reading", () => {
  const zeros = new Uint8Array(100);

  it("says of each input how much of it was read", async () => {
    const core = await emptyCore();
    const inputs = [small, concat(small, zeros), zeros, small].map((bytes, i) => ({
      name: `${i}`,
      source: bytesSource(bytes),
    }));
    const { readable, inputs: read } = await readInputs(core, inputs);
    expect(read.map((input) => input.read)).toEqual(["wholly", "partly", "not", "wholly"]);
    expect([readable, read[1]?.name, core.errors()]).toEqual([3, "1", 2]);
  });

  it("counts errors that the core found", async () => {
    const cut = SHOP.subarray(0, SHOP.length - 100);
    const core = await emptyCore();
    const { inputs } = await readInputs(core, [{ name: "a", source: bytesSource(cut) }]);
    expect([inputs, core.diagnostics().filter(({ severity }) => severity === "error").length]).toEqual([
      [{ name: "a", read: "partly" }],
      core.errors(),
    ]);
  });

  it("has inputs that a cancelled reading did not reach", async () => {
    const core = await emptyCore();
    const inputs = [1, 2, 3].map((i) => ({ name: `${i}`, source: bytesSource(SHOP) }));
    const { inputs: read } = await readInputs(core, inputs, { cancelled: () => core.files().length > 1 });
    expect(read.map((input) => input.read)).toEqual(["wholly", "partly", "not"]);
  });
});

describe("two readings of one core", () => {
  it("at once are refused, and the first one is not disturbed", async () => {
    const core = await emptyCore();
    const first = readInputs(core, [{ name: "a", source: bytesSource(SHOP) }]);
    const second = readInputs(core, [{ name: "b", source: bytesSource(SHOP) }]);
    await expect(second).rejects.toMatchObject({ name: "SpanflameError", code: "core.busy" });
    for (const call of [() => core.reset(), () => core.write(null, {}, { format: "otlp" })]) {
      expect(call).toThrow(expect.objectContaining({ code: "core.busy" }));
    }
    await first;
    expect(core.files().map(({ name }) => name)).toEqual(["a"]);
    const together = stable(message(core));
    const { core: alone } = await open([bytesSource(SHOP)]);
    expect(together).toBe(stable(message(alone)));
  });

  it("one after the other are both read, also after one that threw", async () => {
    const core = await emptyCore();
    const step = core.step.bind(core);
    core.step = () => {
      throw new Error("out of memory");
    };
    const read = () => readInputs(core, [{ name: "a", source: bytesSource(small) }]);
    await expect(read()).rejects.toThrow("out of memory");
    core.step = step;
    expect((await read()).readable).toBe(1);
  });
});
