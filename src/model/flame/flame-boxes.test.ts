import { expect, it } from "vitest";
import { columnsOf } from "../../../test/kit/flame.ts";
import { buildFlame } from "./flame.ts";
import { boxesOf } from "./flame-boxes.ts";

const boxes = (picture: string, markerFrom = 1) => {
  const columns = columnsOf(picture);
  columns.hiddenFrames[0] = 7;
  columns.hiddenValue[0] = 20;
  return boxesOf(buildFlame(columns, { rootName: "all", markerFrom, whole: 100 })).map(({ node, x, width, depth }) => [
    node.name,
    x,
    width,
    depth,
  ]);
};

it("lays children side by side below their parent, the widest first, the marker last", () => {
  const picture = `
    - 100
      a 20
        b 10
      c 50
  `;
  expect(boxes(picture)).toEqual([
    ["all", 0, 1, 0],
    ["c", 0, 0.5, 1],
    ["a", 0.5, 0.2, 1],
    ["+7 frames, 20.0 %", 0.7, 0.2, 1],
    ["b", 0.5, 0.1, 2],
  ]);
});

it("has nothing to lay out where nothing weighs", () => {
  expect(boxes("- 0", 1000)).toEqual([]);
});

it("goes as deep as stacks do", () => {
  const deep = Array.from({ length: 3000 }, (_, i) => `${"  ".repeat(i)}f${i} 5`).join("\n");
  expect(boxes(deep, 1000).at(-1)).toEqual(["f2999", 0, 1, 2999]);
});
