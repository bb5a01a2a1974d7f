import { describe, expect, it } from "vitest";
import type { SeriesLine } from "../../core/view-types.ts";
import { scaleWords, seriesValue, stripsOf, valuesAt } from "./series.ts";

const NONE = Number.NaN;

function line(id: string, unit: SeriesLine["unit"], high: number[], low = high): SeriesLine {
  const known = high.filter((value) => !Number.isNaN(value));
  return {
    id,
    unit,
    low: Float64Array.from(low),
    high: Float64Array.from(high),
    least: Math.min(...known),
    most: Math.max(...known),
    count: known.length,
  };
}

describe("strips", () => {
  it("are those that there are values of, process and machine in one", () => {
    const strips = stripsOf([
      line("cpu-process", "share", [0.25]),
      line("threads", "count", [17, 23]),
      line("cpu-machine", "share", [0.5]),
    ]);
    expect(strips.map(({ id, full, values }) => [id, full, values.map((each) => each.id)])).toEqual([
      ["cpu", 1, ["cpu-machine", "cpu-process"]],
      ["threads", 23, ["threads"]],
    ]);
    expect(strips.map(scaleWords)).toEqual(["up to 25.0 %, machine 50.0 %", "17 – 23"]);
    expect(stripsOf([])).toEqual([]);
    const unitOnce = (...values: number[]) => scaleWords(stripsOf([line("heap", "bytes", values)])[0]!);
    expect(unitOnce(45 * 1024 ** 2, 46.5 * 1024 ** 2)).toBe("45 – 46.5 MiB");
    expect(unitOnce(512 * 1024, 2 * 1024 ** 2)).toBe("512 KiB – 2 MiB");
  });

  it("have values that hold until the next one, but for safepoints", () => {
    const [cpu, stops] = stripsOf([
      line("cpu-machine", "share", [NONE, 0.5, NONE, 0.75], [NONE, 0.5, NONE, 0.6]),
      line("cpu-process", "share", [NONE, NONE, 0.25, NONE]),
      line("safepoints", "nanoseconds", [5e6, NONE, NONE, NONE]),
    ]);
    expect(valuesAt(cpu!, 0.1)).toEqual([]);
    expect(valuesAt(cpu!, 0.6)).toEqual(["machine 50.0 %", "process 25.0 %"]);
    expect(valuesAt(cpu!, 1)).toEqual(["machine 60.0 – 75.0 %", "process 25.0 %"]);
    expect(valuesAt(stops!, 0.1)).toEqual(["5 ms"]);
    expect(valuesAt(stops!, 0.3)).toEqual([]);
  });
});

it("values have their unit", () => {
  expect(seriesValue(0.42, "share")).toBe("42.0 %");
  expect(seriesValue(0.0003, "share")).toBe("<0.1 %");
  expect(seriesValue(1024 * 1024, "bytes")).toBe("1 MiB");
  expect(seriesValue(1536, "bytes/s")).toBe("1.5 KiB/s");
  expect(seriesValue(4_200_000, "nanoseconds")).toBe("4.2 ms");
  expect(seriesValue(1234, "count")).toBe("1,234");
});
