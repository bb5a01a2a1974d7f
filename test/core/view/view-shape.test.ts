/** The call tree in every shape, against stacks that are shaped one by one. */
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { drawing, picture } from "../../kit/core/frame-drawing.ts";
import { ViewCore } from "../../kit/core/view-harness.ts";

interface Frame {
  name: string;
  line: number;
}

interface Sample {
  stack: Frame[];
  value: number;
}

interface Shape {
  from: string;
  merged: string[];
  recursion: number;
  lines: boolean;
}

const NAMES = ["a", "b", "c", "d"];
const DIRECT = 1;
const ALL = 2;

let core: ViewCore;
beforeAll(async () => {
  core = await ViewCore.create();
}, 60_000);
beforeEach(() => core.reset());

const frame = fc.record({ name: fc.constantFrom(...NAMES), line: fc.nat(12) });
const samples: fc.Arbitrary<Sample[]> = fc.array(
  fc.record({ stack: fc.array(frame, { maxLength: 7 }), value: fc.integer({ min: 1, max: 20 }) }),
  { maxLength: 40 },
);
const shape: fc.Arbitrary<Shape> = fc.record({
  from: fc.constantFrom("", "", ...NAMES, "nobody"),
  merged: fc.subarray([...NAMES, "nobody"], { maxLength: 2 }),
  recursion: fc.nat(2),
  lines: fc.boolean(),
});

function fill(list: Sample[]): void {
  const [event = 0] = core.profile("cpu", "e");
  for (const { stack, value } of list) {
    const locations = stack.map(({ name, line }) => core.location(name, line)).reverse();
    core.observe({ event, stack: core.stackOf(locations), value: BigInt(value) });
  }
  core.select(-1);
}

/** A stack, root first, as the shape has it: the functions that are left, and what their frames are called. */
function shaped(stack: Frame[], { from, merged, recursion, lines }: Shape): { name: string; shown: string }[] {
  const start = stack.findIndex(({ name }) => name === from);
  if (from !== "" && start < 0) return [];
  const kept: { name: string; shown: string }[] = [];
  stack.slice(from === "" ? 0 : start).forEach(({ name, line }, i) => {
    if (merged.includes(name) && !(from !== "" && i === 0)) return;
    const outer = kept.findLastIndex((other) => other.name === name);
    const folds = recursion === ALL ? outer >= 0 : recursion === DIRECT && outer === kept.length - 1 && outer >= 0;
    if (folds) kept.length = outer + 1;
    else kept.push({ name, shown: lines && line > 0 ? `${name}:${line}` : name });
  });
  return kept;
}

const sum = (list: { value: number }[]) => list.reduce((total, { value }) => total + value, 0);

/** Totals, self values and whether a function is below itself, by path. */
function treeOf(list: Sample[], by: Shape): Map<string, { total: number; self: number; again: boolean }> {
  const tree = new Map<string, { total: number; self: number; again: boolean }>();
  for (const { stack, value } of list) {
    const frames = shaped(stack, by);
    for (let depth = 0; depth <= frames.length; depth++) {
      const path = frames.slice(0, depth).map(({ shown }) => shown);
      const last = frames[depth - 1];
      const again = frames.slice(0, Math.max(0, depth - 1)).some(({ name }) => name === last?.name);
      const node = tree.get(path.join(" ")) ?? { total: 0, self: 0, again };
      node.total += value;
      if (depth === frames.length) node.self += value;
      tree.set(path.join(" "), node);
    }
  }
  return tree;
}

function drawn(): Map<string, { total: number; self: number; again: boolean }> {
  const paths: string[] = [];
  return new Map(
    core.tree().map((node, i) => {
      paths.push(i === 0 ? "" : `${paths[node.parent]} ${node.name}`.trim());
      expect(node.depth).toBe(i === 0 ? 0 : paths[i]?.split(" ").length);
      return [paths[i] ?? "", { total: Number(node.total), self: Number(node.self), again: node.again === 1 }];
    }),
  );
}

