/** Trees of spans: order, orphans, circles, self time and critical path, against drawings and a plain model. */
import { describe, expect, it } from "vitest";
import * as SpanRow from "../../../assembly/abi/rows/span-row.ts";
import { type DrawnSpan, drawn, ENTRIES } from "../../../test/kit/span-table.ts";
import { settleHalves, traceTree } from "./tree.ts";

const NONE = BigInt.asIntN(64, BigInt(SpanRow.NO_TIME));

function treeOf(spans: readonly DrawnSpan[]) {
  const columns = drawn(spans);
  return traceTree(columns, Uint32Array.from(spans.keys()), ENTRIES);
}

/** The tree as lines: indented ids with self time and part of the critical path; ? for an orphan. */
function lines(spans: readonly DrawnSpan[]): string[] {
  const tree = treeOf(spans);
  return Array.from(tree.id, (id, place) => {
    const indent = "  ".repeat(tree.depth[place] ?? 0);
    const mark = tree.orphan[place] === 1 ? "?" : "";
    return `${indent}${id}${mark} self ${tree.self[place]} critical ${tree.critical[place]}`;
  });
}

/** `5 parent 1: 0..10` is span 5, child of 1, from 0 to 10. */
function spansOf(...texts: string[]): DrawnSpan[] {
  return texts.map((text) => {
    const [, id = "", parent = "0", start = "", end = ""] =
      /^(\d+)(?: parent (\d+))?: (-?\d+)\.\.(-?\d+)/.exec(text) ?? [];
    return { id: BigInt(id), parent: BigInt(parent), start: BigInt(start), end: BigInt(end) };
  });
}

describe("self time and critical path", () => {
  it("are those of children one after the other", () => {
    expect(lines(spansOf("1: 0..100", "2 parent 1: 10..30", "3 parent 1: 40..90", "4 parent 3: 40..50"))).toEqual([
      "1 self 30 critical 30",
      "  2 self 20 critical 20",
      "  3 self 40 critical 40",
      "    4 self 10 critical 10",
    ]);
  });

  it("count overlapping children once, and only the one that ended last as waited for", () => {
    // 3 ends last; 2 ends after 3 began, so it ran beside it, and so did its child 4. 5 ended before 3 began.
    expect(
      lines(
        spansOf("1: 0..100", "2 parent 1: 20..60", "3 parent 1: 50..90", "4 parent 2: 20..40", "5 parent 1: 5..15"),
      ),
    ).toEqual([
      "1 self 20 critical 50",
      "  5 self 10 critical 10",
      "  2 self 20 critical 0",
      "    4 self 20 critical 0",
      "  3 self 40 critical 40",
    ]);
  });

  it("cut children that begin before or end after their parent", () => {
    expect(lines(spansOf("1: 10..20", "2 parent 1: 0..14", "3 parent 1: 18..90"))).toEqual([
      "1 self 4 critical 4",
      "  2 self 14 critical 4",
      "  3 self 72 critical 2",
    ]);
  });

  it("take the later start, then the lower id of children that end at one time", () => {
    expect(lines(spansOf("1: 0..10", "4 parent 1: 2..10", "3 parent 1: 5..10", "2 parent 1: 5..10"))).toEqual([
      "1 self 2 critical 5",
      "  4 self 8 critical 0",
      "  2 self 5 critical 5",
      "  3 self 5 critical 0",
    ]);
  });

  it("are exact where doubles are not", () => {
    const now = 1_700_000_000_000_000_001n;
    const spans = [
      { id: 1n, start: 0n, end: now },
      { id: 2n, parent: 1n, start: now - 7n, end: now - 4n },
      { id: 3n, parent: 1n, start: now - 4n, end: now - 1n },
    ];
    expect(lines(spans)).toEqual([
      `1 self ${now - 6n} critical ${now - 6n}`,
      "  2 self 3 critical 3",
      "  3 self 3 critical 3",
    ]);
  });
});

