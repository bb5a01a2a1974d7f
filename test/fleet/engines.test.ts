/**
 * Ten questions about thirty recordings: the library, DuckDB with the data set, and Iceberg tables, which Python and
 * Spark read, have the same answers. Spark runs the statements of examples/iceberg/README.md, too.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Recording } from "../../src/library/recording.ts";
import type { Sample } from "../../src/library/sample-types.ts";
import { ICEBERG, python, REGISTER } from "../kit/iceberg.ts";
import { ENDPOINTS, EVENTS, functionsOf, writeFleet } from "../kit/jfr/fleet.ts";
import { DUCKDB } from "../kit/needs.ts";
import { openRecording } from "../kit/open-recording.ts";
import { askCli, buildCli, callCli, ROOT } from "../kit/run-cli.ts";
import { type Row, runSpark, SPARK } from "../kit/spark.ts";

const COUNT = 30;
const SERVICES = 3;
const PATIENCE_MS = 900_000;
const TYPES = Object.keys(EVENTS);
const NANOS_OF_MS = 1_000_000n;
const FROM = "2026-11-20 00:00:00";
const UNTIL = "2026-11-20 12:00:00";
const nanosAt = (time: string) => BigInt(Date.parse(`${time.replace(" ", "T")}Z`)) * NANOS_OF_MS;

interface Question {
  name: string;
  sql: string;
  /** The library's answer. `shop` has the files of one service. */
  known: (all: Recording, shop: readonly string[]) => string[];
}

const functions = (name: string, call: string, known: Question["known"]): Question => ({
  name,
  sql: `SELECT function_name, self, total FROM top(${call})`,
  known,
});
/** A line for each key with the number and sums of its samples. */
const totals = (name: string, key: string, of: (sample: Sample) => string): Question => ({
  name,
  sql: `SELECT s.profile_type || ' ' || coalesce(${key}, '') AS name, count(*) AS n,
    CAST(sum(s.value * coalesce(s.period, 1)) AS STRING) AS weight, CAST(sum(coalesce(s.value2, 0)) AS STRING) AS second
    FROM samples s GROUP BY s.profile_type || ' ' || coalesce(${key}, '')`,
  known: (all) => {
    const found = new Map<string, [number, bigint, bigint]>();
    for (const sample of TYPES.flatMap((type) => [...all.select(type).samples()])) {
      const own = `${sample.profile} ${of(sample)}`;
      const [n, value, second] = found.get(own) ?? [0, 0n, 0n];
      found.set(own, [n + 1, value + sample.value, second + sample.second]);
    }
    return [...found].map(([own, sums]) => [own, ...sums].join(" ")).sort();
  },
});

const QUESTIONS: readonly Question[] = [
  ...TYPES.map((type) => functions(`functions of ${type}`, `'${type}'`, (all) => functionsOf(all.select(type)))),
  functions("functions of an endpoint", `'cpu', endpoint => '${ENDPOINTS[0]}'`, (all) =>
    functionsOf(all.select("cpu", { endpoint: ENDPOINTS[0]! })),
  ),
  functions("functions of a service", "'cpu', service => 'shop'", (all, shop) => {
    const found = new Map<string, [bigint, bigint]>();
    for (const line of shop.flatMap((file) => functionsOf(all.select("cpu", { file })))) {
      const [, name = "", self = "", total = ""] = /^(.*) (\d+) (\d+)$/.exec(line)!;
      const sums = found.get(name) ?? [0n, 0n];
      found.set(name, [sums[0] + BigInt(self), sums[1] + BigInt(total)]);
    }
    return [...found].map(([name, sums]) => [name, ...sums].join(" ")).sort();
  }),
  functions("functions of some hours", `'cpu', since => TIMESTAMP '${FROM}', until => TIMESTAMP '${UNTIL}'`, (all) =>
    functionsOf(all.select("cpu", { time: { from: nanosAt(FROM), to: nanosAt(UNTIL) } })),
  ),
  {
    name: "requests",
    sql: "SELECT root_id, observations, weight FROM traces('cpu')",
    known: (all) => {
      const { rows } = all.select("cpu").rank("local-root", { limit: 100_000 });
      const hex = (id: bigint) => BigInt.asUintN(64, id).toString(16).padStart(16, "0");
      return rows.map(({ id, samples, value }) => `${hex(BigInt(id))} ${samples} ${value}`).sort();
    },
  },
  totals("totals of endpoints", "s.endpoint", ({ attributes }) => String(attributes["trace endpoint"] ?? "")),
  totals("totals of threads", "s.thread", ({ thread }) => thread?.name ?? ""),
  totals("totals of dates", "CAST(s.date AS STRING)", ({ time }) =>
    new Date(Number(time / NANOS_OF_MS)).toISOString().slice(0, 10),
  ),
];

