/** `spanflame export` of Cloud Profiler dumps: the table of calls has what `spanflame calls` lists. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  asCapture,
  asFolder,
  asStreamFiles,
  asZip,
  type WrittenCall,
  writeStreams,
} from "../../test/kit/cdt/cdt-writer.ts";
import { rowsOf } from "../../test/kit/data-set.ts";
import { DUCKDB, isSkipped, need } from "../../test/kit/needs.ts";
import { askCli, buildCli, callCli, ROOT } from "../../test/kit/run-cli.ts";

/** Calls begin before and after midnight. */
const START = Date.UTC(2024, 1, 3, 23, 59, 58);
const OUT = mkdtempSync(join(tmpdir(), "spanflame-export-calls-"));
afterAll(() => rmSync(OUT, { recursive: true }));

/** Parameters by call; the last call has no record, so they are not in the dump. */
const PARAMS: Record<string, string[]>[] = [
  { tenant: ["acme"], "brave.trace_id": ["a1"], "brave.span_id": ["f0000000000000b1"] },
  { tenant: ["other", "acme"], "call.red": [], "profiler.title": ["GET /cart"] },
  { ["__proto__"]: ["a\nb"] },
  {},
];
const calls = (server: number) =>
  [10, 30, 60, 100].map((ms, i): WrittenCall => {
    const inner = { method: "void a.B.inner() (B.java:2) [b.jar]", before: 0, after: 5, children: [] };
    return {
      threadId: i % 2,
      thread: `worker-${i % 2}`,
      at: START + 1000 * i + 7 * server,
      root: { method: `void a.B.run${i % 2}() (B.java:1)`, before: 0, after: ms - 5, children: [inner] },
      isRecorded: i < 3,
      reactive: i === 2 ? 40 : 0,
      params: PARAMS[i]!,
    };
  });
const streamsOf = (server: number, format: number) =>
  writeStreams({ start: START, pauses: [[1020, 8]], format, calls: calls(server) }).streams;

function write(folder: string, files: Record<string, Uint8Array>): void {
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
}

const INPUTS = ["folder", "streams", "export.zip", "capture"];
const at = (name: string) => join(OUT, name);
let set: string;
let sets = 0;
beforeAll(async () => {
  await buildCli();
  for (const format of [0, 2, 4])
    write(at("folder"), asFolder(streamsOf(format, format), `web/2024/02/03/${START + format}`));
  write(at("streams"), asStreamFiles(streamsOf(5, 4), "shop_1"));
  writeFileSync(at("export.zip"), asZip(streamsOf(6, 4), `cart/2024/02/03/${START}`, "\\"));
  writeFileSync(at("capture"), asCapture(streamsOf(7, 3), "pod_1"));
}, 120_000);
beforeEach(() => {
  set = at(`set${sets++}`);
});

const exported = (...args: string[]) => callCli(["export", ...args, "--parquet", set]);
const withDuckDb = DUCKDB.it;
const killed = need(!DUCKDB.isMissing && !isSkipped("fleet"), "no @duckdb/node-api, or SPANFLAME_SKIP").it;

it("takes a run once, whether it comes in a folder or in an archive", async () => {
  write(at("again"), asFolder(streamsOf(6, 4), `cart/2024/02/03/${START}`));
  expect(JSON.parse((await exported(at("export.zip"), "--json")).out.toString())).toMatchObject({
    written: 1,
    calls: 4,
  });
  const again = { written: 0, known: 1, calls: 0, parts: 0 };
  for (let time = 0; time < 2; time++)
    expect(JSON.parse((await exported(at("again"), "--json")).out.toString())).toMatchObject(again);
  expect(JSON.parse((await exported(at("capture"), "--json")).out.toString())).toMatchObject({ written: 1, calls: 4 });
});

type Row = Record<string, unknown>;

/** Names of `calls --json` for the columns. */
const COLUMNS: Record<string, string> = {
  id: "call_id",
  run: "instance",
  tree: "tree",
  startUnixNano: "start_unix_nano",
  durationNano: "duration_nano",
  suspensionNano: "suspension_nano",
  treeNano: "tree_nano",
  method: "method",
  name: "name",
  title: "title",
  thread: "coalesce(thread, '')",
  threadId: "thread_id",
  calls: "invocations",
  cpuNano: "cpu_nano",
  waitNano: "wait_nano",
  queueNano: "queue_nano",
  memoryBytes: "allocated_bytes",
  fileReadBytes: "file_read_bytes",
  fileWrittenBytes: "file_written_bytes",
  netReadBytes: "net_read_bytes",
  netWrittenBytes: "net_written_bytes",
  logsGeneratedBytes: "logs_generated_bytes",
  logsWrittenBytes: "logs_written_bytes",
  transactions: "transactions",
  recorded: "origin = 'record'",
  red: "status is not null",
  traceId: "lower(hex(trace_id))",
};
const ALL = `select ${Object.entries(COLUMNS).map(([name, sql]) => `(${sql})::varchar as "${name}"`)}, span_id::varchar as "spanId",
  params, epoch_us("start") * 1000 = start_unix_nano as "isStart" from calls`;

