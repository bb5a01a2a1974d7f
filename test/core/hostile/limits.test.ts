/**
 * The limit of the core's memory, at every block that it allocates: each run is given just the memory at which the run
 * before stopped. Nothing traps, data that was read is kept, and every request is answered or refused.
 */
import { createHash } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import type { Capacity } from "../../../src/core/instance/capacity.ts";
import { SpanflameError } from "../../../src/core/instance/error.ts";
import { splitByProfile } from "../../../src/core/split.ts";
import { FORMATS } from "../../../src/core/tables/formats.ts";
import type { Filter } from "../../../src/core/types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { emptyCore, message } from "../../kit/core/read-store.ts";
import { buildChunk } from "../../kit/jfr/jfr-builder.ts";
import { cpuChunk, javaStack } from "../../kit/jfr/jfr-types.ts";
import { later } from "../../kit/jfr/later.ts";

const ALL_MEMORY = 2 ** 32;
/** Samples with a different stack, span and root each: more than the tables have rows for at first. */
const DISTINCT = 4500;
/** Chunks that repeat the first: together more observations than a block holds. */
const CHUNKS = 13;

/** Observation `i` weighs `i + 1`. So the sum shows that the first `n` were kept: any other `n` weigh more. */
function chunk(number: number): Uint8Array {
  const samples = Array.from({ length: DISTINCT }, (_, i) => ({
    at: BigInt(number * DISTINCT + i),
    weight: BigInt(number * DISTINCT + i + 1),
    span: BigInt(1 + i),
    root: BigInt(1 + i),
    stack: javaStack(`leaf${i}`, `caller${i % 50}`, "main"),
  }));
  return buildChunk(cpuChunk(samples)).bytes;
}

const RECORDING = Uint8Array.from(Buffer.concat(Array.from({ length: CHUNKS }, (_, i) => chunk(i))));
const sumOfFirst = (n: number) => (BigInt(n) * BigInt(n + 1)) / 2n;
const FILTER: Filter = { frames: [{ pattern: "leaf1" }], localRoot: [1n, 10n, 12n] };

/** What a test asks of the module itself. */
const inside = (core: Core) => (core as unknown as { capacity: Capacity }).capacity;
const used = (core: Core) => inside(core).guarded.usedBytes();
const top = (core: Core) => inside(core).guarded.arenaBytes();
/** The memory at which the call that failed last would have got its block. */
const nextLimit = (core: Core, limit: number) => limit + Math.max(1, inside(core).guarded.missingBytes.value);

/** A chunk that two files have would count once. */
const read = (core: Core, names: string[]) =>
  readInputs(
    core,
    names.map((name, i) => ({ name, source: bytesSource(later(RECORDING, i)) })),
  );

/** The answer, or the code of the error that it is refused with; anything else is a fault. */
function ask<T>(question: () => T): T | "core.memory" {
  try {
    return question();
  } catch (error) {
    if (error instanceof SpanflameError && error.code === "core.memory") return "core.memory";
    throw error;
  }
}

const QUESTIONS: Record<string, (core: Core) => unknown> = {
  select: (core) => core.select(0, {}),
  filter: (core) => core.select(0, FILTER),
  window: (core) => core.select(0, { time: { from: 10n, to: 10n ** 19n } }),
  frames: (core) => [core.select(0, {}), core.views.frames({ focus: 0, width: 1000 })],
  callers: (core) => [core.select(0, {}), core.views.regroup({ grouping: { kind: "callers" }, path: [], width: 1000 })],
  top: (core) => [core.select(0, {}), core.views.top("name", 0, 50)],
  changed: (core) => [core.select(0, {}), core.views.keepBaseline(true), core.views.changed(false, true, 0, 50)],
  search: (core) => [core.select(0, {}), core.views.search("caller")],
  timeline: (core) => [core.select(0, {}), core.views.timeline(0, 100, [], null)],
  threads: (core) => [core.select(0, {}), core.views.threads(0)],
  marks: (core) => core.views.marks(),
  spans: (core) => [core.select(0, {}), core.views.rank({ kind: "span" }, 0, 20)],
  values: (core) => [
    core.select(0, {}),
    core.views.rank({ kind: "attribute", key: "thread.name" }, 0, 20, { sort: "name" }),
  ],
  profiles: (core) => [core.profiles(), core.attributeKeys(), core.files(), core.diagnostics()],
  shape: (core) => [
    core.select(0, {}),
    core.views.shape({ from: "", merged: ["caller1"], recursion: "all", lines: true }),
    core.views.frames({ focus: 0, width: 1000 }),
    core.views.shape({ from: "", merged: [], recursion: "kept", lines: false }),
  ],
  split: (core) => [...splitByProfile(core, null, {}, { format: "otlp" }, 1 << 16)].map(({ size }) => size),
  ...Object.fromEntries(
    FORMATS.map(({ name }) => {
      const write = (core: Core) => {
        const { bytes, ...totals } = core.write(0, {}, { format: name });
        return { ...totals, hash: createHash("sha256").update(bytes).digest("hex") };
      };
      return [name, write];
    }),
  ),
  pieces: (core) => {
    let bytes = 0;
    core.writeTo(0, { time: { from: 10n, to: 10n ** 19n } }, { format: "otlp-json" }, (part) => {
      bytes += part.length;
    });
    return bytes;
  },
};

