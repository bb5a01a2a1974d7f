/** Bands of threads beside the waits that `waits` lists: the same times, the same holders, at any width. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { openSamples, type SampleReader } from "../../../src/core/samples/sample-reader.ts";
import { readInputs } from "../../../src/input/open.ts";
import { NO_PART } from "../../../src/model/chart/thread-bands.ts";
import { BREAKDOWN } from "../../../src/model/span-time/breakdown.ts";
import { WAIT_PARTS } from "../../../src/model/waits/wait-rows.ts";
import { byDuration, type Wait } from "../../../src/model/waits/waits.ts";
import { inferContexts } from "../../../src/requests/contexts.ts";
import { HeldCore } from "../../../src/requests/held-core.ts";
import { stateColumns, stateLanes, stateThen } from "../../../src/requests/thread-states.ts";
import { waitsIn } from "../../../src/requests/waits.ts";
import { emptyCore } from "../../kit/core/read-store.ts";

const RECORDING = new URL("../../../fixtures/waits/holders-jdk25.jfr", import.meta.url);

describe("bands of threads", () => {
  let held: HeldCore;
  let reader: SampleReader;
  let waits: Wait[];
  /** Row of the store by name: each name is that of one thread here. */
  const rows = new Map<string, number>();

  beforeAll(async () => {
    const core = await emptyCore();
    const source = bytesSource(new Uint8Array(readFileSync(RECORDING)));
    await inferContexts(core, null);
    await readInputs(core, [{ name: "holders", source }]);
    held = new HeldCore(core);
    reader = await openSamples(held);
    const ask = await waitsIn(held, core.profiles());
    waits = ask({}).filter(({ kind }) => WAIT_PARTS[kind] !== undefined);
    for (const { id } of core.profiles())
      reader.each(id, {}, ({ thread }) => rows.set(reader.threadName(thread), thread));
  });

  it("say at each wait what it was for, and who held it", async () => {
    const longest = waits.toSorted(byDuration).slice(0, 60);
    expect(longest.some(({ held: by }) => by.length > 0)).toBe(true);
    for (const wait of longest) {
      const middle = wait.startUnixNano + wait.durationNano / 2n;
      const then = await stateThen(held, held.core.profiles(), rows.get(wait.thread)!, middle, 0);
      expect(then?.part).toBe(WAIT_PARTS[wait.kind]);
      expect(then?.wait).toEqual(wait);
      expect(then?.stack.length).toBeGreaterThan(0);
    }
  });

  it("add up to the times of the waits", async () => {
    const origin = waits[0]!.startUnixNano;
    const { part, from, to } = await stateColumns(held, {}, [...rows.values()], origin);
    for (const kind of ["monitor", "sleep"] as const) {
      const own = BREAKDOWN.indexOf(WAIT_PARTS[kind]!);
      const nanos = part.reduce((sum, each, i) => (each === own ? sum + to[i]! - from[i]! : sum), 0);
      const all = waits.filter((wait) => wait.kind === kind);
      expect(nanos / all.reduce((sum, { durationNano }) => sum + Number(durationNano), 0)).toBeCloseTo(1, 3);
    }
  });

  it.each([1, 7, 1000])("have a state in each pixel of %i that a wait begins in", async (pixels) => {
    const hour = 3_600_000_000_000n;
    const from = waits[0]!.startUnixNano;
    for (const to of [from + 1_000_000n, from + 9_000_000_000n, from + 5n * hour]) {
      const { lanes, parts } = await stateLanes(held, null, [...rows.values()], pixels, { from, to });
      expect(parts).toContain("lock");
      const step = Number(to - from) / pixels;
      for (const { thread, startUnixNano } of waits.filter((wait) => wait.startUnixNano < to)) {
        const lane = lanes.find((each) => each.thread === rows.get(thread));
        const at = Math.floor(Number(startUnixNano - from) / step);
        expect(lane?.part[at]).not.toBe(NO_PART);
        expect(lane?.density[at]).toBeGreaterThan(0);
      }
    }
  });
});
