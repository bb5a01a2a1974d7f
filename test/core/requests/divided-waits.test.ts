/** Waits divided by their holders: root frames have what `waits` lists, and every other answer is as before. */
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import type { Filter, ProfileSummary } from "../../../src/core/types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { parseRoots } from "../../../src/model/query/root-by.ts";
import { WHOLE } from "../../../src/model/query/shape.ts";
import type { Wait } from "../../../src/model/waits/waits.ts";
import { inferContexts } from "../../../src/requests/contexts.ts";
import { HeldCore } from "../../../src/requests/held-core.ts";
import { waitsIn } from "../../../src/requests/waits.ts";
import { emptyCore } from "../../kit/core/read-store.ts";

const RECORDING = readFileSync(new URL("../../../fixtures/waits/holders-jdk25.jfr", import.meta.url));
const OTHER = readFileSync(new URL("../../../fixtures/recorded/ddagent-jdk17.jfr", import.meta.url));
const UNKNOWN = "unknown holders";
const SHAPE = { ...WHOLE, roots: parseRoots("holder") };
const LEVEL = SHAPE.roots[0]!;

let core: Core;
let held: HeldCore;
let lock: ProfileSummary;

const rootsOf = (profile: number, filter: Filter) => {
  const views = held.look({ profile, filter, measure: 0, shape: SHAPE });
  return new Map(views.children(0).map(({ name, total }) => [name, total]));
};

/** Time of the waits by holder. */
function sums(waits: readonly Wait[]): Map<string, bigint> {
  const found = new Map<string, bigint>();
  const add = (name: string, nanos: bigint) => nanos > 0n && found.set(name, (found.get(name) ?? 0n) + nanos);
  for (const { held: parts, durationNano } of waits) {
    for (const part of parts) add(part.operation ?? part.thread.replace(/\d+$/, "*"), part.durationNano);
    add(UNKNOWN, durationNano - parts.reduce((sum, part) => sum + part.durationNano, 0n));
  }
  return found;
}

async function read(...files: Uint8Array[]) {
  core = await emptyCore();
  await inferContexts(core, null);
  const inputs = files.map((bytes, i) => ({ name: `${i}.jfr`, source: bytesSource(new Uint8Array(bytes)) }));
  await readInputs(core, inputs);
  held = new HeldCore(core);
  lock = core.profiles().find(({ type }) => type === "lock-contention")!;
}

describe("root frames of holders", () => {
  beforeEach(() => read(RECORDING, OTHER));

  it("have the time that they held, for any selection", async () => {
    const ask = await waitsIn(held, core.profiles());
    const kinds = { kinds: ["monitor" as const] };
    const all = ask({}, kinds);
    const bounds = core.views.timeBounds()!;
    const middle = (bounds.from + bounds.to) / 2n;
    const filters: Filter[] = [
      {},
      { time: { from: bounds.from, to: middle } },
      { file: "0.jfr" },
      { file: "1.jfr" },
      { localRoot: all.find(({ localRoot }) => localRoot !== null)!.localRoot! },
      { attributes: [{ key: "thread.name", value: "worker-2", exclude: true }] },
    ];
    for (const filter of filters) {
      const waits = (await waitsIn(held, core.profiles()))(filter, kinds);
      expect(waits.length).toBeGreaterThan(0);
      expect(rootsOf(lock.id, filter)).toEqual(sums(waits));
      expect(held.totals(lock.id, filter)).toMatchObject({
        value: waits.reduce((sum, each) => sum + each.durationNano, 0n),
      });
    }
  });

  it("are those of filters by them", async () => {
    for (const [name, value] of rootsOf(lock.id, {})) {
      const filter: Filter = { rootFrames: [{ ...LEVEL, name }] };
      expect(held.totals(lock.id, filter).value, name).toBe(value);
      expect(rootsOf(lock.id, filter)).toEqual(new Map([[name, value]]));
      const timeline = held.about(lock.id, filter).timeline(lock.id, 10, [], null);
      const selected = timeline.strips[0]!.selected.reduce((sum, each) => sum + each, 0);
      expect(Math.abs(selected - Number(value))).toBeLessThan(10);
    }
  });

  it("leave every other answer as it was", async () => {
    const cpu = core.profiles().find(({ type }) => type === "cpu")!;
    const answers = () => ({
      profiles: core.profiles(),
      files: core.files().map(({ samples }) => samples),
      samples: core.samples(),
      keys: core.attributeKeys(),
      totals: [lock.id, null].map((id) => held.totals(id, {})),
      timeline: held.about(lock.id, {}).timeline(lock.id, 20, [], null),
      threads: held.about(lock.id, {}).threads(lock.id),
      messages: (["otlp", "pprof"] as const).map((format) =>
        core.write(format === "otlp" ? null : cpu.id, {}, { format }),
      ),
      ranked: held.about(lock.id, {}).rank({ kind: "attribute", key: "spanflame.holder" }, 0, 10),
    });
    const before = answers();
    expect(rootsOf(lock.id, {}).size).toBeGreaterThan(3);
    expect(rootsOf(cpu.id, {})).toEqual(new Map([[UNKNOWN, held.totals(cpu.id, {}).value]]));
    expect(answers()).toEqual(before);
  });

  it("are not known while more is read", () => {
    core.pauseReading(true);
    expect([...rootsOf(lock.id, {}).keys()]).toEqual([UNKNOWN]);
    core.pauseReading(false);
    expect(rootsOf(lock.id, {}).size).toBeGreaterThan(3);
  });
});
