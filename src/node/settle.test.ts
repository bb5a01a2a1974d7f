/** The process ends when its work is done: a hang is a run that takes much longer than the work. */
import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCli, CLI, ROOT } from "../../test/kit/run-cli.ts";

const RUNS = 8;
const AT_ONCE = 2;
const LIMIT_MS = 60_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanflame-settle-"));
  await buildCli();
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

/** A message of stacks in which one function calls itself, as OTLP/JSON. */
function deepRecursion(stacks: number, depth: number): string {
  const stack = (more: number) => ({ locationIndices: new Array<number>(depth + more).fill(1) });
  const sample = (index: number) => ({
    stackIndex: index + 1,
    values: [1],
    timestampsUnixNano: [String(1000 + index)],
  });
  const indices = Array.from({ length: stacks }, (_, i) => i);
  const profile = { sampleType: { typeStrindex: 1, unitStrindex: 2 }, samples: indices.map(sample) };
  return JSON.stringify({
    resourceProfiles: [{ scopeProfiles: [{ profiles: [profile] }] }],
    dictionary: {
      stringTable: ["", "cpu", "samples", "recur"],
      mappingTable: [{}],
      functionTable: [{}, { nameStrindex: 3 }],
      locationTable: [{}, { lines: [{ functionIndex: 1 }] }],
      linkTable: [{}],
      attributeTable: [{}],
      stackTable: [{}, ...indices.map(stack)],
    },
  });
}

function run(args: string[]): Promise<number | "hang" | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, ...args], { stdio: "ignore" });
    const limit = setTimeout(() => {
      resolve("hang");
      child.kill("SIGKILL");
    }, LIMIT_MS);
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(limit);
      resolve(code);
    });
  });
}

describe("the process", () => {
  it("collects garbage last, which lets compile jobs end", () => {
    const args = ["--trace-gc", CLI, "info", join(ROOT, "fixtures", "shop.jfr"), "--json"];
    const collections = execFileSync(process.execPath, args, { encoding: "utf8" }).match(/^\[\d+.*ms: .*$/gm);
    expect(collections?.at(-1)).toMatch(/Mark-Compact.*testing/);
  });

  it("ends each time after a picture of a deep recursion", async () => {
    const input = join(folder, "recursion.json");
    await writeFile(input, deepRecursion(20, 20_000));
    const codes: (number | "hang" | null)[] = [];
    for (let i = 0; i < RUNS; i += AT_ONCE) {
      const runs = Array.from({ length: AT_ONCE }, (_, j) => join(folder, `${i + j}.svg`));
      codes.push(...(await Promise.all(runs.map((out) => run(["convert", input, "--type", "cpu", "-o", out])))));
    }
    expect(codes).toEqual(new Array(RUNS).fill(0));
  }, 600_000);
});
