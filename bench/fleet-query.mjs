#!/usr/bin/env node
/**
 * node bench/fleet-query.mjs [--rows 10000000] [--rounds 9] [--threads 2] [--data DIR] [--views FILE] [--sql SQL]:
 * questions to a data set of N observations, answered by DuckDB with the views of docs/sql. Makes the data set once, in
 * .cache/. Prints the medians of wall and processor times beside the goals.
 */
import { existsSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { makeRows } from "./fleet-rows.mjs";

const ROOT = join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "10000000" },
    rounds: { type: "string", default: "9" },
    threads: { type: "string", default: "2" },
    data: { type: "string" },
    views: { type: "string", default: join(ROOT, "docs", "sql", "views.duckdb.sql") },
    sql: { type: "string" },
  },
});

const folder = resolve(values.data ?? join(ROOT, ".cache", `fleet-rows-${values.rows}`));
if (!existsSync(folder)) {
  console.log(`writing ${folder}`);
  await makeRows(folder, Number(values.rows));
}

const instance = await DuckDBInstance.create(":memory:", { threads: values.threads });
const connection = await instance.connect();
await connection.run("SET TimeZone = 'UTC'");
const views = readFileSync(values.views, "utf8").replaceAll("DATASET", folder);
for (const statement of views.split(/;\s*\n/)) {
  const [, table] = /^SELECT \* FROM read_parquet\('([^*]+)\/\*/m.exec(statement) ?? [];
  if (/^CREATE/m.test(statement) && (table === undefined || existsSync(table))) await connection.run(statement);
}

async function rowsOf(sql) {
  return (await connection.runAndReadAll(sql)).getRowObjects();
}

const [{ rows, last }] = await rowsOf("SELECT count(*) AS rows, max(date)::VARCHAR AS last FROM samples");
const [{ endpoint }] = await rowsOf(
  `SELECT endpoint FROM samples WHERE date = '${last}' GROUP BY ALL ORDER BY count(*) DESC LIMIT 1`,
);
const [{ root }] = await rowsOf(
  `SELECT local_root_span_id AS root FROM samples WHERE date = '${last}' AND endpoint = '${endpoint}' AND profile_type = 'wall'
   AND local_root_span_id <> 0 GROUP BY ALL ORDER BY count(*) DESC, root LIMIT 1 OFFSET 100`,
);
const QUESTIONS = [
  {
    name: "functions of an endpoint, a day",
    goal: 0.3,
    sql: `FROM top('cpu', endpoint := '${endpoint}', since := '${last}') LIMIT 25`,
  },
  { name: "flame graph of a trace", goal: 0.3, sql: `FROM flame('wall', root := ${root})` },
  { name: "functions of everything", goal: 1.5, sql: "FROM top('cpu') LIMIT 25" },
  {
    name: "slowest requests of an endpoint, a day",
    goal: null,
    sql: `FROM traces('wall', endpoint := '${endpoint}', since := '${last}') ORDER BY duration_nano DESC LIMIT 5`,
  },
  { name: "endpoints", goal: null, sql: "FROM operations('cpu')" },
];
if (values.sql !== undefined) QUESTIONS.splice(0, QUESTIONS.length, { name: values.sql, goal: null, sql: values.sql });

const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
const found = QUESTIONS.map(() => ({ wall: [], cpu: [] }));
// Rounds of all questions, so that a busy moment of the machine is not in one question only.
for (let round = 0; round <= Number(values.rounds); round++) {
  for (const [i, { sql }] of QUESTIONS.entries()) {
    const [start, before] = [performance.now(), process.cpuUsage()];
    await rowsOf(sql);
    const { user, system } = process.cpuUsage(before);
    if (round === 0) continue;
    found[i].wall.push((performance.now() - start) / 1e3);
    found[i].cpu.push((user + system) / 1e6);
  }
}
console.log(`${rows} rows, ${values.threads} threads, ${values.rounds} rounds, load ${loadavg()[0].toFixed(1)}`);
for (const [i, { name, goal }] of QUESTIONS.entries()) {
  const { wall, cpu } = found[i];
  const words = goal === null ? "" : `, goal ${goal} s`;
  console.log(`${name}: ${median(wall).toFixed(2)} s, ${median(cpu).toFixed(2)} CPU s${words}`);
}
