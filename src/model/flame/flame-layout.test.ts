import { describe, expect, it } from "vitest";
import type { FramesAnswer } from "../../core/types.ts";
import {
  ancestorOf,
  boxAt,
  boxName,
  type FlameLayout,
  layOutFlame,
  markedRow,
  rowOfBox,
  stepBox,
} from "./flame-layout.ts";

/**
 *   all 200 ─ main 100
 *   main 100 ─ a 30 ─ a1 30
 *            ├ b 50 ─ (hidden 8)
 *            └ c 20 ─ c1 5, c2 5, c3 9
 */
const ANSWER: FramesAnswer = {
  frames: {
    node: Uint32Array.from([1, 2, 3, 4, 5, 6, 7, 8]),
    parent: Uint32Array.from([0, 0, 0, 0, 1, 3, 3, 3]),
    name: Uint32Array.from([0, 1, 2, 3, 4, 5, 6, 7]),
    frameType: new Uint8Array(8).fill(1),
    total: Float64Array.from([100, 30, 50, 20, 30, 5, 5, 9]),
    self: Float64Array.from([0, 0, 42, 1, 30, 5, 5, 9]),
    hiddenFrames: Uint32Array.from([0, 0, 3, 0, 0, 0, 0, 0]),
    hiddenValue: Float64Array.from([0, 0, 8, 0, 0, 0, 0, 0]),
    names: ["main", "a", "b", "c", "a1", "c1", "c2", "c3"],
    nameIds: Uint32Array.from([1, 2, 3, 4, 5, 6, 7, 8]),
  },
  path: [{ node: 0, name: "", total: 200 }],
  selectionTotal: 200,
  framesInFocus: 11,
  hiddenValue: 8,
  hiddenFrames: 3,
};

const layout = layOutFlame(ANSWER, { rootName: "all", markerFrom: 0.04 });
const named = (name: string) => Array.from({ length: layout.boxes }, (_, box) => boxName(layout, box)).indexOf(name);
const HIDDEN = "3 tiny frames hidden (4.0 %)";

/** Boxes of each level with their edges in hundredths. */
function picture({ levels, levelStart, order, left, width }: FlameLayout): string[] {
  const hundredths = (share: number) => Math.round(share * 100);
  return Array.from({ length: levels }, (_, level) =>
    Array.from(order.subarray(levelStart[level], levelStart[level + 1]), (box) => {
      return `${boxName(layout, box)} ${hundredths(left[box])}-${hundredths(left[box] + width[box])}`;
    }).join(", "),
  );
}

describe("the layout", () => {
  it("has the ancestors above the focus, the widest box first and the marker last", () => {
    expect(picture(layout)).toEqual([
      "all 0-100",
      "main 0-100",
      "b 0-50, a 50-80, c 80-100",
      `${HIDDEN} 0-8, a1 50-80, c3 80-89, c1 89-94, c2 94-99`,
    ]);
    expect(layOutFlame(ANSWER, { rootName: "all", markerFrom: 0.1 }).boxes).toBe(layout.boxes - 1);
  });

  it("distinguishes frames, markers and ancestors", () => {
    const kinds = (box: number) => [rowOfBox(layout, box), markedRow(layout, box), ancestorOf(layout, box)];
    expect(kinds(named("c1"))).toEqual([5, -1, -1]);
    expect(kinds(named(HIDDEN))).toEqual([-1, 2, -1]);
    expect(kinds(named("all"))).toEqual([-1, -1, 0]);
    expect(kinds(layout.boxes)).toEqual([-1, -1, -1]);
  });

  it("finds the box at a place", () => {
    const at = (level: number, share: number) => {
      const box = boxAt(layout, level, share);
      return box < 0 ? null : boxName(layout, box);
    };
    expect([at(0, 0.5), at(1, 0), at(2, 0.49), at(2, 0.5), at(2, 0.999)]).toEqual(["all", "main", "b", "a", "c"]);
    // Self time, and points outside of the drawing.
    expect([at(3, 0.3), at(3, 0.995), at(3, -0.1), at(4, 0), at(-1, 0)]).toEqual([null, null, null, null, null]);
  });

  it("leads along from box to box", () => {
    const walk = (from: string, ...steps: Parameters<typeof stepBox>[2][]) =>
      boxName(
        layout,
        steps.reduce((box, step) => stepBox(layout, box, step), named(from)),
      );
    expect(walk("main", "down")).toBe("b");
    expect(walk("main", "down", "right", "down")).toBe("a1");
    expect(walk("c3", "end")).toBe("c2");
    // Not on to the box of another parent.
    expect([walk("c3", "left"), walk("c2", "right"), walk("a1", "left")]).toEqual(["c3", "c2", "a1"]);
    expect(walk("b", "down")).toBe(HIDDEN);
    expect(walk(HIDDEN, "down")).toBe(HIDDEN);
    expect(walk(HIDDEN, "up")).toBe("b");
    expect(walk("main", "up")).toBe("all");
    expect([walk("all", "up"), walk("all", "right"), walk("all", "end"), walk("all", "down")]).toEqual([
      "all",
      "all",
      "all",
      "main",
    ]);
    expect(walk("c2", "home")).toBe("main");
  });

  it("sorts many boxes below one as few", () => {
    const count = 40;
    const total = Float64Array.from({ length: count + 1 }, (_, row) => (row === 0 ? 1000 : (row * 7) % 13));
    const zeros = new Float64Array(count + 1);
    const frames = {
      ...ANSWER.frames,
      node: new Uint32Array(count + 1),
      parent: new Uint32Array(count + 1),
      name: new Uint32Array(count + 1),
      frameType: new Uint8Array(count + 1),
      total,
      hiddenValue: zeros,
    };
    const { order } = layOutFlame({ ...ANSWER, frames, path: [] }, { rootName: "all", markerFrom: 1 });
    const want = Array.from({ length: count }, (_, i) => i + 1).sort((a, b) => total[b] - total[a] || a - b);
    expect(Array.from(order)).toEqual([0, ...want]);
  });
});