/** Writes what tables of Iceberg have as a data set. */
const SCAN = `
import json, sys
from pathlib import Path
import pyarrow.parquet as pq
from pyiceberg.catalog.sql import SqlCatalog
catalog = SqlCatalog("spanflame", uri=f"sqlite:///{sys.argv[1]}/catalog.db")
for _, name in catalog.list_tables("profiles"):
    rows = catalog.load_table(f"profiles.{name}").scan().to_arrow()
    pq.write_to_dataset(rows, Path(sys.argv[2]) / name, partition_cols=["date"])
    if name == "samples":
        print(len(rows))
# The list of earlier versions.
parts = [(*path.relative_to(sys.argv[2]).parts, path) for path in Path(sys.argv[2]).glob("*/date=*/*.parquet")]
parts = [{"table": t, "date": d[5:], "part": p.stem, "bytes": p.stat().st_size} for t, d, _, p in parts]
Path(sys.argv[2], "parts.json").write_text(json.dumps({"format": "spanflame-parquet", "version": 2, "parts": parts}))
`;

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
const lines = (rows: readonly Row[]) => rows.map((row) => Object.values(row).join(" ")).sort();

ICEBERG.describe("ten questions about thirty recordings", () => {
  const folder = mkdtempSync(join(tmpdir(), "spanflame-engines-"));
  const at = (name: string) => join(folder, name);
  const [input, set, warehouse, scanned] = [at("in"), at("set"), at("warehouse"), at("scanned")];
  let all: Recording;
  let shop: string[];
  afterAll(() => {
    all?.close();
    rmSync(folder, { recursive: true });
  });
  beforeAll(async () => {
    await buildCli();
    mkdirSync(input);
    const { whole, cut } = writeFleet(input, COUNT);
    const files = [...whole, ...cut].sort().map((name) => ({ name, data: readFileSync(join(input, name)) }));
    all = await openRecording(files);
    shop = files.flatMap(({ name }, i) => (i % SERVICES === SERVICES - 1 ? [name] : []));
    // Damaged recordings end with 3. The tables have two parts of each date.
    expect(
      (await callCli(["export", ...whole.slice(0, 9).map((name) => join(input, name)), "--parquet", set])).code,
    ).toBe(0);
    expect(python(REGISTER, set, warehouse).status).toBe(0);
    expect((await callCli(["export", input, "--parquet", set])).code).toBe(3);
    expect(python(REGISTER, set, warehouse).status).toBe(0);
    expect(python("-c", SCAN, warehouse, scanned).status).toBe(0);
    writeFileSync(join(scanned, "spanflame.json"), readFileSync(join(set, "spanflame.json")));
  }, PATIENCE_MS);

  const known = ({ known: of }: Question) => of(all, shop);

  it("are ten, with answers", () => {
    expect(QUESTIONS.length).toBe(10);
    for (const question of QUESTIONS) expect(known(question).length, question.name).toBeGreaterThan(2);
  });

  DUCKDB.it(
    "have the library's answers from DuckDB, of the data set and of what Iceberg has",
    async () => {
      for (const question of QUESTIONS) {
        for (const dir of [set, scanned]) {
          const { rows } = await askCli<{ rows: Row[] }>("query", dir, question.sql);
          expect(lines(rows), `${question.name} of ${dir}`).toEqual(known(question));
        }
      }
    },
    PATIENCE_MS,
  );

  SPARK.it(
    "have the library's answers from Spark, which merges and deletes; no row comes back",
    async () => {
      const [questions, maintenance, after] = [at("questions.sql"), at("maintenance.sql"), at("after.sql")];
      writeFileSync(questions, QUESTIONS.map(({ name, sql }) => `SELECT '${name}' AS question;\n${sql};\n`).join(""));
      const readme = readFileSync(join(ROOT, "examples", "iceberg", "README.md"), "utf8");
      writeFileSync(maintenance, `SELECT 'README' AS question;\n${/```sql\n([^`]*)```/.exec(readme)![1]}`);
      writeFileSync(
        after,
        "SELECT 'left' AS question;\nSELECT service, count(*) AS n FROM samples GROUP BY service;\n",
      );
      const catalog = "-Dspark.sql.catalog.spanflame";
      const options = [
        `${catalog}=org.apache.iceberg.spark.SparkCatalog`,
        ...[`${catalog}.type=jdbc`, `${catalog}.uri=jdbc:sqlite:${warehouse}/catalog.db`],
        `${catalog}.warehouse=${warehouse}`,
      ];
      const views = join(ROOT, "docs", "sql", "views.spark.sql");
      const answers = await runSpark(options, "spanflame.profiles", views, questions, maintenance, after);
      for (const question of QUESTIONS)
        expect(lines(answers.get(question.name)!), question.name).toEqual(known(question));
      const count = (file: string) => sumOf(TYPES.map((type) => [...all.select(type, { file }).samples()].length));
      const left = answers.get("left")!;
      expect(left.map(({ service }) => service).sort()).toEqual(["billing", "search"]);
      const samples = sumOf(left.map(({ n }) => Number(n)));
      expect(samples).toBe(sumOf(all.profiles.map((profile) => profile.samples)) - sumOf(shop.map(count)));
      expect(python(REGISTER, set, warehouse).stdout).toContain("samples: 0 parts added");
      expect(Number(python("-c", SCAN, warehouse, at("again")).stdout)).toBe(samples);
    },
    PATIENCE_MS,
  );
});
