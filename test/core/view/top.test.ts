/**
 * The table of functions of a real recording in other orders and narrowed: its own rows, sorted and searched in plain
 * words.
 */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { Core } from "../../../src/core/core.ts";
import type { TopRow } from "../../../src/core/types.ts";
import type { TopHow, TopOrder } from "../../../src/core/view-types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { loadPatterns } from "../../../src/pattern/pattern.ts";

const bytesOf = (path: string) => new Uint8Array(readFileSync(new URL(`../../../${path}`, import.meta.url)));
const ALL = 1_000_000;

describe("the table of functions", () => {
  let core: Core;
  let rows: TopRow[];
  const top = (order: TopOrder, how: TopHow = {}) => {
    const page = core.views.top(order, 0, ALL, how);
    expect(page.rows).toHaveLength(page.count);
    return page.rows;
  };
  beforeAll(async () => {
    await loadPatterns();
    const path = "fixtures/recorded/ddagent-jdk17.jfr";
    core = await Core.instantiate(await WebAssembly.compile(bytesOf("build/core.wasm")));
    expect(await readInputs(core, [{ name: path, source: bytesSource(bytesOf(path)) }])).toMatchObject({
      readable: 1,
      inputs: [{ read: "wholly" }],
    });
    core.select(core.profiles().find(({ type }) => type === "cpu")?.id ?? -1, {});
    rows = top("self");
    expect(rows.length).toBeGreaterThan(100);
  });

  it("comes by name, each function once with what it weighs", () => {
    const sorted = rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    expect(top("name")).toEqual(sorted);
    expect(top("name", { reversed: true })).toEqual(sorted.toReversed());
    expect(core.views.top("name", 7, 5).rows).toEqual(sorted.slice(7, 12));
    expect(core.views.top("name", 7, 5, { reversed: true }).rows).toEqual(sorted.toReversed().slice(7, 12));
  });

  it("comes backwards", () => {
    for (const order of ["self", "total"] as const) {
      expect(top(order, { reversed: true })).toEqual(top(order).toReversed());
    }
  });

  it("is narrowed to what a pattern finds, in any order", () => {
    const found = (of: TopRow[]) => of.filter(({ name }) => /search|compute/i.test(name));
    expect(found(rows).length).toBeGreaterThan(1);
    expect(found(rows).length).toBeLessThan(rows.length);
    for (const order of ["self", "total", "name"] as const) {
      expect(top(order, { find: "search|compute" })).toEqual(found(top(order)));
    }
    expect(top("self", { find: "nothing is called this" })).toEqual([]);
    expect(() => top("self", { find: "a(" })).toThrow(/not a supported regular expression/);
  });

  it("knows the functions that stand in a tree split by line", () => {
    core.views.shape({ from: "", merged: [], recursion: "kept", lines: true });
    expect(top("name").map(({ name }) => name)).toEqual(rows.map(({ name }) => name).sort());
    core.views.shape({ from: "", merged: [], recursion: "kept", lines: false });
  });
});