describe("places", () => {
  it("make roots of spans whose parent is missing and of the first span of a circle", () => {
    const circle = spansOf(
      "5 parent 7: 3..4",
      "6 parent 5: 2..4",
      "7 parent 6: 2..9",
      "8 parent 5: 5..6",
      "9 parent 42: 0..1",
    );
    expect(lines(circle).map((line) => line.replace(/ self.*/, ""))).toEqual(["9?", "6?", "  7", "    5", "      8"]);
    expect(lines(spansOf("5 parent 5: 0..1"))).toEqual(["5? self 1 critical 1"]);
  });

  it("order traces by their first root, then id, roots and children by start, then id", () => {
    const spans: DrawnSpan[] = [
      { id: 1n, trace: 9n, start: 5n, end: 6n },
      { id: 2n, trace: 9n, start: 1n, end: 2n },
      { id: 3n, trace: 8n, start: 1n, end: 2n },
      { id: 5n, trace: 7n, start: 0n, end: 2n, parent: 4n },
      { id: 4n, trace: 7n, start: 3n, end: 4n },
      { id: 2n ** 64n - 1n, trace: 8n, parent: 3n, start: 1n, end: 1n },
      { id: 6n, trace: 8n, parent: 3n, start: 1n, end: 1n },
    ];
    const { id, traceLow } = treeOf(spans);
    expect([...id].map((each, i) => `${traceLow[i]}/${each}`)).toEqual([
      "8/3",
      "8/6",
      "8/18446744073709551615",
      "9/2",
      "9/1",
      "7/4",
      "7/5",
    ]);
  });

  it("merge rows of one id: the longest counts, the first of equals, and the largest trace id, also of id 0", () => {
    const spans: DrawnSpan[] = [
      { id: 1n, trace: 5n, start: 0n, end: 4n },
      { id: 1n, trace: (3n << 64n) | 5n, start: 1n, end: 9n },
      { id: 1n, trace: 5n, start: 2n, end: 10n },
      { id: 1n, trace: 6n, start: 2n, end: 3n },
      { id: 0n, trace: (4n << 64n) | 6n, start: 2n, end: 3n },
      { id: 0n, trace: (9n << 64n) | 7n, start: 2n, end: 3n },
      { id: 2n, trace: (2n << 64n) | 5n, parent: 1n, start: 2n, end: 3n },
    ];
    const { row, traceHigh } = treeOf(spans);
    expect([...row]).toEqual([1, 6, 3]);
    expect([...traceHigh]).toEqual([3n, 3n, 4n]);
  });

  it("pass instances on to spans that enter no process", () => {
    const span = (id: bigint, parent: bigint, kind = "", instance = "i0"): DrawnSpan => ({
      id,
      parent,
      start: id,
      end: 9n,
      kind,
      instance,
    });
    const { id, instance } = treeOf([
      span(1n, 0n, "server", "i1"),
      span(2n, 1n),
      span(3n, 2n, "client"),
      span(4n, 3n, "server"),
      span(5n, 4n),
      span(6n, 1n, "internal", "i2"),
    ]);
    expect([...id].map((each, i) => `${each}:${instance[i]}`)).toEqual(["1:1", "2:1", "3:1", "4:0", "5:0", "6:2"]);
  });
});

describe("a large trace", () => {
  it("may be 100,000 spans deep, or have as many children", () => {
    const count = 100_000;
    const deep = treeOf(
      Array.from({ length: count }, (_, i) => ({
        id: BigInt(i + 1),
        parent: BigInt(i),
        start: BigInt(i),
        end: BigInt(2 * count - i),
      })),
    );
    expect(deep.depth.at(-1)).toBe(count - 1);
    expect([deep.self[0], deep.critical[0], deep.critical.reduce((sum, each) => sum + each)]).toEqual([
      2n,
      2n,
      200_000n,
    ]);
    const wide = treeOf(
      Array.from({ length: count }, (_, i) => ({
        id: BigInt(i + 1),
        parent: i === 0 ? 0n : 1n,
        start: BigInt(i),
        end: i === 0 ? 200_000n : BigInt(i + 1),
      })),
    );
    expect([wide.self[0], wide.critical[0], wide.critical[count - 1]]).toEqual([100_001n, 100_001n, 1n]);
  });
});

/** The same by definition, for small traces: every nanosecond of [0, 40) by itself. */
function plainSelf(spans: readonly DrawnSpan[], span: DrawnSpan): bigint {
  let self = 0n;
  for (let t = span.start; t < span.end; t++) {
    if (!spans.some((child) => child.parent === span.id && child.start <= t && t < child.end)) self++;
  }
  return self;
}

describe("random traces", () => {
  it("have the self times of the definition, and critical paths that add up to their roots", () => {
    let seed = 1;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return (seed >>> 8) % below;
    };
    for (let round = 0; round < 300; round++) {
      const spans = Array.from({ length: 1 + random(12) }, (_, i): DrawnSpan => {
        const start = random(30);
        return {
          id: BigInt(i + 1),
          parent: BigInt(random(i + 1)),
          start: BigInt(start),
          end: BigInt(start + random(10)),
        };
      });
      const tree = treeOf(spans);
      expect(tree.count).toBe(spans.length);
      let root = 0;
      let left = 0n;
      for (const [place, id] of tree.id.entries()) {
        const span = spans[Number(id) - 1]!;
        expect(tree.self[place]).toBe(plainSelf(spans, span));
        if (tree.depth[place] === 0) {
          expect(left).toBe(0n);
          root = place;
          left = span.end - span.start;
        } else expect(tree.up[place]).toBeGreaterThanOrEqual(root);
        left -= tree.critical[place] ?? 0n;
      }
      expect(left).toBe(0n);
    }
  });
});

