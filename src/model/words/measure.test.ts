import { describe, expect, it } from "vitest";
import { profileSummary } from "../../../test/kit/otlp/profile.ts";
import type { Measure } from "../../core/types.ts";
import { formatEstimate, formatProfileValue } from "../words/format.ts";
import { chooseMeasure, measured, measureType, measureWord } from "./measure.ts";

function measures(...rows: [name: string, type: string, unit: string, value: bigint][]): Measure[] {
  return rows.map(([name, type, unit, value]) => ({ name, type, unit, value }));
}

const ALLOC = profileSummary({
  type: "alloc-samples",
  unit: "bytes",
  value: 2048n,
  period: 9n,
  periodUnit: "bytes",
  measures: measures(["bytes", "alloc-samples", "bytes", 2048n], ["objects", "alloc-objects", "count", 7n]),
});

describe("measured", () => {
  it("gives a profile the value and unit of its measure", () => {
    expect(measured(ALLOC, 0)).toMatchObject({ measure: 0, unit: "bytes", value: 2048n });
    expect(measured(ALLOC, 1)).toMatchObject({ measure: 1, unit: "count", value: 7n, type: "alloc-samples" });
    expect(measured(ALLOC, 5).measure).toBe(0);
  });

  it("of a dump counts invocations, of other files samples", () => {
    const counted = profileSummary({
      type: "n",
      unit: "count",
      value: 2n,
      measures: measures(["count", "n", "count", 2n]),
    });
    expect(formatProfileValue(2n, measured(counted, 0))).toBe("2 samples");
    expect(formatProfileValue(2n, measured({ ...counted, exact: "calls" }, 0))).toBe("2 invocations");
    expect(formatProfileValue(1n, measured({ ...counted, exact: "calls" }, 0))).toBe("1 invocation");
  });

  it("takes no time for a second measure", () => {
    const cpuTime = profileSummary({
      type: "cpu-time",
      unit: "nanoseconds",
      period: 5n,
      periodUnit: "nanoseconds",
      measures: measures(["nanoseconds", "cpu-time", "nanoseconds", 50n], ["samples", "n", "samples", 10n]),
    });
    expect(formatEstimate(10, measured(cpuTime, 1))).toBeNull();
  });
});

describe("chooseMeasure", () => {
  it("takes the named one, else the first that adds up to something", () => {
    expect(chooseMeasure(ALLOC, "")).toBe(0);
    expect(chooseMeasure(ALLOC, "objects")).toBe(1);
    expect(chooseMeasure(ALLOC, "calls")).toBe(0);
    const sizeless = measures(["bytes", "live-heap", "bytes", 0n], ["objects", "live-objects", "count", 115n]);
    expect(chooseMeasure({ ...ALLOC, measures: sizeless }, "")).toBe(1);
    expect(chooseMeasure({ ...ALLOC, measures: sizeless }, "bytes")).toBe(0);
    const nothing = measures(["bytes", "live-heap", "bytes", 0n], ["objects", "live-objects", "count", 0n]);
    expect(chooseMeasure({ ...ALLOC, measures: nothing }, "")).toBe(0);
  });
});

describe("words", () => {
  it("name a measure", () => {
    expect([measureWord(ALLOC, 0), measureWord(ALLOC, 1)]).toEqual(["bytes", "objects"]);
    const locks = measures(["nanoseconds", "t", "nanoseconds", 1n], ["contentions", "c", "count", 1n]);
    expect(measureWord({ ...ALLOC, measures: locks }, 0)).toBe("time");
    expect([measureType(measured(ALLOC, 0)), measureType(measured(ALLOC, 1))]).toEqual([
      "alloc-samples",
      "alloc-objects",
    ]);
  });

  it("say what is counted", () => {
    const objects = measured(ALLOC, 1);
    expect(formatProfileValue(1, objects)).toBe("1 object");
    expect(formatProfileValue(42_493n, objects)).toBe("42,493 objects");
    const counted = profileSummary({ type: "exceptions", unit: "count" });
    expect(formatProfileValue(3, counted)).toBe("3 samples");
    const field = measures(["count", "x", "count", 900n], ["events", "x-count", "count", 10n]);
    const summed = profileSummary({ type: "jdk.X.y", unit: "count", value: 900n, measures: field });
    expect(formatProfileValue(900, summed)).toBe("900");
    expect(measureWord(summed, 0)).toBe("value");
    expect(formatProfileValue(10, measured(summed, 1))).toBe("10 events");
  });
});
