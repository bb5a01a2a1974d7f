/** `--jobs`: chunks that other threads read, in every command that reads recordings. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { modeChunk } from "../../test/kit/jfr/async-profiler.ts";
import { buildChunk } from "../../test/kit/jfr/jfr-builder.ts";
import { buildCli, ROOT, runCli } from "../../test/kit/run-cli.ts";

const NAMES = ["shop-chunks.jfr", "recorded/ap46-jdk17-all.jfr", "recorded/ddagent-jdk17.jfr", "shop.jfr"];

let folder: string;
beforeAll(async () => {
  await buildCli();
  folder = mkdtempSync(join(tmpdir(), "spanflame-jobs-"));
  const chunks = NAMES.map((name) => readFileSync(join(ROOT, "fixtures", name)));
  const damaged = chunks[1]!.subarray(0, 100_000);
  writeFileSync(join(folder, "all.jfr"), Buffer.concat([...chunks, damaged, ...chunks]));
  const modes = [
    modeChunk("wall", [1n, 2n, 2n]),
    modeChunk("", [2n, 1n]),
    modeChunk("cache-misses", [1n], "1000"),
    modeChunk("", [1n, 1n]),
    modeChunk("cpu", [1n]),
    modeChunk("page-faults", [2n], "1", true),
  ];
  writeFileSync(join(folder, "modes.jfr"), Buffer.concat(modes.map((chunk) => buildChunk(chunk).bytes)));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

async function answer(args: string[], jobs: string) {
  const { code, out, err } = await runCli([...args, "--jobs", jobs], { cwd: folder });
  // The time that the command took.
  return { code, out: out.toString("latin1"), err: err.replaceAll(/ in [\d.]+ m?s/g, "") };
}

describe("--jobs", () => {
  it.each([
    ["convert", "all.jfr", "-o", "-", "--format", "otlp"],
    ["info", "all.jfr", "--json"],
    ["spans", "all.jfr", "--type", "cpu", "--json"],
    ["top", "all.jfr", "all.jfr", "--type", "wall", "--json"],
    ["info", "modes.jfr", "--json"],
    ["convert", "modes.jfr", "--type", "wall", "-o", "-", "--format", "otlp"],
    ["top", "modes.jfr", "--type", "cache-misses", "--json"],
    ["convert", "modes.jfr", "--type", "page-faults", "-o", "-", "--format", "pprof"],
  ])("does not change the answer of %s", async (...args) => {
    const alone = await answer(args, "1");
    expect(alone.code).toBe(0);
    expect(alone.out.length).toBeGreaterThan(100);
    for (const jobs of ["2", "4"]) expect(await answer(args, jobs)).toEqual(alone);
  });
});
