import { beforeAll, describe, expect, it } from "vitest";
import { columnsOf } from "../../../test/kit/flame.ts";
import { loadPatterns, Pattern } from "../query/pattern.ts";
import {
  frameName,
  LABEL_CAP,
  matchingRows,
  namesDownTo,
  nextMatch,
  rowOfNames,
  rowOfNode,
  stackText,
  stepOf,
} from "./flame.ts";
import { FRAME_TYPES } from "./frame-types.ts";

beforeAll(() => loadPatterns());

const PICTURE = `
  - 100
    main 90
      small 10
      wide 60
        leaf 59
      middle 20
    other 4
`;

it("a name that is hostile is safe and short", () => {
  const columns = columnsOf("- 1\n  x 1");
  columns.names[1] = `\u202e${"<b>".repeat(100_000)}`;
  expect(frameName(columns, 1, "all", LABEL_CAP).startsWith("\\u202e<b>")).toBe(true);
  expect(frameName(columns, 1, "all", LABEL_CAP).length).toBeLessThan(300);
});

describe("a node", () => {
  const columns = columnsOf(PICTURE);

  it("is found again in the next answer", () => {
    expect(rowOfNode(columns, 3)).toBe(3);
    expect(rowOfNode(columns, 4_000_000)).toBe(0);
  });
});

describe("frame kinds", () => {
  it("are those of OTLP's attribute root frames and runs, in the order of the core", () => {
    const languages = "beam cpython cuda dotnet go luajit perl php ruby rust v8js".split(" ");
    expect(Object.values(FRAME_TYPES)).toEqual(["", "jvm", "native", "kernel", ...languages, "root", "run"]);
  });
});

describe("a frame", () => {
  const columns = columnsOf(`
    - 10
      main 10
        run 7
          Parse 4
        parse 3
  `);

  it("is found by its name, whatever its caller", () => {
    expect([...matchingRows(columns, Pattern.of("parse"))]).toEqual([3, 4]);
    expect([...matchingRows(columns, Pattern.of(".*"))]).toEqual([1, 2, 3, 4]);
  });

  it("is found with its line left out, where frames are split by line", () => {
    const split = columnsOf(`
      - 10
        run:12 7
    `);
    expect([...matchingRows(split, Pattern.of("run$"))]).toEqual([]);
    expect([...matchingRows(split, Pattern.of("run$"), true)]).toEqual([1]);
  });

  it("follows the one found before it, round and round, whichever way", () => {
    const walk = (at: number, step: number) => nextMatch([5, 3, 9], at, step);
    expect([walk(5, 1), walk(9, 1), walk(5, -1), walk(3, -1)]).toEqual([3, 5, 9, 5]);
    expect([walk(7, 1), walk(7, -1), nextMatch([], 7, 1), nextMatch([], 7, -1)]).toEqual([5, 9, undefined, undefined]);
  });

  it("is reached by the arrow that points to it, whichever way the graph grows", () => {
    expect(["ArrowUp", "ArrowLeft", "x"].map((key) => stepOf(key, false))).toEqual(["up", "left", undefined]);
    expect(["ArrowUp", "ArrowDown", "ArrowLeft"].map((key) => stepOf(key, true))).toEqual(["down", "up", "left"]);
  });

  it("is told by the names down to it, and copied with those above the zoom", () => {
    expect(namesDownTo(columns, 3)).toEqual([1, 2, 3]);
    expect(namesDownTo(columns, 0)).toEqual([]);
    for (const row of [0, 1, 2, 3]) expect(rowOfNames(columns, namesDownTo(columns, row))).toBe(row);
    expect(rowOfNames(columns, [1, 2, 99])).toBe(0);
    expect(rowOfNames(columns, [2])).toBe(0);
    expect(stackText(columns, 3, ["", "outer"])).toBe("Parse\nrun\nmain\nouter");
  });
});
