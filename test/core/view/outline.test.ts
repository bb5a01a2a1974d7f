/** The outline of one root and of an endpoint, against the figures of the fixture. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { outlineOf } from "../../../src/core/outline.ts";
import { HeldCore } from "../../../src/requests/held-core.ts";
import { read } from "../../kit/core/read-store.ts";

const FIXTURES = new URL("../../../fixtures/", import.meta.url);
const SHOP = JSON.parse(readFileSync(new URL("shop.expected.json", FIXTURES), "utf8")) as {
  localRoots: Record<string, Record<string, { samples: number }>>;
  spans: Record<string, { root: string }>;
};
const KEYS = { endpoint: ["no such key", "route"], operation: ["operation"] };

it("has the samples of a root in every profile, its extent over all of them, threads and spans", async () => {
  const core = await read(new Uint8Array(readFileSync(new URL("shop.jfr", FIXTURES))));
  const profiles = core.profiles();
  for (const [id, cells] of Object.entries(SHOP.localRoots)) {
    const filter = { localRoot: BigInt(id) };
    const outline = outlineOf(new HeldCore(core), profiles, filter, KEYS);
    const counts = outline.split.map(({ profile, totals }) => [
      profiles.find(({ id }) => id === profile)?.type,
      totals.samples,
    ]);
    expect(Object.fromEntries(counts)).toEqual(
      Object.fromEntries(Object.entries(cells).map(([type, { samples }]) => [type, samples])),
    );
    expect(outline.roots).toBe(1);
    expect(outline.threadCount).toBeGreaterThan(0);
    expect(outline.operation).not.toBe("");

    core.select(null, filter);
    const { time } = core.views.pauseCover(core.views.marks());
    expect(outline.time).toEqual(time);
    const spans = Object.values(SHOP.spans).filter(({ root }) => root === id).length;
    expect(outline.spans).toBe(spans);
  }
});

it("has the number of roots and their median for a selection of many", async () => {
  const core = await read(new Uint8Array(readFileSync(new URL("shop.jfr", FIXTURES))));
  const { roots, medianNanos, time } = outlineOf(new HeldCore(core), core.profiles(), {}, KEYS);
  expect(roots).toBe(Object.keys(SHOP.localRoots).length);
  core.select(null, {});
  const extents = core.views.rank({ kind: "local-root" }, 0, 100).rows.map(({ first, last }) => last - first);
  extents.sort((a, b) => Number(b - a));
  expect(medianNanos).toBe(extents[roots >> 1]);
  expect(time).not.toBeNull();
});

it("has the name of a thread that the filter has by its number, also where no sample is left", async () => {
  const core = await read(new Uint8Array(readFileSync(new URL("traces/ddctx-jdk17.jfr", FIXTURES))));
  const ids = core.views.threads(core.profiles()[0]!.id).rows;
  const time = { from: 1n, to: 2n };
  for (const { id: value, name } of ids.slice(0, 3)) {
    const filter = {
      attributes: [
        { key: "thread.id", value },
        { key: "thread.id", value: "987654321" },
      ],
      time,
    };
    const { threadNames, threadCount } = outlineOf(new HeldCore(core), core.profiles(), filter, KEYS);
    expect([threadNames, threadCount]).toEqual([{ [value]: name }, 0]);
  }
});
