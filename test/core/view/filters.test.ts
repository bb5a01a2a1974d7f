/**
 * Every kind of filter on real recordings: the whole message, decoded and filtered observation by observation, says
 * the expected selection of the core and the expected content of its message.
 */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { Core } from "../../../src/core/core.ts";
import type { Filter } from "../../../src/core/types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { loadPatterns } from "../../../src/pattern/pattern.ts";
import { message } from "../../kit/core/read-store.ts";
import { type FlatSample, flatten } from "../../kit/otlp/otlp-schema.ts";

beforeAll(() => loadPatterns());

const ROOT = new URL("../../../", import.meta.url);
const bytesOf = (path: string) => new Uint8Array(readFileSync(new URL(path, ROOT)));

interface Observation {
  sample: FlatSample;
  time: bigint;
  value: bigint;
}

const carries = (key: string, ...values: string[]) => {
  return ({ sample }: Observation) => values.includes(String(sample.attributes[key]));
};
/** A single id is an attribute of the sample, because an OTLP link needs both ids. */
const isWithoutSpan = ({ sample: { link, attributes } }: Observation) =>
  link === null && attributes["span.id"] === undefined && attributes["local_root_span.id"] === undefined;
const calls = (pattern: RegExp) => {
  return ({ sample }: Observation) => sample.stack.some(({ name }) => pattern.test(name));
};

