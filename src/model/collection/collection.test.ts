import { describe, expect, it } from "vitest";
import { type FileFacts, FunctionNames, type KeptFacts } from "./facts.ts";
import { binAt, binsOf, fileHistogram, rangeOf, steppedBins } from "./histogram.ts";
import { chosenType, fileRow, filesIn, fileTypes, functionsWith, inTime, sortedRows } from "./rows.ts";

const SECOND = 1_000_000_000n;

interface Made {
  at: bigint | null;
  type?: string;
  samples?: number;
  /** Name, self share, total share. */
  functions?: [string, number, number][];
  bound?: number;
}

function factsOf({ at, type = "cpu", samples = 10, functions = [], bound = 0 }: Made): FileFacts {
  return {
    service: "shop",
    instance: "",
    time: at === null ? null : { from: at, to: at + SECOND },
    profiles: [
      {
        ...{ type, label: type.toUpperCase(), samples },
        functions: {
          names: functions.map(([name]) => name),
          self: Float64Array.from(functions, ([, self]) => self),
          total: Float64Array.from(functions, ([, , total]) => total),
          bound,
        },
      },
    ],
    damage: null,
    readable: true,
  };
}

function collection(files: (Made | null)[], asked = { type: "cpu", function: "" }) {
  const names = new FunctionNames();
  const facts: (KeptFacts | null)[] = files.map((file) => (file === null ? null : names.keep(factsOf(file))));
  return { names, facts, rows: facts.map((each, i) => fileRow(i, `f${i}.jfr`, each, asked, names)) };
}

const indexes = (rows: { index: number }[]) => rows.map(({ index }) => index);

describe("rows of files", () => {
  it("has the function with the most self time, and the share of the chosen one", () => {
    const { rows, names } = collection(
      [
        { at: 5n, functions: [["a", 0.1, 0.9], ["b", 0.4, 0.4]] }, // biome-ignore format: a file in a line
        { at: 6n, functions: [["b", 0.2, 0.3]], bound: 0.01 },
        { at: 7n, functions: [["c", 1, 1]] },
        { at: 8n, type: "wall", functions: [["a", 1, 1]] },
      ],
      { type: "cpu", function: "a" },
    );
    expect(rows.map(({ top }) => top)).toEqual([
      { name: "b", self: 0.4 },
      { name: "b", self: 0.2 },
      { name: "c", self: 1 },
      null,
    ]);
    expect(rows.map(({ share }) => share)).toEqual([
      { self: 0.1, total: 0.9, atMost: 0 },
      { self: 0, total: 0, atMost: 0.01 },
      { self: 0, total: 0, atMost: 0 },
      null,
    ]);
    expect(names.list).toEqual(["a", "b", "c"]);
  });

  it("sorts figures from the largest, texts and times from the first, files without a value last", () => {
    const { rows } = collection([{ at: 9n, samples: 1 }, null, { at: null, samples: 7 }, { at: 3n, samples: 5 }]);
    expect(indexes(sortedRows(rows, "samples", false))).toEqual([2, 3, 0, 1]);
    expect(indexes(sortedRows(rows, "samples", true))).toEqual([0, 3, 2, 1]);
    expect(indexes(inTime(rows))).toEqual([3, 0, 1, 2]);
    expect(indexes(sortedRows(rows, "name", true))).toEqual([3, 2, 1, 0]);
    expect(filesIn(rows, { from: 3n, to: 9n })).toEqual([3]);
  });

  it("shows the type that most files have where the wanted one is missing", () => {
    const { facts } = collection([{ at: 1n }, { at: 2n, type: "wall" }, { at: 3n, type: "wall" }, null]);
    const types = fileTypes(facts);
    expect(types).toEqual([
      { type: "cpu", label: "CPU", files: 1 },
      { type: "wall", label: "WALL", files: 2 },
    ]);
    expect(chosenType(types, "cpu")).toBe("cpu");
    expect(chosenType(types, "")).toBe("wall");
    expect(chosenType([], "cpu")).toBe("");
  });

  it("finds functions by a part of their names, whatever its case", () => {
    const { names } = collection([{ at: 1n, functions: ["Cart.total", "Tax.rate", "Total.of"].map((n) => [n, 0, 0]) }]);
    expect(functionsWith(names, "total", 5)).toEqual(["Cart.total", "Total.of"]);
    expect(functionsWith(names, "", 2)).toEqual(["Cart.total", "Tax.rate"]);
  });
});

describe("the histogram of files", () => {
  const { rows } = collection([{ at: 100n }, { at: 139n }, { at: 120n }, { at: 121n }, { at: null }]);
  const histogram = fileHistogram(rows, 4)!;

  it("counts each file once, in the bin in which it begins", () => {
    expect(histogram).toEqual({ range: { from: 100n, to: 140n }, counts: [1, 0, 2, 1], step: 10n, most: 2 });
    expect(fileHistogram(collection([{ at: null }, null]).rows, 4)).toBeNull();
    expect(fileHistogram(collection([{ at: 7n }, { at: 7n }]).rows, 4)?.counts).toEqual([2, 0, 0, 0]);
  });

  it("has a range for each run of bins, and the bins of each range", () => {
    expect(rangeOf(histogram, { first: 2, last: 3 })).toEqual({ from: 120n, to: 130n });
    expect(filesIn(rows, rangeOf(histogram, { first: 2, last: 3 }))).toEqual([2, 3]);
    expect(binsOf(histogram, { from: 120n, to: 130n })).toEqual({ first: 2, last: 3 });
    expect(binsOf(histogram, { from: 0n, to: 1000n })).toEqual({ first: 0, last: 4 });
    expect([0, 0.49, 0.5, 1].map((share) => binAt(histogram, share))).toEqual([0, 1, 2, 3]);
  });

  it("moves and extends a range by keys within the bins", () => {
    const bins = { first: 1, last: 2 };
    expect(steppedBins(histogram, null, "ArrowRight", false)).toEqual({ first: 0, last: 1 });
    expect(steppedBins(histogram, null, "ArrowLeft", false)).toEqual({ first: 3, last: 4 });
    expect(steppedBins(histogram, bins, "ArrowRight", false)).toEqual({ first: 2, last: 3 });
    expect(steppedBins(histogram, bins, "End", false)).toEqual({ first: 3, last: 4 });
    expect(steppedBins(histogram, bins, "ArrowRight", true)).toEqual({ first: 1, last: 3 });
    expect(steppedBins(histogram, bins, "ArrowLeft", true)).toEqual({ first: 1, last: 2 });
    expect(steppedBins(histogram, bins, "Home", false)).toEqual({ first: 0, last: 1 });
    expect(steppedBins(histogram, bins, "a", false)).toBeNull();
  });
});
