import { describe, expect, it } from "vitest";
import { profileSummary } from "../../../test/kit/otlp/profile.ts";
import type { HeatMap } from "../../core/view-types.ts";
import {
  cellAfter,
  cellAt,
  cellOf,
  cellWords,
  columnsFor,
  columnsOn,
  HEAT_ROWS,
  heaviestCell,
  rangeOf,
  stretchOf,
  stretchPath,
} from "./heat.ts";

const START = 1_700_000_000_123_456_789n;
const MS = 1_000_000n;

/** Four columns from three seconds on after the start; `samples` by cell, those below 10 not selected. */
function mapOf(seconds: number, samples: Record<number, number> = {}): HeatMap {
  const from = START + 3000n * MS;
  const cells = {
    all: new Float64Array(4 * HEAT_ROWS),
    selected: new Float64Array(4 * HEAT_ROWS),
    samples: new Uint32Array(4 * HEAT_ROWS),
    selectedSamples: new Uint32Array(4 * HEAT_ROWS),
  };
  for (const [cell, n] of Object.entries(samples)) {
    cells.samples[Number(cell)] = n;
    cells.all[Number(cell)] = n;
    cells.selectedSamples[Number(cell)] = n < 10 ? 0 : n - 1;
    cells.selected[Number(cell)] = n < 10 ? 0 : n - 1;
  }
  return { from, to: from + BigInt(4 * seconds) * 1000n * MS, columns: 4, seconds, cells };
}

describe("cells", () => {
  it("are found by where they lie, and by a moment", () => {
    const map = mapOf(1);
    expect(cellAt(map, map, 0, 0)).toBe(0);
    expect(cellAt(map, map, 0.5, 0.5)).toBe(2 * HEAT_ROWS + 25);
    expect(cellAt(map, map, 7, -1)).toBe(3 * HEAT_ROWS);
    expect(cellOf(map, map.from)).toBe(0);
    expect(cellOf(map, map.from + 1020n * MS - 1n)).toBe(50);
    expect(cellOf(map, map.from + 1020n * MS)).toBe(51);
    expect(cellOf(map, 0n)).toBe(0);
    expect(cellOf(map, map.to + 1n)).toBe(199);
    expect(cellOf(mapOf(10), map.from + 27_030n * MS)).toBe(2 * HEAT_ROWS + 1);
  });

  it("M5: lie on the axis of the strip, where columns may stick out at both ends", () => {
    const map = mapOf(1);
    const shown = { from: map.from + 500n * MS, to: map.from + 2500n * MS };
    expect(columnsOn(map, shown)).toEqual({ left: 0.5, width: 2 });
    expect(cellAt(map, shown, 0, 0)).toBe(0);
    expect(cellAt(map, shown, 0.3, 0)).toBe(HEAT_ROWS);
    expect(cellAt(map, shown, 0.99, 0.5)).toBe(2 * HEAT_ROWS + 25);
    expect(columnsOn(mapOf(10), shown)).toEqual({ left: 0.05, width: 0.2 });
  });

  it("make a range of time in either direction, and a range makes them again", () => {
    const map = mapOf(1);
    const range = { from: map.from + 40n * MS, to: map.from + 1060n * MS };
    expect(rangeOf(map, { from: 2, to: 52 })).toEqual(range);
    expect(rangeOf(map, { from: 52, to: 2 })).toEqual(range);
    expect(stretchOf(map, range)).toEqual({ from: 2, to: 52 });
    expect(stretchOf(map, { from: 0n, to: map.from })).toBeNull();
    expect(stretchOf(map, { from: map.to, to: map.to + 1n })).toBeNull();
    // Of ten seconds on top of each other: from the first one's cell to the last one's.
    expect(rangeOf(mapOf(10), { from: 1, to: 1 })).toEqual({ from: map.from + 20n * MS, to: map.from + 9040n * MS });
  });

  it("are gone through by keys, and not beyond", () => {
    const map = mapOf(1);
    const after = (cell: number, ...keys: string[]) => keys.reduce((at, key) => cellAfter(map, at, key) ?? -1, cell);
    expect(after(49, "ArrowDown")).toBe(50);
    expect(after(60, "ArrowLeft", "ArrowUp", "ArrowRight")).toBe(59);
    expect(after(60, "PageUp")).toBe(0);
    expect(after(60, "End", "ArrowRight")).toBe(199);
    expect(cellAfter(map, 5, "x")).toBeNull();
  });

  it("begin where the selection is heaviest", () => {
    expect(heaviestCell(mapOf(1, { 3: 9, 70: 12, 80: 40, 90: 40 }))).toBe(80);
    expect(heaviestCell(mapOf(1))).toBe(0);
  });

  it("are said with their time, samples and value", () => {
    const plain = profileSummary({ type: "cpu" });
    const profile = { ...plain, periodUnit: "nanoseconds", period: 10n * MS };
    const words = (map: HeatMap, from: number, to: number, marked: boolean) =>
      cellWords(map, { from, to }, START, profile, marked);
    const map = mapOf(1, { 51: 4, 53: 12 });
    expect(words(map, 51, 51, false)).toBe("+0:04.0200 · 20 ms: 4 samples, 40 ms");
    expect(words(map, 53, 51, true)).toBe("+0:04.020 · 60 ms: 16 samples, 160 ms; 11 of them selected, 110 ms");
    expect(cellWords(map, { from: 51, to: 53 }, START, plain, false)).toBe("+0:04.020 · 60 ms: 16 samples");
    expect(words(map, 0, 50, true)).toBe("+0:03.00 · 1.02 s: no samples");
    expect(words(mapOf(10, { 51: 1 }), 51, 51, false)).toBe(
      "20–40 ms of each second in +0:13.0 · 10 s: 1 sample, 10 ms",
    );
  });

  it("are as many across as can be hit", () => {
    expect(columnsFor(900)).toBe(300);
    expect(columnsFor(0)).toBe(1);
  });
});

it("a stretch of cells fills the columns between its ends", () => {
  expect(stretchPath({ from: 3, to: 5 })).toBe("M0 3H1V6H0Z");
  expect(stretchPath({ from: 60, to: 40 })).toBe("M0 40H1V50H0ZM1 0H2V11H1Z");
  expect(stretchPath({ from: 40, to: 160 })).toBe("M0 40H1V50H0ZM1 0H3V50H1ZM3 0H4V11H3Z");
});