const byId = (a: Row, b: Row) => (String(a.id) < String(b.id) ? -1 : 1);
const text = (value: unknown) => (value === null ? null : String(value));

/** The calls of inputs as the rows of the question. */
async function listed(...inputs: string[]): Promise<Row[]> {
  const { rows } = await askCli<{ rows: Row[] }>("calls", ...inputs, "--roots", "all");
  const known = rows.map((row) => ({
    ...Object.fromEntries(Object.keys(COLUMNS).map((name) => [name, text(row[name])])),
    spanId: row.spanId === null ? "0" : BigInt.asIntN(64, BigInt(`0x${row.spanId}`)).toString(),
    params: Object.entries(row.params as Record<string, string[]>).map(([key, all]) => ({
      key,
      value: all.join("\n"),
    })),
    isStart: true,
  }));
  return known.sort(byId);
}

const written = async () => (await rowsOf(set, ALL)).sort(byId);

describe("export of dumps", () => {
  it("writes each run once, whatever its folder is named", async () => {
    const first = await exported(...INPUTS.map(at), "--json");
    expect(JSON.parse(first.out.toString())).toMatchObject({ written: 6, failed: 0, calls: 24, samples: 0 });
    expect([first.code, first.err]).toEqual([0, expect.stringContaining("6 recordings written")]);
    expect(first.err).toContain("0 samples and 24 calls in 2 parts");
    expect(readdirSync(join(set, "calls")).sort()).toEqual(["date=2024-02-03", "date=2024-02-04"]);
    cpSync(at("folder"), at("copy"), { recursive: true });
    const again = await exported(...INPUTS.map(at), at("copy"), "--json");
    expect(JSON.parse(again.out.toString())).toMatchObject({ written: 0, known: 9, calls: 0, parts: 0 });
    for (const state of ["writers", "claims", "files", "commits"])
      expect(readdirSync(join(set, "_spanflame", state))).toEqual([]);
  });

  it("lists a damaged dump, and exports the others", async () => {
    const damaged = at("damaged");
    const { calls: records, ...others } = streamsOf(1, 4);
    write(
      join(damaged, "cut"),
      asFolder({ ...others, calls: [records![0]!.subarray(0, -9)] }, "a/2024/02/03/1", false),
    );
    write(join(damaged, "noise"), { "b/2024/02/03/2/calls/000001": new TextEncoder().encode("These are no calls.") });
    write(join(damaged, "whole"), asFolder(streamsOf(2, 4), "c/2024/02/03/3"));
    const { code, out, err } = await exported(damaged, "--json");
    expect(code).toBe(3);
    const { recordings, ...counts } = JSON.parse(out.toString());
    expect(counts).toMatchObject({ written: 2, failed: 1 });
    expect(recordings.map(({ input, result }: Record<string, string>) => [input, result])).toEqual([
      ["damaged/cut/a/2024/02/03/1", "written"],
      ["damaged/noise/b/2024/02/03/2", "failed"],
      ["damaged/whole/c/2024/02/03/3", "written"],
    ]);
    expect(err).toContain("the file ends within a record");
    expect(err).toContain("the format or the time is unknown");
  });

  it("says that a folder has no run", async () => {
    write(at("lone"), { "dictionary/000001": streamsOf(0, 4).dictionary![0]! });
    const { code, err } = await exported(at("lone"));
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("the folder has files of a dump, but neither calls nor a trace"),
    ]);
  });
});

