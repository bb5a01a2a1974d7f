/** Functions that a compiler renumbered are one function in a comparison of two files; others stay apart. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { Core } from "../../../src/core/core.ts";
import type { Filter } from "../../../src/core/types.ts";
import type { Shape } from "../../../src/core/view-types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { loadPatterns } from "../../../src/pattern/pattern.ts";

const path = fileURLToPath(new URL("../../../build/core.wasm", import.meta.url));
await loadPatterns();
const module = await WebAssembly.compile(readFileSync(path));

/** Stacks of a file, root first, with their samples. */
type Stacks = [stack: string, samples: number][];

async function coreOf(a: Stacks, b: Stacks): Promise<Core> {
  const core = await Core.instantiate(module);
  const inputs = [a, b].map((stacks, i) => {
    const text = stacks.map(([stack, samples]) => `${stack} ${samples}\n`).join("");
    return { name: "ab"[i]!, source: bytesSource(new TextEncoder().encode(text)) };
  });
  await readInputs(core, inputs);
  return core;
}

function profileOf(core: Core): number {
  return core.profiles()[0]?.id ?? -1;
}

function compare(core: Core, [a, b]: [Filter, Filter] = [{ file: "a" }, { file: "b" }], rest = false): void {
  core.select(profileOf(core), a);
  core.views.keepBaseline(true);
  core.select(profileOf(core), b);
  core.views.changed(rest, false, 0, 0);
}

/** Rows with numbers, `selection < baseline` where the names differ, with both totals, the baseline's first. */
function numbered(core: Core, ...how: [] | [[Filter, Filter]]): string[] {
  compare(core, ...how);
  const { rows } = core.views.changed(false, false, 0, 1e6);
  const shown = rows.map(({ name, baseName, total, baseTotal }) => {
    return `${name}${baseName === undefined ? "" : ` < ${baseName}`} ${baseTotal} ${total}`;
  });
  return shown.filter((row) => row.includes("$")).sort();
}

/** Frames of the graph as paths, each with the name, that of the baseline, and the values of both. */
function graph(core: Core, focus = 0) {
  const answer = core.views.diff({ focus, width: 1e6, rest: false, normalised: false });
  const { frames } = answer.frames;
  const paths: { name: string[]; baseName: string[] }[] = [];
  const rows = [...frames.node].map((node, row) => {
    const name = frames.names[frames.name[row]!]!;
    const above = row === 0 ? { name: [], baseName: [] } : paths[frames.parent[row]!]!;
    const steps = row === 0 ? [] : [name];
    paths.push({
      name: [...above.name, ...steps],
      baseName: [...above.baseName, ...(row === 0 ? [] : [answer.baseNames.get(row) ?? name])],
    });
    const values = { total: answer.total[row]!, baseTotal: answer.baseTotal[row]! };
    return { node, name, parent: frames.parent[row]!, path: paths[row]!, ...values, self: answer.self[row]! };
  });
  return { rows, path: answer.frames.path, both: frames.total };
}

/** Values of all paths of a file. */
function pathsOf(stacks: Stacks): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [stack, samples] of stacks) {
    const frames = stack.split(";");
    for (let n = 0; n <= frames.length; n++) {
      const key = frames.slice(0, n).join(";");
      sums.set(key, (sums.get(key) ?? 0) + samples);
    }
  }
  return sums;
}

/** Each side of the graph is the graph of its file. */
function expectBothTrees(core: Core, a: Stacks, b: Stacks): void {
  compare(core);
  const { rows } = graph(core);
  const own = rows.filter(({ total }) => total !== 0);
  const base = rows.filter(({ baseTotal }) => baseTotal !== 0);
  const of = (part: typeof rows, name: "name" | "baseName", total: "total" | "baseTotal") =>
    new Map(part.map((row) => [row.path[name].join(";"), row[total]]));
  const entries = (map: Map<string, number>) => [...map].sort(([x], [y]) => (x < y ? -1 : 1));
  expect(entries(of(own, "name", "total"))).toEqual(entries(pathsOf(b)));
  expect(entries(of(base, "baseName", "baseTotal"))).toEqual(entries(pathsOf(a)));
  expect([own.length, base.length]).toEqual([pathsOf(b).size, pathsOf(a).size]);
}

