import { describe, expect, it } from "vitest";
import {
  countBrowser,
  countUnit,
  failuresOfBrowser,
  failuresOfUnit,
  formatCounts,
  settle,
  slowestOfBrowser,
  slowestOfUnit,
} from "./count-results.mjs";

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

describe("failures", () => {
  it("of unit tests have the file, the test and the first line", () => {
    const passed = { status: "passed", fullName: "two", failureMessages: [] };
    const failed = {
      status: "failed",
      fullName: "one adds",
      failureMessages: ["\u001b[31mError: 1\u001b[39m\n  at x"],
    };
    const testResults = [
      { name: "a.test.ts", status: "failed", message: "", assertionResults: [failed, passed] },
      { name: "b.test.ts", status: "failed", message: "no module c\nat b", assertionResults: [] },
      { name: "c.test.ts", status: "passed", message: "", assertionResults: [passed] },
    ];
    expect(failuresOfUnit({ testResults })).toEqual([
      { name: "a.test.ts > one adds", line: "Error: 1" },
      { name: "b.test.ts", line: "no module c" },
    ]);
  });

  it("of browser tests are found in suites of suites, and outside of tests", () => {
    const tests = [{ results: [{}, { error: { message: "Timeout\n at y" } }] }];
    const specs = [
      { file: "a.spec.ts", title: "opens", ok: false, tests },
      { file: "a.spec.ts", title: "closes", ok: true, tests },
    ];
    expect(failuresOfBrowser({ suites: [{ suites: [{ specs }] }], errors: [{ message: "no site" }] })).toEqual([
      { name: "a.spec.ts > opens", line: "Timeout" },
      { name: "outside of tests", line: "no site" },
    ]);
  });
});

describe("the slowest files", () => {
  it("of unit tests are those whose tests take longest together", () => {
    const testResults = [
      { name: "a.test.ts", assertionResults: [{ duration: 900 }] },
      { name: "b.test.ts", assertionResults: [{ duration: 600 }, { duration: 600 }, {}] },
      { name: "c.test.ts", assertionResults: [] },
    ];
    expect(slowestOfUnit({ testResults }).slice(0, 2)).toEqual([
      { name: "b.test.ts", seconds: 1.2 },
      { name: "a.test.ts", seconds: 0.9 },
    ]);
  });

  it("of browser tests have the tests of inner suites, and second attempts", () => {
    const spec = (...durations) => ({ tests: [{ results: durations.map((duration) => ({ duration })) }] });
    const suites = [
      { file: "a.spec.ts", specs: [spec(500)], suites: [{ specs: [spec(1000, 1000)] }] },
      { file: "b.spec.ts", specs: [spec(2000)] },
    ];
    expect(slowestOfBrowser({ suites })).toEqual([
      { name: "a.spec.ts", seconds: 2.5 },
      { name: "b.spec.ts", seconds: 2 },
    ]);
  });
});
