/** A span of trace files is one row of `spans`, in whatever files, formats and processes it is fetched again. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rowsOf } from "../../test/kit/data-set.ts";
import { DUCKDB } from "../../test/kit/needs.ts";
import { Random } from "../../test/kit/random.ts";
import { buildCli, callCli, runCli } from "../../test/kit/run-cli.ts";
import { TRACE_WRITERS, type WrittenSpan } from "../../test/kit/trace-writer.ts";

const folder = mkdtempSync(join(tmpdir(), "spanflame-spans-once-"));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(buildCli, 120_000);

const TRACES = 4;
const SPANS = 9;
const BEGIN = BigInt(Date.UTC(2026, 10, 20, 23, 59, 59)) * 1_000_000n;
/** Traces that go on after midnight. Ids of spans are those of other traces, too. */
const ALL: WrittenSpan[] = Array.from({ length: TRACES * SPANS }, (_, i) => ({
  trace: (7n << 64n) + BigInt(1 + Math.floor(i / SPANS)),
  id: BigInt(100 + (i % SPANS)),
  parent: i % SPANS === 0 ? 0n : 100n,
  name: `span ${i}`,
  start: BEGIN + BigInt(i) * 100_000_123n,
  duration: 5_000_000n,
  thread: "main",
  kind: i % SPANS === 0 ? "server" : "internal",
}));
const FORMATS = Object.keys(TRACE_WRITERS);

const found = async (set: string) =>
  (await rowsOf(set, "select name, count(*)::int as n from spans group by name order by name")).map(
    ({ name, n }) => `${name} ${n}`,
  );

DUCKDB.describe("a span of trace files", () => {
  it.each([1, 2, 3])("is one row after fetches of it that overlap, case %i", async (seed) => {
    const random = new Random(20261129, seed);
    const own = join(folder, String(seed));
    mkdirSync(own);
    const known = new Set<WrittenSpan>();
    for (let round = 0; round < 4; round++) {
      const files = Array.from({ length: 1 + random.below(3) }, (_, i) => {
        const spans = ALL.filter(() => random.one(2));
        for (const span of spans) known.add(span);
        const format = FORMATS[random.below(FORMATS.length)]!;
        const path = join(own, `${round}-${i}.trace`);
        writeFileSync(path, TRACE_WRITERS[format]!(spans));
        return path;
      });
      const args = (paths: string[]) => [
        "export",
        ...paths.flatMap((path) => ["--trace", path]),
        "--parquet",
        join(own, "set"),
      ];
      // Two processes at once, or one with all, also with threads.
      if (random.one(2)) await Promise.all(files.map((file) => runCli(args([file]))));
      else expect((await callCli([...args(files), "--jobs", String(1 + random.below(2))])).code).toBe(0);
      if (random.one(2)) expect(await callCli(["compact", join(own, "set")])).toMatchObject({ code: 0 });
      expect(await found(join(own, "set"))).toEqual([...known].map(({ name }) => `${name} 1`).sort());
    }
    for (const state of ["writers", "claims", "files", "commits"])
      expect(readdirSync(join(own, "set", "_spanflame", state))).toEqual([]);
    expect((await callCli(["verify", join(own, "set")])).code).toBe(0);
  });
});
