/**
 * Browser tests against the built page in dist/, served by the CLI's own server with its headers, below a path of
 * its own (e2e/kit/serve-site.ts). The browser is the one scripts/test.mjs found, or is looked for here.
 */
import { defineConfig } from "@playwright/test";
import { type FoundBrowser, findBrowser, workersFor } from "./scripts/find-browser.mjs";

// Playwright loads this file in every worker too; they inherit the environment, so the search happens once.
process.env.SPANFLAME_FOUND_BROWSER ??= JSON.stringify(await findBrowser({ log: console.error }));
const browser: FoundBrowser = JSON.parse(process.env.SPANFLAME_FOUND_BROWSER);

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results",
  globalSetup: "./e2e/kit/serve-site.ts",
  fullyParallel: true,
  workers: workersFor(browser),
  // A test that passes on the second attempt is counted and named in the summary (scripts/count-results.mjs).
  retries: 1,
  timeout: 60_000,
  // Slow machines need more than the usual five seconds for the largest graphs.
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  // scripts/test.mjs counts from the second.
  reporter: [["list"], ["json", { outputFile: ".cache/reports/browser.json" }]],
  use: {
    browserName: "chromium",
    // A new context is a new process, which takes as long as opening the page: half of a test.
    reuseContext: true,
    // Set by e2e/kit/serve-site.ts before the workers start; ends with a slash, so tests go to "./?sample".
    ...(process.env.SPANFLAME_SITE === undefined ? {} : { baseURL: process.env.SPANFLAME_SITE }),
    launchOptions: { executablePath: browser.executablePath, args: browser.args },
    // A zoom takes its time otherwise; e2e/graph/whole-graph.spec.ts looks at that.
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    trace: "off",
  },
});
