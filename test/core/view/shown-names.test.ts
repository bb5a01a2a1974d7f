/** Generated names in views, filters and outputs: normalised where they are shown, as recorded in outputs. */
import { readFileSync } from "node:fs";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { readInputs } from "../../../src/input/open.ts";
import { loadPatterns } from "../../../src/pattern/pattern.ts";
import { validate } from "../../../src/validate/validate.ts";
import { emptyCore } from "../../kit/core/read-store.ts";

const RECORDING = "recorded/ap46-jdk17-all.jfr";
const RAW = { rawNames: true };
const BOX = { focus: 0, width: 1e9 };
/** Names of JDK 17 with their normalised names. */
const LAMBDA = /^demo\.Shop\$\$Lambda\$\d+\.0x[0-9a-f]{16}\.run$/;
const NORMALISED = "demo.Shop$$Lambda.run";

let core: Core;
let cpu: number;

async function read(...names: string[]): Promise<void> {
  await readInputs(
    core,
    names.map((name) => ({ name, source: bytesSource(readFileSync(`fixtures/${name}`)) })),
  );
  cpu = core.profiles().find(({ type }) => type === "cpu")!.id;
}

const top = () => core.views.top("self", 0, 100_000).rows;
const namesOf = () => top().map(({ name }) => name);
const collapsed = () => new TextDecoder().decode(core.write(cpu, {}, { format: "collapsed" }).bytes);

beforeAll(() => loadPatterns());

beforeEach(async () => {
  core = await emptyCore();
});

describe("generated names", () => {
  it("are normalised in every view", async () => {
    await read(RECORDING);
    core.select(cpu, {});

    const { frames } = core.views.frames(BOX);

    expect(namesOf().filter((name) => /0x|\$\$Lambda\$\d/.test(name))).toEqual([]);
    expect(namesOf()).toContain(NORMALISED);
    expect(frames.names).toContain(NORMALISED);
    expect(core.views.search(`^${NORMALISED.replaceAll(/[.$]/g, "\\$&")}$`).frames).toBeGreaterThan(0);
  });

  it("are as recorded with raw names, and weigh as much together", async () => {
    await read(RECORDING);
    core.select(cpu, RAW);
    const raw = top().filter(({ name }) => LAMBDA.test(name));
    const all = namesOf();
    core.select(cpu, {});
    const [normalised] = top().filter(({ name }) => name === NORMALISED);
    core.select(cpu, RAW);

    expect(raw.length).toBeGreaterThan(1);
    expect(raw.reduce((sum, { self }) => sum + self, 0n)).toBe(normalised?.self);
    expect(namesOf()).toEqual(all);
  });

  it("are found by either form where a function is named, and a pattern finds the form that is shown", async () => {
    await read(RECORDING);
    core.select(cpu, RAW);
    const raw = namesOf().find((name) => LAMBDA.test(name))!;
    const callers = (name: string) => {
      return core.views.regroup({ grouping: { kind: "callers-of", name }, path: [], ...BOX }).frames.total[0];
    };
    const found = (filter: object) => core.select(cpu, { ...filter, frames: [{ pattern: "Shop\\$\\$Lambda\\$\\d" }] });
    core.select(cpu, {});

    expect(callers(raw)).toBeGreaterThan(0);
    expect(callers(raw)).toBe(callers(NORMALISED));
    expect(found({}).samples).toBe(0);
    expect(found(RAW).samples).toBeGreaterThan(0);
  });

  it("of two runs are the same, so that a comparison has them in one frame", async () => {
    await read("recorded/dd122-jdk17-all.jfr", "recorded/dd152-jdk17-all.jfr");
    const totals = (filter: object) => {
      core.select(cpu, filter);
      return top().find(({ name }) => name === NORMALISED)?.total ?? 0n;
    };
    const files = core.files().map(({ name }) => name);

    const [first, second] = files.map((file) => totals({ file }));

    expect(first).toBeGreaterThan(0n);
    expect(second).toBeGreaterThan(0n);
    expect(totals({})).toBe(first! + second!);
  });
});

describe("outputs", () => {
  it("have names as recorded, whatever the views show", async () => {
    await read(RECORDING);
    const before = collapsed();

    core.select(cpu, {});
    namesOf();

    expect(collapsed()).toBe(before);
    expect(before).toMatch(/demo\.Shop\$\$Lambda\$\d+\.0x[0-9a-f]{16}\.run/);
  });

  it("have normalised names of functions that were read so: nothing of a message is there twice", async () => {
    await read(RECORDING);
    const raw = core.write(null, {}, { format: "otlp" });
    core = await emptyCore();
    core.normaliseNames(true);
    await read(RECORDING);

    const normalised = core.write(null, {}, { format: "otlp" });
    const { findings } = await validate(normalised.bytes);

    expect(new TextDecoder().decode(normalised.bytes)).not.toMatch(/\$\$Lambda\$\d|0x[0-9a-f]{16}/);
    expect(collapsed()).toContain(NORMALISED);
    expect(normalised.observations).toBe(raw.observations);
    expect(findings.filter(({ severity }) => severity !== "info")).toEqual([]);
  });
});