test("the tree is what its stacks make, one by one, in whatever shape after whatever shape", () => {
  fc.assert(
    fc.property(samples, fc.array(shape, { minLength: 1, maxLength: 4 }), (list, shapes) => {
      core.reset();
      fill(list);
      const whole = drawn();
      for (const by of shapes) {
        core.shape(by);
        const want = treeOf(list, by);
        // Recursion that was folded leaves nodes that nothing ends in or goes through.
        const used = new Map([...drawn()].filter(([path, { total }]) => total > 0 || path === ""));
        if (list.length > 0) expect(used).toEqual(want);
        const top = core.top();
        for (const name of NAMES) {
          const frames = list.map(({ stack, value }) => ({ names: shaped(stack, by).map((f) => f.name), value }));
          const row = top.find((each) => each.name === name);
          expect([Number(row?.self ?? 0n), Number(row?.total ?? 0n)]).toEqual([
            sum(frames.filter(({ names }) => names.at(-1) === name)),
            sum(frames.filter(({ names }) => names.includes(name))),
          ]);
        }
        const found = core.search(["a", "b"]);
        const through = list.filter(({ stack }) => shaped(stack, by).some(({ name }) => "ab".includes(name)));
        expect(Number(found.value)).toBe(sum(through));
      }
      core.shape({});
      expect(drawn()).toEqual(whole);
    }),
    { numRuns: 300 },
  );
});

test("a run that is whole has all frames below it, and the sums stay", () => {
  const run = fc.record({
    label: fc.constant("R"),
    names: fc.subarray([...NAMES], { minLength: 1, maxLength: 2 }),
    whole: fc.boolean(),
  });
  fc.assert(
    fc.property(samples, run, (list, rule) => {
      core.reset();
      fill(list);
      core.shape({ run: rule });
      const folded = ({ stack }: Sample) => {
        const path: string[] = [];
        for (const { name } of stack) {
          const isIn = path.at(-1) === "R";
          const isRun = rule.names.includes(name) || (rule.whole && isIn);
          if (!isRun || !isIn) path.push(isRun ? "R" : name);
        }
        return path;
      };
      const want = new Map<string, { total: number; self: number }>([["", { total: sum(list), self: 0 }]]);
      for (const sample of list) {
        const path = folded(sample);
        for (let depth = 0; depth <= path.length; depth++) {
          const key = path.slice(0, depth).join(" ");
          const node = want.get(key) ?? { total: 0, self: 0 };
          if (depth > 0) node.total += sample.value;
          if (depth === path.length) node.self += sample.value;
          want.set(key, node);
        }
      }
      const shown = new Map([...drawn()].map(([path, { total, self }]) => [path, { total, self }]));
      if (list.length > 0) expect(shown).toEqual(want);
      // A search finds the runs that have the function inside, and no other one.
      for (const name of NAMES) {
        const paths = new Set<string>();
        for (const { stack, value } of list) {
          const path: string[] = [];
          for (const frame of stack) {
            const isRun = rule.names.includes(frame.name) || (rule.whole && path.at(-1) === "R");
            if (!isRun || path.at(-1) !== "R") path.push(isRun ? "R" : frame.name);
            if (frame.name === name && value > 0) paths.add(path.join(" "));
          }
        }
        const all = [...drawn().keys()];
        const found = [...core.search([name]).nodes].map((node) => all[node] ?? "");
        expect(new Set(found)).toEqual(paths);
      }
    }),
    { numRuns: 200 },
  );
});

test("callers and callees are those of the shape", () => {
  fc.assert(
    fc.property(samples, shape, fc.constantFrom(...NAMES), (list, by, name) => {
      core.reset();
      fill(list);
      core.shape(by);
      const stacks = list.map(({ stack, value }) => ({ frames: shaped(stack, by), value }));
      const through = stacks.filter(({ frames }) => frames.some((each) => each.name === name));
      for (const [grouping, next] of [
        [1, (frames: { name: string; shown: string }[], at: number) => frames[at - 1]?.shown],
        [2, (frames: { name: string; shown: string }[], at: number) => frames[at + 1]?.shown],
      ] as const) {
        const { rows } = core.regrouped(grouping, name, [], 1e6);
        expect(rows[0]?.total).toBe(sum(through));
        const want = new Map<string, number>();
        for (const { frames, value } of through) {
          const shown = next(
            frames,
            frames.findIndex((each) => each.name === name),
          );
          if (shown !== undefined) want.set(shown, (want.get(shown) ?? 0) + value);
        }
        const got = rows.filter((row, i) => i > 0 && row.parent === 0).map((row) => [row.name, row.total] as const);
        expect(new Map(got)).toEqual(want);
      }
    }),
    { numRuns: 200 },
  );
});

test("filters look at whole stacks, and a baseline of the same shape compares", () => {
  fc.assert(
    fc.property(samples, shape, (list, by) => {
      core.reset();
      fill(list);
      core.shape(by);
      const has = (name: string) => list.filter(({ stack }) => stack.some((each) => each.name === name));
      const selected = () => Number(core.select(-1, { frames: ["a"] }).value);
      expect(selected()).toBe(sum(has("a")));
      core.select(-1, { frames: ["b"] });
      core.call("keepBaseline");
      selected();
      const { frames, weights } = core.diff(false, false);
      expect([weights[0]?.[0], weights[0]?.[2]]).toEqual([sum(has("a")), sum(has("b"))]);
      expect(frames.rows[0]?.total).toBe(sum(has("a")) + sum(has("b")));
    }),
    { numRuns: 100 },
  );
});

