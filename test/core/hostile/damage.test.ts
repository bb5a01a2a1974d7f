/** Damaged recordings: cut, padded or inconsistent. Intact parts are read, and diagnostics report the rest. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { readInputs } from "../../../src/input/open.ts";
import { codes, emptyCore, message, observations } from "../../kit/core/read-store.ts";
import { buildChunk, type ChunkSpec, type Item, type TypeSpec } from "../../kit/jfr/jfr-builder.ts";
import { concat } from "../../kit/jfr/jfr-bytes.ts";
import { Constants, CPU, cpuItem, cpuType, JVM_TYPES, javaStack } from "../../kit/jfr/jfr-types.ts";

const TYPES = [...JVM_TYPES, cpuType()];
const EVENTS = 40;

/** Metadata and pools first, so that every cut after them leaves events to read; values count up. */
function chunk(first: number, rest: Partial<ChunkSpec> = {}, extra: Item[] = []) {
  const c = new Constants();
  const events = Array.from({ length: EVENTS }, (_, i) =>
    cpuItem(c, { at: BigInt(first + i), weight: BigInt(first + i), span: 5n, root: 9n }),
  );
  return buildChunk({
    types: TYPES,
    items: [{ metadata: TYPES }, { checkpoint: c.all() }, ...events, ...extra],
    ...rest,
  });
}

const A = chunk(1);
const B = chunk(1 + EVENTS, { startNanos: 1_700_000_001_000_000_000n });

async function open(bytes: Uint8Array): Promise<{ core: Core; readable: number; values: number[]; codes: string[] }> {
  const core = await emptyCore();
  const { readable } = await readInputs(core, [{ name: "a.jfr", source: bytesSource(bytes) }]);
  message(core);
  return { core, readable, values: observations(core).map(({ value }) => Number(value)), codes: codes(core) };
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const ALL_A = range(1, 1 + EVENTS);
const ALL_B = range(1 + EVENTS, 1 + 2 * EVENTS);
const severe = (core: Core) => core.diagnostics().filter(({ severity }) => severity !== "info");

function patch(bytes: Uint8Array, at: number, patched: bigint, width = 8): Uint8Array {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  if (width === 8) view.setBigInt64(at, patched);
  else view.setUint8(at, Number(patched));
  return copy;
}

/** Recordings of the JDK with checkpoints between the events, and the length of their first chunk. */
const RECORDED = [
  ["jdk25-cputime", 231_874],
  ["jdk17-profile", 235_746],
  ["ddagent-jdk17", 269_246],
] as const;

/** The events of one chunk, by a reader that shares nothing with the core's. */
function walk(bytes: Uint8Array): { at: number; end: number; type: number }[] {
  const varint = (p: number): [value: number, end: number] => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[p++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return [value, p];
    }
  };
  const found = [];
  for (let at = 68, size = 0; at < bytes.length; at += size) {
    const [length, after] = varint(at);
    size = length;
    found.push({ at, end: at + size, type: varint(after)[0] });
  }
  return found;
}

/** Events that the summary of the file counts. */
const countOf = (core: Core) =>
  Object.values(core.files()[0]!.chunks[0]!.events).reduce((sum, n) => sum + Number(n), 0);

