import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyChart, columnsOf, drawnChart } from "../../../test/kit/chart.ts";
import { type Chart, chartOf, laneOfRow, lineOfRow, rowOfBox } from "./chart.ts";
import type { ChartWindow } from "./columns.ts";
import { hitRow, isMark, visitRow } from "./visible.ts";

interface Taken {
  boxes: number[];
  left: number;
  width: number;
  mark: boolean;
}

function taken(chart: Chart, row: number, window: ChartWindow, width: number): Taken[] {
  const all: Taken[] = [];
  visitRow(chart, row, window, width, (place, end, left, wide) => {
    all.push({ boxes: [...chart.order.subarray(place, end)], left, width: wide, mark: isMark(place, end, wide) });
  });
  return all;
}

const rowsOf = (chart: Chart) => chart.rowStart.length - 1;

/** A chart with a part of its time and a width. */
const shown = fc
  .record({
    columns: anyChart,
    a: fc.double({ min: 0, max: 1, noNaN: true }),
    b: fc.double({ min: 0, max: 1, noNaN: true }),
    width: fc.integer({ min: 1, max: 300 }),
  })
  .map(({ columns, a, b, width }) => {
    const from = Math.min(a, b) * columns.span;
    return { chart: chartOf(columns), window: { from, to: Math.max(from + 1, Math.max(a, b) * columns.span) }, width };
  });

describe("the index", () => {
  it("has a row for each depth of each lane, and a line for each title", () => {
    const chart = chartOf(
      columnsOf(
        [
          { name: "a", depth: 0, start: 0, end: 9 },
          { name: "b", depth: 1, start: 0, end: 4 },
          { name: "c", depth: 0, start: 0, end: 5, lane: 2 },
        ],
        9,
        ["main", "idle", "worker"],
      ),
    );
    expect([...chart.laneRow]).toEqual([0, 2, 3, 4]);
    expect([...chart.lines]).toEqual([-1, 0, 1, -2, 2, -3, 3]);
    expect([0, 1, 2, 3].map((row) => laneOfRow(chart, row))).toEqual([0, 0, 1, 2]);
    expect([0, 1, 2, 3].map((row) => chart.lines[lineOfRow(chart, row)])).toEqual([0, 1, 2, 3]);
    expect([0, 1, 2].map((box) => rowOfBox(chart, box))).toEqual([0, 1, 3]);
  });

  it("sorts the boxes of a row whose clock was set back", () => {
    const chart = chartOf(
      columnsOf(
        [
          { name: "a", depth: 0, start: 5, end: 9 },
          { name: "b", depth: 0, start: 2, end: 3 },
          { name: "c", depth: 0, start: 2, end: 8 },
        ],
        9,
      ),
    );
    expect([...chart.order]).toEqual([1, 2, 0]);
    expect([...chart.reach]).toEqual([3, 8, 9]);
  });
});

describe("a row of a window", () => {
  it("has boxes from half a pixel on, and a mark for the narrower ones of a pixel", () => {
    const chart = chartOf(drawnChart("aaaabcdeffffgh.."));
    // 16 steps on 4 pixels.
    expect(taken(chart, 0, { from: 0, to: 16 }, 4)).toEqual([
      { boxes: [0], left: 0, width: 1, mark: false },
      { boxes: [1, 2, 3, 4], left: 1, width: 1, mark: true },
      { boxes: [5], left: 2, width: 1, mark: false },
      { boxes: [6, 7], left: 3, width: 0.5, mark: true },
    ]);
    // Two pixels for a step.
    expect(taken(chart, 0, { from: 4, to: 6 }, 4).map(({ boxes }) => boxes)).toEqual([[0], [1], [2], [3]]);
  });

  it("loses nothing that is visible, and draws each box of half a pixel by itself", () => {
    fc.assert(
      fc.property(shown, ({ chart, window, width }) => {
        const { start, duration } = chart.columns;
        const least = (0.5 * (window.to - window.from)) / width;
        const meets = (box: number) => start[box] <= window.to && start[box] + duration[box] >= window.from;
        const drawn = Array.from({ length: rowsOf(chart) }, (_, row) => taken(chart, row, window, width)).flat();
        const merged = new Set(drawn.flatMap(({ boxes }) => boxes));
        for (let box = 0; box < chart.boxes; box++) {
          if (!meets(box)) continue;
          expect(merged.has(box)).toBe(true);
          if (duration[box] >= least * 1.001)
            expect(drawn.some(({ boxes }) => boxes.length === 1 && boxes[0] === box)).toBe(true);
        }
        // Nothing twice, and nothing from outside the window by itself.
        expect(drawn.flatMap(({ boxes }) => boxes)).toHaveLength(merged.size);
        for (const { boxes, mark } of drawn) if (!mark) expect(meets(boxes[0])).toBe(true);
      }),
    );
  });

  it("takes at most one mark for each pixel between two boxes", () => {
    fc.assert(
      fc.property(shown, ({ chart, window, width }) => {
        for (let row = 0; row < rowsOf(chart); row++) {
          const drawn = taken(chart, row, window, width);
          const boxes = drawn.filter(({ mark }) => !mark).length;
          expect(drawn.length - boxes).toBeLessThanOrEqual(width + boxes + 1);
          for (const { left, width: wide, mark } of drawn)
            if (mark) expect([left >= 0, left < width, wide <= 1]).toEqual([true, true, true]);
        }
      }),
    );
  });

  it("is hit where it is drawn: the last box or mark over a place", () => {
    fc.assert(
      fc.property(shown, fc.double({ min: 0, max: 0.999, noNaN: true }), ({ chart, window, width }, share) => {
        const x = share * width;
        for (let row = 0; row < rowsOf(chart); row++) {
          const over = taken(chart, row, window, width).filter(
            ({ left, width: wide, mark }) => x >= left && x < left + (mark ? 1 : wide),
          );
          const hit = hitRow(chart, row, window, width, x);
          const top = over.at(-1);
          if (top !== undefined) expect(hit).toEqual({ box: top.boxes[0], count: top.boxes.length });
          else if (hit !== null) {
            const near = taken(chart, row, window, width).find(({ boxes }) => boxes[0] === hit.box)!;
            expect(
              Math.min(Math.abs(x - near.left), Math.abs(x - near.left - Math.max(near.width, 1))),
            ).toBeLessThanOrEqual(1);
          }
        }
      }),
    );
  });

  it("is as fast to draw with a million boxes as its pixels are many", () => {
    const boxes = 1_000_000;
    const columns = columnsOf([], boxes);
    const chart = chartOf({
      ...columns,
      lane: new Uint16Array(boxes),
      depth: new Uint32Array(boxes),
      start: Float64Array.from({ length: boxes }, (_, i) => i),
      duration: new Float64Array(boxes).fill(1),
      self: new Float64Array(boxes),
      suspended: new Float64Array(boxes),
      name: new Uint32Array(boxes),
      names: ["f"],
      frameType: new Uint8Array(boxes),
      id: new Uint32Array(boxes),
    });
    const whole = taken(chart, 0, { from: 0, to: boxes }, 1000);
    expect(whole).toHaveLength(1000);
    expect(whole.every(({ width, boxes: merged }) => width === 1 && merged.length === 1000)).toBe(true);
    expect(taken(chart, 0, { from: 500_000.5, to: 500_010 }, 1000)).toHaveLength(11);
  });
});
