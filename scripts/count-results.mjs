/** Reads the numbers of passed and failed tests from the JSON reports of the two test runners. */

/** Vitest's report. A file that could not be loaded has no tests to count: it counts as one failed. */
export function countUnit(report) {
  const broken = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
    repeated: 0,
  };
}

/**
 * Playwright's report. A test that failed once and passed when it was repeated has passed, but is counted as repeated
 * too, so that it is seen and mended. Faults outside of tests count as failures.
 */
export function countBrowser(report) {
  const { expected, unexpected, flaky, skipped } = report.stats;
  return { passed: expected + flaky, failed: unexpected + report.errors.length, skipped, repeated: flaky };
}

/** The counts of a runner, given how it ended: a run that failed without a failed test is one failure. */
export function settle(counts, succeeded) {
  const failed = !succeeded && counts.failed === 0 ? 1 : counts.failed;
  return { ...counts, failed };
}

/** `N passed, N failed`; skipped and repeated tests only if there are any. */
export function formatCounts({ passed, failed, skipped, repeated }) {
  const also = [skipped > 0 && `${skipped} skipped`, repeated > 0 && `${repeated} passed on the second attempt`];
  return [`${passed} passed, ${failed} failed`, ...also.filter(Boolean)].join(", ");
}