describe.each(["fixtures/shop-chunks.jfr", "fixtures/recorded/ddagent-jdk17.jfr"])("%s", (path) => {
  let core: Core;
  beforeAll(async () => {
    core = await Core.instantiate(await WebAssembly.compile(bytesOf("build/core.wasm")));
    expect(await readInputs(core, [{ name: path, source: bytesSource(bytesOf(path)) }])).toMatchObject({
      readable: 1,
      inputs: [{ read: "wholly" }],
    });
  });

  const observed = (type: string, filter: Filter = {}): Observation[] => {
    const id = core.profiles().find((profile) => profile.type === type)?.id ?? -1;
    return flatten(message(core, id, filter)).flatMap(({ samples }) =>
      samples.flatMap((sample) =>
        sample.values.map((value, i) => ({ sample, value, time: sample.timestamps[i] ?? 0n })),
      ),
    );
  };
  const cell = (list: Observation[]) => ({
    samples: list.length,
    value: list.reduce((sum, { value }) => sum + value, 0n),
  });

  /** Filters, each with a predicate of an observation, made of values in the recording. */
  function cases(all: Observation[]): [name: string, Filter, (o: Observation) => boolean][] {
    const threads = [...new Set(all.map(({ sample }) => String(sample.attributes["thread.name"])))];
    const [one = "", two = ""] = threads;
    const key = core.attributeKeys()[0] ?? "";
    const [other = ""] = all.flatMap(({ sample }) =>
      key in sample.attributes ? [String(sample.attributes[key])] : [],
    );
    const times = all.map(({ time }) => time).sort((a, b) => Number(a - b));
    const time = { from: times[Math.floor(times.length / 4)]!, to: times[Math.floor(times.length / 2)]! };
    const within = (o: Observation) => o.time >= time.from && o.time < time.to;
    const thread = (value: string, exclude = false) => ({ key: "thread.name", value, exclude });
    return [
      ["several values", { attributes: [thread(one), thread(two)] }, carries("thread.name", one, two)],
      ["a value excluded", { attributes: [thread(one, true)] }, (o) => !carries("thread.name", one)(o)],
      [
        "two keys",
        { attributes: [thread(one), { key, value: other }] },
        (o) => carries("thread.name", one)(o) && carries(key, other)(o),
      ],
      ["a frame", { frames: [{ pattern: "^java\\.(util|lang)\\." }] }, calls(/^java\.(util|lang)\./i)],
      ["a frame excluded", { frames: [{ pattern: "thread", exclude: true }] }, (o) => !calls(/thread/i)(o)],
      ["capitals that matter", { frames: [{ pattern: "^Java" }] }, calls(/^Java/)],
      ["a range of time", { time }, within],
      ["no span", { noSpan: true }, isWithoutSpan],
      ["no span, and no wish for it", { noSpan: false }, () => true],
      ["no span, in a range of time", { noSpan: true, time }, (o) => isWithoutSpan(o) && within(o)],
      [
        "all of it",
        { time, attributes: [thread(one), thread(two)], frames: [{ pattern: "run" }] },
        (o) => within(o) && carries("thread.name", one, two)(o) && calls(/run/i)(o),
      ],
    ];
  }

  it.each(["cpu", "wall", "alloc-samples"])("%s", (type) => {
    const all = observed(type);
    expect(all.length).toBeGreaterThan(20);
    for (const [name, filter, holds] of cases(all)) {
      const wanted = cell(all.filter(holds));
      const id = core.profiles().find((profile) => profile.type === type)!.id;
      expect([name, core.select(id, filter)]).toEqual([name, wanted]);
      expect([name, cell(observed(type, filter))]).toEqual([name, wanted]);
      // Nothing of a filter is left.
      expect(cell(observed(type))).toEqual(cell(all));
    }
  });

  it("takes several spans, and leaves some out", () => {
    const all = observed("cpu");
    const id = core.profiles().find((profile) => profile.type === "cpu")!.id;
    core.select(id, {});
    const spans = core.views.rank({ kind: "span" }, 0, 3).rows.map((row) => row.id);
    const each = spans.map((one) => core.select(id, { span: one }).samples);
    const some = core.select(id, { span: spans }).samples;
    expect(some).toBe(each.reduce((a, b) => a + b, 0));
    expect(some).toBeGreaterThan(0);
    expect(core.select(id, { not: { span: spans } }).samples).toBe(all.length - some);
    expect(core.select(id, { span: spans, not: { span: spans[0]! } }).samples).toBe(some - each[0]!);
    expect(core.select(id, { span: spans, noSpan: true }).samples).toBe(0);
  });

  it.each(["span", "local-root"] as const)("takes any number of ids of a %s, also those that no sample has", (kind) => {
    const all = observed("cpu").length;
    const id = core.profiles().find((profile) => profile.type === "cpu")!.id;
    core.select(id, {});
    const { rows } = core.views.rank({ kind }, 0, 20);
    expect(rows.length).toBeGreaterThan(6);
    const filterOf = (ids: bigint[]) => (kind === "span" ? { span: ids } : { localRoot: ids });
    const none = [0n, 5n, 2n ** 63n + 5n];
    for (let count = 1; count <= rows.length; count++) {
      const some = rows.slice(0, count);
      const ids = [...some.map((row) => row.id).reverse(), ...none, some[0]!.id];
      const samples = some.reduce((sum, row) => sum + (row.id === 0n ? 0 : row.samples), 0);
      expect([count, core.select(id, filterOf(ids)).samples]).toEqual([count, samples]);
      expect([count, core.select(id, { not: filterOf(ids) }).samples]).toEqual([count, all - samples]);
    }
    // A trace of 128 bits is another id than its lower half, whatever is asked beside it.
    if (kind === "span") return;
    const high = rows.map((row) => (7n << 64n) | row.id);
    expect(core.select(id, { localRoot: high }).samples).toBe(0);
    const one = rows.find((row) => row.id !== 0n)!;
    expect(core.select(id, { localRoot: [...high, one.id] }).samples).toBe(one.samples);
  });
});

it("a pattern that is none is refused with the reason", async () => {
  const core = await Core.instantiate(await WebAssembly.compile(bytesOf("build/core.wasm")));
  expect(() => core.select(null, { frames: [{ pattern: "a(" }] })).toThrow(
    expect.objectContaining({ code: "filter.pattern", message: expect.stringContaining("/a(/") }),
  );
});