it.each([
  ["com.acme.Shop.lambda$main$10", "com.acme.Shop.lambda$main$17", "a lambda of javac"],
  ["com.acme.Shop.access$100", "com.acme.Shop.access$2300", "an accessor"],
  ["com.acme.Shop$1.run", "com.acme.Shop$12.run", "an anonymous class"],
  ["com.acme.Shop$2$1.run", "com.acme.Shop$3$4.run", "one in another"],
  ["com.acme.Shop$1Local.run", "com.acme.Shop$2Local.run", "a local class"],
  ["com/acme/Shop$1.run", "com/acme/Shop$2.run", "the JVM's own form of names"],
  ["com.acme.Ctx$$Lambda$lambda$wrap$2.call", "com.acme.Ctx$$Lambda$lambda$wrap$5.call", "a class of a lambda"],
  ["com.acme.ShopKt$main$1.invokeSuspend", "com.acme.ShopKt$main$2.invokeSuspend", "a lambda of Kotlin"],
  ["com.acme.ShopKt.main$lambda$0", "com.acme.ShopKt.main$lambda$3", "one of Kotlin 2"],
  [
    "com.acme.Shop$all$$inlined$map$1$2.emit",
    "com.acme.Shop$all$$inlined$map$3$2.emit",
    "an inlined function of Kotlin",
  ],
  ["com.acme.Shop$.$anonfun$total$1", "com.acme.Shop$.$anonfun$total$9", "a function of Scala"],
  ["com.acme.Shop$.$anonfun$total$1$adapted", "com.acme.Shop$.$anonfun$total$2$adapted", "its adapter"],
  ["com.acme.Shop$$anon$1.apply", "com.acme.Shop$$anon$2.apply", "an anonymous class of Scala"],
  ["com.acme.Shop$_run_closure1.doCall", "com.acme.Shop$_run_closure4.doCall", "a closure of Groovy"],
  ["shop.core$fn__1234.invoke", "shop.core$fn__981.invoke", "a function of Clojure"],
  ["shop.core$eval1234$fn__1236.invoke", "shop.core$eval981$fn__983.invoke", "an expression of Clojure"],
  ["Shop$$ExternalSyntheticLambda0.run", "Shop$$ExternalSyntheticLambda7.run", "a lambda of Android"],
])("%s and %s are one row: %s", async (before, after) => {
  const core = await coreOf([[`main;${before};parse`, 4]], [[`main;${after};parse`, 6]]);
  const shown = (name: string) => name.replaceAll("/", ".");
  expect(numbered(core)).toEqual([`${shown(after)} < ${shown(before)} 4 6`]);
  const [, , row] = graph(core).rows;
  expect(row).toMatchObject({ name: shown(after), total: 6, baseTotal: 4 });
  // As recorded, nothing is one.
  const raw: [Filter, Filter] = [
    { file: "a", rawNames: true },
    { file: "b", rawNames: true },
  ];
  expect(numbered(core, raw)).toEqual([`${before} 4 0`, `${after} 0 6`].sort());
  expect(graph(core).rows.length).toBe(6);
});

it.each([
  ["without a dollar", "main;run1;parse", "main;run2;parse"],
  ["a number that is no compiler's", "main;Shop$Utf8.run;parse", "main;Shop$Utf16.run;parse"],
  ["a hash", "main;Ctx$$Lambda$2ab4.run;parse", "main;Ctx$$Lambda$3ab4.run;parse"],
  ["the JDK", "main;java.util.Collections$1.next;parse", "main;java.util.Collections$2.next;parse"],
  ["other callees", "main;Shop$1.run;parse", "main;Shop$2.run;render"],
  ["other callers", "web;Shop$1.run;parse", "batch;Shop$2.run;parse"],
  ["callees on one side only", "main;Shop$1.run", "main;Shop$2.run;parse"],
  ["another method", "main;Shop.lambda$a$1;parse", "main;Shop.lambda$b$2;parse"],
])("%s: %s and %s are two rows", async (_, before, after) => {
  const [a, b]: [Stacks, Stacks] = [[[before, 4]], [[after, 6]]];
  const core = await coreOf(a, b);
  compare(core);
  expect(core.views.changed(false, false, 0, 100).rows.filter(({ baseName }) => baseName !== undefined)).toEqual([]);
  expectBothTrees(core, a, b);
});

