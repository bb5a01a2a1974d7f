/** Reads the numbers of passed and failed tests from the JSON reports of the two test runners. */

/** Vitest's report. A file that could not be loaded has no tests to count: it counts as one failed. */
export function countUnit(report) {
  const broken = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Playwright's report. A test that passed only on a second try is no success; faults outside of tests count too. */
export function countBrowser(report) {
  const { expected, unexpected, flaky, skipped } = report.stats;
  return { passed: expected, failed: unexpected + flaky + report.errors.length, skipped };
}

/** The counts of a runner, given how it ended: a run that failed without a failed test is one failure. */
export function settle(counts, succeeded) {
  const failed = !succeeded && counts.failed === 0 ? 1 : counts.failed;
  return { ...counts, failed };
}

/** `N passed, N failed`, and the skipped where there are any. */
export function formatCounts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
