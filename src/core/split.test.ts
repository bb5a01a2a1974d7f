/** Messages below a size: nothing is lost, nothing is duplicated, and each of them is valid. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { read, stable } from "../../test/kit/core/read-store.ts";
import {
  dictionaryFaults,
  type FlatProfile,
  flatten,
  readOtlp,
  readOtlpJson,
} from "../../test/kit/otlp/otlp-schema.ts";
import type { Core } from "./core.ts";
import { type Part, splitByProfile } from "./split.ts";
import type { Filter, OutputFormat } from "./types.ts";

let core: Core;
beforeAll(async () => {
  core = await read(new Uint8Array(readFileSync(new URL("../../fixtures/shop.jfr", import.meta.url))));
});

const parts = (limit: number, profile: number | null = null, filter: Filter = {}, format: OutputFormat = "otlp") => [
  ...splitByProfile(core, profile, filter, { format }, limit),
];

function profilesIn(all: Part[], format: OutputFormat = "otlp"): FlatProfile[] {
  return all.flatMap(({ bytes }) => {
    const data = format === "otlp" ? readOtlp(bytes) : readOtlpJson(new TextDecoder().decode(bytes));
    expect(dictionaryFaults(data)).toEqual([]);
    return flatten(data);
  });
}

describe("splitting", () => {
  it.each(["otlp", "otlp-json"] as const)("%s is one message where that is small enough", (format) => {
    const { size, bytes } = core.write(null, {}, { format });
    const [whole, ...others] = parts(size, null, {}, format);
    expect([whole?.bytes, whole?.oversized, others]).toEqual([bytes, false, []]);
  });

  it.each(["otlp", "otlp-json"] as const)("%s gives a message a profile, with all that is in the whole", (format) => {
    const whole = parts(1e9, null, {}, format);
    const limit = whole[0]!.size - 1;
    const split = parts(limit, null, {}, format);
    expect(split.map(({ type, profiles }) => [type, profiles])).toEqual(core.profiles().map(({ type }) => [type, 1]));
    expect(split.every(({ size, oversized }) => size <= limit && !oversized)).toBe(true);
    expect(stable(profilesIn(split, format))).toBe(stable(profilesIn(whole, format)));
  });

  it("parts the measures of a profile too, where a preset writes both", () => {
    const write = (limit: number) => [...splitByProfile(core, null, {}, { format: "otlp", preset: "otel" }, limit)];
    const [whole, ...others] = write(1e9);
    const split = write(10);
    expect(others).toEqual([]);
    expect(split.length).toBeGreaterThan(core.profiles().length);
    expect(split.every(({ profiles }) => profiles === 1)).toBe(true);
    expect(stable(profilesIn(split))).toBe(stable(profilesIn([whole!])));
  });

  it("marks a single profile that is too large, whether it was chosen or left over", () => {
    const { id, type } = core.profiles()[0]!;
    expect(parts(10, id)).toMatchObject([{ type, oversized: true }]);
    expect(parts(10).map(({ oversized }) => oversized)).toEqual(core.profiles().map(() => true));
  });

  it("gives no message without samples", () => {
    expect(parts(1e9, null, { span: 12345n })).toEqual([]);
    core.select(core.profiles()[0]!.id, {});
    const localRoot = core.views.rank({ kind: "local-root" }, 0, 1).rows[0]!.id;
    const wanted = core
      .profiles()
      .filter(({ id }) => core.write(id, { localRoot }, { format: "otlp" }).observations > 0);
    expect(parts(10, null, { localRoot }).map(({ type }) => type)).toEqual(wanted.map(({ type }) => type));
  });
});

// Last: there is one core.
describe("splitting a profile by time", () => {
  it.each([
    ["traces/relay-jdk25.jfr", "alloc-samples", "default"],
    ["traces/relay-jdk25.jfr", "cpu", "otel"],
  ] as const)("of %s, %s: nothing is lost or twice, to the last observation", async (name, type, preset) => {
    const own = await read(new Uint8Array(readFileSync(new URL(`../../fixtures/${name}`, import.meta.url))));
    const { id } = own.profiles().find((each) => each.type === type)!;
    const write = (filter: Filter, most: number) => [
      ...splitByProfile(own, id, filter, { format: "otlp", preset }, most),
    ];
    const { from, to } = own.views.timeBounds()!;
    const inner = { time: { from: from + (to - from) / 50n, to: to - (to - from) / 60n } };
    const totals = [{}, inner].map((filter) => {
      const whole = write(filter, 1e9);
      const limit = Math.ceil(0.8 * whole.reduce((most, { size }) => Math.max(most, size), 0));
      const split = write(filter, limit);
      expect(split.length).toBeGreaterThan(whole.length);
      expect(split.every(({ size, oversized }) => size <= limit && !oversized)).toBe(true);
      const total = (all: Part[]) => all.reduce((sum, { observations }) => sum + observations, 0);
      expect(total(split)).toBe(total(whole));
      const times = (all: Part[]) =>
        profilesIn(all).flatMap(({ samples }) => samples.flatMap((each) => each.timestamps));
      expect(times(split).map(String).sort()).toEqual(times(whole).map(String).sort());
      return total(whole);
    });
    expect(totals[0]).toBeGreaterThan(totals[1]!);
    // A limit below what its stacks need: parts that are mostly dictionary are not split again.
    const least = write({}, 1);
    expect(least.every(({ oversized }) => oversized)).toBe(true);
    expect(least.length).toBeLessThan(16);
  });
});
