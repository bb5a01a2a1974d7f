/**
 * The functions of two selections side by side: each says what the top table says of it, and the largest change comes
 * first.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, it } from "vitest";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import { Core } from "../../src/core/core.ts";
import type { Filter, TopRow } from "../../src/core/types.ts";
import { readInputs } from "../../src/input/open.ts";

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
let core: Core;
let profile = 0;
let root = 0n;

beforeAll(async () => {
  core = await Core.instantiate(await WebAssembly.compile(readFileSync(at("build/core.wasm"))));
  await readInputs(core, [{ name: "a", source: bytesSource(readFileSync(at("fixtures/shop-chunks.jfr"))) }]);
  profile = core.profiles().find(({ type }) => type === "cpu")?.id ?? -1;
  core.select(profile, {});
  root = core.views.rank({ kind: "local-root" }, 0, 1).rows[0]?.id ?? 0n;
});

function top(filter: Filter): { value: bigint; rows: Map<string, TopRow> } {
  const { value } = core.select(profile, filter);
  const { rows } = core.views.top("self", 0, 1e6);
  return { value, rows: new Map(rows.map((row) => [row.name, row])) };
}

it.each([
  [false, true],
  [false, false],
  [true, true],
  [true, false],
])("the rest only: %s, by shares: %s", (rest, normalised) => {
  const all = top({});
  const own = top({ localRoot: root });
  expect(own.rows.size).toBeGreaterThan(3);
  core.select(profile, {});
  core.views.keepBaseline();
  core.select(profile, { localRoot: root });
  const { count, rows } = core.views.changed(rest, normalised, 0, 1e6);
  expect(rows).toHaveLength(count);
  expect(new Set(rows.map(({ name }) => name))).toEqual(new Set(all.rows.keys()));

  const minus = rest ? (a: bigint, b: bigint) => a - b : (a: bigint) => a;
  for (const row of rows) {
    const mine = own.rows.get(row.name) ?? { self: 0n, total: 0n };
    const base = all.rows.get(row.name) ?? { self: 0n, total: 0n };
    expect(row).toEqual({
      name: row.name,
      self: mine.self,
      total: mine.total,
      baseSelf: minus(base.self, mine.self),
      baseTotal: minus(base.total, mine.total),
    });
  }
  const whole = normalised ? Number(own.value) : 1;
  const baseWhole = normalised ? Number(minus(all.value, own.value)) : 1;
  const changes = rows.map(({ self, baseSelf }) => Math.abs(Number(self) / whole - Number(baseSelf) / baseWhole));
  for (let i = 1; i < changes.length; i++) expect(changes[i]).toBeLessThanOrEqual((changes[i - 1] ?? 0) + 1e-9);
  expect(changes[0]).toBeGreaterThan(0);
});

it("goes page by page", () => {
  const { rows } = core.views.changed(false, true, 0, 20);
  expect(core.views.changed(false, true, 5, 3).rows).toEqual(rows.slice(5, 8));
});
