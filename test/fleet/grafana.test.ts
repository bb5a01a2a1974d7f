/** The statements of examples/grafana/dashboard.json, run by DuckDB: their answers are the library's. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Recording } from "../../src/library/recording.ts";
import { ENDPOINTS, functionsOf, writeFleet } from "../kit/jfr/fleet.ts";
import { DUCKDB } from "../kit/needs.ts";
import { openRecording } from "../kit/open-recording.ts";
import { askCli, buildCli, callCli, ROOT } from "../kit/run-cli.ts";

const COUNT = 12;
const FROM = "2026-11-19T00:00:00.000Z";
const UNTIL = "2026-11-23T00:00:00.000Z";
const NOON = "2026-11-20T12:00:00.000Z";
const NANOS_OF_MS = 1_000_000n;

type Row = Record<string, string | number | null>;
interface Dashboard {
  panels: { title: string; type: string; targets: { rawSql: string; format: string }[] }[];
  templating: { list: { name: string; query: string; allValue?: string }[] };
}

const { panels, templating } = JSON.parse(
  readFileSync(join(ROOT, "examples", "grafana", "dashboard.json"), "utf8"),
) as Dashboard;

DUCKDB.describe("the dashboard for Grafana", () => {
  const folder = mkdtempSync(join(tmpdir(), "spanflame-grafana-"));
  const [input, set] = [join(folder, "in"), join(folder, "set")];
  let recording: Recording;
  afterAll(() => {
    recording?.close();
    rmSync(folder, { recursive: true });
  });
  beforeAll(async () => {
    await buildCli();
    mkdirSync(input);
    const { whole, cut } = writeFleet(input, COUNT);
    expect((await callCli(["export", input, "--parquet", set])).code).toBe(3);
    const files = [...whole, ...cut].map((name) => ({ name, data: readFileSync(join(input, name)) }));
    recording = await openRecording(files);
  }, 120_000);

  /** Rows of a statement; Grafana puts the values of its variables into it. "All" is the variable's own word for it. */
  async function ask(sql: string, given: Record<string, string> = {}): Promise<Row[]> {
    const texts: Record<string, string> = { type: "cpu", ...given };
    const ends: Record<string, string> = {
      __from: given.from ?? FROM,
      __to: given.to ?? UNTIL,
      __interval_ms: "60000",
    };
    const text = sql.replaceAll(/\$\{(\w+)(?::([\w:]+))?\}/g, (_, name: string, format = "") => {
      if (ends[name] !== undefined) return ends[name];
      const all = templating.list.find((each) => each.name === name)?.allValue;
      const value = texts[name];
      expect([name, format, value ?? all]).toEqual([name, "sqlstring", expect.any(String)]);
      return value === undefined ? all! : `'${value.replaceAll("'", "''")}'`;
    });
    return (await askCli<{ rows: Row[] }>("query", set, text)).rows;
  }
  const panel = (title: string) => panels.find((each) => each.title === title)!.targets[0]!.rawSql;
  const numbers = (rows: Row[], column: string) => rows.map((row) => BigInt(Math.round(Number(row[column]))));
  const sum = (values: readonly bigint[]) => values.reduce((all, value) => all + value, 0n);
  const weight = (select: object) => sum([...recording.select("cpu", select).samples()].map(({ value }) => value));
  const time = { from: BigInt(Date.parse(FROM)) * NANOS_OF_MS, to: BigInt(Date.parse(NOON)) * NANOS_OF_MS };
  const CHOICES: [Record<string, string>, object][] = [
    [{}, {}],
    [{ endpoint: ENDPOINTS[0]! }, { endpoint: ENDPOINTS[0]! }],
    [{ to: NOON }, { time }],
  ];

  it("lists types, services and endpoints", async () => {
    const answers = new Map<string, unknown[]>();
    for (const { name, query } of templating.list.filter(({ query: text }) => text.includes("SELECT")))
      answers.set(name, (await ask(query)).flatMap((row) => Object.values(row)).sort());
    expect(Object.fromEntries(answers)).toEqual({
      type: ["alloc-samples", "cpu", "lock-contention"],
      service: ["billing", "search", "shop"],
      endpoint: ENDPOINTS,
    });
  });

  it.each(CHOICES)("has the weight, functions and requests of %j", async (given, select) => {
    const series = await ask(panel("Weight by service"), given);
    expect(sum(numbers(series, "value"))).toBe(weight(select));
    const functions = await ask(panel("Functions"), given);
    const found = functions.map(({ function_name, self, total }) => `${function_name} ${self} ${total}`);
    const known = functionsOf(recording.select("cpu", select));
    expect([found.length, known]).toEqual([Math.min(100, known.length), expect.arrayContaining(found)]);
    const { rows } = recording.select("cpu", select).rank("local-root", { limit: 100_000 });
    expect(sum(numbers(await ask(panel("Endpoints"), given), "requests"))).toBe(BigInt(rows.length));
    const ids = rows.map(({ id }) => BigInt.asUintN(64, BigInt(id)).toString(16).padStart(16, "0"));
    const requests = (await ask(panel("Slowest requests"), given)).map(({ root_id }) => root_id);
    expect([requests.length, ids]).toEqual([Math.min(100, ids.length), expect.arrayContaining(requests)]);
  });

  it.each(CHOICES)("has a flame graph of %j as a nested set", async (given, select) => {
    const rows = await ask(panel("Flame graph"), given);
    const [levels, values, selves] = ["level", "value", "self"].map((name) => numbers(rows, name)) as bigint[][];
    expect([levels![0], values![0], rows[0]!.label]).toEqual([0n, weight(select), "all"]);
    for (const [i, level] of levels!.entries()) {
      const end = levels!.findIndex((other, at) => at > i && other <= level);
      const children = levels!.flatMap((other, at) =>
        at > i && (end < 0 || at < end) && other === level + 1n ? [values![at]!] : [],
      );
      expect(selves![i]! + sum(children)).toBe(values![i]);
      if (i > 0) expect(level <= levels![i - 1]! + 1n).toBe(true);
    }
  });

  it("has no statement that this file does not run", () => {
    expect(panels.map(({ title, type, targets }) => [title, type, targets[0]!.format])).toEqual([
      ["Weight by service", "timeseries", "time_series"],
      ["Flame graph", "flamegraph", "table"],
      ["Functions", "table", "table"],
      ["Endpoints", "table", "table"],
      ["Slowest requests", "table", "table"],
    ]);
  });
});
