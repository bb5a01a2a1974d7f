/** The span map: its scales, its cells, and regions by pointer and keys. */
import { describe, expect, it } from "vitest";
import { chosenPlaces } from "./chosen-spans.ts";
import type { SpanPoints } from "./operations.ts";
import { boxBetween, boxOf, decades, densityOf, extentOf, regionOf, shareOf, steppedBox } from "./span-map.ts";

const T = 1_700_000_000_000_000_000n;

function pointsOf(...spans: [start: bigint, duration: bigint][]): SpanPoints {
  return {
    count: spans.length,
    name: new Uint32Array(spans.length),
    id: BigUint64Array.from(spans, (_, i) => BigInt(i + 1)),
    start: BigInt64Array.from(spans, ([start]) => T + start),
    duration: BigInt64Array.from(spans, ([, duration]) => duration),
    size: new Uint32Array(spans.length).fill(1),
    unstated: spans.length,
  };
}
const all = ({ count }: SpanPoints) => Uint32Array.from({ length: count }, (_, i) => i);

describe("the extent", () => {
  it("is that of the starts, and powers of ten around the durations", () => {
    const points = pointsOf([0n, 20_000n], [99n, 3_000_000n]);
    expect(extentOf(points, all(points))).toEqual({
      start: { from: T, to: T + 100n },
      duration: { from: 10_000n, to: 10_000_000n },
    });
  });

  it("has at least one power of ten, and none of spans shorter than a microsecond", () => {
    for (const duration of [0n, 1n, 999n, 1_000n]) {
      const points = pointsOf([0n, duration]);
      expect(extentOf(points, all(points)).duration).toEqual({ from: 1_000n, to: 10_000n });
    }
    expect(extentOf(pointsOf(), new Uint32Array(0)).duration).toEqual({ from: 1n, to: 10n });
  });

  it("has no duration of one sample, nor of several at one moment", () => {
    const spans = pointsOf([0n, 0n], [5n, 400_000n], [9n, 20_000_000n]);
    const size = { columns: 2, rows: 2 };
    const sampled = { ...spans, unstated: 0 };
    const density = densityOf(sampled, all(spans), size);
    expect(density.duration).toEqual({ from: 10_000_000n, to: 100_000_000n });
    expect([density.least, [...density.untold], [...density.cells]]).toEqual([true, [1, 1], [0, 1, 0, 0]]);
    expect([...chosenPlaces(sampled, { duration: { from: 0n, to: 10n ** 9n } }, null)]).toEqual([2]);
    // Files state the first two.
    const stated = densityOf({ ...spans, unstated: 2 }, all(spans), size);
    expect([stated.least, [...stated.untold]]).toEqual([true, [0, 0]]);
    expect(densityOf({ ...spans, least: true }, all(spans), size).untold).toEqual(density.untold);
  });

  it("has a scale that is logarithmic", () => {
    const scale = { from: 1_000n, to: 1_000_000n };
    expect([0, 10, 1_000, 1_000_000, 1e9].map(shareOf(scale))).toEqual([0, 0, 0, 1, 1]);
    expect(shareOf(scale)(10_000)).toBeCloseTo(1 / 3);
    expect(decades(scale)).toEqual([1_000, 10_000, 100_000, 1_000_000]);
  });
});

it("counts every span in a cell", () => {
  const points = pointsOf([0n, 20_000n], [0n, 21_000n], [99n, 3_000_000n], [50n, 0n]);
  const density = densityOf(points, all(points), { columns: 10, rows: 3 });
  expect(density.cells.reduce((sum, n) => sum + n, 0)).toBe(4);
  expect([density.spans, density.most]).toEqual([4, 2]);
  expect(density.cells[0]).toBe(2);
  expect(density.cells[2 * 10 + 9]).toBe(1);
  expect(density.cells[5]).toBe(1);
});

describe("a region", () => {
  const points = pointsOf([0n, 20_000n], [50n, 500_000n], [99n, 3_000_000n], [60n, 10n]);
  const extent = extentOf(points, all(points));

  it("of the whole map has all spans, the shortest and the longest included", () => {
    const region = regionOf(extent, { left: 0, right: 1, bottom: 0, top: 1 });
    expect([...chosenPlaces(points, region, null)]).toEqual([0, 1, 2, 3]);
  });

  it("has the spans inside of it, and the box that it is made of", () => {
    const box = { left: 0.4, right: 0.55, bottom: 0.3, top: 0.7 };
    const region = regionOf(extent, box);
    expect([...chosenPlaces(points, region, null)]).toEqual([1]);
    const again = boxOf(extent, region);
    for (const side of ["left", "right", "bottom", "top"] as const) expect(again[side]).toBeCloseTo(box[side], 1);
  });

  it("is never empty of time", () => {
    const { start, duration } = regionOf(extent, { left: 0.5, right: 0.5, bottom: 0.5, top: 0.5 });
    expect([start.to > start.from, duration.to > duration.from]).toEqual([true, true]);
  });

  it("lies between two corners in any order, inside of the map", () => {
    expect(boxBetween({ x: 0.9, y: -1 }, { x: 0.1, y: 2 })).toEqual({ left: 0.1, right: 0.9, bottom: 0, top: 1 });
  });
});

describe("keys", () => {
  const box = { left: 0.2, right: 0.4, bottom: 0.2, top: 0.4 };
  it("make a region, move it, and stop at the edges of the map", () => {
    const made = steppedBox(null, "ArrowUp", false);
    expect(made).not.toBeNull();
    expect(steppedBox(box, "Enter", false)).toBeNull();
    expect(steppedBox(box, "ArrowRight", false)?.left).toBeCloseTo(0.24);
    let moved = box;
    for (let i = 0; i < 100; i++) moved = steppedBox(moved, "ArrowUp", false) ?? moved;
    expect([moved.top, moved.top - moved.bottom].map((share) => share.toFixed(3))).toEqual(["1.000", "0.200"]);
  });

  it("resize it with Shift, never to nothing", () => {
    expect(steppedBox(box, "ArrowRight", true)?.right).toBeCloseTo(0.44);
    let small = box;
    for (let i = 0; i < 100; i++) small = steppedBox(small, "ArrowDown", true) ?? small;
    expect(small.top).toBeGreaterThan(small.bottom);
    expect(small.bottom).toBe(box.bottom);
  });
});
