import { describe, expect, it } from "vitest";
import { confidenceWords, likelyShare } from "./confidence.ts";

describe("likelyShare", () => {
  it("narrows with the number of samples", () => {
    const [least, most] = likelyShare(2, 10);
    expect([least.toFixed(3), most.toFixed(3)]).toEqual(["0.057", "0.510"]);
    const many = likelyShare(2000, 10_000);
    expect(many[1] - many[0]).toBeLessThan(0.02);
    expect(likelyShare(0, 0)).toEqual([0, 1]);
    expect(likelyShare(0, 20)[0]).toBe(0);
  });

  it("has words for too few", () => {
    expect(confidenceWords(2)).toBe("Only 2 samples: too few to rank.");
    expect(confidenceWords(400)).toBe("Shares are exact to ±4.9 pp (95 %).");
    expect(confidenceWords(38_416)).toBe("Shares are exact to ±0.5 pp (95 %).");
  });
});
