/**
 * Rankings of real recordings in every order, filtered and page by page. The reference is the whole message, decoded
 * and added up observation by observation.
 */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { Core } from "../../../src/core/core.ts";
import type { Filter, RankBy, RankHow, RankRow } from "../../../src/core/types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { loadPatterns } from "../../../src/pattern/pattern.ts";
import { message } from "../../kit/core/read-store.ts";
import { type FlatSample, flatten } from "../../kit/otlp/otlp-schema.ts";

beforeAll(() => loadPatterns());

const bytesOf = (path: string) => new Uint8Array(readFileSync(new URL(`../../../${path}`, import.meta.url)));
const ALL = 1_000_000;

describe.each([
  ["fixtures/shop-chunks.jfr", "operation", "render"],
  ["fixtures/recorded/dd152-jdk17-all.jfr", "http.route", "/"],
])("%s", (path, operation, part) => {
  let core: Core;
  let cpu = 0;
  let samples: FlatSample[] = [];
  beforeAll(async () => {
    core = await Core.instantiate(await WebAssembly.compile(bytesOf("build/core.wasm")));
    expect(await readInputs(core, [{ name: path, source: bytesSource(bytesOf(path)) }])).toMatchObject({
      readable: 1,
      inputs: [{ read: "wholly" }],
    });
    cpu = core.profiles().find(({ type }) => type === "cpu")?.id ?? -1;
    samples = flatten(message(core, cpu, {})).flatMap((profile) => profile.samples);
  });

  const rank = (by: RankBy, how: RankHow = {}, filter: Filter = {}): RankRow[] => {
    core.select(cpu, filter);
    const { count, rows } = core.views.rank(by, 0, ALL, how);
    expect(rows).toHaveLength(count);
    return rows;
  };
  /** A span without a root cannot be a link of OTLP: it is written as an attribute. */
  const spanOf = ({ link, attributes }: FlatSample) => BigInt(`0x${link?.spanId || attributes["span.id"] || "0"}`);
  const span: RankBy = { kind: "span" };
  const byValue: RankBy = { kind: "attribute", key: operation };

  it("has the time of the first observation and of the last one", () => {
    const times = new Map<bigint, bigint[]>();
    for (const sample of samples) {
      const id = spanOf(sample);
      if (id !== 0n) times.set(id, [...(times.get(id) ?? []), ...sample.timestamps]);
    }
    const wanted = [...times].map(([id, of]): [bigint, unknown] => {
      const sorted = of.sort((a, b) => (a < b ? -1 : 1));
      return [id, { first: sorted[0], last: sorted.at(-1), samples: sorted.length }];
    });
    const found = rank(span).map(({ id, first, last, samples: n }): [bigint, unknown] => [
      id,
      { first, last, samples: n },
    ]);
    expect(found.length).toBeGreaterThan(3);
    expect(new Map(found)).toEqual(new Map(wanted));
  });

  it("has times within the range of a filter", () => {
    const [from = 0n, to = 0n] = samples
      .flatMap(({ timestamps }) => timestamps)
      .sort((a, b) => (a < b ? -1 : 1))
      .slice(10, 40)
      .filter((_, i) => i === 0 || i === 29);
    const rows = rank(span, {}, { time: { from, to } });
    expect(rows.length).toBeGreaterThan(0);
    for (const { first, last } of rows) expect(from <= first && first <= last && last < to).toBe(true);
    expect(rank(span, { sort: "first" })[0]?.first).toBeLessThan(from);
  });

  it("stands in the order asked for, and the other way round", () => {
    const orders = {
      weight: (row: RankRow) => -row.value,
      samples: (row: RankRow) => -BigInt(row.samples),
      name: (row: RankRow) => row.id,
      first: (row: RankRow) => row.first,
      duration: (row: RankRow) => row.first - row.last,
    };
    for (const [sort, keyOf] of Object.entries(orders)) {
      const rows = rank(span, { sort: sort as keyof typeof orders });
      const keys = rows.map(keyOf);
      expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -1 : Number(a > b))));
      expect(rank(span, { sort: sort as keyof typeof orders, reversed: true })).toEqual(rows.toReversed());
    }
    const names = rank(byValue, { sort: "name" }).map(({ label }) => label);
    expect(names.length).toBeGreaterThan(1);
    expect(names).toEqual(names.toSorted((a, b) => (a < b ? -1 : Number(a > b))));
    expect(names.toSorted()).toEqual(
      rank(byValue)
        .map(({ label }) => label)
        .toSorted(),
    );
  });

  it("counts the requests of a value, with percentiles of their extents over all profiles", () => {
    const extents = new Map<bigint, bigint>();
    const times = new Map<bigint, bigint[]>();
    // A root without a span cannot be a link of OTLP: it is written as an attribute.
    const rootOf = ({ link, attributes }: FlatSample) =>
      BigInt(`0x${link?.traceId || attributes["local_root_span.id"] || "0"}`);
    // Live objects are noted at the end of a file, and a wait in a queue begins before the request.
    const ofWork = flatten(message(core, null, {})).filter(({ type }) => !["live-heap", "queue-time"].includes(type));
    for (const sample of ofWork.flatMap((profile) => profile.samples)) {
      times.set(rootOf(sample), [...(times.get(rootOf(sample)) ?? []), ...sample.timestamps]);
    }
    const rising = (a: bigint, b: bigint) => Number(a > b) - Number(a < b);
    for (const [root, of] of times) {
      const sorted = of.sort(rising);
      extents.set(root, (sorted.at(-1) ?? 0n) - (sorted[0] ?? 0n));
    }
    const roots = new Map<string, Set<bigint>>();
    for (const sample of samples) {
      const value = sample.attributes[operation];
      const root = rootOf(sample);
      if (value === undefined || root === 0n) continue;
      roots.set(String(value), (roots.get(String(value)) ?? new Set()).add(root));
    }
    const wanted = [...roots].map(([label, of]) => {
      const sorted = Array.from(of, (root) => extents.get(root) ?? 0n).sort(rising);
      const nearest = (percent: number) => sorted[Math.max(1, Math.ceil((sorted.length * percent) / 100)) - 1] ?? 0n;
      return [label, { count: sorted.length, p50: nearest(50), p95: nearest(95), longest: nearest(100) }] as const;
    });
    expect(wanted.length).toBeGreaterThan(2);
    const rows = rank(byValue, { requests: true }).filter(({ requests }) => requests !== null);
    expect(new Map(rows.map(({ label, requests }) => [label, requests]))).toEqual(new Map(wanted));
    const inOrder = (of: bigint[]) => expect(of).toEqual([...of].sort((a, b) => rising(b, a)));
    inOrder(rank(byValue, { sort: "requests", requests: true }).map(({ requests }) => BigInt(requests?.count ?? 0)));
    inOrder(rank(byValue, { sort: "slowest", requests: true }).map(({ requests }) => requests?.p95 ?? 0n));
  });

  it("gives the same rows page by page", () => {
    for (const how of [{}, { sort: "first", reversed: true } as const]) {
      const all = rank(span, how);
      const pages: RankRow[] = [];
      for (let offset = 0; offset < all.length + 7; offset += 7)
        pages.push(...core.views.rank(span, offset, 7, how).rows);
      expect(pages).toEqual(all);
    }
  });

  it("stands beside another selection, until something else is ranked", () => {
    const all = rank(span);
    const stamp = core.views.selectionStamp;
    const { samples: few } = core.select(cpu, { span: all[0]?.id ?? 0n });
    expect(core.views.rankOf(stamp, span, 2, 5, {})?.rows).toEqual(all.slice(2, 7));
    expect(core.views.rankOf(stamp, span, 0, ALL, { reversed: true })?.rows).toEqual(all.toReversed());
    expect(core.views.rankOf(stamp, { kind: "local-root" }, 0, ALL, {})).toBeNull();
    expect(core.views.rank(span, 0, ALL).rows.map((row) => row.samples)).toEqual([few]);
    expect(core.views.rankOf(stamp, span, 0, ALL, {})).toBeNull();
  });

  it("is narrowed by ids, by a part and by a pattern, without changing what is left", () => {
    const all = rank(span);
    const [low = 0n, high = 0n] = all
      .map(({ id }) => id)
      .toSorted((a, b) => (a < b ? -1 : 1))
      .slice(1, 4)
      .filter((_, i) => i !== 1);
    const within = (id: bigint) => id >= low && id <= high;
    expect(rank(span, { find: { ids: [[low, high]] } })).toEqual(all.filter(({ id }) => within(id)));
    const single = all.at(-1)?.id ?? 0n;
    const both = rank(span, {
      sort: "name",
      find: {
        ids: [
          [low, low],
          [single, single],
        ],
      },
    });
    expect(new Set(both.map(({ id }) => id))).toEqual(new Set([low, single]));
    expect(rank(span, { find: { ids: [] } })).toEqual([]);
    expect(rank(span, { find: { text: "" } })).toEqual([]);

    const values = rank(byValue);
    const having = values.filter(({ label }) => label.includes(part));
    expect(having.length).toBeGreaterThan(0);
    expect(rank(byValue, { find: { text: part } })).toEqual(having);
    expect(rank(byValue, { sort: "name", find: { text: part } }).map(({ label }) => label)).toEqual(
      having.map(({ label }) => label).toSorted((a, b) => (a < b ? -1 : 1)),
    );
    expect(rank(byValue, { find: { pattern: `^${part.toLowerCase()}|${part}` } })).toEqual(
      values.filter(({ label }) =>
        new RegExp(`^${part.toLowerCase()}|${part}`, /\p{Lu}/u.test(part) ? "" : "i").test(label),
      ),
    );
    expect(rank(byValue, { find: { text: "nobody is called so" } })).toEqual([]);
    expect(() => rank(byValue, { find: { pattern: "(" } })).toThrow(/not a supported regular expression/);
    expect(rank(byValue)).toEqual(values);
  });

  it("says what a span is about as its samples do", () => {
    const rows = rank(span, { about: ["nobody", operation] });
    for (const { id, about } of rows) {
      const values = samples
        .filter((sample) => spanOf(sample) === id)
        .map(({ attributes }) => attributes[operation] ?? "");
      expect(values.map(String)).toContain(about);
    }
    expect(rows.some(({ about }) => about !== "")).toBe(true);
    expect(rank(span).every(({ about }) => about === "")).toBe(true);
  });
});
