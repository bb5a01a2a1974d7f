/** Search of attribute values over all profiles. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { findRoots, findValues, indexValues } from "../../../src/core/suggest.ts";
import { HeldCore } from "../../../src/requests/held-core.ts";
import { read } from "../../kit/core/read-store.ts";

const BYTES = new Uint8Array(readFileSync(new URL("../../../fixtures/recorded/dd152-jdk17-all.jfr", import.meta.url)));

it("finds values by all words of a text in any order, by their key, and by key and part", async () => {
  const core = await read(BYTES);
  const index = indexValues(new HeldCore(core), core.profiles());
  core.select(null, {});
  const key = "trace endpoint";
  const { rows } = core.views.rank({ kind: "attribute", key }, 0, 100, { sort: "samples" });
  const [endpoint] = rows;
  const text = endpoint!.label.toUpperCase();
  expect(findValues(index, text, 5)).toContainEqual({ key, value: endpoint!.label, samples: endpoint!.samples });
  const backwards = text.split(/\s+/).reverse().join("  ");
  expect(findValues(index, backwards, 5).map(({ value }) => value)).toContain(endpoint!.label);
  expect(findValues(index, `endpoint=${endpoint!.label.slice(0, 3)}`, 5).every((found) => found.key === key)).toBe(
    true,
  );
  expect(findValues(index, "trace endp", 2).map(({ value }) => value)).toEqual(
    rows.slice(0, 2).map(({ label }) => label),
  );
  expect(findValues(index, "no such value", 5)).toEqual([]);
  expect(findValues(index, "  ", 5)).toEqual([]);
});

it("orders values that begin with the text first, and does not change the index", async () => {
  const value = (text: string, samples: number) => ({ key: "k", value: text, samples, text });
  const index = new Map([["k", [value("a pay", 9), value("payment", 5), value("pay", 7)]]]);
  const found = () => findValues(index, "pay", 2).map(({ value }) => value);
  expect(found()).toEqual(["pay", "payment"]);
  expect(findValues(index, "k", 3).map(({ value }) => value)).toEqual(["a pay", "pay", "payment"]);
  expect(index.get("k")?.map(({ value }) => value)).toEqual(["a pay", "payment", "pay"]);
});

it("finds local roots by the beginning of their id, with their endpoint", async () => {
  const core = await read(BYTES);
  core.select(null, {});
  const [root] = core.views.rank({ kind: "local-root" }, 0, 1).rows;
  const { samples } = core.select(null, { localRoot: root!.id });
  const ids = [[root!.id, root!.id]] as const;
  const [found, ...others] = findRoots(new HeldCore(core), { ids }, ["trace endpoint"], 5);
  expect(found).toMatchObject({ id: root!.id, samples });
  expect(found?.about).not.toBe("");
  expect(others).toEqual([]);
});