let core: Core;
afterEach(() => core.limitMemory(ALL_MEMORY));

describe("reading into a core that is full", () => {
  it("keeps the observations before that, whichever block was the last", async () => {
    core = await emptyCore();
    let limit = top(core) + 1000;
    const counts = new Set<number>();
    for (;;) {
      core.limitMemory(ALL_MEMORY);
      core.reset();
      core.limitMemory(limit);
      await read(core, ["a.jfr", "b.jfr"]);
      const samples = core.samples();
      counts.add(samples);
      if (!core.full) break;
      const next = nextLimit(core, limit);
      const found = core.diagnostics().filter(({ code }) => code === "core.full");
      const where = samples > DISTINCT * CHUNKS ? "b.jfr" : "a.jfr";
      expect(found[0]?.file === where || samples === DISTINCT * CHUNKS).toBe(true);
      expect(found[0]?.message).toContain(`${samples} samples`);
      // The current chunk, or the next one if there was no buffer for it.
      const chunks = core.files().find(({ name }) => name === found[0]?.file)!.chunks.length;
      expect([chunks - 1, chunks]).toContain(found[0]?.chunk);
      expect(found[0]?.offset).toBeGreaterThanOrEqual(0);
      expect(found.length).toBe(found[0]?.file === "a.jfr" ? 2 : 1);
      for (const question of ["profiles", "frames", "spans", "otlp"]) ask(() => QUESTIONS[question]!(core));
      expect(core.samples()).toBe(samples);
      // With memory to look at it, the store is whole.
      core.limitMemory(ALL_MEMORY);
      const first = Math.min(samples, DISTINCT * CHUNKS);
      const whole = samples === 0 ? { samples: 0, value: 0n } : core.select(0, {});
      expect(whole).toEqual({ samples, value: sumOfFirst(first) + sumOfFirst(samples - first) });
      if (samples < 2 * DISTINCT) message(core);
      else expect(core.write(null, {}, { format: "otlp" }).observations).toBe(samples);
      expect(next).toBeGreaterThan(limit);
      limit = next;
    }
    expect(core.samples()).toBe(2 * DISTINCT * CHUNKS);
    expect(counts.size).toBeGreaterThan(5);
  }, 300_000);
});

/** Takes every free block below the top, so that the next question has to ask for more. */
function takeFree(core: Core): void {
  const { guarded } = inside(core);
  core.limitMemory(1);
  for (let size = 2 ** 31; size >= 32; size /= 2) while (ask(() => guarded.planRoom(size)) !== "core.memory");
}

describe("questions to a core without memory", () => {
  it.each(Object.keys(QUESTIONS))(
    "%s: refused until it fits, and then the same answer",
    async (name) => {
      const question = QUESTIONS[name]!;
      core = await emptyCore();
      await read(core, ["a.jfr"]);
      core.profiles();
      core.views.libraries.add([{ kind: "library", name: "guava", version: "33", paths: ["guava.jar"] }]);
      const answer = question(core);
      takeFree(core);
      const store = used(core);
      let refusals = 0;
      for (let limit = top(core) + 65; ; refusals++) {
        core.limitMemory(limit);
        const got = ask(() => question(core));
        if (got !== "core.memory") {
          expect(got).toEqual(answer);
          break;
        }
        // A refusal gives everything beside the store back.
        expect(used(core)).toBe(store);
        limit = nextLimit(core, limit);
      }
      expect(refusals).toBeGreaterThan(0);
      expect(core.samples()).toBe(DISTINCT * CHUNKS);
      // What files state beside samples is no result.
      expect(core.views.libraries.size).toBe(1);
    },
    120_000,
  );
});