it("a number that means other code in each file is two rows", async () => {
  const a: Stacks = [
    ["main;Shop.lambda$main$1;parse", 5],
    ["main;Shop.lambda$main$2;render", 7],
    ["main;Shop.lambda$main$3;send", 9],
  ];
  const b: Stacks = [
    ["main;Shop.lambda$main$1;log", 2],
    ["main;Shop.lambda$main$2;parse", 4],
    ["main;Shop.lambda$main$3;render", 6],
    ["main;Shop.lambda$main$3;render;draw", 8],
  ];
  const core = await coreOf(a, b);
  expect(numbered(core)).toEqual([
    "Shop.lambda$main$1 0 2",
    "Shop.lambda$main$2 < Shop.lambda$main$1 5 4",
    "Shop.lambda$main$3 9 0",
    "Shop.lambda$main$3 < Shop.lambda$main$2 7 14",
  ]);
  expectBothTrees(core, a, b);
});

it.each<[string, Stacks, Stacks, string[]]>([
  [
    "the likest are a pair, whatever their numbers",
    [
      ["main;S.f$1;parse", 9],
      ["main;S.f$1;log", 1],
      ["main;S.f$2;parse", 9],
      ["main;S.f$2;send", 1],
    ],
    [
      ["main;S.f$2;parse", 9],
      ["main;S.f$2;log", 1],
      ["main;S.f$3;parse", 9],
      ["main;S.f$3;send", 1],
    ],
    ["S.f$2 < S.f$1 10 10", "S.f$3 < S.f$2 10 10"],
  ],
  [
    "of equals, the same numbers are, then those in their order",
    [9, 10, 11].map((n) => [`main;S.f$${n};parse`, n]),
    [10, 11, 12, 100].map((n) => [`main;S.f$${n};parse`, n]),
    ["S.f$10 10 10", "S.f$11 11 11", "S.f$12 < S.f$9 9 12", "S.f$100 0 100"],
  ],
  [
    "a callee that is rare on both sides is no reason",
    [
      ["main;S.f$1;parse", 9],
      ["main;S.f$1;log", 1],
    ],
    [
      ["main;S.f$2;render", 9],
      ["main;S.f$2;log", 1],
    ],
    ["S.f$1 10 0", "S.f$2 0 10"],
  ],
  [
    "a new callee, however heavy, is none against it",
    [["main;S.f$1;parse", 9]],
    [
      ["main;S.f$2;parse", 9],
      ["main;S.f$2;slow", 500],
    ],
    ["S.f$2 < S.f$1 9 509"],
  ],
  [
    "equal numbers without other evidence are one, with other callees too",
    [["main;S.f$1;parse", 9]],
    [["main;S.f$1;render", 8]],
    ["S.f$1 9 8"],
  ],
  [
    "callers and callees are compared without their numbers",
    [["main;S$1.run;S.f$1;S$4.get;x", 3]],
    [["main;S$2.run;S.f$5;S$3.get;x", 4]],
    ["S$2.run < S$1.run 3 4", "S$3.get < S$4.get 3 4", "S.f$5 < S.f$1 3 4"],
  ],
])("%s", async (_, a, b, expected) => {
  const core = await coreOf(a, b);
  expect(numbered(core)).toEqual([...expected].sort());
  expectBothTrees(core, a, b);
});

it("selections of one file keep their numbers", async () => {
  const a: Stacks = [
    ["main;S.f$1;parse", 9],
    ["main;other;S.f$2;parse", 8],
    ["main;S.f$3;parse", 7],
  ];
  const core = await coreOf(a, [["main", 1]]);
  const of = (pattern: string): Filter => ({ file: "a", frames: [{ pattern }] });
  expect(numbered(core, [of("f\\$1"), of("f\\$3")])).toEqual(["S.f$1 9 0", "S.f$3 0 7"]);
  expect(numbered(core, [{ frames: [{ pattern: "f\\$1" }] }, { frames: [{ pattern: "f\\$3" }] }])).toEqual([
    "S.f$1 9 0",
    "S.f$3 0 7",
  ]);
});

