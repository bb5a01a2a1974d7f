/** The facade of the core: slices, sessions, limits and misuse. Reading and answers are tested with the recordings. */

import { beforeEach, describe, expect, it } from "vitest";
import { codes, emptyCore, feed, message, observations, read, stable } from "../../test/kit/core/read-store.ts";
import { buildChunk } from "../../test/kit/jfr/jfr-builder.ts";
import { CPU, type CpuSample, cpuChunk, cpuType, javaStack } from "../../test/kit/jfr/jfr-types.ts";
import { flatten } from "../../test/kit/otlp/otlp-schema.ts";
import type { Core } from "./core.ts";
import { SpanflameError } from "./instance/error.ts";

const many: CpuSample[] = Array.from({ length: 400 }, (_, i) => ({
  at: BigInt(i),
  weight: BigInt(i),
  span: BigInt(1 + (i % 7)),
  root: BigInt(1 + (i % 3)),
  stack: javaStack(...["a", "b", "c", "d", "e"].slice(i % 5)),
}));
const bytes = buildChunk(cpuChunk(many)).bytes;

let core: Core;
beforeEach(async () => {
  core = await emptyCore();
});

describe("reading", () => {
  it("in slices is the same as at once", async () => {
    const once = stable(message(await read(bytes)));
    for (const budget of [1, 7, 100, 4096]) {
      core.reset();
      core.beginFile("a", bytes.length);
      feed(core, bytes, 0, budget);
      expect(stable(message(core))).toBe(once);
      expect(core.samples()).toBe(400);
    }
  });

  it("says how far it is, down to nothing", async () => {
    core.beginFile("a", bytes.length);
    core.reserve(bytes.length);
    core.input(bytes.length).set(bytes);
    const summary = { version: "2.1", bytes: bytes.length, startUnixNano: 0n, durationNano: 0n };
    expect(core.openChunk(bytes.length, 0, summary)).toBe("more");
    const left = [core.bytesLeft()];
    while (core.step(1000) === "more") left.push(core.bytesLeft());
    left.push(core.bytesLeft());
    core.close();
    expect(left.at(-1)).toBe(0);
    expect(left).toEqual(left.toSorted((a, b) => b - a));
    expect(new Set(left).size).toBeGreaterThan(5);
  });

  it("of a file that was given up leaves a core to go on with", async () => {
    core.beginFile("a", bytes.length);
    core.reserve(bytes.length);
    core.input(bytes.length).set(bytes);
    core.openChunk(bytes.length, 0, { version: "2.1", bytes: bytes.length, startUnixNano: 0n, durationNano: 0n });
    core.step(1000);
    core.step(1000);
    core.close();
    const before = observations(core).length;
    core.beginFile("b", bytes.length);
    feed(core, bytes);
    expect(observations(core)).toHaveLength(before + 400);
  });

  it("counts events of one name together, whatever their type ids", async () => {
    const spec = cpuChunk(many.slice(0, 3));
    const more = { ...cpuType(), id: 900n };
    spec.types.push({ ...more, name: "other.Event" });
    const found = await read(spec, cpuChunk(many.slice(0, 2)));
    expect(found.files()[0]?.chunks.map(({ events }) => events)).toEqual([{ [CPU]: 3 }, { [CPU]: 2 }]);
    expect(found.profiles()[0]?.events).toEqual({ [CPU]: 5 });
  });

  it("names the chunk and the place of what is wrong, in the file", async () => {
    const broken = buildChunk({ ...cpuChunk(many), state: 7 }).bytes;
    const found = await read(bytes, broken);
    expect(found.diagnostics()).toMatchObject([
      { code: "jfr.chunk.unfinished", severity: "warning", file: "built.jfr", chunk: 1, offset: bytes.length + 64 },
    ]);
    expect(found.diagnostics()[0]?.message).toMatch(/^jfr: .*7.*\(chunk 1, offset \d+\)$/);
  });
});

