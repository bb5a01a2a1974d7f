import { describe, expect, it } from "vitest";
import { countBrowser, countUnit, formatCounts, settle } from "./count-results.mjs";

describe("counting", () => {
  it("takes a unit test file that does not load as a failure", () => {
    const report = {
      numPassedTests: 5,
      numFailedTests: 1,
      numPendingTests: 2,
      numTodoTests: 1,
      testResults: [
        { status: "failed", assertionResults: [{ status: "failed" }] },
        { status: "failed", assertionResults: [] },
        { status: "passed", assertionResults: [] },
      ],
    };
    expect(countUnit(report)).toEqual({ passed: 5, failed: 2, skipped: 3, repeated: 0 });
  });

  it("counts browser tests that passed when repeated apart, and errors outside of tests as failures", () => {
    const report = { stats: { expected: 7, unexpected: 1, flaky: 1, skipped: 0 }, errors: [{}] };
    expect(countBrowser(report)).toEqual({ passed: 8, failed: 2, skipped: 0, repeated: 1 });
  });

  it("takes a failed run without a failed test as one failure", () => {
    const counts = { passed: 3, failed: 0, skipped: 0, repeated: 0 };
    expect(settle(counts, true)).toEqual(counts);
    expect(settle(counts, false).failed).toBe(1);
    expect(settle({ ...counts, failed: 4 }, false).failed).toBe(4);
  });

  it("names skipped and repeated tests only if there are any", () => {
    expect(formatCounts({ passed: 3, failed: 0, skipped: 0, repeated: 0 })).toBe("3 passed, 0 failed");
    expect(formatCounts({ passed: 3, failed: 1, skipped: 2, repeated: 0 })).toBe("3 passed, 1 failed, 2 skipped");
    expect(formatCounts({ passed: 3, failed: 0, skipped: 0, repeated: 1 })).toBe(
      "3 passed, 0 failed, 1 passed on the second attempt",
    );
  });
});
