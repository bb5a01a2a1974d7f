/** Unit tests, and tests of the compiled core: the core is built once before them. */
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { leftOut } from "./scripts/long-work.mjs";
import { reportPage } from "./scripts/report-page.mjs";

/** Tests that leave their process as it was. */
const TOGETHER = ["src/**/*.test.{ts,tsx}", "test/{kit,core,differential}/**/*.test.ts", "scripts/**/*.test.{ts,mjs}"];
/** Tests that replace modules or start many programs. */
const ALONE = [
  "src/{cli,node,fleet}/**/*.test.ts",
  "test/core/{read/gzip,fake-rows}.test.ts",
  "src/library/{guide-doc,beside/*}.test.ts",
  "src/pattern/pattern.test.ts",
  "src/worker/session.test.ts",
  "src/record/record.test.ts",
];

const NOT_RUN = leftOut((process.env.SPANFLAME_SKIP ?? "").split(",")).map((folder) => `${folder}**`);

export default defineConfig({
  plugins: [reportPage()],
  test: {
    environment: "node",
    globalSetup: ["scripts/vitest-setup.mjs"],
    setupFiles: ["test/kit/equal-bytes.ts"],
    testTimeout: 120_000,
    // Hooks build what their tests run.
    hookTimeout: 120_000,
    // By itself it leaves a processor alone, which is half of a machine with two.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ["default", "json"],
    // scripts/test.mjs counts from it.
    outputFile: { json: ".cache/reports/unit.json" },
    projects: [
      {
        extends: true,
        test: {
          name: "alone",
          include: [...ALONE, "test/{fleet,fuzz,package,relations}/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...NOT_RUN],
        },
      },
      {
        extends: true,
        test: {
          name: "together",
          include: TOGETHER,
          exclude: ["**/node_modules/**", ...ALONE],
          // A process costs 0.2 s of a processor, a compiled core as much again, and most files take less than that.
          isolate: false,
        },
      },
    ],
  },
});