describe("a session", () => {
  it("forgets everything at a reset", async () => {
    const found = await read(bytes);
    found.note({ code: "x", severity: "info", message: "x", file: "", chunk: null, offset: null });
    found.reset();
    expect([found.files(), found.profiles(), found.diagnostics(), found.samples(), found.attributeKeys()]).toEqual([
      [],
      [],
      [],
      0,
      [],
    ]);
    expect(flatten(message(found)).flatMap((p) => p.samples)).toEqual([]);
  });

  it("forgets a chunk that was left open", async () => {
    const whole = stable(message(await read(bytes)));
    for (const steps of [0, 1, 2, 100]) {
      core.reset();
      core.beginFile("a", bytes.length);
      core.reserve(bytes.length);
      core.input(bytes.length).set(bytes);
      core.openChunk(bytes.length, 0, { version: "2.1", bytes: bytes.length, startUnixNano: 0n, durationNano: 0n });
      for (let i = 0; i < steps; i++) core.step(1000);
      core.reset();
      core.beginFile("built.jfr", bytes.length);
      feed(core, bytes);
      expect(stable(message(core))).toBe(whole);
    }
  });

  it("holds no more the tenth time than the second", async () => {
    const held: number[] = [];
    for (let i = 0; i < 10; i++) held.push((await read(bytes, bytes)).bytesHeld());
    expect(held.at(-1)).toBe(held[1]);
  });

  it("keeps its answers when a message was written", async () => {
    const found = await read(bytes);
    const before = stable([found.profiles(), found.select(0, { span: 3n }), found.views.top("self", 0, 10)]);
    for (let i = 0; i < 3; i++) message(found);
    expect(stable([found.profiles(), found.select(0, { span: 3n }), found.views.top("self", 0, 10)])).toBe(before);
  });

  it("reads on after a message was written, which had the input buffer's memory", async () => {
    const more = buildChunk(cpuChunk(many.map((sample) => ({ ...sample, span: 1000n + (sample.span ?? 0n) })))).bytes;
    const whole = stable(message(await read(bytes, more, bytes)));
    const found = await read(bytes);
    for (const chunk of [more, bytes]) {
      message(found);
      feed(found, chunk);
    }
    expect(stable(message(found))).toBe(whole);
  });

  it("writes a large input's message into the memory of the input", async () => {
    const held = async (input: Uint8Array, room: number) => {
      const found = await read(input);
      found.reserve(room);
      const before = found.bytesHeld();
      message(found);
      return found.bytesHeld() - before;
    };
    expect(await held(bytes, bytes.length)).toBeGreaterThan(0);
    expect(await held(bytes, 1 << 24)).toBe(0);
  });
});

describe("asking", () => {
  it("pages through a ranking", async () => {
    const found = await read(bytes);
    found.select(0, {});
    const whole = found.views.rank({ kind: "span" }, 0, 100);
    expect([whole.count, whole.rows.length]).toEqual([7, 7]);
    const pages = [0, 3, 6, 9].flatMap((offset) => found.views.rank({ kind: "span" }, offset, 3).rows);
    expect(pages).toEqual(whole.rows);
  });

  it("for everything at once adds the profiles up, and for none gives nothing", async () => {
    const found = await read(bytes);
    const sum = BigInt((399 * 400) / 2);
    expect(found.select(null, {})).toEqual({ samples: 400, value: sum });
    expect(found.select(3, {})).toEqual({ samples: 0, value: 0n });
    expect(found.views.top("self", 0, 10)).toEqual({ count: 0, rows: [] });
    expect(found.views.rank({ kind: "span" }, 0, 10).rows).toEqual([]);
  });

  it("for frames starts at the root and holds the whole selection", async () => {
    const found = await read(bytes);
    found.select(0, { localRoot: 2n });
    const { frames, path, selectionTotal } = found.views.frames({ focus: 0, width: 2000 });
    expect([path, frames.total[0]]).toEqual([[], selectionTotal]);
    expect(BigInt(selectionTotal)).toBe(found.select(0, { localRoot: 2n }).value);
    expect(frames.names).toContain("demo.Work.e");
  });
});

describe("a message in parts", () => {
  it("is the message", () => {
    core.beginFile("a", bytes.length);
    feed(core, bytes);
    for (const format of ["otlp", "otlp-json"] as const) {
      const whole = core.write(null, { localRoot: 2n }, { format });
      const parts: number[] = [];
      const totals = core.writeTo(null, { localRoot: 2n }, { format }, (part) => parts.push(...part));
      expect(parts).toEqual([...whole.bytes]);
      expect({ ...totals, bytes: whole.bytes }).toEqual(whole);
    }
  });
});

describe("limits", () => {
  it("of memory end the reading, and the core goes on with what was read", () => {
    core.limitMemory(core.bytesHeld() + 2 ** 19);
    try {
      core.beginFile("a", bytes.length);
      for (let i = 0; i < 1000 && !core.full; i++) feed(core, bytes, i);
      const samples = core.samples();
      feed(core, bytes);
      core.refuseFile("b", 7);
      expect(core.full).toBe(true);
      expect([core.samples(), core.diagnostics().map(({ code, file }) => [code, file])]).toEqual([
        samples,
        [
          ["core.full", "a"],
          ["core.full", "b"],
        ],
      ]);
    } finally {
      core.limitMemory(2 ** 32);
    }
    expect(core.select(null, {}).samples).toBe(core.samples());
    core.reset();
    expect(core.full).toBe(false);
  });

  it("refuse a chunk that no memory holds, and stay usable", async () => {
    for (const size of [2 ** 32, 2 ** 33, Number.MAX_SAFE_INTEGER]) {
      expect(() => core.reserve(size)).toThrow(SpanflameError);
    }
    core.beginFile("a", bytes.length);
    feed(core, bytes);
    expect([observations(core).length, codes(core)]).toEqual([400, []]);
  });

  it("refuse a chunk before any file", () => {
    const summary = { version: "2.1", bytes: 68, startUnixNano: 0n, durationNano: 0n };
    expect(() => core.openChunk(68, 0, summary)).toThrow(RangeError);
  });
});
