import { expect, it } from "vitest";
import { profileSummary } from "../../../test/kit/otlp/profile.ts";
import { valueWords } from "./answer-words.ts";
import { measured } from "./measure.ts";

it("tells a sum of counts only where it is not the number of samples", () => {
  const counts = measured(profileSummary({ type: "samples", unit: "count" }), 0);
  expect(valueWords(counts, { samples: 40, value: 2440n })).toBe("sum 2,440");
  expect(valueWords(counts, { samples: 40, value: 40n })).toBe("");
});
