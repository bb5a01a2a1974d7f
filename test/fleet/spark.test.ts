/**
 * The views for Spark and the job of examples/spark, run by Spark with two threads over a data set: they give the same
 * answers as the library about the recordings.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Recording } from "../../src/library/recording.ts";
import { ENDPOINTS, functionsOf, writeFleet } from "../kit/jfr/fleet.ts";
import { openRecording } from "../kit/open-recording.ts";
import { buildCli, callCli, ROOT } from "../kit/run-cli.ts";
import { type Row, runSpark, SPARK } from "../kit/spark.ts";

const COUNT = 20;
const ALL = { limit: 100_000 };
const EXAMPLE = join(ROOT, "examples", "spark");
const PATIENCE_MS = 900_000;
const NANOS_OF_MS = 1_000_000n;
const MS_OF_DAY = 86_400_000;
const PLACES = 10;
/** Rows of one query come after a row with its name. */
const QUESTIONS = `SELECT 'top' AS question;
SELECT function_name, self, total FROM top('cpu');
SELECT 'top of an endpoint' AS question;
SELECT function_name, self, total FROM top('cpu', endpoint => '${ENDPOINTS[0]}');
SELECT 'traces' AS question;
SELECT root_id, observations, weight FROM traces('cpu');
SELECT 'job' AS question;
`;

SPARK.describe("Spark", () => {
  const folder = mkdtempSync(join(tmpdir(), "spanflame-spark-"));
  let recording: Recording;
  let answers: Map<string, Row[]>;
  afterAll(() => {
    recording?.close();
    rmSync(folder, { recursive: true });
  });
  beforeAll(async () => {
    await buildCli();
    const [input, set, questions] = ["in", "set", "questions.sql"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    mkdirSync(input);
    const { whole, cut } = writeFleet(input, COUNT);
    // Damaged recordings end with 3. Two runs give each date several parts.
    expect((await callCli(["export", join(input, whole[0]!), "--parquet", set])).code).toBe(0);
    expect((await callCli(["export", input, "--parquet", set])).code).toBe(3);
    recording = await openRecording(
      [...whole, ...cut].map((name) => ({ name, data: readFileSync(join(input, name)) })),
    );
    writeFileSync(questions, QUESTIONS);
    const views = join(ROOT, "docs", "sql", "views.spark.sql");
    answers = await runSpark([], set, views, questions, join(EXAMPLE, "top-by-endpoint.sql"));
  }, PATIENCE_MS);

  const functions = (rows: Row[]) => rows.map(({ function_name, self, total }) => `${function_name} ${self} ${total}`);
  const known = (select: object) => functionsOf(recording.select("cpu", select));
  const of = (endpoint: string) => ({ attributes: [{ key: "trace endpoint", value: endpoint }] });

  it("has the library's functions", () => {
    expect(functions(answers.get("top")!).sort()).toEqual(known({}));
    expect(functions(answers.get("top of an endpoint")!).sort()).toEqual(known(of(ENDPOINTS[0]!)));
    expect(answers.get("top")!.length).toBeGreaterThan(3);
  });

  it("has the library's requests", () => {
    const rows = recording.select("cpu").rank("local-root", ALL).rows;
    const found = answers
      .get("traces")!
      .map(({ root_id, observations, weight }) => `${root_id} ${observations} ${weight}`);
    const expected = rows.map(({ id, samples, value }) => `${id.toString(16).padStart(16, "0")} ${samples} ${value}`);
    expect(found.sort()).toEqual(expected.sort());
  });

  it("has the library's functions of each endpoint and date", () => {
    const groups = new Map<string, Row[]>();
    for (const row of answers.get("job")!) {
      const key = `${row.date} ${row.endpoint}`;
      groups.set(key, [...(groups.get(key) ?? []), row]);
    }
    expect(groups.size).toBeGreaterThan(ENDPOINTS.length);
    for (const [key, rows] of groups) {
      const [date = "", ...words] = key.split(" ");
      const start = Date.parse(`${date}T00:00:00Z`);
      const time = { from: BigInt(start) * NANOS_OF_MS, to: BigInt(start + MS_OF_DAY) * NANOS_OF_MS };
      const expected = known({ ...of(words.join(" ")), time });
      // Functions of equal weight may have any order among the last places.
      expect(expected).toEqual(expect.arrayContaining(functions(rows)));
      expect(rows.length).toBe(Math.min(PLACES, expected.length));
      expect(rows.map(({ place }) => place)).toEqual(rows.map((_, i) => i + 1));
    }
    const all = ENDPOINTS.reduce(
      (sum, endpoint) => sum + recording.select("cpu", of(endpoint)).top(ALL).rows[0]!.total,
      0n,
    );
    expect(all).toBeGreaterThan(0n);
  });
});
