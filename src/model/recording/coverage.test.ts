import { describe, expect, it } from "vitest";
import { profileSummary } from "../../../test/kit/otlp/profile.ts";
import { coverageRows, coverageWords } from "./coverage.ts";

const words = (samples: number, samplesWithSpan: number) =>
  coverageWords(profileSummary({ type: "cpu", samples, samplesWithSpan }));

describe("coverage", () => {
  it("says how many samples carry a span", () => {
    expect(words(279, 228)).toBe("228 of 279 samples carry a span id");
    expect(words(1279, 1)).toBe("1 of 1,279 samples carries a span id");
    expect(words(7, 0)).toBe("No sample carries a span id");
    expect(words(7, 7)).toBe("Every sample carries a span id");
  });

  it("does not count inferred spans as carried, and names them", () => {
    const inferred = (samplesWithSpan: number, inferredSpan: number) =>
      coverageWords(profileSummary({ type: "sleep", samples: 300, samplesWithSpan, inferredSpan }));
    expect(inferred(0, 60)).toBe("60 of 300 samples have a span by inference, from their thread and time");
    expect(inferred(40, 1)).toBe("40 of 300 samples carry a span id, 1 more has an inferred span");
    const rows = coverageRows(profileSummary({ type: "sleep", samples: 300, inferredSpan: 60 }));
    expect(rows.map(({ name, samples }) => `${name} ${samples}`)).toEqual([
      "span id 0",
      "request id 0",
      "span, inferred 60",
    ]);
  });

  it("lists ids and attributes", () => {
    const samplesWithAttribute = { "http.route": 104, tenant: 95 };
    const profile = profileSummary({ type: "cpu", samplesWithSpan: 99, samplesWithRoot: 98, samplesWithAttribute });
    expect(coverageRows(profile).map(({ name, samples }) => [name, samples])).toEqual([
      ["span id", 99],
      ["request id", 98],
      ["http.route", 104],
      ["tenant", 95],
    ]);
  });
});