test("past its widest children a frame is what they leave, in the order in which they were drawn", () => {
  fc.assert(
    fc.property(samples, fc.constantFrom(1, 5, 1000), (list, width) => {
      core.reset();
      fill(list);
      const tree = core.tree();
      const below = tree.flatMap(({ parent, total }, node) => (node > 0 && parent === 0 ? [{ node, total }] : []));
      const widest = below.sort((a, b) => Number(b.total - a.total) || a.node - b.node);
      let past = 0;
      for (;;) {
        const frames = core.frames(0, width, past);
        const [top] = frames.rows;
        const left = widest.slice(past);
        const rest = Number(left.reduce((sum, { total }) => sum + total, 0n));
        const self = past === 0 ? Number(tree[0]?.self ?? 0n) : 0;
        expect([top?.total, top?.self]).toEqual([rest + self, self]);
        expect(frames.path).toEqual(past === 0 ? [] : [{ node: 0, name: "", total: Number(tree[0]?.total) }]);
        const shown = frames.rows.flatMap((row, i) => (i > 0 && row.parent === 0 ? [row.node] : []));
        expect(shown.toSorted((a, b) => a - b)).toEqual(
          left
            .slice(0, shown.length)
            .map(({ node }) => node)
            .sort((a, b) => a - b),
        );
        const drawn = frames.rows
          .filter((row, i) => i > 0 && row.parent === 0)
          .reduce((sum, row) => sum + row.total, 0);
        expect(drawn + (top?.hiddenValue ?? 0)).toBe(rest);
        if (shown.length === 0) break;
        past += shown.length;
      }
    }),
    { numRuns: 200 },
  );
});

describe("shapes", () => {
  const recursive = `
    main
      walk 1
        walk 2
          list
            walk
              read 4
        read 8
      read 16
  `;

  test("read as drawn", () => {
    core.profile("cpu", "e");
    core.draw(recursive);
    core.select(-1);
    const seen = (by: Parameters<ViewCore["shape"]>[0]) => {
      core.shape(by);
      return picture(core.frames(0, 1e6));
    };
    expect(seen({ recursion: DIRECT })).toBe(
      drawing(`
        * 31 self 0
          main 31 self 0
            walk 15 self 3
              list 4 self 0
                walk 4 self 0
                  read 4
              read 8
            read 16
      `),
    );
    expect(seen({ recursion: ALL })).toBe(
      drawing(`
        * 31 self 0
          main 31 self 0
            walk 15 self 3
              read 12
            read 16
      `),
    );
    expect(seen({ from: "walk", merged: ["list"], recursion: DIRECT })).toBe(
      drawing(`
        * 31 self 16
          walk 15 self 3
            read 12
      `),
    );
  });

  test("of a stack as deep as stacks get need no recursion", () => {
    core.profile("cpu", "e");
    const location = core.location("deep");
    core.observe({ stack: core.stackOf(new Array(2048).fill(location)), value: 1n });
    core.select(-1);
    expect(core.call("tree")).toBe(2049);
    core.shape({ recursion: DIRECT });
    expect(core.call("tree")).toBe(2);
    core.shape({ merged: ["deep"] });
    expect(core.tree().map(({ self }) => self)).toEqual([1n]);
  });

  test("of a function with lines keep those of inlined callers, and names too long stay as they are", () => {
    core.profile("cpu", "e");
    const long = "x".repeat(5000);
    core.observe({ stack: core.stackOf([core.location(long, 7), core.location("main", 4_294_967_294)]), value: 3n });
    // In place of a line, the largest number marks labels: no line is as large.
    core.observe({ stack: core.stackOf([core.location("init", 4_294_967_295)]), value: 2n });
    core.select(-1);
    core.shape({ lines: true });
    expect(core.tree().map(({ name }) => name)).toEqual(["", "main:4294967294", long, "init"]);
  });

  test("end with the stacks that they were made of", () => {
    core.profile("cpu", "e");
    core.observe({ stack: core.stack(["a", "b"]), value: 1n });
    core.select(-1);
    core.shape({ merged: ["a"] });
    expect(core.tree().map(({ name }) => name)).toEqual(["", "b"]);
    core.observe({ stack: core.stack(["a", "c"]), value: 2n });
    core.select(-1);
    expect(core.tree().map(({ name, total }) => [name, total])).toEqual([
      ["", 3n],
      ["a", 3n],
      ["b", 1n],
      ["c", 2n],
    ]);
  });
});
