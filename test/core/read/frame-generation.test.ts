/** The generation of frame names: views rebuild their caches when it changes, and only then. */
import { beforeAll, beforeEach, expect, test } from "vitest";
import { drawing, picture } from "../../kit/core/frame-drawing.ts";
import { ViewCore } from "../../kit/core/view-harness.ts";

let core: ViewCore;
beforeAll(async () => {
  core = await ViewCore.create();
}, 60_000);

beforeEach(() => {
  core.reset();
  core.profile("cpu", "event");
  core.draw(`
    main
      0x10 3
      0x20 4
  `);
  core.select(-1);
});

const before = drawing(`
  * 7 self 0
    main 7 self 0
      0x10 3
      0x20 4
`);
const after = drawing(`
  * 7 self 0
    main 7 self 0
      read 7
`);

/** Both addresses turn out to be of one function. */
function learn() {
  for (const address of ["0x10", "0x20"]) core.call("renameFunctions", core.string(address), core.string("read"));
}

const drawn = () => picture(core.frames(0, 1000));
const names = () => {
  const n = core.call("functionNames");
  const at = core.call("functionNameRows");
  return Array.from({ length: n }, (_, i) => core.text(core.view().getUint32(at + 4 * i, true)));
};
const functions = () => core.top().map(({ name, self }) => [name, self]);

test("the tree, its names and its weights are made again of the names that frames have now", () => {
  expect(drawn()).toBe(before);
  expect(names()).toEqual(["main", "0x10", "0x20"]);
  learn();
  expect(drawn()).toBe(before);
  expect(names()).toEqual(["main", "0x10", "0x20"]);
  core.call("renewFrames");
  expect(names()).toEqual(["main", "read"]);
  expect(drawn()).toBe(after);
  expect(functions()).toContainEqual(["read", 7n]);
  expect(core.children(1)).toHaveLength(1);
});

test("a shape is given up for the whole tree of now", () => {
  core.shape({ merged: ["main"] });
  expect(drawn()).not.toBe(before);
  learn();
  core.call("renewFrames");
  expect(drawn()).toBe(after);
});

test("names with lines are those of now", () => {
  core.observe({ stack: core.stackOf([core.location("0x10", 12)]), value: 5n });
  core.select(-1);
  core.shape({ lines: true });
  expect(drawn()).toContain("0x10:12 5");
  learn();
  core.call("renewFrames");
  expect(drawn()).toContain("read:12 5");
  expect(drawn()).not.toContain("0x10");
});

test("a filter by function finds the name of now", () => {
  expect(core.select(-1, { frames: ["0x10"] }).samples).toBe(1);
  learn();
  core.call("renewFrames");
  expect(core.select(-1, { frames: ["0x10"] }).samples).toBe(0);
  expect(core.select(-1, { frames: ["read"] }).samples).toBe(2);
});

test("a baseline of frames that are no more weighs nothing", () => {
  core.call("keepBaseline");
  expect(core.diff(false, false).weights[0]).toEqual([7, 0, 7, 0]);
  learn();
  core.call("renewFrames");
  expect(core.diff(false, false).weights.map((row) => row.slice(2))).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
});
