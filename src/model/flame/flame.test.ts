import { beforeAll, describe, expect, it } from "vitest";
import { columnsOf } from "../../../test/kit/flame.ts";
import { loadPatterns, Pattern } from "../query/pattern.ts";
import type { FlameNode } from "./flame.ts";
import {
  buildFlame,
  depthsOf,
  matchingRows,
  namesDownTo,
  nextMatch,
  rowOfNode,
  stackText,
  stepFlame,
  stepOf,
} from "./flame.ts";
import { FRAME_TYPES } from "./frame-types.ts";

beforeAll(() => loadPatterns());

const LOOK = { rootName: "all", markerFrom: 5, whole: 400 };
const PICTURE = `
  - 100
    main 90
      small 10
      wide 60
        leaf 59
      middle 20
    other 4
`;

function draw(node: FlameNode, depth = 0): string {
  const line = `${"  ".repeat(depth)}${node.name} ${node.value}\n`;
  return line + node.children.map((child) => draw(child, depth + 1)).join("");
}

describe("buildFlame", () => {
  it("nests rows, widest first, and names the root", () => {
    expect(draw(buildFlame(columnsOf(PICTURE), LOOK).root)).toBe(
      "all 100\n  main 90\n    wide 60\n      leaf 59\n    middle 20\n    small 10\n  other 4\n",
    );
  });

  it("marks hidden children that are wide enough, and leaves the others a gap", () => {
    const columns = columnsOf("- 100\n  a 40\n  b 40");
    columns.hiddenValue[0] = 20;
    columns.hiddenFrames[0] = 1412;
    columns.hiddenValue[1] = 4;
    const { root } = buildFlame(columns, LOOK);
    expect(draw(root)).toBe("all 100\n  a 40\n  b 40\n  +1,412 frames, 5.0 % 20\n");
    expect(root.children[2]).toMatchObject({ marker: true, row: 0, box: 3 });
  });

  it("hands out fresh objects each time", () => {
    const columns = columnsOf(PICTURE);
    expect(buildFlame(columns, LOOK).root).not.toBe(buildFlame(columns, LOOK).root);
  });

  it("survives an empty answer and a hostile name", () => {
    expect(buildFlame(columnsOf(""), LOOK).root).toMatchObject({ name: "all", value: 0 });
    const columns = columnsOf("- 1\n  x 1");
    columns.names[1] = `\u202e${"<b>".repeat(100_000)}`;
    const [child] = buildFlame(columns, LOOK).root.children;
    expect(child.name.startsWith("\\u202e<b>")).toBe(true);
    expect(child.name.length).toBeLessThan(300);
  });

  it("builds the deepest stack without recursion", () => {
    const depth = 20_000;
    const columns = columnsOf(Array.from({ length: 3 }, (_, i) => `${"  ".repeat(i)}f 1`).join("\n"));
    columns.parent = Uint32Array.from({ length: depth }, (_, i) => Math.max(0, i - 1));
    columns.node = Uint32Array.from({ length: depth }, (_, i) => i);
    columns.name = new Uint32Array(depth);
    columns.frameType = new Uint8Array(depth);
    columns.total = new Float64Array(depth).fill(1);
    columns.hiddenValue = new Float64Array(depth);
    columns.hiddenFrames = new Uint32Array(depth);
    expect(buildFlame(columns, LOOK).nodes).toHaveLength(depth);
    expect(depthsOf(columns.parent)[depth - 1]).toBe(depth - 1);
  });
});

describe("walking the frames", () => {
  const columns = columnsOf(PICTURE);
  const tree = buildFlame(columns, LOOK);
  const at = (name: string) => columns.names.indexOf(name);
  const step = (name: string, way: Parameters<typeof stepFlame>[2]) => columns.names[stepFlame(tree, at(name), way)];

  it("goes to parent, widest child and siblings", () => {
    expect(step("wide", "up")).toBe("main");
    expect(step("main", "down")).toBe("wide");
    expect(step("wide", "right")).toBe("middle");
    expect(step("middle", "left")).toBe("wide");
    expect(step("leaf", "home")).toBe("");
  });

  it("stays where there is nowhere to go", () => {
    expect(step("wide", "left")).toBe("wide");
    expect(step("small", "right")).toBe("small");
    expect(step("leaf", "down")).toBe("leaf");
    expect(stepFlame(tree, 0, "up")).toBe(0);
    expect(stepFlame(tree, 0, "right")).toBe(0);
    expect(stepFlame(tree, 999, "down")).toBe(0);
  });

  it("comes to markers like to frames, and out of them to whose they are", () => {
    const columns = columnsOf("- 100\n  a 40\n  b 60");
    columns.hiddenValue.set([10, 30, 0]);
    columns.hiddenFrames.set([1, 2, 0]);
    const flame = buildFlame(columns, LOOK);
    expect(flame.boxes.slice(3).map(({ name, row }) => [name, row])).toEqual([
      ["+1 frame, 2.5 %", 0],
      ["+2 frames, 7.5 %", 1],
    ]);
    expect(stepFlame(flame, 1, "down")).toBe(4);
    expect(stepFlame(flame, 4, "down")).toBe(4);
    expect(stepFlame(flame, 4, "up")).toBe(1);
    expect(stepFlame(flame, 1, "right")).toBe(3);
    expect(stepFlame(flame, 3, "left")).toBe(1);
    expect(stepFlame(flame, 3, "up")).toBe(0);
  });

  it("finds a node again in the next answer", () => {
    expect(rowOfNode(columns, 3)).toBe(3);
    expect(rowOfNode(columns, 4_000_000)).toBe(0);
  });
});

describe("frame kinds", () => {
  it("are those of OTLP's attribute and root frames, in the order of the core", () => {
    expect(Object.entries(FRAME_TYPES)).toEqual([
      ["0", ""],
      ["1", "jvm"],
      ["2", "native"],
      ["3", "kernel"],
      ["4", "root"],
    ]);
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
    expect(stackText(columns, 3, ["", "outer"])).toBe("Parse\nrun\nmain\nouter");
  });
});
