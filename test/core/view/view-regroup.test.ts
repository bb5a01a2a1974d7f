/** Regrouped trees, search, the tree node by node and the timeline, against plain lists of samples. */
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { drawing, picture } from "../../kit/core/frame-drawing.ts";
import { type Frames, ViewCore } from "../../kit/core/view-harness.ts";

interface Sample {
  stack: string[];
  thread: number;
  time: number;
  value: number;
}

const CALLERS = 0;
const CALLERS_OF = 1;
const CALLEES_OF = 2;
const NAMES = ["a", "b", "c"];
const THREADS = 3;

let core: ViewCore;
beforeAll(async () => {
  core = await ViewCore.create();
}, 60_000);
beforeEach(() => core.reset());

const samples: fc.Arbitrary<Sample[]> = fc.array(
  fc.record({
    stack: fc.array(fc.constantFrom(...NAMES), { maxLength: 7 }),
    thread: fc.nat(THREADS - 1),
    time: fc.nat(99),
    value: fc.integer({ min: 1, max: 20 }),
  }),
  { maxLength: 40 },
);

/** Rows of the thread table, by number of the thread. */
function fill(list: Sample[]): number[] {
  core.reset();
  const [event = 0] = core.profile("cpu", "e");
  const threads = Array.from({ length: THREADS }, (_, i) => core.thread(`t${i}`, BigInt(i)));
  for (const { stack, thread, time, value } of list) {
    core.observe({
      event,
      stack: core.stack(stack),
      thread: threads[thread] ?? 0,
      time: BigInt(time),
      value: BigInt(value),
    });
  }
  core.select(-1);
  return threads;
}

/** What a sample is in a regrouped tree: names from its top down; null where it is not part of it. */
function regroup(grouping: number, name: string, stack: string[]): string[] | null {
  if (grouping === CALLERS) return [...stack].reverse();
  const at = stack.indexOf(name);
  if (at < 0) return null;
  return grouping === CALLERS_OF ? stack.slice(0, at).reverse() : stack.slice(at + 1);
}

const total = (list: { value: number }[]) => list.reduce((sum, { value }) => sum + value, 0);

/** Totals and self values by path of the whole regrouped tree. */
function treeOf(list: Sample[], grouping: number, name: string): Map<string, { total: number; self: number }> {
  const tree = new Map<string, { total: number; self: number }>();
  for (const { stack, value } of list) {
    const names = regroup(grouping, name, stack);
    if (names === null) continue;
    for (let depth = 0; depth <= names.length; depth++) {
      const path = names.slice(0, depth).join("");
      const node = tree.get(path) ?? { total: 0, self: 0 };
      node.total += value;
      if (depth === names.length) node.self += value;
      tree.set(path, node);
    }
  }
  return tree;
}

function pathsOf(frames: Frames, focus: string): string[] {
  const paths: string[] = [];
  frames.rows.forEach((row, i) => {
    paths.push(i === 0 ? focus : `${paths[row.parent]}${row.name}`);
  });
  return paths;
}

