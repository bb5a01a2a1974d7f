/** Every command finds samples without a time in any range that overlaps their window. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rowsOf } from "../../test/kit/data-set.ts";
import { DUCKDB } from "../../test/kit/needs.ts";
import { pprofOf } from "../../test/kit/otlp/pprof-message.ts";
import { askCli, buildCli, callCli } from "../../test/kit/run-cli.ts";
import { localFiles } from "./data-set-files.ts";
import { selectSamples } from "./tables/select.ts";

const folder = mkdtempSync(join(tmpdir(), "spanflame-windows-"));
const set = join(folder, "set");
const DAY = "2026-11-20";
const nanosOf = (text: string) => BigInt(Date.parse(`${text}Z`)) * 1_000_000n;

/** Begin, seconds and the function of each profile; the last ones have times of samples, and none at all. */
const PROFILES = [
  [`${DAY}T12:00:00`, 60, "noon"],
  [`${DAY}T12:59:30`, 60, "one"],
  [`${DAY}T23:59:30`, 60, "midnight"],
  [`${DAY}T15:00:00`, 0, "moment"],
  [`${DAY}T12:00:10`, 60, "timed"],
] as const;

afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(async () => {
  await buildCli();
  mkdirSync(join(folder, "in"));
  for (const [i, [begin, seconds, name]] of PROFILES.entries()) {
    const labels = { "local root span id": "12", "span id": "12", end_timestamp_ns: nanosOf(begin) };
    const bytes = pprofOf({
      types: [["cpu", "nanoseconds"]],
      samples: [
        { stack: [name, "main"], values: [10 ** i], ...(name === "timed" && { labels }) },
        ...(name === "timed" ? [{ stack: ["mixed"], values: [1], labels: { "local root span id": "12" } }] : []),
      ],
      timeNanos: String(nanosOf(begin)),
      durationNanos: String(BigInt(seconds) * 1_000_000_000n),
    });
    writeFileSync(join(folder, "in", `${name}.pprof`), bytes);
  }
  expect((await callCli(["export", join(folder, "in"), "--parquet", set, "--service", "go"])).code).toBe(0);
}, 120_000);

/** The range [since, until) and the functions in it; undefined: no such end. */
const RANGES = [
  [undefined, undefined, "noon one midnight moment timed mixed"],
  ["11:00:00", "12:00:00", ""],
  ["12:00:00", "12:00:05", "noon"],
  ["12:00:10", "12:00:11", "noon timed mixed"],
  ["12:00:59", "12:01:30", "noon mixed"],
  ["12:01:00", "12:01:09", "mixed"],
  ["12:01:10", "12:02:00", ""],
  ["13:00:00", "14:00:00", "one"],
  ["15:00:00", "15:00:01", "moment"],
  ["15:00:01", "16:00:00", ""],
  ["23:59:59", undefined, "midnight"],
  [undefined, "12:00:10", "noon"],
] as const;

const sorted = (names: Iterable<string>) => [...names].filter((name) => name !== "").sort();

DUCKDB.describe("samples without a time", () => {
  it.each(RANGES)("from %s to %s are those of %j, in SQL and in the library", async (since, until, names) => {
    const ends = [
      ...(since === undefined ? [] : ["--since", `${DAY}T${since}Z`]),
      ...(until === undefined ? [] : ["--until", `${DAY}T${until}Z`]),
    ];
    const { rows } = await askCli<{ rows: { function_name: string; self: string }[] }>("query", set, "--top", ...ends);
    const found = rows.filter(({ self }) => BigInt(self) > 0n).map((row) => row.function_name);
    expect(sorted(found)).toEqual(sorted(names.split(" ")));
    const wanted = {
      since: since === undefined ? 0n : nanosOf(`${DAY}T${since}`),
      ...(until === undefined ? {} : { until: nanosOf(`${DAY}T${until}`) }),
    };
    expect((await selectSamples(localFiles(set), wanted)).samples).toBe(found.length);
  });

  it("are in the hour in which their window begins, and in no duration of a request", async () => {
    const ask = async (sql: string) => (await askCli<{ rows: Record<string, string>[] }>("query", set, sql)).rows;
    const rows = await ask("select hour, function_name from rollup('cpu') where self > 0 order by all");
    expect(rows.map((row) => `${row.hour!.slice(11, 16)} ${row.function_name}`)).toEqual([
      "12:00 mixed",
      "12:00 noon",
      "12:00 one",
      "12:00 timed",
      "15:00 moment",
      "23:00 midnight",
    ]);
    const requests = await ask("select observations, duration_nano from traces('cpu')");
    expect(requests).toEqual([{ observations: "2", duration_nano: "0" }]);
  });

  it("give their recording its window, which ends with the date", async () => {
    const rows = await rowsOf(set, `select file, start, "end" from recordings order by start, file`);
    const at = (time: string) => `${DAY} ${time}+00`;
    expect(rows).toEqual([
      { file: "noon.pprof", start: at("12:00:00"), end: at("12:01:00") },
      { file: "timed.pprof", start: at("12:00:10"), end: at("12:01:10") },
      { file: "one.pprof", start: at("12:59:30"), end: at("13:00:30") },
      { file: "moment.pprof", start: at("15:00:00"), end: at("15:00:00.000001") },
      { file: "midnight.pprof", start: at("23:59:30"), end: "2026-11-21 00:00:00+00" },
    ]);
  });

  it("are opened with their window as the time of their profile", async () => {
    const output = join(folder, "opened.pb");
    const ends = ["--since", `${DAY}T12:00:30Z`, "--until", `${DAY}T12:00:31Z`];
    expect((await callCli(["open", set, ...ends, "-o", output])).code).toBe(0);
    expect(JSON.stringify(await askCli("info", output))).toContain(String(nanosOf(`${DAY}T12:00:00`)));
  });

  it("are removed when all of their window is old, also from a merged part", async () => {
    const own = join(folder, "removed");
    for (const { name } of [{ name: "noon" }, { name: "one" }, { name: "timed" }])
      expect((await callCli(["export", join(folder, "in", `${name}.pprof`), "--parquet", own])).code).toBe(0);
    await askCli("compact", own);
    await askCli("remove", own, "--before", `${DAY}T13:00:00Z`);
    const rows = await rowsOf(
      own,
      `select leaf, time, time_end, r.start, r."end" from samples join recordings r using (part, recording_id)`,
    );
    const [start, end] = [`${DAY} 12:59:30+00`, `${DAY} 13:00:30+00`];
    expect(rows).toEqual([{ leaf: "one", time: start, time_end: end, start, end }]);
  });
});
