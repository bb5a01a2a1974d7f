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

/** Names and first lines of what failed in vitest's report. */
export function failuresOfUnit({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    if (status === "failed" && assertionResults.length === 0) return [{ name, line: firstLine(message) }];
    const failed = assertionResults.filter((test) => test.status === "failed");
    return failed.map((test) => ({ name: `${name} > ${test.fullName}`, line: firstLine(test.failureMessages?.[0]) }));
  });
}

/** Names and first lines of what failed in Playwright's report. */
export function failuresOfBrowser({ suites = [], errors }) {
  const specs = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specs)];
  const failed = suites.flatMap(specs).filter((spec) => !spec.ok);
  const errorOf = ({ tests }) => tests.flatMap(({ results }) => results).find(({ error }) => error)?.error;
  return [
    ...failed.map((spec) => ({ name: `${spec.file} > ${spec.title}`, line: firstLine(errorOf(spec)?.message) })),
    ...errors.map(({ message }) => ({ name: "outside of tests", line: firstLine(message) })),
  ];
}

const MOST_FILES = 8;

/** Files of vitest's report by the time of their tests, longest first. */
export function slowestOfUnit({ testResults }) {
  const timeOf = ({ assertionResults }) => assertionResults.reduce((sum, { duration }) => sum + (duration ?? 0), 0);
  return longest(testResults.map((file) => [file.name, timeOf(file)]));
}

/** The same of Playwright's report, where a suite at the top is a file. */
export function slowestOfBrowser({ suites = [] }) {
  const timesIn = ({ specs = [], suites: inner = [] }) => [
    ...specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results.map(({ duration }) => duration))),
    ...inner.flatMap(timesIn),
  ];
  return longest(suites.map((file) => [file.file, timesIn(file).reduce((sum, time) => sum + time, 0)]));
}

function longest(files) {
  const sorted = files.toSorted(([, a], [, b]) => b - a).slice(0, MOST_FILES);
  return sorted.map(([name, ms]) => ({ name, seconds: ms / 1000 }));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
const COLOUR = /\x1b\[[\d;]*m/g;

function firstLine(text = "") {
  return text.replace(COLOUR, "").trim().split("\n", 1)[0];
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