describe("regrouped trees", () => {
  const request = fc.record({
    grouping: fc.constantFrom(CALLERS, CALLERS_OF, CALLEES_OF),
    name: fc.constantFrom(...NAMES),
    path: fc.array(fc.constantFrom(...NAMES), { maxLength: 3 }),
    width: fc.constantFrom(1, 8, 1000),
  });

  test("have all frames of at least half a pixel of what their stacks add up to", () => {
    fc.assert(
      fc.property(samples, request, (list, { grouping, name, path, width }) => {
        fill(list);
        const tree = treeOf(list, grouping, name);
        const frames = core.regrouped(grouping, name, path, width);
        const known = path.findIndex((_, i) => !tree.has(path.slice(0, i + 1).join("")));
        const focus = (known < 0 ? path : path.slice(0, known)).join("");
        expect(frames.path.map((step) => step.total)).toEqual(
          [...focus].map((_, i) => tree.get(focus.slice(0, i))?.total),
        );
        const paths = pathsOf(frames, focus);
        expect(new Set(paths).size).toBe(paths.length);
        const top = tree.get(focus) ?? { total: 0, self: 0 };
        frames.rows.forEach((row, i) => {
          const want = tree.get(paths[i] ?? "") ?? { total: 0, self: 0 };
          expect([paths[i], row.total, row.self]).toEqual([paths[i], want.total, want.self]);
          const below = frames.rows.filter((r, j) => j > 0 && r.parent === i);
          expect(row.total).toBe(row.self + row.hiddenValue + total(below.map((r) => ({ value: r.total }))));
        });
        const cut = Math.max(1, Math.ceil(top.total / width / 2));
        const wide = [...tree].filter(([p, n]) => p !== focus && p.startsWith(focus) && n.total >= cut);
        expect(paths.slice(1).toSorted()).toEqual(wide.map(([p]) => p).toSorted());
        expect(frames.selectionTotal).toBe(total(list));
        expect(frames.hiddenValue).toBe(total(frames.rows.map((row) => ({ value: row.hiddenValue }))));
      }),
      { numRuns: 400 },
    );
  });

  const recursive = `
    main
      walk 1
        walk 2
          walk
            read 4
        read 8
      read 16
  `;

  test("read as drawn", () => {
    core.profile("cpu", "e");
    core.draw(recursive);
    core.select(-1);
    expect(picture(core.regrouped(CALLERS, "", ["read"], 1000))).toBe(
      drawing(`
        read 28 self 0
          walk 12 self 0
            walk 4 self 0
              walk 4 self 0
                main 4
            main 8
          main 16
      `),
    );
    expect(picture(core.regrouped(CALLERS_OF, "walk", [], 1000))).toBe("walk 15 self 0\n  main 15");
    // 15 / 3 = 5 per half a pixel. As they were met; the layout puts the heaviest first.
    expect(picture(core.regrouped(CALLEES_OF, "walk", [], 1.5))).toBe(
      drawing(`
        walk 15 self 1
          walk 6 self 2 +1 frames 4
          read 8
      `),
    );
    expect(core.regrouped(CALLERS_OF, "nobody", [], 1000).rows).toMatchObject([{ total: 0 }]);
  });

  test("of a stack as deep as stacks get need no recursion", () => {
    core.profile("cpu", "e");
    const location = core.location("deep");
    core.observe({ stack: core.stackOf(new Array(2048).fill(location)), value: 1n });
    core.select(-1);
    expect(core.regrouped(CALLERS, "", [], 1000).rows).toHaveLength(2049);
  });
});

test("a comparison has both selections' weights, and frames as wide as both", () => {
  fc.assert(
    fc.property(samples, fc.boolean(), fc.boolean(), (list, rest, normalised) => {
      fill(list);
      core.select(-1, rest ? {} : { frames: ["b"] });
      core.call("keepBaseline");
      core.select(-1, { frames: ["a"] });
      const has = (name: string) => list.filter(({ stack }) => stack.includes(name));
      const own = has("a");
      const base = rest ? list.filter(({ stack }) => !stack.includes("a")) : has("b");
      const { frames, weights } = core.diff(rest, normalised);
      const paths = pathsOf(frames, "");
      const of = (part: Sample[], path: string) => part.filter(({ stack }) => stack.join("").startsWith(path));
      const share = (part: Sample[], path: string) =>
        (normalised ? 2 ** 40 / Math.max(1, total(part)) : 1) * total(of(part, path));
      paths.forEach((path, row) => {
        const ends = (part: Sample[]) => total(part.filter(({ stack }) => stack.join("") === path));
        expect(weights[row]).toEqual([total(of(own, path)), ends(own), total(of(base, path)), ends(base)]);
        const width = share(own, path) + share(base, path);
        expect(Math.abs((frames.rows[row]?.total ?? 0) - width)).toBeLessThanOrEqual(
          normalised ? 2 * list.length + 2 : 0,
        );
      });
    }),
    { numRuns: 200 },
  );
});

