/** Facts of a data set that once differed from the commands: threads, endpoints, dates, large sums. */
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildChunk } from "../../test/kit/jfr/jfr-builder.ts";
import { cpuChunk } from "../../test/kit/jfr/jfr-types.ts";
import { DUCKDB } from "../../test/kit/needs.ts";
import { askCli, buildCli, callCli, ROOT } from "../../test/kit/run-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "spanflame-figures-"));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(buildCli, 120_000);
const AGENT = join(ROOT, "fixtures", "recorded", "ddagent-jdk17.jfr");

async function exported(file: string, name: string, exit = 0): Promise<string> {
  const set = join(folder, name);
  expect((await callCli(["export", file, "--parquet", set])).code).toBe(exit);
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

  it("has the same stacks of a recording, whatever others are in its part", async () => {
    // The agent unpacks its library under another name for each process: frames have that name and equal build ids.
    const original = readFileSync(join(ROOT, "fixtures", "recorded", "dd152-jdk17-remotesym.jfr"));
    const files = [1, 2].map((digit) => {
      const bytes = Buffer.from(original.toString("latin1").replaceAll("-dd-tmp1", `-dd-tmp${digit}`), "latin1");
      const file = join(folder, `process-${digit}.jfr`);
      writeFileSync(file, bytes);
      return file;
    });
    const sql = `SELECT file, string_agg(DISTINCT hex(stack_hash), ' ' ORDER BY hex(stack_hash)) AS hashes, count(*)::INTEGER AS n,
         count(*) FILTER (leaf LIKE '%dd-tmp%')::INTEGER AS named
       FROM samples JOIN stacks USING (part, stack_id) JOIN recordings USING (part, recording_id) GROUP BY ALL ORDER BY ALL`;
    const both = join(folder, "both");
    expect((await callCli(["export", ...(files as [string, string]), "--parquet", both])).code).toBe(0);
    const found = await rows(both, sql);
    const alone = [await exported(files[0]!, "first"), await exported(files[1]!, "second")];
    expect(found).toEqual((await Promise.all(alone.map((set) => rows(set, sql)))).flat());
    expect(found).toHaveLength(2);
  }, 60_000);

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

  it("has the whole id of a Datadog trace in each of its spans, also of payloads that do not state it", async () => {
    const span = (id: number, parent: number, more: object) => ({
      ...{ trace_id: 7, span_id: id, parent_id: parent, name: "a", service: "s", resource: "r" },
      ...{ start: 1_795_046_400_000_000_000, duration: 5, ...more },
    });
    const first = span(1, 0, { meta: { "_dd.p.tid": "640f0b2a00000000" } });
    const file = join(folder, "datadog.json");
    writeFileSync(file, JSON.stringify([[first, span(2, 1, {})], [span(3, 2, {})]]));
    const set = join(folder, "datadog");
    expect((await callCli(["export", AGENT, "--trace", file, "--parquet", set])).code).toBe(0);
    expect(await rows(set, "SELECT hex(trace_id) AS trace, count(*)::INTEGER AS n FROM spans GROUP BY ALL")).toEqual([
      { trace: "640F0B2A000000000000000000000007", n: 3 },
    ]);
  });

  it("finds a trace by its whole id, also where its spans state the lower half only", async () => {
    const file = join(folder, "one.jfr");
    writeFileSync(file, buildChunk(cpuChunk([{ span: 5n, root: 5n }])).bytes);
    const trace = join(folder, "half.json");
    const span = {
      trace_id: 7,
      span_id: 5,
      parent_id: 0,
      name: "a",
      service: "s",
      resource: "r",
      start: 1,
      duration: 5,
    };
    writeFileSync(trace, JSON.stringify([[span]]));
    const set = join(folder, "half");
    for (const args of [[file], ["--trace", trace]])
      expect((await callCli(["export", ...args, "--parquet", set])).code).toBe(0);
    const id = "640f0b2a000000000000000000000007";
    const found = await askCli<{ rows: { observations: string }[] }>("query", set, "--trace-id", id);
    expect(found.rows.map(({ observations }) => observations)).toEqual(["1"]);
    expect((await callCli(["open", set, "--trace-id", id, "-o", join(folder, "half.pb")])).code).toBe(0);
    const other = await askCli<{ rows: unknown[] }>("query", set, "--trace-id", id.replace(/7$/, "8"));
    expect(other.rows).toEqual([]);
  });

  it("has the samples of a span id in each trace that has this id", async () => {
    const file = join(folder, "shared.jfr");
    writeFileSync(file, buildChunk(cpuChunk([{ span: 5n, root: 5n }])).bytes);
    const traces = ["a", "b"].map((digit) => digit.repeat(32));
    const args = traces.flatMap((traceId) => {
      const path = join(folder, `${traceId}.json`);
      writeFileSync(
        path,
        JSON.stringify([{ traceId, id: "5", name: "s", timestamp: 1_795_046_400_000_000, duration: 5 }]),
      );
      return ["--trace", path];
    });
    const set = join(folder, "shared");
    expect((await callCli(["export", file, ...args, "--parquet", set])).code).toBe(0);
    for (const trace of traces) {
      const { rows: found } = await askCli<{ rows: { observations: string }[] }>("query", set, "--trace-id", trace);
      expect(found.map(({ observations }) => observations)).toEqual(["1"]);
    }
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
    // Exit code 3: the sum is at the limit.
    const set = await exported(file, "large", 3);
    const [{ total }] = (await rows(set, "SELECT total FROM top('samples') WHERE function_name = 'main'")) as [
      { total: string },
    ];
    expect(total).toBe(String(2n ** 63n - 1n));
  });
});
