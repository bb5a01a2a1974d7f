import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyChart, columnsOf, drawnChart } from "../../../test/kit/chart.ts";
import { legendOf } from "../flame/legend.ts";
import { LOOK } from "../query/look.ts";
import { levelBins } from "./chart.ts";
import { findBoxes, nextBox } from "./find.ts";
import { endOfTree, legendFrames, parentOf, placeAmongSiblings, stackOf, stepFrom, suspensionOf } from "./steps.ts";
import { aroundBox, boxWords, markWords } from "./words.ts";

const CALL = drawnChart(`
  aaaaaaaaaa
  bbbb.ccccd
  ee...ff...
`);
const named = (name: string) => CALL.name.indexOf(CALL.names.indexOf(name));
const step = (name: string, way: Parameters<typeof stepFrom>[2]) =>
  CALL.names[CALL.name[stepFrom(CALL, named(name), way)]];

describe("steps through a chart", () => {
  it("lead to the parent, the first child, and the siblings in the order of time", () => {
    expect([step("f", "parent"), step("c", "parent"), step("a", "parent")]).toEqual(["c", "a", "a"]);
    expect([step("a", "child"), step("c", "child"), step("d", "child")]).toEqual(["b", "f", "d"]);
    expect([step("b", "next"), step("c", "next"), step("d", "next")]).toEqual(["c", "d", "d"]);
    expect([step("d", "previous"), step("c", "previous"), step("e", "previous")]).toEqual(["c", "b", "e"]);
    expect(placeAmongSiblings(CALL, named("c"))).toEqual({ place: 2, count: 3 });
    expect(stackOf(CALL, named("f"))).toEqual(["f", "c", "a"]);
  });

  it("count each moment of a family once in the legend, and no time of spans", () => {
    const boxes = [
      { name: "com.acme.Api.get", depth: 0, start: 0, end: 10 },
      { name: "java.util.Map.get", depth: 1, start: 0, end: 4 },
      { name: "com.acme.Key.hash", depth: 2, start: 1, end: 3 },
      { name: "java.lang.Thread.run", depth: 0, start: 2, end: 8, lane: 1 },
      { name: "checkout", depth: 0, start: 0, end: 9, lane: 2 },
    ];
    const columns = columnsOf(boxes, 10, ["one", "two", "spans"]);
    const spans = { title: "spans", stopped: false, beside: "spans" } as const;
    const { frames, whole } = legendFrames({ ...columns, lanes: [...columns.lanes.slice(0, 2), spans] });
    const rows = legendOf(frames, LOOK, false).filter(({ value }) => value > 0);
    expect(rows.map(({ label, total, value }) => `${label} ${total} ${value} of ${whole}`)).toEqual([
      "Application: com.acme 10 8 of 16",
      "JDK 10 8 of 16",
    ]);
  });

  it("lead from lane to lane at their tops", () => {
    const lanes = columnsOf(
      [
        { name: "a", depth: 0, start: 0, end: 3 },
        { name: "b", depth: 1, start: 0, end: 3 },
        { name: "c", depth: 0, start: 5, end: 8, lane: 1 },
      ],
      9,
      ["one", "two"],
    );
    expect([stepFrom(lanes, 0, "next"), stepFrom(lanes, 1, "next"), stepFrom(lanes, 2, "parent")]).toEqual([2, 1, 0]);
  });

  it("agree with each other in every tree", () => {
    fc.assert(
      fc.property(anyChart, (columns) => {
        for (let box = 0; box < columns.lane.length; box++) {
          const next = stepFrom(columns, box, "next");
          if (next !== box && columns.lane[next] === columns.lane[box]) {
            expect(parentOf(columns, next)).toBe(parentOf(columns, box));
            expect(placeAmongSiblings(columns, next).place).toBe(placeAmongSiblings(columns, box).place + 1);
          }
          const child = stepFrom(columns, box, "child");
          if (child !== box) expect(parentOf(columns, child)).toBe(box);
          expect(endOfTree(columns, box)).toBeGreaterThan(box);
        }
      }),
    );
  });
});

describe("words of a box", () => {
  it("have the thread and the callers, the nearest first, so many as a tooltip has room for", () => {
    const deep = Array.from({ length: 11 }, (_, depth) => ({ name: `f${depth}`, depth, start: 0, end: 9 }));
    const columns = columnsOf([...deep, { name: "g", depth: 1, start: 10, end: 20 }], 20);
    expect(aroundBox(columns, 0)).toEqual([]);
    expect(aroundBox(columns, 11)).toEqual(["called by", "f0"]);
    expect(aroundBox(columns, 10)).toEqual(["called by", "f9", "f8", "f7", "f6", "f5", "f4", "f3", "f2", "… 2 more"]);
    const inThread = { ...columns, lanes: columns.lanes.map((lane) => ({ ...lane, title: "main" })) };
    expect(aroundBox(inThread, 0)).toEqual(["in main"]);
  });

  it("have its times, and the suspension of all below it", () => {
    const columns = columnsOf(
      [
        { name: "a.A.run", depth: 0, start: 0, end: 120e6, suspended: 1e6 },
        { name: "a.A.sql", depth: 1, start: 20e6, end: 50e6, suspended: 3e6 },
      ],
      120e6,
    );
    expect(suspensionOf(columns, 0)).toBe(4e6);
    expect(boxWords(columns, 1)).toEqual({
      name: "a.A.sql",
      parts: ["Java", "from +0:00.020", "total 30 ms (25.0 %)", "self 30 ms", "suspended 3 ms"],
    });
    expect(markWords(columns, 1, 12, false)).toEqual({
      name: "12 frames narrower than half a pixel",
      parts: ["the first is a.A.sql", "click to zoom in"],
    });
  });
});

describe("a search in a chart", () => {
  it("counts nested matches once, and walks in the order of entering", () => {
    const found = findBoxes(CALL, { test: (text) => "acf".includes(text) } as Parameters<typeof findBoxes>[1]);
    expect([found.boxes, found.nanos]).toEqual([3, 10]);
    const walk = [named("a")];
    for (let i = 0; i < 3; i++) walk.push(nextBox(CALL, found.names, walk.at(-1)!, 1)!);
    expect(walk.map((box) => CALL.names[CALL.name[box]])).toEqual(["a", "c", "f", "a"]);
    expect(CALL.names[CALL.name[nextBox(CALL, found.names, named("a"), -1)!]]).toBe("f");
    expect(nextBox(CALL, new Uint8Array(CALL.names.length), 0, 1)).toBeNull();
  });
});

describe("the overview", () => {
  it("has the levels of each part of the time", () => {
    expect([...levelBins(CALL, 5)]).toEqual([3, 3, 3, 3, 2]);
  });
});