describe("halves of a span that a client and a server share", () => {
  const [CLIENT, SERVER, SHARED] = [1, 2, 3];
  const shop = (side: number, start: bigint, serviceText: number) => ({ id: 5n, start, end: 90n, side, serviceText });
  const rows: DrawnSpan[] = [
    { id: 9n, start: 40n, end: 50n, parent: 5n, serviceText: 2 },
    shop(SHARED, 10n, 2),
    { id: 1n, start: 0n, end: 100n, serviceText: 1 },
    { ...shop(CLIENT, 5n, 1), parent: 1n },
    { id: 8n, start: 20n, end: 30n, parent: 5n, serviceText: 1 },
  ];

  it("are two, the server's below the client's, and children below the half of their service", () => {
    const { id, depth, row, silent } = treeOf(rows);
    expect([[...id], [...depth], [...row]]).toEqual([
      [1n, 5n, 5n, 9n, 8n],
      [0, 1, 2, 3, 2],
      [2, 3, 1, 0, 4],
    ]);
    expect([...silent]).toEqual([0, 1, 0, 0, 0]);
  });

  it("are two if one half states no side, but another service; rows of one service are one span", () => {
    const half = (side: number, end: bigint, serviceText: number) => ({ id: 5n, start: 0n, end, side, serviceText });
    const ends = (...own: DrawnSpan[]) => [...treeOf(own).row];
    expect(ends(half(SERVER, 60n, 2), half(0, 100n, 1))).toEqual([1, 0]);
    expect(ends(half(SERVER, 60n, 2), half(0, 100n, 2))).toEqual([1]);
    expect(ends(half(SERVER, 60n, 2), half(0, 100n, 0))).toEqual([1]);
    expect(ends(half(CLIENT, 60n, 1), half(CLIENT, 100n, 2))).toEqual([1]);
  });

  it("have their samples at the half whose service is the recording's, else at the server's", () => {
    const tree = treeOf(rows);
    const silentWith = (...services: number[]) => {
      settleHalves(tree, drawn(rows), new Set(services));
      return [...tree.silent];
    };
    expect(silentWith(1)).toEqual([0, 0, 1, 0, 0]);
    expect(silentWith(2)).toEqual([0, 1, 0, 0, 0]);
    expect(silentWith()).toEqual([0, 1, 0, 0, 0]);
    expect(silentWith(1, 2)).toEqual([0, 1, 0, 0, 0]);
  });

  it.each([
    ["a server that does not say so, beside a client", [CLIENT, SERVER], 2],
    ["a part without a side, beside a server", [0, SERVER], 1],
    ["a shared half alone", [SHARED], 1],
    ["two clients", [CLIENT, CLIENT], 1],
    ["parts of both", [CLIENT, 0, SHARED, SHARED, CLIENT], 2],
  ])("%s: %s gives %d", (_, sides, count) => {
    const tree = treeOf(sides.map((side, i) => shop(side, BigInt(i), 1)));
    expect(tree.count).toBe(count);
    expect([...tree.depth]).toEqual([0, 1].slice(0, count));
  });
});

describe("spans without a time", () => {
  it("are 0 ns long, where their parent, else their trace, else the first span starts", () => {
    const none = { start: NONE, end: NONE };
    const tree = treeOf([
      { id: 1n, trace: 7n, start: 100n, end: 200n },
      { id: 2n, trace: 7n, parent: 1n, start: 120n, end: 180n },
      { id: 3n, trace: 7n, parent: 2n, ...none },
      { id: 4n, trace: 7n, parent: 3n, start: 130n, end: 140n },
      { id: 5n, trace: 8n, ...none },
      { id: 6n, trace: 8n, parent: 5n, start: 150n, end: 160n },
      { id: 7n, trace: 9n, ...none },
    ]);
    const found = Array.from(tree.id, (id, place) => [
      id,
      tree.depth[place],
      tree.start[place],
      (tree.end[place] ?? 0n) - (tree.start[place] ?? 0n),
      tree.untimed[place],
    ]);
    expect(found).toEqual([
      [1n, 0, 100n, 100n, 0],
      [2n, 1, 120n, 60n, 0],
      [3n, 2, 120n, 0n, 1],
      [4n, 3, 130n, 10n, 0],
      [7n, 0, 100n, 0n, 1],
      [5n, 0, 150n, 0n, 1],
      [6n, 1, 150n, 10n, 0],
    ]);
    expect(tree.self.reduce((sum, each) => sum + each, 0n)).toBe(40n + 60n + 10n + 10n);
  });
});