describe("a recording cut short", () => {
  it("gives the first of its events, whatever the place of the cut", async () => {
    const whole = concat(A.bytes, B.bytes);
    expect((await open(whole)).values).toEqual([...ALL_A, ...ALL_B]);
    const inEvents = A.bytes.length + (B.offsets[2] ?? 0);
    let most = 0;
    for (let n = 0; n < whole.length; n += n > inEvents || (n > (A.offsets[2] ?? 0) && n < A.bytes.length) ? 3 : 17) {
      const { values, core } = await open(whole.subarray(0, n));
      expect(values).toEqual([...ALL_A, ...ALL_B].slice(0, values.length));
      // The chunks are whole or cut, never twice; a later cut never loses events.
      expect(values.length).toBeGreaterThanOrEqual(most);
      most = values.length;
      if (n >= A.bytes.length) expect(values.length).toBeGreaterThanOrEqual(EVENTS);
      if (n !== A.bytes.length) expect(severe(core).length).toBeGreaterThan(0);
    }
    expect(most).toBe(2 * EVENTS - 1);
  });

  it("of the ordinary kind, with metadata and pools last, gives nothing but its sound chunks", async () => {
    const c = new Constants();
    const items = [cpuItem(c, { weight: 700n })];
    const last = buildChunk({ types: TYPES, items: [...items, { checkpoint: c.all() }] });
    for (let n = 1; n < last.bytes.length; n += 11) {
      const { values } = await open(concat(A.bytes, last.bytes.subarray(0, n)));
      expect(values.filter((value) => value !== 700)).toEqual(ALL_A);
    }
  });

  it("of the JDK gives all events before the cut: copies of its header in checkpoints are no chunks", async () => {
    for (const [name, length] of RECORDED) {
      const bytes = new Uint8Array(readFileSync(new URL(`../../../fixtures/recorded/${name}.jfr`, import.meta.url)));
      const chunk = bytes.subarray(0, length);
      const metadata = walk(chunk).find(({ type }) => type === 0)!;
      // The end, where metadata and the last checkpoint are, and a sample of all places after the first metadata.
      const cuts = [1, 96, 300, 500, 700, 900, 1100, 2000].map((left) => chunk.length - left);
      for (let at = metadata.end; at < chunk.length; at += 9973) cuts.push(at);
      for (const left of cuts) {
        const wanted = walk(chunk).filter(({ type, end }) => type > 1 && end <= left).length;
        const cut = chunk.slice(0, left);
        for (const size of left % 3 === 0 ? [null, 0n, 1n << 40n] : [null]) {
          const source = bytesSource(size === null ? cut : patch(cut, 8, size));
          const core = await emptyCore();
          await readInputs(core, [{ name: "a.jfr", source }]);
          const [file, ...others] = core.files();
          expect(others).toEqual([]);
          expect(file!.chunks).toHaveLength(1);
          expect([name, left, countOf(core)]).toEqual([name, left, wanted]);
        }
      }
    }
  });

  it("counts events of types whose definition is beyond the cut, by name where the strings have it", async () => {
    const late: TypeSpec[] = [7001n, 70_002n].map((id) => ({
      name: `com.shop.Late${id}`,
      id,
      superType: "jdk.jfr.Event",
      fields: [{ name: "count", type: "long" }],
    }));
    const c = new Constants();
    const events: Item[] = late.flatMap(({ name }) =>
      [1n, 2n, 3n].map((count) => ({ event: name, values: { count } })),
    );
    const built = buildChunk({
      types: [...TYPES, ...late],
      items: [
        { metadata: TYPES },
        cpuItem(c, { weight: 5n }),
        { checkpoint: c.all() },
        ...events,
        { metadata: [...TYPES, ...late] },
        { checkpoint: [] },
      ],
    });
    const lastMetadata = walk(built.bytes).filter(({ type }) => type === 0)[1]!;
    const names = new Set<string>();
    for (let left = lastMetadata.end - 1; left >= lastMetadata.at; left -= 7) {
      const { core, values, codes: said } = await open(built.bytes.subarray(0, left));
      expect(values).toEqual([5]);
      expect(countOf(core)).toBe(7);
      const counted = Object.keys(core.files()[0]!.chunks[0]!.events).filter((name) => name !== CPU);
      for (const name of counted) names.add(name);
      if (counted.some((name) => name.startsWith("type "))) expect(said).toContain("jfr.event.late");
    }
    expect([...names].sort()).toEqual(["com.shop.Late70002", "com.shop.Late7001", "type 70002", "type 7001"]);
    // The types beyond the most that are added are events without a definition.
    const many = Array.from({ length: 300 }, (_, i): TypeSpec => ({ name: `com.shop.E${i}`, id: BigInt(8000 + i) }));
    const flood = buildChunk({
      types: [...TYPES, ...many],
      items: [{ metadata: TYPES }, ...many.map(({ name }): Item => ({ event: name, values: {} }))],
      metadataOffset: 1n << 30n,
    });
    const { core, codes: said } = await open(flood.bytes);
    expect([countOf(core), said.includes("jfr.event.undefined")]).toEqual([256, true]);
  });

  it("in its only metadata gives the events of the types before the cut", async () => {
    const c = new Constants();
    const events = range(1, 9).map((n) => cpuItem(c, { weight: BigInt(n), at: BigInt(n) }));
    const last: TypeSpec = { name: "com.shop.Last", fields: [{ name: "text", type: "java.lang.String" }] };
    const types = [...TYPES, last];
    const built = buildChunk({ types, items: [...events, { checkpoint: c.all() }, { metadata: types }] });
    const { codes: said, values, core } = await open(built.bytes.subarray(0, built.bytes.length - 12));
    expect(values).toEqual(range(1, 9));
    expect(said).toContain("jfr.chunk.truncated");
    expect(observations(core).every(({ stack }) => stack.length === 2)).toBe(true);
    for (let left = built.bytes.length - 13; left > built.offsets.at(-1)! + 10; left -= 5) {
      const found = await open(built.bytes.subarray(0, left));
      expect(countOf(found.core)).toBe(8);
    }
  });

  it("in a checkpoint gives the constants before the cut", async () => {
    const c = new Constants();
    const events = range(0, 60).map((n) =>
      cpuItem(c, { weight: 1n, at: BigInt(n), stack: javaStack(`leaf${n}`, "root") }),
    );
    const stacks = c.all().filter(({ type }) => type === "jdk.types.StackTrace");
    const others = c.all().filter(({ type }) => type !== "jdk.types.StackTrace");
    const items: Item[] = [{ metadata: TYPES }, ...events, { checkpoint: [...others, ...stacks] }];
    const built = buildChunk({ types: TYPES, items });
    const withStack: number[] = [];
    for (let left = built.bytes.length; left > built.offsets.at(-1)!; left -= 61) {
      const { core, values } = await open(built.bytes.subarray(0, left));
      expect(values).toHaveLength(60);
      withStack.push(observations(core).filter(({ stack }) => stack.length === 2).length);
    }
    expect(withStack[0]).toBe(60);
    expect(withStack).toEqual([...withStack].sort((a, b) => b - a));
    expect(withStack.some((n) => n > 20 && n < 60)).toBe(true);
  });

  it("to its header says that no metadata is there", async () => {
    const found = await open(A.bytes.subarray(0, 68));
    expect(found).toMatchObject({ readable: 0, values: [] });
    expect(found.codes).toContain("jfr.metadata.missing");
  });

  it("within a header says so", async () => {
    const found = await open(concat(A.bytes, B.bytes.subarray(0, 67)));
    expect(found.values).toEqual(ALL_A);
    expect(found.core.diagnostics()).toMatchObject([
      { code: "jfr.foreign-bytes", offset: A.bytes.length, severity: "error" },
    ]);
  });
});

