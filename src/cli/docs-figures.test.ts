/**
 * Figures that documents state by hand are those of the code: a changed constant fails here, and names the sentence.
 * Constants are looked up in all files of src/ and assembly/, so that a moved file changes nothing here.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../test/kit/run-cli.ts";

/** A document, its words with the figure, and the code that has it. */
const FIGURES: readonly (readonly [document: string, words: string, ...code: string[]])[] = [
  ["LIMITATIONS.md", "at most 500 files", "const MOST_FILES = 500;"],
  ["LIMITATIONS.md", "400 functions with the most total time and the 200", "const MOST = { total: 400, self: 200 };"],
  ["LIMITATIONS.md", "the 5,000 busiest threads", "const MOST_THREADS = 5000;"],
  ["LIMITATIONS.md", "Measurements after the first 262,144", "export const MOST_MEASUREMENTS: u32 = 262_144;"],
  ["LIMITATIONS.md", "lost data after the first 100,000", "export const MOST_INCIDENTS: u32 = 100_000;"],
  ["LIMITATIONS.md", "the first 20,000 samples", "const MOST_SAMPLES = 20_000;"],
  ["LIMITATIONS.md", "the 64 busiest threads", "const MOST_THREADS = 64;"],
  ["LIMITATIONS.md", "16 lanes of spans", "const MOST_SPAN_LANES = 16;"],
  ["LIMITATIONS.md", "above 500 requests", "export const MOST_REQUESTS = 500;"],
  ["LIMITATIONS.md", "at most 200 other spans", "export const MOST_PEERS = 200;"],
  ["LIMITATIONS.md", "A stack keeps 65,536 frames", "export const MOST_STACK_FRAMES = 65536;"],
  ["LIMITATIONS.md", "may keep 128", "export const LEAST_STACK_FRAMES = 128;"],
  ["LIMITATIONS.md", "keeps 1,000 diagnostics", "const KEPT = { perFile: 1000, overall: 10_000 };"],
  ["LIMITATIONS.md", "keeps 64 lines, an owner 256", "const MAX_LINES = 64;", "const MAX_ATTRIBUTES = 256;"],
  ["LIMITATIONS.md", "At most 16,777,216 spans", "export const MAX_SPANS = 16777216;"],
  ["LIMITATIONS.md", "More than 4,096 scopes", "export const MOST_AROUND = 4096;"],
  ["LIMITATIONS.md", "half a pixel at 1568 pixels", "export const PICTURE_WIDTH = 1568;"],
  ["LIMITATIONS.md", "at least the 20,000 widest", "const REPORT_FRAMES = 20_000;"],
  ["LIMITATIONS.md", "counts up to 1,000 and 10,000 parts", "const MOST_PARTS = 10_000;"],
  ["docs/cdt.md", "at most 200 calls", "export const MOST_IDS = 200;"],
  ["docs/cdt.md", "at most 2,048 frames", "export const MOST_DEPTH = 2048;"],
  ["docs/cdt.md", "with the 1,000 slowest calls", "const SLOWEST = 1000;"],
  ["docs/ci.md", "More than 512 functions", "const MOST_MEMBERS: u32 = 512;"],
  ["docs/ci.md", "At most 1,000 conditions", "const MOST_CONDITIONS = 1000;"],
  ["docs/parquet.md", "1.5 million samples", "const MOST_ROWS = 1_500_000;"],
  ["docs/formats.md", "waterfall (300 spans)", "export const REPORT_SPANS = 300;"],
  ["docs/embedding.md", "at most 4,096 levels", "const MOST_LEVELS = 4096;"],
  ["docs/decisions/flame-graph-renderer.md", "262,144 rows", "export const MAX_FRAMES = 262144;"],
];

const code = ["src", "assembly"]
  .flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: "utf8" }).map((path) => join(room, path)),
  )
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
  .map((path) => readFileSync(join(ROOT, path), "utf8"));

it.each(FIGURES)("%s has the figure of the code: %s", (document, words, ...constants) => {
  const prose = readFileSync(join(ROOT, document), "utf8").replaceAll(/\s+/g, " ");
  expect(prose).toContain(words);
  for (const constant of constants)
    expect([constant, code.some((text) => text.includes(constant))]).toEqual([constant, true]);
});
