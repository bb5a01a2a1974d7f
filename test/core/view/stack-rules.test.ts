/** Rules over stacks, and self values by the nearest function of a set, against a plain reading of the stacks. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import type { StackRule } from "../../../src/core/view-types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { loadPatterns, Pattern } from "../../../src/pattern/pattern.ts";
import { emptyCore } from "../../kit/core/read-store.ts";

/** Root first. */
const STACKS: [stack: string, value: number][] = [
  ["main;shop.Cart.add;java.util.regex.Pattern.compile;java.util.HashMap.get", 5],
  ["main;shop.Cart.add;shop.Cart.add;java.util.HashMap.get", 3],
  ["main;shop.Cart.add", 2],
  ["pool;java.util.regex.Pattern.compile;shop.Loader.warm", 7],
  ["pool;java.lang.Thread.sleep", 11],
  ["java.util.HashMap.get", 1],
];

const TEXT = STACKS.map(([stack, value]) => `${stack} ${value}\n`).join("");

function plainly({ any, leaf, outermost, unless }: StackRule): bigint {
  const finds = (pattern: string | undefined, name: string) => pattern !== undefined && Pattern.of(pattern).test(name);
  const values = STACKS.map(([stack, value]) => {
    const frames = stack.split(";");
    const isFound =
      frames.some((name) => finds(any, name)) || finds(leaf, frames.at(-1)!) || finds(outermost, frames[0]!);
    return isFound && !frames.some((name) => finds(unless, name)) ? value : 0;
  });
  return BigInt(values.reduce((sum, each) => sum + each, 0));
}

async function opened(bytes: Uint8Array, name: string): Promise<Core> {
  const core = await emptyCore();
  await readInputs(core, [{ name, source: bytesSource(bytes) }]);
  return core;
}

describe("rules over stacks", () => {
  let core: Core;
  beforeAll(async () => {
    await loadPatterns();
    core = await opened(Buffer.from(TEXT), "a.collapsed");
    core.select(core.profiles()[0]!.id, {});
  });

  const RULES: StackRule[] = [
    { any: "java\\.util\\.regex" },
    { leaf: "HashMap\\.get$" },
    { any: "HashMap\\.get$" },
    { outermost: "^pool$" },
    { outermost: "^shop" },
    { any: "HashMap", unless: "Cart" },
    { any: "regex", leaf: "sleep$" },
    { any: "nothing" },
    { unless: "main" },
    { any: "." },
  ];

  it("find what a plain search finds", () => {
    expect(core.views.stackValues(RULES)).toEqual(RULES.map(plainly));
    expect(plainly(RULES[9]!)).toBe(29n);
  });

  it("may be any number", () => {
    const many = Array.from({ length: 150 }, (_, i) => RULES[i % RULES.length]!);
    expect(core.views.stackValues(many)).toEqual(many.map(plainly));
    expect(core.views.stackValues([])).toEqual([]);
  });

  it("are refused where a pattern is none", () => {
    expect(() => core.views.stackValues([{ any: "a(" }])).toThrow(/not a supported regular expression/);
  });

  it("follow the selection", () => {
    core.select(core.profiles()[0]!.id, { frames: [{ pattern: "^pool$" }] });
    expect(core.views.stackValues(RULES).slice(0, 4)).toEqual([7n, 0n, 0n, 18n]);
    core.select(core.profiles()[0]!.id, {});
  });

  it("have a self value for the nearest function of a set", () => {
    const { rows, rest } = core.views.topNearest((name) => name.startsWith("shop."), 10);
    expect(rows.map(({ name, self, total }) => [name, self, total])).toEqual([
      ["shop.Cart.add", 10n, 10n],
      ["shop.Loader.warm", 7n, 7n],
    ]);
    expect(rest).toBe(12n);
    expect(core.views.topNearest(() => false, 10)).toEqual({ rows: [], rest: 29n });
    // The table of functions is its own again.
    expect(core.views.top("self", 0, 1).rows[0]).toMatchObject({ name: "java.lang.Thread.sleep", self: 11n });
  });
});

it("native functions are no such function, whatever their names", async () => {
  const url = new URL("../../../fixtures/recorded/dd152-jdk17-all.jfr", import.meta.url);
  const core = await opened(new Uint8Array(readFileSync(url)), "a.jfr");
  const wall = core.profiles().find(({ type }) => type === "wall")!;
  const { value } = core.select(wall.id, {});
  const { rows, rest } = core.views.topNearest(() => true, 1_000_000);
  expect(rows.reduce((sum, { self }) => sum + self, rest)).toBe(value);
  const names = rows.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !name.includes(".") && name !== "[truncated]")).toEqual([]);
});