test("a search finds frames heaviest first, and what goes through any of them once", () => {
  fc.assert(
    fc.property(samples, fc.subarray([...NAMES, "nobody"]), (list, names) => {
      fill(list);
      const tree = core.tree();
      const { nodes, value } = core.search(names);
      expect(value).toBe(BigInt(total(list.filter(({ stack }) => stack.some((frame) => names.includes(frame))))));
      const want = tree
        .map((node, i) => ({ i, ...node }))
        .filter((node) => node.i > 0 && names.includes(node.name))
        .sort((a, b) => Number(b.total - a.total) || a.i - b.i);
      expect(nodes).toEqual(want.map((node) => node.i));
    }),
    { numRuns: 200 },
  );
});

test("the tree opens node by node, heaviest first", () => {
  fc.assert(
    fc.property(samples, (list) => {
      fill(list);
      const tree = core.tree();
      tree.forEach((_, node) => {
        const want = tree
          .map((child, i) => ({ node: i, total: child.total, self: child.self, parent: child.parent }))
          .filter((child) => child.node > 0 && child.parent === node)
          .sort((a, b) => Number(b.total - a.total) || a.node - b.node);
        const got = core.children(node);
        expect(got.map(({ children: _children, ...row }) => row)).toEqual(
          want.map(({ parent: _parent, ...row }) => row),
        );
        for (const row of got) {
          expect(row.children).toBe(tree.filter((child, i) => i > 0 && child.parent === row.node).length);
        }
      });
      expect(core.children(tree.length)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test("the timeline has every sample in its bin, and the selection beyond its range of time", () => {
  fc.assert(
    fc.property(
      samples,
      fc.nat(50),
      fc.integer({ min: 0, max: 60 }),
      fc.integer({ min: 1, max: 12 }),
      (list, from, span, bins) => {
        const threads = fill(list);
        const marked = (sample: Sample) => sample.stack.includes("a");
        core.select(-1, { frames: ["a"], time: [10n, 20n] });
        const strips = core.timeline(0, BigInt(from), BigInt(from + span), bins, threads.slice(1));
        const inBin = (bin: number) => (sample: Sample) =>
          sample.time >= from && sample.time < from + span && Math.floor(((sample.time - from) * bins) / span) === bin;
        const want = [-1, 1, 2].map((lane) =>
          Array.from({ length: bins }, (_, bin) => {
            const here = list.filter((sample) => (lane < 0 || sample.thread === lane) && inBin(bin)(sample));
            return [total(here), total(here.filter(marked))];
          }),
        );
        expect(strips).toEqual(want);
      },
    ),
    { numRuns: 200 },
  );
});

test("of a file the timeline and its threads have what was taken in it, of samples that others have too", () => {
  const place = fc.tuple(fc.nat(40), fc.nat(40)).map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]);
  fc.assert(
    fc.property(samples, place, ([...list], [first, last]) => {
      const threads = fill(list);
      const inFile = list.filter(({ stack }, i) => i >= first && i < last && stack.includes("a"));
      // A range of time narrows neither.
      core.select(-1, { frames: ["a"], time: [10n, 20n], observations: [first, last] });
      const strips = core.timeline(0, 0n, 100n, 1, threads);
      const ofThread = (of: Sample[], lane: number) => of.filter(({ thread }) => thread === lane);
      expect(strips[0]).toEqual([[total(list), total(inFile)]]);
      expect(strips.slice(1)).toEqual(
        threads.map((_, lane) => [[total(ofThread(list, lane)), total(ofThread(inFile, lane))]]),
      );
      const want = threads.flatMap((row, lane) => {
        const all = ofThread(list, lane);
        if (all.length === 0) return [];
        const times = all.map(({ time }) => time).filter((time) => time > 0);
        return [
          [
            row,
            {
              samples: all.length,
              all: BigInt(total(all)),
              selected: BigInt(total(ofThread(inFile, lane))),
              first: BigInt(Math.min(...times, 100) % 100),
            },
          ] as const,
        ];
      });
      expect(core.threadActivity(0)).toEqual(new Map(want));
    }),
    { numRuns: 200 },
  );
});