describe("a chunk whose only metadata is cut, and not where its header says", () => {
  // The first event is metadata that is longer than the chunk; the checkpoint after it is where reading goes on.
  const c = new Constants();
  const items: Item[] = [
    { raw: [0xff, 0xff, 0xff, 0xff, 0x07, 0x00] },
    { checkpoint: c.all() },
    ...Array.from({ length: EVENTS }, (_, i) => cpuItem(c, { at: BigInt(i), weight: 7n })),
  ];
  const blind = buildChunk({ types: TYPES, items, metadataOffset: 1n << 20n });
  const bytes = blind.bytes.subarray(0, blind.offsets.at(-1));

  it("has nothing of the chunk before it", async () => {
    const found = await open(concat(A.bytes, bytes));
    expect(found.values).toEqual(ALL_A);
    const [, events] = found.core.files()[0]?.chunks ?? [];
    expect(Object.keys(events?.events ?? {})).not.toContain(CPU);
    const after = found.core.diagnostics().map(({ code }) => code);
    expect(after).toEqual((await open(bytes)).codes);
  });
});

describe("foreign bytes", () => {
  const junk = Uint8Array.from({ length: 100 }, (_, i) => (i * 37 + 11) & 0xff);
  // Something like a chunk begins in it, twice.
  const tricky = concat([0x46, 0x46, 0x4c, 0x52], junk, [0x46, 0x4c, 0x52, 0, 0, 3, 0, 0], junk);

  it.each([
    ["behind the last chunk", [A.bytes, B.bytes, junk], A.bytes.length + B.bytes.length, 100],
    ["between chunks", [A.bytes, junk, B.bytes], A.bytes.length, 100],
    ["between chunks, single", [A.bytes, [0], B.bytes], A.bytes.length, 1],
    ["between chunks, half a magic", [A.bytes, [0x46, 0x4c], B.bytes], A.bytes.length, 2],
    ["before the first chunk", [junk, A.bytes, B.bytes], 0, 100],
  ])("%s are stepped over", async (_, parts, at, length) => {
    const { values, core, readable } = await open(concat(...parts));
    expect([values, readable]).toEqual([[...ALL_A, ...ALL_B], 1]);
    expect(core.diagnostics()).toMatchObject([
      { code: "jfr.foreign-bytes", severity: "error", offset: at, file: "a.jfr" },
    ]);
    expect(core.diagnostics()[0]?.message).toContain(`${length} bytes at offset ${at}`);
  });

  it("that look like the start of a chunk do not hide the next one", async () => {
    const { values } = await open(concat(A.bytes, tricky, B.bytes));
    expect(values).toEqual([...ALL_A, ...ALL_B]);
  });

  it("may be longer than what is looked through at once, with a chunk right on the seam", async () => {
    for (const seam of [-8, -4, -1, 0, 1]) {
      const gap = new Uint8Array((1 << 20) - A.bytes.length + A.bytes.length + 1 + seam);
      const { values } = await open(concat(A.bytes, gap, B.bytes));
      expect(values).toEqual([...ALL_A, ...ALL_B]);
    }
  });

  it("of a version that is not known are named", async () => {
    const old = patch(A.bytes, 4, 0x0003_0000_0000_0000n + (new DataView(A.bytes.buffer).getBigInt64(4) % (1n << 48n)));
    const found = await open(concat(old, B.bytes));
    expect(found.values).toEqual(ALL_B);
    expect(found.codes).toEqual(["jfr.version"]);
  });
});

