/** A simulated fleet, exported by three writers that are killed again and again: every answer is that of the model. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { rowsOf } from "../kit/data-set.ts";
import { type ModelSample, type SimulatedFleet, writeSimulatedFleet } from "../kit/jfr/simulated-fleet.ts";
import { DUCKDB } from "../kit/needs.ts";
import { askCli, buildCli, callCli, runCli } from "../kit/run-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "spanflame-simulation-"));
const set = join(folder, "set");
let fleet: SimulatedFleet;
afterAll(() => rmSync(folder, { recursive: true }));

const at = (paths: readonly string[]) => paths.map((path) => join(folder, path));
const traceArgs = (paths: readonly string[]) => at(paths).flatMap((path) => ["--trace", path]);
/** Exit codes: done, partly (another writer is reading it), killed. */
const CODES = [0, 3, null];

DUCKDB.describe("a simulated fleet", () => {
  beforeAll(async () => {
    await buildCli();
    fleet = writeSimulatedFleet(folder, 20, 12);
    const inputs = join(folder, "in");
    for (let round = 0; round < 3; round++) {
      // The first two are killed at later and later steps of their commits.
      const writers = [1 + 5 * round, 4 + 9 * round, 0].map((step) =>
        runCli(["export", inputs, "--parquet", set, ...traceArgs(fleet.early)], {
          env: { SPANFLAME_KILL_AT: String(step) },
        }),
      );
      for (const { code } of await Promise.all(writers)) expect(CODES).toContain(code);
    }
    expect((await callCli(["export", inputs, "--parquet", set, ...traceArgs(fleet.early)])).code).toBe(0);
    expect(
      (await callCli(["export", ...at(fleet.recordings.slice(0, 1)), "--parquet", set, ...traceArgs(fleet.late)])).code,
    ).toBe(0);
  }, 300_000);

  /** A line for each key with its samples. */
  const counted = (samples: readonly ModelSample[], keyOf: (sample: ModelSample) => string) => {
    const found = new Map<string, number>();
    for (const sample of samples) found.set(keyOf(sample), (found.get(keyOf(sample)) ?? 0) + 1);
    return [...found].map(([key, count]) => `${key} ${count}`).sort();
  };
  const lines = async (sql: string) => (await rowsOf(set, sql)).map(({ line }) => String(line)).sort();

  for (const when of ["as exported", "after compact"]) {
    DUCKDB.it(`has each sample once, ${when}`, async () => {
      if (when === "after compact") expect((await callCli(["compact", set, "--index"])).code).toBe(0);
      const day = "(case when time_unix_nano < 1795132800000000000 then 0 else 1 end)";
      const sql = `select service || ' ' || ${day} || ' ' || leaf || ' ' || count(*) as line from samples group by service, ${day}, leaf`;
      const model = counted(fleet.samples, (sample) => `${sample.service} ${sample.day} demo.Cart.${sample.method}`);
      expect(await lines(sql)).toEqual(model);
      expect(await lines("select hex(span_id) || ' ' || count(*) as line from samples group by span_id")).toEqual(
        counted(fleet.samples, ({ span }) => span.toString(16).toUpperCase()),
      );
      for (const state of ["writers", "claims", "files", "commits"])
        expect(readdirSync(join(set, "_spanflame", state))).toEqual([]);
    });

    DUCKDB.it(
      `has the samples of a trace in all four services, ${when}`,
      async () => {
        for (const trace of fleet.traces) {
          const id = trace.toString(16).padStart(32, "0");
          const { rows } = await askCli<{ rows: Record<string, string>[] }>("query", set, "--trace-id", id);
          const own = fleet.samples.filter((sample) => sample.trace === trace);
          expect(rows.map(({ service, observations }) => `${service} ${observations}`).sort()).toEqual(
            counted(own, ({ service }) => service),
          );
          expect(rows.length).toBe(4);
        }
        const stated = "select count(distinct trace_id)::int || '' as line from spans";
        expect(await lines(stated)).toEqual([String(fleet.traces.length)]);
      },
      120_000,
    );
  }
});
