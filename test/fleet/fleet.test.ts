/**
 * A small fleet through `export`, `query` and `open`: DuckDB gives the same answers about its data set as the library
 * about its recordings.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProfileBuilder } from "../../src/library/builder/builder.ts";
import type { Recording } from "../../src/library/recording.ts";
import type { Sample } from "../../src/library/sample-types.ts";
import { rowsOf } from "../kit/data-set.ts";
import { ENDPOINTS, EVENTS, type Fleet, functionsOf, writeFleet } from "../kit/jfr/fleet.ts";
import { DUCKDB } from "../kit/needs.ts";
import { loadCore, openRecording } from "../kit/open-recording.ts";
import { Random } from "../kit/random.ts";
import { askCli, buildCli, callCli, type Ended, runCli } from "../kit/run-cli.ts";

const COUNT = 50;
const TYPES = Object.keys(EVENTS);
const ALL = { limit: 100_000 };

const folder = mkdtempSync(join(tmpdir(), "spanflame-fleet-"));
const input = join(folder, "in");
const set = join(folder, "set");
let fleet: Fleet;
let recording: Recording;
let exported: Ended;
afterAll(() => {
  recording?.close();
  rmSync(folder, { recursive: true });
});
beforeAll(async () => {
  await buildCli();
  mkdirSync(input);
  fleet = writeFleet(input, COUNT);
  exported = await callCli(["export", input, "--parquet", set, "--jobs", "2", "--json"]);
  const names = [...fleet.whole, ...fleet.cut].sort();
  recording = await openRecording(names.map((name) => ({ name, data: readFileSync(join(input, name)) })));
}, 120_000);

/** Files of a data set with their sizes and times, but for the list of them. */
function state(of: string): string[] {
  const all = readdirSync(of, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = all.filter(({ name }) => name !== "parts.json").map(({ parentPath, name }) => join(parentPath, name));
  return paths.map((path) => `${path.slice(of.length)} ${statSync(path).size} ${statSync(path).mtimeMs}`).sort();
}

/** Exports all again: what could not be read is reported every time, and nothing is busy. */
async function exportTo(of: string): Promise<Record<"written" | "known" | "samples" | "parts", number>> {
  const { out, code } = await callCli(["export", input, "--parquet", of, "--json"]);
  const counts = JSON.parse(out.toString());
  expect([code, counts.failed, counts.busy]).toEqual([3, fleet.unreadable.length, 0]);
  return counts;
}

const ask = async (...args: string[]) =>
  (await askCli<{ rows: Record<string, string | null>[] }>("query", set, ...args)).rows;

/** A line for each key with the sum of its values. */
function sums<T>(rows: Iterable<T>, keyOf: (row: T) => string, amountOf: (row: T) => bigint): string[] {
  const found = new Map<string, bigint>();
  for (const row of rows) found.set(keyOf(row), (found.get(keyOf(row)) ?? 0n) + amountOf(row));
  return [...found].map(([key, sum]) => `${key} ${sum}`).sort();
}

/** All that a data set must keep of its recordings, in any order of its rows. */
const CONTENT = `select r.file, r.sha256, r.samples, count(s.part) as found, sum(s.value)::varchar as value,
    sum(s.value2)::varchar as second, sum(s.time_unix_nano)::varchar as times, sum(s.span_id::hugeint)::varchar as spans,
    sum(('0x' || hex(k.stack_hash)[1:12])::bigint)::varchar as stacks, count(s.endpoint) as endpoints
  from recordings r left join samples s using (part, recording_id) left join stacks k using (part, stack_id)
  group by all order by r.file, r.samples`;

describe("a fleet of recordings", () => {
  it("is exported, and its damaged recordings are listed", () => {
    expect(exported.code).toBe(3);
    const { recordings, ...counts } = JSON.parse(exported.out.toString());
    const resultOf = (wanted: string) =>
      (recordings as { input: string; result: string }[])
        .filter(({ result }) => result === wanted)
        .map(({ input: name }) => name.replace(/^.*[\\/]/, ""))
        .sort();
    expect(resultOf("written")).toEqual(fleet.whole);
    expect(resultOf("partly")).toEqual(fleet.cut);
    expect(resultOf("failed")).toEqual(fleet.unreadable);
    for (const name of [...fleet.cut, ...fleet.unreadable]) expect(exported.err).toContain(name);
    expect(counts).toMatchObject({ written: COUNT, known: 0, failed: fleet.unreadable.length, busy: 0 });
    const samples = recording.profiles.reduce((sum, profile) => sum + profile.samples, 0);
    expect(counts.samples).toBe(samples);
  });

  it("is exported once: a second run writes no file", async () => {
    const before = state(set);
    expect(await exportTo(set)).toMatchObject({ written: 0, known: COUNT, samples: 0, parts: 0 });
    expect(state(set)).toEqual(before);
  });
});

DUCKDB.describe("answers of DuckDB are those of the library", () => {
  it("which recordings are damaged, and why", async () => {
    const rows = await rowsOf(
      set,
      "select file, diagnostics[1] as first from recordings where len(diagnostics) > 0 group by all order by file",
    );
    expect(rows.map(({ file }) => file)).toEqual([...fleet.cut, ...fleet.unreadable].sort());
    for (const { first } of rows) expect(String(first)).toMatch(/^error [\w.-]+: /);
  });

  it.each(TYPES)("functions of %s", async (type) => {
    const rows = await ask("--top", "--type", type, "--limit", "100000");
    const found = rows.map(({ function_name, self, total }) => `${function_name} ${self} ${total}`);
    expect(found.sort()).toEqual(functionsOf(recording.select(type)));
    expect(found.length).toBeGreaterThan(3);
  });

  it.each(ENDPOINTS)("functions of %s", async (endpoint) => {
    const rows = await ask("--top", "--endpoint", endpoint, "--limit", "100000");
    const filter = { attributes: [{ key: "trace endpoint", value: endpoint }] };
    const found = rows.map(({ function_name, self, total }) => `${function_name} ${self} ${total}`);
    expect(found.sort()).toEqual(functionsOf(recording.select("cpu", filter)));
  });

  it("requests with their weights and number of samples", async () => {
    const rows = await ask("--traces", "--limit", "100000");
    const { rows: known } = recording.select("cpu").rank("local-root", ALL);
    const found = rows.map((row) => [BigInt(`0x${row.local_root_span_id}`), row.weight, row.observations].join(" "));
    expect(found.sort()).toEqual(known.map(({ id, value, samples }) => [id, value, samples].join(" ")).sort());
    expect(found.length).toBeGreaterThan(3 * COUNT);
  });

  it.each([
    { key: "endpoint", of: ({ attributes }: Sample) => attributes["trace endpoint"] ?? "" },
    { key: "thread", of: ({ thread }: Sample) => thread?.name ?? "" },
  ])("totals by type and $key", async ({ key, of }) => {
    const sql = `select profile_type || ' ' || coalesce(s.${key}, '') as key,
        sum(s.value * coalesce(s.period, 1))::varchar as weight, sum(coalesce(s.value2, 0))::varchar as second
      from samples s group by 1`;
    const rows = await rowsOf(set, sql);
    const samples = TYPES.flatMap((type) => [...recording.select(type).samples()]);
    const named = (sample: Sample) => `${sample.profile} ${of(sample)}`;
    for (const [column, amountOf] of [
      ["weight", ({ value }: Sample) => value],
      ["second", ({ second }: Sample) => second],
    ] as const) {
      const found = rows.map((row) => `${row.key} ${row[column]}`);
      expect(found.sort()).toEqual(sums(samples, named, amountOf));
    }
  });
});

describe("open of a data set", () => {
  /** Functions, second measures and span ids of a selection, by profile. */
  const contentOf = (opened: Recording, select: object) =>
    opened.profiles
      .map(({ type }) => {
        const samples = [...opened.select(type, select).samples()];
        const times = samples.map(({ time, link, second }) => `${time} ${link?.span ?? 0n} ${second}`).sort();
        return { type, top: opened.select(type, select).top(ALL).rows, times };
      })
      .filter(({ times }) => times.length > 0);

  it.each(ENDPOINTS)("gives the samples of %s", async (endpoint) => {
    const file = join(folder, "endpoint.pb");
    expect(await callCli(["open", set, "--endpoint", endpoint, "-o", file])).toMatchObject({ code: 0 });
    using opened = await openRecording({ name: "endpoint.pb", data: readFileSync(file) });
    const filter = { attributes: [{ key: "trace endpoint", value: endpoint }] };
    expect(contentOf(opened, {})).toEqual(contentOf(recording, filter));
  });

  it("gives the samples of a request", async () => {
    const name = fleet.whole[0]!;
    using alone = await openRecording({ name, data: readFileSync(join(input, name)) });
    const [heaviest] = alone.select("cpu").rank("local-root").rows;
    const file = join(folder, "root.pb");
    expect(await callCli(["open", set, "--local-root", String(heaviest!.id), "-o", file])).toMatchObject({ code: 0 });
    using opened = await openRecording({ name: "root.pb", data: readFileSync(file) });
    expect(contentOf(opened, {})).toEqual(contentOf(alone, { localRoot: heaviest!.id }));
  });
});

describe("a trace over several services", () => {
  const TRACE = "6b0242b30000000011913365517621aa";
  /** A request of each service, and the trace of a gateway that calls them. */
  function traced(): { roots: bigint[]; file: string } {
    const roots = fleet.whole.slice(0, 3).map((name) => {
      const [heaviest] = recording.select("cpu", { file: name }).rank("local-root").rows;
      return BigInt(heaviest!.id);
    });
    const hex = (id: bigint) => BigInt.asUintN(64, id).toString(16).padStart(16, "0");
    const span = (id: bigint, parent: bigint, service: string) => ({
      resource: { attributes: [{ key: "service.name", value: { stringValue: service } }] },
      scopeSpans: [
        {
          spans: [
            {
              traceId: TRACE,
              spanId: hex(id),
              ...(parent !== 0n && { parentSpanId: hex(parent) }),
              name: `call of ${service}`,
              startTimeUnixNano: "1795046400000000000",
              endTimeUnixNano: "1795046401000000000",
            },
          ],
        },
      ],
    });
    const resourceSpans = [
      span(7n, 0n, "gateway"),
      ...roots.map((root, i) => span(root, 7n, ["billing", "search", "shop"][i]!)),
    ];
    const file = join(folder, "trace.json");
    writeFileSync(file, JSON.stringify({ resourceSpans }));
    return { roots, file };
  }
  /** Samples by their profile, time and span. */
  const chosen = (of: Recording, select: object) =>
    TYPES.filter((type) => of.profiles.some((profile) => profile.type === type))
      .flatMap((type) => [...of.select(type, select).samples()])
      .map(({ profile, time, link }) => `${profile} ${time} ${link?.span}`)
      .sort();
  const LOWER = BigInt(`0x${TRACE.slice(16)}`).toString();

  async function opened(dir: string, id: string): Promise<Recording> {
    const out = join(folder, "trace.pb");
    expect(await callCli(["open", dir, "--trace-id", id, "-o", out])).toMatchObject({ code: 0 });
    return openRecording({ name: "trace.pb", data: readFileSync(out) });
  }

  it("has the samples of all of them, also if the trace comes after the recordings", async () => {
    const { roots, file } = traced();
    const late = join(folder, "late");
    expect((await callCli(["export", input, "--parquet", late, "-q"])).code).toBe(3);
    expect((await callCli(["open", late, "--trace-id", TRACE, "-o", join(folder, "none.pb")])).code).toBe(1);
    expect((await callCli(["export", join(input, fleet.whole[0]!), "--trace", file, "--parquet", late])).code).toBe(0);
    const early = join(folder, "early");
    expect((await callCli(["export", input, "--trace", file, "--parquet", early, "-q"])).code).toBe(3);
    const expected = chosen(recording, { localRoot: roots });
    expect(expected.length).toBeGreaterThan(3 * 5);
    for (const dir of [late, early]) {
      for (const id of [TRACE, LOWER]) {
        using trace = await opened(dir, id);
        expect(chosen(trace, {})).toEqual(expected);
        expect(new Set(Array.from(trace.select(null).links(), (link) => link.trace))).toEqual(
          new Set([BigInt(`0x${TRACE}`)]),
        );
      }
    }
  });

  DUCKDB.it("has the same samples in SQL", async () => {
    for (const dir of [join(folder, "late"), join(folder, "early")]) {
      using trace = await opened(dir, TRACE);
      for (const id of [TRACE, LOWER]) {
        const { rows } = await askCli<{ rows: Record<string, string>[] }>("query", dir, "--trace-id", id);
        const count = rows.reduce((sum, { observations }) => sum + Number(observations), 0);
        expect(count).toBe(chosen(trace, {}).length);
        expect(new Set(rows.map(({ service }) => service))).toEqual(new Set(["billing", "search", "shop"]));
      }
      const args = ["query", dir, "--top", "--trace-id", TRACE, "--limit", "1000"];
      const { rows } = await askCli<{ rows: Record<string, string>[] }>(...(args as [string, ...string[]]));
      const found = rows.map(({ function_name, self, total }) => `${function_name} ${self} ${total}`);
      expect(found.sort()).toEqual(functionsOf(trace.select("cpu")));
    }
    const stated = `select count(*)::int as n from samples where hex(trace_id) = '${TRACE.toUpperCase()}'`;
    using early = await opened(join(folder, "early"), TRACE);
    expect(await rowsOf(join(folder, "early"), stated)).toEqual([{ n: chosen(early, {}).length }]);
  });
});

DUCKDB.it("counts and times of one profile type are never added", async () => {
  const mixed = join(folder, "mixed");
  const files = await Promise.all(
    [10_000_000n, 0n].map(async (period) => {
      const builder = await ProfileBuilder.with(loadCore);
      const work = builder.function({ name: "work" });
      const stack = builder.stack([builder.location({ lines: [{ function: work, line: 1 }] })]);
      const times = { periodType: "cpu", periodUnit: "nanoseconds", period };
      const rows = builder.profile({ type: "cpu", unit: "samples", ...(period > 0n && times) });
      for (let i = 0n; i < 3n; i++) rows.add({ stack, time: 1_795_046_400_000_000_000n + i });
      const file = join(folder, `period-${period}.pb`);
      writeFileSync(file, builder.write("otlp").bytes);
      builder.close();
      return file;
    }),
  );
  expect((await callCli(["export", ...files, "--parquet", mixed])).code).toBe(0);
  const flame = await callCli(["query", mixed, "--flame"]);
  expect(flame.out.toString()).toBe("work 30000000\n");
  expect(flame.err).toContain("these are nanoseconds; 1 stack in samples left out");
  const diff = "SELECT * FROM diff('cpu', '2026-11-19', '2026-11-19')";
  const { rows } = await askCli<{ rows: Record<string, unknown>[] }>("query", mixed, diff);
  expect(rows.map(({ function_name, self_after }) => [function_name, self_after])).toEqual([["work", 100]]);
});

/** What the samples of a data set are, whatever files and parts they are in. */
const SAMPLES = `select profile_type, service, count(*) as found, sum(value)::varchar as value,
    sum(time_unix_nano)::varchar as times, sum(span_id::hugeint)::varchar as spans, count(endpoint) as endpoints
  from samples group by all order by all`;

/** Chunks of a recording, by the sizes in their headers. */
function chunksOf(bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunks.at(-1)!.length)
    chunks.push(bytes.subarray(at, at + Number(bytes.readBigInt64BE(at + 8))));
  return chunks;
}