describe("a header", () => {
  it.each([0n, -1n, -(1n << 63n), 67n, 1n << 30n, 1n << 40n, (1n << 63n) - 1n])(
    "with the size %d costs no event of either chunk",
    async (size) => {
      for (const [x, y] of [
        [patch(A.bytes, 8, size), B.bytes],
        [A.bytes, patch(B.bytes, 8, size)],
      ] as const) {
        const found = await open(concat(x, y));
        expect(found.values).toEqual([...ALL_A, ...ALL_B]);
        expect(found.codes).toEqual(["jfr.chunk.truncated"]);
      }
    },
  );

  it.each([0n, 1n, 67n, -5n, 1n << 40n, BigInt(A.bytes.length), BigInt(A.offsets[5] ?? 0)])(
    "with the metadata at %d has it found by a scan",
    async (offset) => {
      const found = await open(patch(A.bytes, 24, offset));
      expect(found.values).toEqual(ALL_A);
      expect(found.codes).toEqual(["jfr.metadata.moved"]);
    },
  );

  it.each([0n, 1n, 67n, -5n, 1n << 40n, BigInt(A.bytes.length), BigInt(A.offsets[5] ?? 0)])(
    "with the pools at %d has them found by a scan",
    async (offset) => {
      const { core, values, codes: said } = await open(patch(A.bytes, 16, offset));
      expect(values).toEqual(ALL_A);
      expect(observations(core)[0]?.stack).toHaveLength(2);
      expect(said.length).toBe(1);
      expect(said[0]).toMatch(/^jfr\.pools\./);
    },
  );

  it.each([1n, 17n, 255n])("with the state %d is read, and said to be unfinished", async (state) => {
    expect(await open(patch(A.bytes, 64, state, 1))).toMatchObject({ values: ALL_A, codes: ["jfr.chunk.unfinished"] });
  });

  it.each([0n, -1n, -(1n << 63n)])("with %d ticks per second is read with a clock of its own", async (ticks) => {
    expect(await open(patch(A.bytes, 56, ticks))).toMatchObject({ values: ALL_A, codes: ["jfr.clock.frequency"] });
  });

  it.each([
    [32, (1n << 63n) - 1n],
    [32, -1n],
    [40, -1n],
    [40, (1n << 63n) - 1n],
    [48, -(1n << 63n)],
    [48, (1n << 63n) - 1n],
    [56, 1n],
    [56, (1n << 63n) - 1n],
  ])("with an absurd clock (offset %d: %d) is read all the same", async (at, value) => {
    // `message`, which `open` calls, finds times outside the profile.
    const { core } = await open(patch(A.bytes, at, value));
    expect(core.profiles()[0]?.samples).toBe(EVENTS);
  });

  it("that calls varints fixed-width is not believed", async () => {
    const bytes = A.bytes.slice();
    bytes[67] = 0;
    expect(await open(bytes)).toMatchObject({ values: ALL_A, codes: ["jfr.integers.fixed"] });
  });
});

