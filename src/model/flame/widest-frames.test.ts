import { describe, expect, it } from "vitest";
import { columnsOf } from "../../../test/kit/flame.ts";
import type { FramesAnswer } from "../../core/types.ts";
import { valueThrough, widestFrames } from "./widest-frames.ts";

const TREE = columnsOf(`
  - 100
    run 90
      handle 60
        query 40
          read 39
        render 15
      poll 30
    gc 8
      mark 8
`);
/** Three frames of 2 below `gc` are hidden already. */
TREE.hiddenFrames[7] = 3;
TREE.hiddenValue[7] = 2;
const WHOLE: FramesAnswer = {
  frames: TREE,
  path: [],
  selectionTotal: 110,
  framesInFocus: 12,
  hiddenValue: 2,
  hiddenFrames: 3,
};
const ROOM = { width: 1000, budget: 1000 };
const named = ({ frames }: FramesAnswer) => Array.from(frames.name, (name) => frames.names[name]);

describe("widestFrames", () => {
  it("has all frames where there is room, with parents before children", () => {
    const all = widestFrames(WHOLE, 0, ROOM);
    expect(named(all)).toHaveLength(9);
    expect([all.framesInFocus, all.hiddenFrames, all.hiddenValue, all.selectionTotal]).toEqual([12, 3, 2, 110]);
    for (let row = 1; row < 9; row++) {
      const { node, parent } = all.frames;
      expect(parent[row]).toBeLessThan(row);
      expect(node[parent[row]]).toBe(TREE.parent[node[row]]);
    }
  });

  it("hides narrow frames and counts them, with their value, at the frame above", () => {
    const widest = widestFrames(WHOLE, 0, { width: 100, budget: 4 });
    expect(named(widest)).toEqual(["", "run", "handle", "query"]);
    // gc with mark and the three below; poll; render; read.
    expect(Array.from(widest.frames.hiddenFrames)).toEqual([5, 1, 1, 1]);
    expect(Array.from(widest.frames.hiddenValue)).toEqual([8, 30, 15, 39]);
    expect(widest.hiddenFrames + 4).toBe(WHOLE.framesInFocus);
    const byWidth = widestFrames(WHOLE, 0, { width: 2.5, budget: 1000 });
    expect(named(byWidth)).toEqual(["", "run", "handle", "query", "read", "poll"]);
  });

  it("zooms to a row, with the way back to it", () => {
    const zoomed = widestFrames(WHOLE, 2, ROOM);
    expect(named(zoomed)).toEqual(["handle", "query", "read", "render"]);
    expect(Array.from(zoomed.frames.node)).toEqual([2, 3, 4, 5]);
    expect(Array.from(zoomed.frames.parent)).toEqual([0, 0, 1, 0]);
    expect(zoomed.path.map(({ node, name }) => [node, name])).toEqual([
      [0, ""],
      [1, "run"],
    ]);
    expect(zoomed.framesInFocus).toBe(4);
  });
});

describe("valueThrough", () => {
  it("counts what is nested once", () => {
    expect(valueThrough(TREE, new Set())).toBe(0);
    expect(valueThrough(TREE, new Set([3, 4]))).toBe(40);
    expect(valueThrough(TREE, new Set([4, 6]))).toBe(69);
    expect(valueThrough(TREE, new Set([0, 1, 8]))).toBe(100);
  });
});