DUCKDB.it("overlapping dumps, copies and packed files count once, by several writers and killed ones", async () => {
  const [originals, dumps] = ["originals", "dumps"].map((name) => join(folder, name)) as [string, string];
  for (const path of [originals, dumps]) mkdirSync(path);
  for (const name of fleet.whole.slice(0, 16)) {
    const bytes = readFileSync(join(input, name));
    const chunks = chunksOf(bytes);
    writeFileSync(join(originals, name), bytes);
    writeFileSync(join(dumps, `copy-${name}`), bytes);
    writeFileSync(join(dumps, `first-${name}`), chunks[0]!);
    writeFileSync(join(dumps, `last-${name}.gz`), gzipSync(chunks.at(-1)!));
    writeFileSync(join(dumps, `turned-${name}`), Buffer.concat([...chunks].reverse()));
  }
  const [once, set] = ["once", "overlapping"].map((name) => join(folder, name)) as [string, string];
  expect((await callCli(["export", originals, "--parquet", once, "-q"])).code).toBe(0);
  const random = new Random(33, 0);
  for (let round = 0; round < 3; round++) {
    const runs = [0, 1, 2].map(() => {
      const env = random.one(2) ? { SPANFLAME_KILL_AT: String(1 + random.below(14)) } : {};
      return runCli(["export", dumps, originals, "--parquet", set, "-q"], { env });
    });
    for (const { code } of await Promise.all(runs)) expect([null, 0, 3]).toContain(code);
  }
  // What another writer was reading is left to it, also if that one was killed.
  expect((await callCli(["export", dumps, originals, "--parquet", set, "-q"])).code).toBe(0);
  expect(await rowsOf(set, SAMPLES)).toEqual(await rowsOf(once, SAMPLES));
  const again = await callCli(["export", dumps, originals, "--parquet", set, "--json"]);
  expect(JSON.parse(again.out.toString())).toMatchObject({ written: 0, busy: 0, failed: 0, samples: 0, parts: 0 });
});

