/** Unit tests, and tests of the compiled core: the core is built once before them. */
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { reportPage } from "./scripts/report-page.mjs";

export default defineConfig({
  plugins: [reportPage()],
  test: {
    include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.{ts,tsx}", "scripts/**/*.test.{ts,mjs}"],
    environment: "node",
    globalSetup: ["scripts/vitest-setup.mjs"],
    setupFiles: ["test/kit/equal-bytes.ts"],
    testTimeout: 120_000,
    // By itself it leaves a processor alone, which is half of a machine with two.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ["default", "json"],
    // scripts/test.mjs counts from it.
    outputFile: { json: ".cache/reports/unit.json" },
  },
});