/** A generator of numbers below `n`. */
function random(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

function randomStacks(next: (n: number) => number): Stacks {
  const frame = () => {
    const kinds = [`S.f$${next(5)}`, `S$${next(3)}$${next(2)}.run`, "p", "q", "r"];
    return kinds[next(kinds.length)]!;
  };
  const stacks = Array.from({ length: 5 + next(25) }, (): Stacks[number] => {
    const frames = Array.from({ length: 1 + next(5) }, frame);
    return [frames.join(";"), 1 + next(20)];
  });
  return [...new Map(stacks)];
}

const SHAPES: Partial<Shape>[] = [
  {},
  { recursion: "direct" },
  { merged: ["^p$"] },
  { runs: [{ name: "R", pattern: "^[pq]$" }] },
];

describe.each(Array.from({ length: 40 }, (_, i) => i + 1))("random stacks %i", (seed) => {
  const next = random(seed);
  const [a, b] = [randomStacks(next), randomStacks(next)];

  it("keep the tree of each file, and its functions", async () => {
    const core = await coreOf(a, b);
    expectBothTrees(core, a, b);
    const { rows, squares, baseSquares } = core.views.changed(false, false, 0, 1e6);
    const sides = [
      ["a", rows.map((row) => ({ name: row.baseName ?? row.name, self: row.baseSelf, total: row.baseTotal }))],
      ["b", rows.map(({ name, self, total }) => ({ name, self, total }))],
    ] as const;
    for (const [file, values] of sides) {
      const functions = values.filter(({ total }) => total !== 0n);
      core.select(profileOf(core), { file });
      const inOrder = (x: { name: string }, y: { name: string }) => (x.name < y.name ? -1 : 1);
      const top = core.views.top("name", 0, 1e6).rows.map(({ name, self, total }) => ({ name, self, total }));
      expect(functions.sort(inOrder)).toEqual(top.sort(inOrder));
    }
    const sum = (of: "self" | "baseSelf") => rows.reduce((all, row) => all + row.squares[of], 0);
    expect([sum("self"), sum("baseSelf")]).toEqual([squares, baseSquares]);
    // Both views have the same pairs.
    compare(core);
    const inGraph = graph(core).rows.filter(({ path: { name, baseName } }) => name.at(-1) !== baseName.at(-1));
    const pairs = new Set(
      rows.flatMap(({ name, baseName }) => (baseName === undefined ? [] : [`${name} ${baseName}`])),
    );
    for (const { path: of } of inGraph) expect(pairs).toContain(`${of.name.at(-1)} ${of.baseName.at(-1)}`);
  });

  it("have frames that zooming finds again, in every shape", async () => {
    const core = await coreOf(a, b);
    for (const shape of SHAPES) {
      core.views.shape({ from: "", merged: [], recursion: "kept", lines: false, ...shape });
      compare(core);
      const whole = graph(core).rows;
      expect(whole[0]).toMatchObject({ total: sumOf(b), baseTotal: sumOf(a) });
      for (const row of whole) {
        const below = whole.filter((other, i) => i > 0 && whole[other.parent] === row);
        expect(below.reduce((sum, { total }) => sum + total, row.self)).toBe(row.total);
        const zoomed = graph(core, row.node);
        expect(zoomed.rows[0]).toMatchObject({
          node: row.node,
          name: row.name,
          total: row.total,
          baseTotal: row.baseTotal,
        });
        const above = row.node === 0 ? [] : ["", ...row.path.name.slice(0, -1)];
        expect(zoomed.path.map(({ name }) => name)).toEqual(above);
      }
      expect(new Set(whole.map(({ node }) => node)).size).toBe(whole.length);
    }
  });
});

function sumOf(stacks: Stacks): number {
  return stacks.reduce((sum, [, samples]) => sum + samples, 0);
}
