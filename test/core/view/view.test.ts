/** The views on small stores that a reader can check by eye. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { drawing, picture } from "../../kit/core/frame-drawing.ts";
import { ViewCore } from "../../kit/core/view-harness.ts";

const TOP = 0xffff_ffff_ffff_fff0n;

let core: ViewCore;
beforeAll(async () => {
  core = await ViewCore.create();
}, 60_000);
beforeEach(() => core.reset());

test("the module asks its host for nothing", () => {
  expect(WebAssembly.Module.imports(core.module)).toEqual([]);
});

describe("call tree and frames", () => {
  beforeEach(() => {
    core.profile("cpu", "datadog.ExecutionSample");
    core.draw(`
      main
        parse 3
          read 4
        run 1
          work 20
            alloc 2
          idle 1
      gc 5
    `);
    core.observe({ value: 2n });
    core.select(-1);
  });

  test("everything that fits is shown, the root has the samples without a stack", () => {
    const frames = core.frames(0, 1000);
    expect(picture(frames)).toBe(
      drawing(`
        * 38 self 2
          main 31 self 0
            parse 7 self 3
              read 4
            run 24 self 1
              work 22 self 20
                alloc 2
              idle 1
          gc 5
      `),
    );
    expect(frames).toMatchObject({ selectionTotal: 38, hiddenFrames: 0, hiddenValue: 0, framesInFocus: 9, path: [] });
    expect(frames.rows[0]).toMatchObject({ node: 0, parent: 0, type: 0 });
    expect(frames.rows[1]).toMatchObject({ type: 1 });
  });

  test("frames narrower than half a pixel are hidden", () => {
    // 38 / 8 = 4.75 per half a pixel
    expect(picture(core.frames(0, 4))).toBe(
      drawing(`
        * 38 self 2
          main 31 self 0
            parse 7 self 3 +1 frames 4
            run 24 self 1 +1 frames 1
              work 22 self 20 +1 frames 2
          gc 5
      `),
    );
    // All but main, run and work are narrower than half of the one pixel that is taken.
    for (const width of [0, -5, Number.NaN, 0.2]) expect(core.frames(0, width).rows).toHaveLength(4);
    expect(core.frames(0, Number.POSITIVE_INFINITY).rows).toHaveLength(9);
  });

  test("zooming shows the subtree and the way to it", () => {
    const run = core.frames(0, 1000).rows.find((row) => row.name === "run");
    const frames = core.frames(run?.node ?? 0, 1000);
    expect(picture(frames)).toBe(
      drawing(`
        run 24 self 1
          work 22 self 20
            alloc 2
          idle 1
      `),
    );
    expect(frames.path.map((p) => `${p.name} ${p.total}`)).toEqual([" 38", "main 31"]);
    expect(frames.path[0]?.node).toBe(0);
    expect(frames).toMatchObject({ selectionTotal: 38, framesInFocus: 4 });
    expect(core.frames(4_000_000_000, 1000).rows[0]?.node).toBe(0);
  });

  test("stacks that come later extend the tree, nodes keep their numbers", () => {
    const before = core.tree();
    core.draw(`
      main
        run
          wait 7
      boot 1
    `);
    core.select(-1);
    const after = core.tree();
    expect(after.slice(0, before.length).map((n) => n.name)).toEqual(before.map((n) => n.name));
    expect(after.slice(before.length).map((n) => n.name)).toEqual(["wait", "boot"]);
    expect(core.frames(0, 1e6).rows[0]?.total).toBe(46);
  });

  test("one name at different lines and types is one frame of the first type", () => {
    const stack = core.stackOf([core.location("main", 12, 2), core.location("main", 7, 3)]);
    core.observe({ stack, value: 100n });
    core.select(-1);
    const main = core.frames(0, 1000).rows[1];
    expect(main).toMatchObject({ name: "main", total: 131, type: 1 });
  });

  test("bytes that are no stack do not stop anything", () => {
    core.observe({ stack: core.rawStack([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x00, 0xfd]), value: 9n });
    core.observe({ stack: core.rawStack([0x80]), value: 1n });
    core.select(-1);
    expect(core.frames(0, 1e6).rows[0]?.total).toBe(48);
    expect(core.top().at(0)).toEqual({ name: "work", self: 20n, total: 22n });
  });
});

test("weights below zero hide a frame and keep the sums", () => {
  core.profile("cpu", "e");
  core.draw(`
    a 10
      b -4
        c 20
    d -3
  `);
  core.select(-1);
  expect(picture(core.frames(0, 1000))).toBe(
    drawing(`
      * 23 self 0 +1 frames -3
        a 26 self 10
          b 16 self -4
            c 20
    `),
  );
  core.observe({ value: -100n });
  core.select(-1);
  expect(core.frames(0, 1000)).toMatchObject({ rows: [{ total: -77, hiddenFrames: 4, hiddenValue: 23 }] });
});

describe("top", () => {
  test("recursion counts once", () => {
    core.profile("cpu", "e");
    core.draw(`
      main
        f 1
          g 2
            f 4
              f 8
        g 16
    `);
    core.select(-1);
    expect(core.top()).toEqual([
      { name: "g", self: 18n, total: 30n },
      { name: "f", self: 13n, total: 15n },
      { name: "main", self: 0n, total: 31n },
    ]);
  });

  test("equal rows come by name index, unweighted ones not at all", () => {
    core.profile("cpu", "e", "f");
    core.draw("x 5");
    core.draw("y 5");
    core.draw("z 9", { event: 1 });
    core.draw("zero 0");
    core.profile("wall", "w");
    core.draw("w 5", { event: 2 });
    core.select(0);
    expect(core.top().map((row) => row.name)).toEqual(["z", "x", "y"]);
    core.select(1);
    expect(core.top().map((row) => row.name)).toEqual(["w"]);
    core.select(2);
    expect(core.top()).toEqual([]);
  });
});

describe("selection", () => {
  let cpu: number;
  let enter: number;
  let wait: number;
  beforeEach(() => {
    [cpu] = core.profile("cpu", "datadog.ExecutionSample") as [number];
    [enter, wait] = core.profile("lock-contention", "jdk.JavaMonitorEnter", "jdk.JavaMonitorWait") as [number, number];
    const a = core.link({ root: 10n, span: 11n });
    const b = core.link({ root: 10n, span: TOP });
    const c = core.link({ high: 5n, root: TOP, span: 11n });
    const op = (text: string) => core.attribute("operation", text);
    const get = core.set([op("GET"), core.attribute("shard", 7n), core.attribute("hot", true)]);
    const put = core.set([op("PUT"), core.attribute("shard", -7n), core.attribute("hot", false)]);
    const pool = core.thread("pool-1", 41n);
    core.observe({ event: cpu, link: a, set: get, thread: pool, value: 1n });
    core.observe({ event: cpu, link: b, set: get, value: 2n });
    core.observe({ event: enter, link: c, set: put, thread: pool, value: 4n });
    core.observe({ event: wait, set: put, value: 8n });
    core.observe({ event: wait, link: a, value: 16n });
  });
  const value = (profile: number, filter = {}) => Number(core.select(profile, filter).value);

  test("by profile, span and local root, ids unsigned", () => {
    expect(value(-1)).toBe(31);
    expect(value(0)).toBe(3);
    expect(value(1)).toBe(28);
    expect(value(7)).toBe(0);
    expect(value(-1, { span: 11n })).toBe(21);
    expect(value(-1, { span: TOP })).toBe(2);
    expect(value(-1, { root: TOP })).toBe(4);
    expect(value(-1, { root: (5n << 64n) | TOP })).toBe(4);
    expect(value(-1, { root: (6n << 64n) | TOP })).toBe(0);
    expect(value(-1, { root: 10n })).toBe(19);
    expect(value(-1, { span: 0n })).toBe(0);
    expect(value(-1, { root: 0n })).toBe(0);
    expect(value(-1, { span: 12n })).toBe(0);
  });

  test("by attribute of the set, the thread and the event", () => {
    const by = (key: string, text: string) => value(-1, { attributes: [[key, text]] });
    expect(by("operation", "GET")).toBe(3);
    expect(by("operation", "get")).toBe(0);
    expect(by("shard", "7")).toBe(3);
    expect(by("shard", "-7")).toBe(12);
    expect(by("shard", "07")).toBe(0);
    expect(by("hot", "true")).toBe(3);
    expect(by("hot", "false")).toBe(12);
    expect(by("thread.name", "pool-1")).toBe(5);
    expect(by("thread.id", "41")).toBe(5);
    expect(by("jfr.event", "jdk.JavaMonitorWait")).toBe(24);
    expect(by("profile.type", "lock-contention")).toBe(28);
    expect(by("nobody", "GET")).toBe(0);
    expect(by("operation", "")).toBe(0);
    expect(by("", "")).toBe(0);
  });

  test("all parts must hold", () => {
    expect(value(0, { span: 11n, root: 10n, attributes: [["operation", "GET"]] })).toBe(1);
    expect(value(1, { span: 11n, root: 10n })).toBe(16);
    expect(
      value(-1, {
        attributes: [
          ["operation", "GET"],
          ["thread.id", "41"],
        ],
      }),
    ).toBe(1);
    expect(
      value(-1, {
        attributes: [
          ["operation", "GET"],
          ["operation", "PUT"],
        ],
      }),
    ).toBe(0);
    const many = Array.from({ length: 70 }, () => ["operation", "PUT"] as const);
    expect(value(-1, { attributes: many })).toBe(12);
    expect(value(-1, { attributes: [...many, ["thread.id", "41"]] })).toBe(4);
    expect(value(-1, { attributes: [["thread.id", "41"], ...many] })).toBe(4);
  });

  test("samples read later wait for the next selection", () => {
    core.select(-1);
    core.frames(0, 1000);
    core.observe({ event: cpu, stack: core.stack(["late", "later"]), value: 100n });
    expect(core.tree().map((node) => Number(node.total))).toEqual([31, 0, 0]);
    expect(core.frames(0, 1000)).toMatchObject({ rows: [{ total: 31, hiddenFrames: 0 }] });
    expect(value(-1)).toBe(131);
  });

  test("rankings", () => {
    core.select(-1);
    expect(core.rank(0)).toMatchObject([
      { id: 10n, root: 0n, value: 19n, samples: 3, label: "attribute 0" },
      { id: (5n << 64n) | TOP, root: 0n, value: 4n, samples: 1, label: "attribute 0" },
    ]);
    // Span 11 is in two links; its heaviest sample is the one of 16 ns below root 10.
    expect(core.rank(1).map((r) => [r.id, r.root, r.value, r.samples])).toEqual([
      [11n, 10n, 21n, 3],
      [TOP, 10n, 2n, 1],
    ]);
    expect(core.rank(2, "jfr.event").map((r) => [r.label, r.value])).toEqual([
      ["text jdk.JavaMonitorWait", 24n],
      ["text jdk.JavaMonitorEnter", 4n],
      ["text datadog.ExecutionSample", 3n],
    ]);
    expect(core.rank(2, "profile.type").map((r) => [r.label, r.value, r.samples])).toEqual([
      ["text lock-contention", 28n, 3],
      ["text cpu", 3n, 2],
    ]);
    expect(core.rank(2, "operation").map((r) => r.value)).toEqual([12n, 3n]);
    expect(core.rank(2, "thread.name")).toMatchObject([
      { id: 0n, root: 0n, value: 5n, samples: 2, label: `attribute ${core.attribute("thread.name", "pool-1")}` },
    ]);
    expect(core.rank(2, "nobody")).toEqual([]);
    core.select(1, { attributes: [["operation", "PUT"]] });
    expect(core.rank(1).map((r) => [r.id, r.root, r.value])).toEqual([[11n, (5n << 64n) | TOP, 4n]]);
  });

  test("summary and keys", () => {
    core.observe({ event: cpu, stack: core.stack(["a"]), thread: core.thread("b", 1n), value: 1n });
    core.observe({ event: cpu, stack: core.stack(["a"]), value: 1n });
    core.observe({ event: cpu, stack: core.stack(["a"]), value: 1n });
    expect(core.summary()).toEqual([
      { samples: 5, stacks: 1, threads: 2, samplesWithSpan: 2, value: 6n },
      { samples: 3, stacks: 0, threads: 1, samplesWithSpan: 2, value: 28n },
    ]);
    expect(core.u32s(core.call("summaryEvents"), 3)).toEqual([5, 1, 2]);
    expect(core.attributeKeys()).toEqual(["operation", "shard", "hot"]);
  });
});

test("ranks of equal value go by observations, then by unsigned id", () => {
  const [e = 0] = core.profile("cpu", "e");
  const add = (span: bigint, ...values: bigint[]) => {
    for (const value of values) core.observe({ event: e, link: core.link({ root: 1n, span }), value });
  };
  add(TOP, 6n);
  add(7n, 6n);
  add(9n, 1n, 5n);
  add(5n, -1n);
  add(TOP + 1n, 2n, 2n, 2n);
  core.select(-1);
  expect(core.rank(1).map((r) => r.id)).toEqual([TOP + 1n, 9n, 7n, TOP, 5n]);
});

test("numbers are compared as they are printed", () => {
  const [e = 0] = core.profile("cpu", "e");
  core.observe({ event: e, set: core.set([core.attribute("n", -0x8000_0000_0000_0000n)]), value: 1n });
  core.observe({ event: e, set: core.set([core.attribute("n", 0n)]), value: 2n });
  const by = (text: string) => Number(core.select(-1, { attributes: [["n", text]] }).value);
  expect(by("-9223372036854775808")).toBe(1);
  for (const text of ["9223372036854775808", "-9223372036854775809", "18446744073709551616", "27670116110564327424"]) {
    expect(by(text)).toBe(0);
  }
  expect(by("0")).toBe(2);
  for (const text of ["-0", "00", "+0", "", "-", " 0", "0x0"]) expect(by(text)).toBe(0);
});

test("a lone id is found and ranked by what it is", () => {
  const [e = 0] = core.profile("cpu", "e");
  core.observe({ event: e, link: core.link({ root: 0n, span: 3n }), value: 1n });
  core.observe({ event: e, link: core.link({ root: 4n, span: 0n }), value: 2n });
  expect(core.select(-1, { span: 3n }).value).toBe(1n);
  expect(core.select(-1, { root: 4n }).value).toBe(2n);
  core.select(-1);
  expect(core.rank(0).map((r) => r.id)).toEqual([4n]);
  expect(core.rank(1).map((r) => [r.id, r.root])).toEqual([[3n, 0n]]);
  expect(core.summary()[0]?.samplesWithSpan).toBe(1);
});

test("an empty store answers every question", () => {
  expect(core.frames(3, 1000)).toMatchObject({ rows: [{ node: 0, total: 0 }], framesInFocus: 1 });
  expect(core.select(0, { span: 1n, attributes: [["a", "b"]] })).toEqual({ samples: 0, value: 0n });
  expect(core.mask()).toEqual([0]);
  expect([core.rank(0), core.rank(1), core.rank(2, "a"), core.top(), core.attributeKeys()]).toEqual([
    [],
    [],
    [],
    [],
    [],
  ]);
  expect(core.summary()).toEqual([]);
});

test("requests leave no memory behind", () => {
  const [e = 0] = core.profile("cpu", "e");
  for (let i = 0; i < 3000; i++) {
    const link = core.link({ root: BigInt(i % 50), span: BigInt(i) });
    const set = core.set([core.attribute("n", BigInt(i % 100))]);
    core.observe({ event: e, stack: core.stack(["main", `f${i % 70}`, `g$${i % 300}`]), link, set, value: BigInt(i) });
  }
  const ask = (i: number) => {
    core.select(
      i % 3 === 0 ? -1 : 0,
      i % 2 === 0 ? {} : { root: BigInt(i % 50), attributes: [["n", String(i % 100)]] },
    );
    core.call("visibleFrames", i % 90, 800 - (i % 400), 0);
    core.rank(i % 3, "n");
    core.call("topFunctions");
    core.call("summarize");
    core.call("attributeKeys");
    core.call("changedFunctions", 0, i % 2);
    core.call("keepBaseline", i % 2);
    // As of two files: functions that differ in their numbers are paired.
    core.select(0, { observations: [0, 1200] });
    core.call("keepBaseline", i % 2);
    core.select(0, { observations: [1210, 3000] });
    core.call("diffFrames", i % 90, 800, 0, i % 2);
    core.call("changedFunctions", 0, i % 2);
  };
  for (let i = 0; i < 20; i++) ask(i);
  const before = core.float("arenaBytes");
  // Unlike ones: 7 and the periods above have no common factor.
  for (let i = 0; i < 100; i++) ask(7 * i);
  expect(core.float("arenaBytes")).toBe(before);
});
