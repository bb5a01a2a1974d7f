/** Facts of a data set that once differed from the commands: threads, endpoints, dates, large sums. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DUCKDB } from "../../test/kit/needs.ts";
import { askCli, buildCli, callCli, ROOT } from "../../test/kit/run-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "spanflame-figures-"));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(buildCli, 120_000);
const AGENT = join(ROOT, "fixtures", "recorded", "ddagent-jdk17.jfr");

async function exported(file: string, name: string): Promise<string> {
  const set = join(folder, name);
  expect((await callCli(["export", file, "--parquet", set])).code).toBe(0);
  return set;
}

const rows = async (set: string, sql: string) =>
  (await askCli<{ rows: Record<string, string>[] }>("query", set, sql)).rows;

DUCKDB.describe("a data set", () => {
  it("has the threads of the recording: an id may be one of the JVM and one of the system", async () => {
    const set = await exported(AGENT, "threads");
    const { profiles } = await askCli<{ profiles: { type: string; threads: number }[] }>("info", AGENT);
    const found = await rows(
      set,
      `SELECT profile_type, count(DISTINCT (thread, thread_id)) FILTER (thread_id IS NOT NULL OR thread IS NOT NULL)::INTEGER AS threads
       FROM samples GROUP BY ALL`,
    );
    expect(profiles.length).toBeGreaterThan(2);
    for (const { type, threads } of profiles)
      expect([type, found.find((row) => row.profile_type === type)?.threads]).toEqual([type, threads]);
  });

  it("has the endpoints of spans --by endpoint", async () => {
    const set = await exported(AGENT, "endpoints");
    const own = await askCli<{ rows: { key: string; samples: number }[] }>(
      ...(["spans", AGENT, "--by", "endpoint", "--type", "cpu", "--limit", "1000"] as [string, ...string[]]),
    );
    const found = await rows(
      set,
      "SELECT endpoint AS key, count(*)::INTEGER AS samples FROM samples WHERE profile_type = 'cpu' AND endpoint IS NOT NULL GROUP BY ALL",
    );
    const texts = (all: readonly { key?: string; samples?: unknown }[]) =>
      all.map((row) => `${row.key} ${row.samples}`);
    expect(texts(found).sort()).toEqual(texts(own.rows).sort());
  });

  it("has what has no time on the date of its file", async () => {
    const file = join(folder, "stacks.collapsed");
    writeFileSync(file, "main;a 3\nmain;b 4\n");
    utimesSync(file, new Date("2026-11-20T23:59:59Z"), new Date("2026-11-20T23:59:59Z"));
    const set = await exported(file, "timeless");
    expect(await rows(set, "SELECT date, count(*)::INTEGER AS n, min(time) AS time FROM samples GROUP BY ALL")).toEqual(
      [{ date: "2026-11-20", n: 2, time: null }],
    );
    expect(await rows(set, 'SELECT start, "end" FROM recordings')).toEqual([{ start: null, end: null }]);
  });

  it("answers with the largest number where a sum is larger", async () => {
    const file = join(folder, "large.collapsed");
    writeFileSync(file, `main;a ${2n ** 62n}\nmain;b ${2n ** 62n}\nmain;c 1\n`);
    const set = await exported(file, "large");
    const [{ total }] = (await rows(set, "SELECT total FROM top('samples') WHERE function_name = 'main'")) as [
      { total: string },
    ];
    expect(total).toBe(String(2n ** 63n - 1n));
  });
});
