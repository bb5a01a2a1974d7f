import { describe, expect, it } from "vitest";
import { around, busyPart, isWhole, LEAST_SPAN, panned, placeOf, rowAt, rowsOf, within, zoomed } from "./scale.ts";

const ROW = { from: 1_000_000_000n, to: 11_000_000_000n };
const SECOND = 1_000_000_000n;
const range = (from: number, to: number) => ({ from: BigInt(from * 1e9), to: BigInt(to * 1e9) });

describe("zooming", () => {
  it("keeps what is under the pointer where it is", () => {
    const closer = zoomed(ROW, ROW, 4, 0.3);
    expect(closer.to - closer.from).toBe((10n * SECOND) / 4n);
    const moment = ROW.from + 3n * SECOND;
    expect(placeOf(closer, moment)).toBeCloseTo(0.3, 9);
    expect(placeOf(zoomed(ROW, closer, 0.5, 0.3), moment)).toBeCloseTo(0.3, 9);
  });

  it("ends at the whole row, and at a millisecond", () => {
    expect(zoomed(ROW, range(2, 4), 1 / 16, 0.5)).toEqual(ROW);
    const close = zoomed(ROW, ROW, 1e9, 1);
    expect(close.to - close.from).toBe(LEAST_SPAN);
    expect(close.to).toBe(ROW.to);
  });

  it("to a selection leaves room around it", () => {
    expect(around(ROW, range(4, 5))).toEqual(range(3.9, 5.1));
    expect(around(ROW, range(1, 2))).toEqual(range(1, 2.2));
  });
});

describe("panning", () => {
  it("moves by a share of the view, and not beyond the row", () => {
    expect(panned(ROW, range(2, 4), 0.5)).toEqual(range(3, 5));
    expect(panned(ROW, range(2, 4), -3)).toEqual(range(1, 3));
    expect(panned(ROW, range(2, 4), 30)).toEqual(range(9, 11));
    expect(panned(ROW, ROW, 1)).toEqual(ROW);
  });
});

it("a range longer than the row is the row", () => {
  expect(within(ROW, range(0, 99))).toEqual(ROW);
  expect(isWhole(ROW, ROW)).toBe(true);
  expect(isWhole(ROW, range(1, 10.9))).toBe(false);
});

it("rows are found by file and by moment", () => {
  const rows = ["a.jfr", "z.zip/b.jfr", "z.zip/c.jfr"].map((file, i) => ({
    file,
    from: BigInt(10 * i),
    to: BigInt(10 * i + 5),
    first: 0,
    last: 1,
    measured: false,
  }));
  expect(rowsOf(rows, "z.zip").map(({ file }) => file)).toEqual(["z.zip/b.jfr", "z.zip/c.jfr"]);
  expect(rowsOf(rows, "gone")).toBe(rows);
  expect(rowsOf(rows, undefined)).toBe(rows);
  expect(rowAt(rows, 12n)?.file).toBe("z.zip/b.jfr");
  expect(rowAt(rows, 7n)).toBeNull();
  expect(rowAt(rows, undefined)).toBeNull();
});

describe("the busy part of a row", () => {
  const row = { from: 1000n, to: 1000n + 20_000_000_000n };
  const samples = (...at: [place: number, count: number][]) =>
    Array.from({ length: 20 }, (_, i) => at.find(([place]) => place === i)?.[1] ?? 0);

  it("is where nearly all samples are, with room around them, and within the row", () => {
    expect(busyPart(row, samples([3, 2], [10, 50], [11, 60]))).toEqual({
      from: 1000n + 9_800_000_000n,
      to: 1000n + 12_200_000_000n,
    });
    expect(busyPart(row, samples([19, 5]))).toEqual({ from: 1000n + 18_800_000_000n, to: row.to });
  });

  it("is nothing where it is more than half of the row, where there are no samples, or in a short row", () => {
    expect(busyPart(row, samples([2, 9], [15, 9]))).toBeNull();
    expect(busyPart(row, samples())).toBeNull();
    expect(busyPart({ from: 0n, to: 999_999_999n }, samples([1, 9]))).toBeNull();
  });
});