DUCKDB.describe("several writers and killed ones", () => {
  it("write the same rows", async () => {
    const expected = await rowsOf(set, CONTENT);
    const shared = join(folder, "shared");
    const ended = await Promise.all([1, 2, 3].map(() => runCli(["export", input, "--parquet", shared, "-q"])));
    for (const { code } of ended) expect(code).toBe(3);
    expect(await exportTo(shared)).toMatchObject({ written: 0, known: COUNT });
    expect(await rowsOf(shared, CONTENT)).toEqual(expected);
  });

  it("killed at random steps lose and duplicate nothing", async () => {
    const expected = await rowsOf(set, CONTENT);
    const killed = join(folder, "killed");
    const random = new Random(20, 0);
    const codes: (number | null)[] = [];
    for (let round = 0; round < 3; round++) {
      const runs = [1, 2].map(() =>
        runCli(["export", input, "--parquet", killed, "-q"], {
          env: { SPANFLAME_KILL_AT: String(1 + random.below(14)) },
        }),
      );
      codes.push(...(await Promise.all(runs)).map(({ code }) => code));
    }
    expect(codes).toContain(null);
    const { written, known } = await exportTo(killed);
    expect(written + known).toBe(COUNT);
    expect(await rowsOf(killed, CONTENT)).toEqual(expected);
  });
});
