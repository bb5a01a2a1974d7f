/** Every answer says what the recorder left out of the profiles that it is made of. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildChunk, type ChunkSpec } from "../../test/kit/jfr/jfr-builder.ts";
import { events, item, limitedChunk, lossChunk, MS } from "../../test/kit/jfr/losses.ts";
import { buildCli, callCli } from "../../test/kit/run-cli.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "spanflame-losses-"));
beforeAll(buildCli, 120_000);
afterAll(() => rmSync(FOLDER, { recursive: true }));

function put(name: string, chunk: ChunkSpec): string {
  const path = join(FOLDER, name);
  writeFileSync(path, buildChunk(chunk).bytes);
  return path;
}
const LIMITED = put("limited.jfr", limitedChunk(20_000n));
const FASTER = put("faster.jfr", limitedChunk(40_000n));
const LOST = put("lost.jfr", lossChunk(item("jdk.CPUTimeSamplesLost", 0n, { lostSamples: 115n })));
const WHOLE = put("whole.jfr", lossChunk(...events("jdk.FileRead", 100, 10n * MS, { duration: MS })));

async function said(...args: string[]): Promise<string> {
  const { out, err } = await callCli(args);
  return `${err}${out.toString()}`;
}

const READS = "At least: jdk.FileRead is limited to 300/s.";
const THROWN = "At least: jdk.JavaExceptionThrow is limited to 300/s; jdk.ExceptionStatistics counts 40,000.";
const CPU = "At least: the recorder lost 5 samples, about 50 ms.";

describe("an answer", () => {
  it.each<[words: string[], args: string[]]>([
    [
      [READS, THROWN, CPU],
      ["info", LIMITED],
    ],
    [[READS], ["top", LIMITED, "--type", "file-read"]],
    [[READS], ["top", LIMITED, "--type", "file-read", "--span", "7"]],
    [[CPU], ["top", LIMITED, "--type", "cpu-time"]],
    [[READS], ["spans", LIMITED, "--type", "file-read", "--by", "span"]],
    [[READS], ["spans", LIMITED, "--type", "file-read", "--by", "operation"]],
    [
      [THROWN, "20,000 per second by jdk.ExceptionStatistics"],
      ["why", LIMITED, "--type", "exceptions"],
    ],
    [["At least (file-read): jdk.FileRead"], ["why", LIMITED, "--span", "7"]],
    [["At least (file-read): jdk.FileRead"], ["trace", LIMITED, "--inferred"]],
    [
      [
        "A is at least: jdk.JavaExceptionThrow",
        "Both are at the limit",
        "counts 20,000 per second in A and 40,000 in B",
      ],
      ["diff", LIMITED, FASTER, "--type", "exceptions"],
    ],
    [
      ["not known: the recorder left out events"],
      ["gate", LIMITED, FASTER, "--type", "exceptions", "--fail-if", "total() > +5%"],
    ],
    [["the recorder lost all 115 samples of jdk.CPUTimeSample"], ["info", LOST]],
    [["the recorder lost all 115 samples of jdk.CPUTimeSample"], ["top", LOST, "--type", "cpu-time"]],
    [["the recorder lost all 115 samples of jdk.CPUTimeSample"], ["spans", LOST, "--type", "cpu-time"]],
    [["the recorder lost all 115 samples of jdk.CPUTimeSample"], ["why", LOST]],
  ])("says %j: %j", async (words, args) => {
    const text = await said(...args);
    for (const each of words) expect(text).toContain(each);
  });

  it("says nothing of a whole profile, and of others than its own", async () => {
    expect(await said("top", WHOLE, "--type", "file-read")).not.toMatch(/least|limit/);
    expect(await said("info", WHOLE)).not.toMatch(/least|limit/);
    expect(await said("top", LIMITED, "--type", "cpu-time")).not.toMatch(/FileRead|limit/);
  });

  it("has no rate of a part of the exceptions", async () => {
    expect(await said("why", LIMITED, "--type", "exceptions", "--local-root", "7")).not.toContain("per second");
  });

  it("as a report says it beside the totals", async () => {
    const path = join(FOLDER, "report.html");
    await said("convert", LIMITED, "--type", "file-read", "--format", "html", "-o", path);
    expect(readFileSync(path, "utf8")).toContain(READS);
  });

  it("is the same with threads", async () => {
    const [one, two] = await Promise.all(["1", "2"].map((jobs) => said("info", LIMITED, "--jobs", jobs, "--json")));
    expect(two).toBe(one);
  });
});
