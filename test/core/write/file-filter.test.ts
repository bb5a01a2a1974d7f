/** The file filter: one of several files shows the same as if it had been opened alone. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";
import { expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { Core } from "../../../src/core/core.ts";
import type { Filter } from "../../../src/core/types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { later } from "../../kit/jfr/later.ts";

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const module = await WebAssembly.compile(readFileSync(at("build/core.wasm")));
const shop = readFileSync(at("fixtures/shop.jfr"));
const chunks = readFileSync(at("fixtures/shop-chunks.jfr"));

async function coreOf(files: Record<string, Uint8Array>): Promise<Core> {
  const core = await Core.instantiate(module);
  await readInputs(
    core,
    Object.entries(files).map(([name, bytes]) => ({ name, source: bytesSource(bytes) })),
  );
  core.profiles();
  return core;
}

/** By profile type: samples, weight, heaviest functions and roots, and what a message of it holds. */
function contents(core: Core, filter: Filter) {
  return core.profiles().flatMap(({ id, type }) => {
    const totals = core.select(id, filter);
    if (totals.samples === 0) return [];
    // Equal weights are in the order in which names were first read, which differs.
    const top = core.views.top("total", 0, 10_000).rows.sort((a, b) => (a.name < b.name ? -1 : 1));
    const roots = core.views
      .rank({ kind: "local-root" }, 0, 10_000)
      .rows.map(({ samples, value, id: root }) => [root, samples, value]);
    const written = core.write(id, filter, { format: "otlp" });
    return [{ type, totals, top, roots: roots.sort(), written: [written.samples, written.observations] }];
  });
}

it("one of two files holds what it holds alone, and both what both hold", async () => {
  const both = await coreOf({ "a.jfr": shop, "b.jfr": chunks });
  const a = contents(await coreOf({ "a.jfr": shop }), {});
  const b = contents(await coreOf({ "b.jfr": chunks }), {});
  expect(a.length).toBeGreaterThan(2);
  expect(contents(both, { file: "a.jfr" })).toEqual(a);
  expect(contents(both, { file: "b.jfr" })).toEqual(b);
  const sum = (all: typeof a) => all.reduce((total, { totals }) => total + totals.samples, 0);
  expect(sum(contents(both, {}))).toBe(sum(a) + sum(b));
  expect(contents(both, { file: "c.jfr" })).toEqual([]);
  expect(both.files().map(({ samples }) => samples)).toEqual([sum(a), sum(b)]);
});

it("goes with a range of time, and with an archive as a whole or by its entries", async () => {
  const archive = zipSync({ "one.jfr": shop, "two.jfr": chunks });
  // What two files have would count in the first of them only.
  const other = later(shop);
  const core = await coreOf({ "all.zip": archive, "a.jfr": other });
  const alone = await coreOf({ "a.jfr": other });
  expect(contents(core, { file: "all.zip/one.jfr" })).toEqual(contents(alone, {}));
  expect(contents(core, { file: "all.zip" })).toEqual(contents(await coreOf({ x: shop, y: chunks }), {}));
  const { from, to } = alone.views.timeBounds() ?? { from: 0n, to: 0n };
  const half = { from, to: from + (to - from) / 2n };
  const narrowed = contents(alone, { time: half });
  expect(narrowed.length).toBeGreaterThan(0);
  expect(contents(core, { file: "a.jfr", time: half })).toEqual(narrowed);
});