describe("calls of a data set", () => {
  withDuckDb("are those that `calls` lists", async () => {
    for (const input of INPUTS) {
      set = at(`one-${input}`);
      expect((await exported(at(input))).code).toBe(0);
      const expected = await listed(at(input));
      expect(expected.length).toBeGreaterThan(3);
      expect(await written()).toEqual(expected);
    }
  });

  withDuckDb("have the same ids whatever else is exported, with one thread and with several", async () => {
    for (const name of ["x", "y"]) write(at(`twin-${name}`), asFolder(streamsOf(name === "x" ? 8 : 9, 4), "same"));
    const inputs = ["twin-x/same", "twin-y/same"].map(at);
    const expected = [...(await listed(inputs[0]!)), ...(await listed(inputs[1]!))].map(({ id }) => id).sort();
    for (const jobs of ["1", "3"]) {
      set = at(`twins-${jobs}`);
      expect(
        (await exported(...inputs, join(ROOT, "fixtures", "shop.jfr"), "--jobs", jobs, "--service", "s")).code,
      ).toBe(0);
      const rows = await rowsOf(set, "select call_id as id, service, instance from calls order by id");
      expect(rows.map(({ id }) => id)).toEqual(expected);
      expect(new Set(rows.map(({ service, instance }) => `${service} ${instance}`))).toEqual(new Set(["s same"]));
      const samples = await rowsOf(
        set,
        "select count(*)::int as n from samples join recordings using (part, recording_id)",
      );
      expect(samples[0]?.n).toBeGreaterThan(0);
    }
  });

  withDuckDb("are the same after compact, sorted by service and start, each with its dump", async () => {
    for (const input of [...INPUTS.map(at), join(ROOT, "fixtures", "shop.jfr")]) await exported(input);
    const ofDumps = `select file, r.service, count(*)::int as calls, sum(duration_nano)::varchar as total
      from calls c join recordings r using (part, recording_id) where c.service is not distinct from r.service
      group by all order by file`;
    const [before, dumps] = [await written(), await rowsOf(set, ofDumps)];
    expect(dumps.map(({ file, service, calls }) => [file, service, calls])).toEqual([
      ["capture", "shop", 4],
      ["export.zip", "cart", 4],
      ["shop_1", "shop_1", 4],
      ...[0, 2, 4].map((format) => [`web/${START + format}`, "web", 4]),
    ]);
    const { code, out } = await callCli(["compact", set, "--json"]);
    expect([code, JSON.parse(out.toString()).dates.map(({ parts }: { parts: number }) => parts)]).toEqual([
      0,
      [4, 4, 0],
    ]);
    for (const date of readdirSync(join(set, "calls"))) expect(readdirSync(join(set, "calls", date))).toHaveLength(1);
    expect(await written()).toEqual(before);
    expect(await rowsOf(set, ofDumps)).toEqual(dumps);
    const files = `read_parquet('${join(set, "calls")}/*/*.parquet', file_row_number = true)`;
    const misplaced = `select count(*)::int as n from (
      select service, start_unix_nano as nanos, lag(service) over w as service0, lag(start_unix_nano) over w as nanos0
      from ${files} window w as (partition by part order by file_row_number)
    ) where service0 > service or (service0 = service and nanos0 > nanos)`;
    expect(await rowsOf(set, misplaced)).toEqual([{ n: 0 }]);
  });

  killed(
    "of a killed export are none or all of its batch, and the next one has each once",
    async () => {
      const inputs = [at("folder"), at("export.zip")];
      const expected = await listed(...inputs);
      let kills = 0;
      for (let step = 1; ; step += 5) {
        set = at(`killed${step}`);
        const env = { SPANFLAME_KILL_AT: String(step) };
        const { code } = await callCli(["export", ...inputs, "--parquet", set], { env });
        if (code === 0) break;
        kills++;
        expect((await exported(...inputs)).code).toBe(0);
        expect(await written()).toEqual(expected);
      }
      expect(kills).toBeGreaterThan(3);
    },
    240_000,
  );

  killed(
    "are the same after compact is killed at any step",
    async () => {
      const inputs = INPUTS.filter((name) => name !== "folder").map(at);
      const expected = await listed(...inputs);
      for (const input of inputs) await exported(input);
      const whole = set;
      let kills = 0;
      for (let killAt = 1; ; killAt += 9) {
        set = at(`compact${killAt}`);
        cpSync(whole, set, { recursive: true });
        const { code } = await callCli(["compact", set], { env: { SPANFLAME_KILL_AT: String(killAt) } });
        expect((await callCli(["compact", set])).code).toBe(0);
        expect(await written()).toEqual(expected);
        if (code === 0) break;
        kills++;
      }
      expect(kills).toBeGreaterThan(3);
    },
    240_000,
  );

  withDuckDb("answer the question of docs/parquet/queries.md", async () => {
    await exported(at("folder"));
    const document = readFileSync(join(ROOT, "docs", "parquet", "queries.md"), "utf8");
    const [, sql = ""] = /```sql\n(SELECT name[^`]+);\n```/.exec(document) ?? [];
    const { out } = await callCli(["query", set, sql, "--json"]);
    const rows = JSON.parse(out.toString()).rows ?? JSON.parse(out.toString());
    expect(rows).toEqual([{ name: "a.B.run0", calls: "3", total: "30000000", p95: "10000000" }]);
  });
});