describe("a chain of checkpoints", () => {
  const name = (key: bigint, text: string): Item => ({
    checkpoint: [
      {
        type: "java.lang.Thread",
        entries: [[key, { osName: null, osThreadId: 0n, javaName: text, javaThreadId: key }]],
      },
    ],
  });

  async function threads(deltas: (bigint | undefined)[]) {
    const links = deltas.map((delta, i): Item => {
      const item = name(BigInt(i + 1), `t${i + 1}`);
      return delta === undefined ? item : { ...item, delta };
    });
    const events = deltas.map(
      (_, i): Item => ({
        event: CPU,
        values: {
          startTime: 0n,
          eventThread: BigInt(i + 1),
          stackTrace: 0n,
          weight: BigInt(i + 1),
          spanId: 0n,
          localRootSpanId: 0n,
        },
      }),
    );
    const built = buildChunk({ types: TYPES, items: [...events, ...links] });
    const { core, codes: said } = await open(built.bytes);
    return { names: observations(core).map((o) => o.attributes["thread.name"]), said };
  }

  it("is followed", async () => {
    expect(await threads([undefined, undefined, undefined])).toEqual({ names: ["t1", "t2", "t3"], said: [] });
  });

  it.each([
    ["stands still", -0n + 1n],
    ["goes forward", 1000n],
    ["leads before the chunk", -100_000n],
    ["leads into another event", -9n],
    ["is the most negative number", -(1n << 63n)],
  ])("that %s is given up for a scan", async (_, delta) => {
    expect(await threads([undefined, undefined, delta])).toEqual({
      names: ["t1", "t2", "t3"],
      said: ["jfr.pools.chain"],
    });
  });

  it("that ends early leaves what it does not reach, as other readers do", async () => {
    const { names } = await threads([undefined, undefined, 0n]);
    expect(names.at(-1)).toBe("t3");
  });
});

describe("an event", () => {
  const at = A.offsets[12] ?? 0;
  function withSize(bytes: number[]): Uint8Array {
    const copy = A.bytes.slice();
    copy.set(bytes, at);
    return copy;
  }

  it.each([
    ["0", [0x80, 0x80, 0x80, 0x00]],
    ["2³²−1", [0xff, 0xff, 0xff, 0xff, 0x0f]],
    ["more than is left", [0xff, 0xff, 0xff, 0x7f]],
  ])("of size %s ends its chunk, not the file", async (_, size) => {
    const { values, core } = await open(concat(withSize(size), B.bytes));
    expect(values).toEqual([...ALL_A.slice(0, 10), ...ALL_B]);
    expect(core.diagnostics()).toMatchObject([{ code: "jfr.event.size", severity: "error", chunk: 0, offset: at }]);
  });

  it("shorter than its fields is counted and left out", async () => {
    const c = new Constants();
    const short = { ...cpuItem(c, { weight: 99n }), cut: 2 } as Item;
    const { core, values, codes: said } = await open(chunk(1, {}, [short]).bytes);
    expect([values, said]).toEqual([ALL_A, ["jfr.event.short"]]);
    expect(core.files()[0]?.chunks[0]?.events[CPU]).toBe(EVENTS + 1);
  });

  it("longer than its fields is read", async () => {
    const whole = buildChunk({ types: TYPES, items: [cpuItem(new Constants(), { at: 99n, weight: 99n })] });
    const event = [...whole.bytes.subarray(whole.offsets[0], whole.offsets[1])];
    event[0] = (event.length + 3) | 0x80;
    const { values, codes: said } = await open(chunk(1, {}, [{ raw: [...event, 1, 2, 3] }]).bytes);
    expect([values, said]).toEqual([[...ALL_A, 99], []]);
  });

  it("of a type that is not defined is stepped over and said once", async () => {
    const unknown: Item = { raw: [7, 0xe7, 0x07, 1, 2, 3, 4] };
    const { core, values } = await open(chunk(1, {}, [unknown, unknown]).bytes);
    expect(values).toEqual(ALL_A);
    expect(core.diagnostics()).toMatchObject([{ code: "jfr.event.undefined", severity: "warning" }]);
    expect(core.diagnostics()[0]?.message).toMatch(/2 events .*999/);
  });
});
